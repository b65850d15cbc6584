//! Contest protocols.

use super::handshake::Handshake;
use super::host::SeatClient;
use crate::agent::Agent;
use serde_json::Value;
use std::fmt::{self, Debug, Formatter};

/// A contest protocol.
pub struct Protocol {
    /// First exchange with a client.
    pub handshake: Handshake,
    /// Default port of its servers.
    pub port: u16,
    /// Names of the games that it supports, without revision.
    pub games: &'static [&'static str],
    /// Returns an error with the reason if clients cannot play with these options of the game.
    pub suits: fn(&Value) -> Result<(), String>,
    /// Creates the agent of one seat on one thread.
    pub agent: fn(SeatClient) -> Box<dyn Agent>,
}

impl Debug for Protocol {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.handshake.name)
    }
}
