//! Entrants whose clients connect over a socket.

use super::host::SeatClient;
use super::protocol::Protocol;
use super::terms::ClientTerms;
use crate::agent::lock::lock;
use crate::agent::{Agent, AgentError, AgentFactory};
use std::sync::Arc;
use std::time::Instant;

/// An entrant whose clients connect over a socket.
#[derive(Clone, Debug)]
pub struct ClientBot {
    protocol: &'static Protocol,
    terms: Arc<ClientTerms>,
}

impl ClientBot {
    /// Creates an entrant. If `terms` has a listener, clients are accepted there from now on.
    #[must_use]
    pub fn new(protocol: &'static Protocol, terms: ClientTerms) -> ClientBot {
        if let Some(door) = &terms.listener {
            door.expect(&terms.name);
        }
        ClientBot {
            protocol,
            terms: Arc::new(terms),
        }
    }
}

impl AgentFactory for ClientBot {
    /// Returns an agent at once. The agent waits for a client at the start of a block.
    fn open(&self, _config_json: &str) -> Result<Box<dyn Agent>, AgentError> {
        Ok((self.protocol.agent)(SeatClient::new(Arc::clone(
            &self.terms,
        ))))
    }

    /// Waits until a client has connected. This client plays the first block.
    fn check_start(&self, _config_json: &str) -> Result<(), AgentError> {
        let terms = &self.terms;
        let (proven, cure) = match (&terms.launch, &terms.listener) {
            (None, Some(door)) => (
                door.await_one(&terms.name, Instant::now() + terms.start),
                format!("start a client that connects to {}", door.address()),
            ),
            _ => (
                SeatClient::new(Arc::clone(terms))
                    .connect_first()
                    .map(|first| *lock(&terms.first) = first),
                "fix the `command` of the entrant; `{host}` and `{port}` in it are replaced by the \
                 address to connect to"
                    .to_owned(),
            ),
        };
        proven.map_err(|reason| AgentError::start(format!("{reason}; {cure}")))
    }

    fn first_output(&self) -> Option<&str> {
        self.terms.launch.as_ref()?.first_output()
    }
}
