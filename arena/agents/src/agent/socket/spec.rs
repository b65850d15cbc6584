//! The parameters of an entrant's clients.

use super::handshake::Handshake;
use super::listener::{SocketListener, WaitingClient};
use crate::agent::launch::RunningProgram;
use crate::agent::{Budget, Launch, ProcessLimits};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Default time to wait for a client.
pub const START: Duration = Duration::from_secs(60);
/// Time limit of an answer if the league sets none.
const HANG: Duration = Duration::from_secs(10);

/// The parameters of an entrant's clients.
#[derive(Debug)]
pub struct ClientSpec {
    /// Greeting and other properties of the protocol.
    pub handshake: &'static Handshake,
    /// Name of the entrant.
    pub name: String,
    /// Listener for all clients of the entrant; `None` if each seat has its own listener.
    pub listener: Option<Arc<SocketListener>>,
    /// Command that starts a client; `None` if clients are started outside Hattari.
    pub launch: Option<Launch>,
    /// Time to wait for a client.
    pub start: Duration,
    /// Time limit of an answer if the decision has no limit.
    pub hang: Duration,
    /// Lock that ensures that clients with a shared listener are started one at a time.
    pub(super) starting: Mutex<()>,
    /// Client that connected before the first block, with its process if the league started it.
    pub(super) first: Mutex<Option<(WaitingClient, Option<RunningProgram>)>>,
}

impl ClientSpec {
    /// Creates the parameters of the entrant `name` under a league's budget, without listener and
    /// command.
    #[must_use]
    pub fn new(handshake: &'static Handshake, name: &str, budget: &Budget) -> ClientSpec {
        let limited = budget
            .decision_us
            .map(|us| ProcessLimits::patience(Duration::from_micros(us)));
        ClientSpec {
            handshake,
            name: name.to_owned(),
            listener: None,
            launch: None,
            start: START,
            hang: limited.unwrap_or(HANG).max(Duration::from_secs(1)),
            starting: Mutex::default(),
            first: Mutex::default(),
        }
    }
}
