//! Protocols of contests.

use super::handshake::Handshake;
use super::host::Host;
use crate::agent::Agent;
use serde_json::Value;
use std::fmt::{self, Debug, Formatter};

/// A protocol, as the room needs it.
pub struct Protocol {
    /// The first exchange with a client.
    pub handshake: Handshake,
    /// The port that servers of it listen at where nobody says.
    pub port: u16,
    /// Names of the games that it can be spoken in, without revision.
    pub games: &'static [&'static str],
    /// Whether clients can play by these options of the game, else why not.
    pub suits: fn(&Value) -> Result<(), String>,
    /// A seat of one thread.
    pub agent: fn(Host) -> Box<dyn Agent>,
}

impl Debug for Protocol {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.handshake.name)
    }
}
