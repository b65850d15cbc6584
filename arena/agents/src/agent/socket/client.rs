//! Entrants whose clients connect over a socket.

use super::host::SeatClient;
use super::protocol::Protocol;
use super::spec::ClientSpec;
use crate::agent::{Agent, AgentError, AgentFactory, AgentResult, lock};
use std::sync::Arc;

/// An entrant whose clients connect over a socket.
#[derive(Clone, Debug)]
pub struct ClientBot {
    protocol: &'static Protocol,
    spec: Arc<ClientSpec>,
}

impl ClientBot {
    /// Creates an entrant. If `spec` has a listener, clients are accepted there from now on.
    #[must_use]
    pub fn new(protocol: &'static Protocol, spec: ClientSpec) -> ClientBot {
        if let Some(listener) = &spec.listener {
            listener.expect(&spec.name);
        }
        ClientBot {
            protocol,
            spec: Arc::new(spec),
        }
    }
}

impl AgentFactory for ClientBot {
    /// Returns an agent at once. The agent waits for a client at the start of a block.
    fn open(&self, _config_json: &str) -> AgentResult<Box<dyn Agent>> {
        Ok((self.protocol.agent)(SeatClient::new(Arc::clone(
            &self.spec,
        ))))
    }

    /// Waits until a client has connected. This client plays the first block.
    fn check_start(&self, _config_json: &str) -> AgentResult {
        let spec = &self.spec;
        let first = SeatClient::new(Arc::clone(spec)).next_client();
        let first = first.map_err(|reason| {
            let remedy = match (&spec.launch, &spec.listener) {
                (None, Some(listener)) => {
                    format!("start a client that connects to {}", listener.address())
                }
                _ => "fix the `command` of the entrant; `{host}` and `{port}` in it are replaced \
                      by the address to connect to"
                    .to_owned(),
            };
            AgentError::start(format!("{reason}; {remedy}"))
        })?;
        *lock(&spec.first) = Some(first);
        Ok(())
    }

    fn first_output(&self) -> Option<&str> {
        self.spec.launch.as_ref()?.first_output()
    }
}
