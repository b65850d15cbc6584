//! The first message of a client.

use super::stream::Stream;
use std::time::{Duration, Instant};

/// Number of characters of a client's name that are compared with the names of entrants.
pub const NAME_KEPT: usize = 9;

/// The data of a client's first message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientGreeting {
    /// Name of the client, if the protocol contains one.
    pub name: Option<String>,
    /// Version of the protocol, as the client states it.
    pub version: u32,
}

/// The greeting of a contest protocol, and properties of the protocol that the host needs.
#[derive(Debug)]
pub struct Handshake {
    /// Name of the protocol. League files use it as the `kind` of entrants.
    pub name: &'static str,
    /// Time that a client has to send its greeting.
    pub greeting: Duration,
    /// `true` if clients send their names, so that several entrants can share an address.
    pub names: bool,
    /// `true` if clients may send unrequested messages. Each answer then states which question it
    /// answers, and the protocol's agent matches them.
    pub allows_unrequested: bool,
    /// Reads the first message of a client before a deadline. An error is the reason why the client
    /// is rejected.
    pub greet: fn(&mut Stream, Instant) -> Result<ClientGreeting, String>,
}
