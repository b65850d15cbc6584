//! Entrants whose clients connect over a socket: contest protocols, the parameters of clients, and
//! the connection of one seat to its client, with the client's process.

use super::listener::{ClientGreeting, Handshake, SocketListener, WaitingClient};
use super::stream::{ConnectionEnd, Stream};
use crate::agent::launch::{ExitingClients, RunningProgram};
use crate::agent::status::{check_in_time, late_ns};
use crate::agent::{
    Agent, AgentError, AgentFactory, AgentResult, Budget, FaultScope, Launch, ProcessLimits, lock,
};
use crate::record::FaultKind;
use serde_json::Value;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Time limit for sending the last message to a client.
const PARTING: Duration = Duration::from_secs(2);
/// Time that the host waits for the exit status of a process whose connection was closed.
const ENDING: Duration = Duration::from_millis(200);

/// The client of a seat.
///
/// Messages are collected in [`SeatClient::outbox`] and sent by the next [`SeatClient::ask`], the
/// only call that waits for the client. If the connection fails, the client's process is ended, and
/// the error applies to the rest of the deal. [`SeatClient::connect`] then gets another client.
#[derive(Debug)]
pub struct SeatClient {
    spec: Arc<ClientSpec>,
    /// Listener for the clients of this seat, opened if the entrant has no shared listener.
    own: Option<SocketListener>,
    stream: Option<Stream>,
    /// Buffer for messages while no client is connected.
    discarded: Vec<u8>,
    running: Option<RunningProgram>,
    leaving: ExitingClients,
}

impl SeatClient {
    /// Creates a seat without a client.
    pub(crate) fn new(spec: Arc<ClientSpec>) -> SeatClient {
        let leaving = ExitingClients::default();
        SeatClient {
            spec,
            own: None,
            stream: None,
            discarded: Vec::new(),
            running: None,
            leaving,
        }
    }

    /// Disconnects the client of the last match, starts a new client if the league has a command,
    /// and waits for a client. Returns the client's greeting; nothing has been sent to the client
    /// yet.
    ///
    /// # Errors
    /// Returns an error if no client connects. The error applies to the rest of the block, so that
    /// the league can finish without the client.
    pub fn connect(&mut self) -> AgentResult<ClientGreeting> {
        self.disconnect();
        self.discarded.clear();
        let (guest, running) = self.next_client().map_err(|message| {
            self.running = None;
            AgentError::start(message).with_scope(FaultScope::Block)
        })?;
        self.running = running;
        self.stream = Some(guest.stream);
        Ok(guest.greeting)
    }

    /// Waits for a client like [`SeatClient::connect`]. Returns the client, and its process if the
    /// league has a command.
    ///
    /// # Errors
    /// Returns an error if no client connects.
    fn next_client(&mut self) -> Result<(WaitingClient, Option<RunningProgram>), String> {
        let spec = Arc::clone(&self.spec);
        if let Some((mut guest, running)) = lock(&spec.first).take()
            && guest.check_connection(spec.handshake).is_ok()
        {
            return Ok((guest, running));
        }
        let until = || Instant::now() + spec.start;
        let Some(launch) = &spec.launch else {
            let listener = spec
                .listener
                .as_ref()
                .ok_or("the entrant has neither a `command` nor an address to listen at")?;
            return Ok((listener.admit(&spec.name, until(), &mut || None)?, None));
        };
        // If the listener is shared, clients are started one at a time, so that the next connection
        // is the started client.
        let _alone = spec.listener.as_ref().map(|_| lock(&spec.starting));
        let listener: &SocketListener = match (&spec.listener, &mut self.own) {
            (Some(listener), _) => listener,
            (None, Some(own)) => own,
            (None, own) => {
                let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
                let listener = SocketListener::open(address, spec.handshake);
                own.insert(listener.map_err(|error| {
                    format!("cannot listen on any port of this machine: {error}")
                })?)
            }
        };
        let mut running = launch.start(listener.local_address(), &spec.name)?;
        let guest = listener.admit(&spec.name, until(), &mut || {
            let ended = running.describe_exit(Duration::ZERO)?;
            Some(format!("{ended} before it connected"))
        });
        match guest {
            Ok(guest) => Ok((guest, Some(running))),
            Err(reason) => Err(match running.shortened_output() {
                Some(words) => format!("{reason}; it wrote: {words}"),
                None => reason,
            }),
        }
    }

