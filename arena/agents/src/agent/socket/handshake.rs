//! The first message of a client.

use super::stream::Stream;
use std::fmt::{self, Debug, Formatter};
use std::time::{Duration, Instant};

/// Characters of a client's name that count.
pub const NAME_KEPT: usize = 9;

/// What a client has said of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Greeting {
    /// Its name, where the protocol has it tell one.
    pub name: Option<String>,
    /// The version of the protocol that it speaks, in that protocol's numbers.
    pub version: u32,
}

/// The first exchange of a protocol, and what the host has to know of the rest.
pub struct Handshake {
    /// Name of the protocol, which is the `kind` of its entrants.
    pub name: &'static str,
    /// Time that a client has to greet.
    pub greeting: Duration,
    /// Clients tell their names, so that several entrants can share an address.
    pub names: bool,
    /// Clients may speak out of turn: their answers say what they answer, and the protocol's agent
    /// sorts them out.
    pub chatter: bool,
    /// Reads the first message of a client. `Err` is the reason why the client cannot be seated.
    pub greet: fn(&mut Stream, Instant) -> Result<Greeting, String>,
}

impl Debug for Handshake {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
