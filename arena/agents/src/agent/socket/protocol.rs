//! Contest protocols.

use super::handshake::Handshake;
use super::host::SeatClient;
use crate::agent::Agent;
use serde_json::Value;

/// A contest protocol.
#[derive(Debug)]
pub struct Protocol {
    /// Greeting of clients and properties that the host needs.
    pub handshake: Handshake,
    /// Default port of servers for this protocol.
    pub port: u16,
    /// Names, without revision, of the games that can be played with this protocol.
    pub games: &'static [&'static str],
    /// Function that checks the options of a game. The error is the reason why clients cannot play
    /// with them.
    pub check_options: fn(&Value) -> Result<(), String>,
    /// Function that creates the agent of one seat on one thread.
    pub agent: fn(SeatClient) -> Box<dyn Agent>,
}