    /// Returns the buffer for the next messages. While no client is connected, its contents are
    /// discarded.
    pub fn outbox(&mut self) -> &mut Vec<u8> {
        match &mut self.stream {
            Some(stream) => stream.outbox(),
            None => {
                self.discarded.clear();
                &mut self.discarded
            }
        }
    }

    /// Sends the buffered messages and reads the answer. Returns the decoded answer, and a fault if
    /// it was late; the connection remains usable. `read` must consume the whole answer.
    /// `budget_us` is the league's time limit, 0 for none. `call` is the name of the call in error
    /// messages.
    ///
    /// # Errors
    /// Returns an error if the client has sent unrequested bytes, has disconnected, or does not
    /// answer within the limit plus a tolerance.
    pub fn ask<T>(
        &mut self,
        call: &str,
        budget_us: i64,
        read: impl FnOnce(&mut Stream, Instant) -> Result<T, ConnectionEnd>,
    ) -> AgentResult<(T, Option<AgentError>)> {
        let patience = ProcessLimits::patience_of(budget_us, self.spec.hang);
        let Some(stream) = &mut self.stream else {
            return Err(AgentError::new(
                FaultKind::Crash,
                format!("{call}: no client is connected"),
            ));
        };
        let start = Instant::now();
        let until = start + patience;
        let spoken = if self.spec.handshake.allows_unrequested {
            Ok(())
        } else {
            stream.expect_silence()
        };
        let answered = spoken
            .and_then(|()| stream.flush(until))
            .and_then(|()| read(stream, until));
        let value = match answered {
            Ok(value) => value,
            Err(lost) => return Err(self.disconnect_failed(call, &lost)),
        };
        let late = check_in_time(call, late_ns(start.elapsed(), budget_us), budget_us).err();
        Ok((value, late))
    }

    /// Disconnects a client after a failure. Returns an error with the exit status and output of
    /// its process.
    #[cold]
    fn disconnect_failed(&mut self, call: &str, lost: &ConnectionEnd) -> AgentError {
        self.stream = None;
        let mut agent_error = lost.agent_error(call);
        if let Some(mut running) = self.running.take() {
            let is_gone = agent_error.kind == FaultKind::Crash;
            let ended = running.describe_exit(if is_gone { ENDING } else { Duration::ZERO });
            if let Some(ended) = ended {
                agent_error.message += &format!("; {ended}");
            }
            return agent_error.with_output(running.shortened_output());
        }
        agent_error
    }

    /// Disconnects the client and kills its process. Used after an error that the protocol's agent
    /// has found.
    pub fn hang_up(&mut self) {
        self.stream = None;
        self.running = None;
    }

    /// Sends the buffered messages and closes the connection. The process then has some time to
    /// exit.
    pub fn disconnect(&mut self) {
        if let Some(stream) = self.stream.take() {
            stream.close(Instant::now() + PARTING);
        }
        if let Some(running) = self.running.take() {
            self.leaving.add(running);
        }
        self.leaving.tidy();
    }

    /// Shortens the captured output of the client if it is large. Must be called from time to time.
    pub fn tidy(&mut self) {
        if let Some(running) = &mut self.running {
            running.shorten_output();
        }
    }
}

impl Drop for SeatClient {
    fn drop(&mut self) {
        self.disconnect();
    }
}

/// Default time to wait for a client.
pub(crate) const START: Duration = Duration::from_secs(60);

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
    starting: Mutex<()>,
    /// Client that connected before the first block, with its process if the league started it.
    first: Mutex<Option<(WaitingClient, Option<RunningProgram>)>>,
}

impl ClientSpec {
    /// Creates the parameters of the entrant `name` under a league's budget, without listener and
    /// command.
    pub fn new(handshake: &'static Handshake, name: &str, budget: &Budget) -> ClientSpec {
        ClientSpec {
            handshake,
            name: name.to_owned(),
            listener: None,
            launch: None,
            start: START,
            hang: ProcessLimits::of(budget).hang,
            starting: Mutex::default(),
            first: Mutex::default(),
        }
    }
}

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

/// An entrant whose clients connect over a socket.
#[derive(Debug)]
pub struct ClientBot {
    protocol: &'static Protocol,
    spec: Arc<ClientSpec>,
}

impl ClientBot {
    /// Creates an entrant. If `spec` has a listener, clients are accepted there from now on.
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
