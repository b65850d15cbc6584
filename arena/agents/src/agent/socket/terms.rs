//! Parameters of an entrant's clients.

use super::handshake::Handshake;
use super::listener::{SocketListener, WaitingClient};
use crate::agent::launch::{Launch, Running};
use crate::agent::{Budget, ProcessLimits};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Default time to wait for a client.
pub const START: Duration = Duration::from_secs(60);
/// Default time limit of an answer.
pub(crate) const HANG: Duration = Duration::from_secs(10);

/// The parameters of an entrant's clients.
#[derive(Debug)]
pub struct ClientTerms {
    /// First exchange of the protocol.
    pub handshake: &'static Handshake,
    /// Name of the entrant.
    pub name: String,
    /// Listener for the clients; `None` if each seat has its own.
    pub door: Option<Arc<SocketListener>>,
    /// Command that starts a client; `None` if clients are started by others.
    pub launch: Option<Launch>,
    /// Time to wait for a client.
    pub start: Duration,
    /// Time limit of an answer that has no other limit.
    pub hang: Duration,
    /// Lock with which clients are started one at a time if they share a listener.
    pub(super) starting: Mutex<()>,
    /// Client that connected before the first block.
    pub(super) first: Mutex<Option<(WaitingClient, Running)>>,
}

impl ClientTerms {
    /// Creates the parameters of the entrant `name` with a league's budget.
    #[must_use]
    pub fn new(handshake: &'static Handshake, name: &str, budget: &Budget) -> ClientTerms {
        let limited = budget
            .decision_us
            .map(|us| ProcessLimits::patience(Duration::from_micros(us)));
        ClientTerms {
            handshake,
            name: name.to_owned(),
            door: None,
            launch: None,
            start: START,
            hang: limited.unwrap_or(HANG).max(Duration::from_secs(1)),
            starting: Mutex::default(),
            first: Mutex::default(),
        }
    }
}
