//! The first message of a client.

use super::stream::Stream;
use std::fmt::{self, Debug, Formatter};
use std::time::{Duration, Instant};

/// Number of significant characters in a client's name.
pub const NAME_KEPT: usize = 9;

/// The greeting of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientGreeting {
    /// Name of the client, if the protocol contains one.
    pub name: Option<String>,
    /// Version of the protocol, in that protocol's numbering.
    pub version: u32,
}

/// The first exchange of a protocol, and properties that the host needs.
pub struct Handshake {
    /// Name of the protocol, which is the `kind` of its entrants.
    pub name: &'static str,
    /// Time that a client has to greet.
    pub greeting: Duration,
    /// `true` if clients send their names, so that several entrants can share an address.
    pub names: bool,
    /// `true` if clients may send unrequested messages. Their answers then identify the question,
    /// and the protocol's agent matches them.
    pub chatter: bool,
    /// Reads the first message of a client. The error is the reason to reject the client.
    pub greet: fn(&mut Stream, Instant) -> Result<ClientGreeting, String>,
}

impl Debug for Handshake {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
