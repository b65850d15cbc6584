//! Clients beyond a socket: programs of contests that connect to a server and speak its protocol.
//!
//! The room knows nothing of any protocol. It listens and greets ([`Door`]), starts clients by a
//! command ([`Launch`]), reads and writes whole messages before a moment passes ([`Stream`]), and
//! turns whatever goes wrong into missteps ([`Host`]): a client that is slow, silent, babbles or
//! vanishes costs its own games and never holds a league up.
//!
//! # The seam for a protocol
//! A protocol is a [`Protocol`]: how a client greets, and an [`Agent`] made of a [`Host`] for one
//! seat of one thread. That agent
//! - calls [`Host::connect`] in `block_start`: **a block is a match of its own**, on a connection
//!   of its own, with a client that has kept nothing of any other (contest protocols have no word
//!   for "a new match begins", and records must not depend on the order of blocks). The same
//!   happens when a client that was lost is started anew within a block;
//! - gathers what the seat is shown in [`Host::outbox`] and asks with [`Host::ask`]. A server would
//!   have sent all that at once as it happened; a client cannot tell, and one write and one read a
//!   decision is all that the system is called for;
//! - takes an answer that is not the protocol's, or not legal, for a misstep that it returns: with
//!   [`Reach::Decision`] if the next message can still be told apart (then it answers as a server
//!   would and goes on), else after [`Host::hang_up`] with [`Reach::Deal`];
//! - says the last words of the match in `block_end` and at the next `block_start`, before
//!   [`Host::part`] or [`Host::connect`];
//! - returns `true` from [`Agent::is_asked_when_forced`] where the server asks a client that has
//!   one thing to do.
//!
//! [`Reach::Decision`]: super::Reach::Decision
//! [`Reach::Deal`]: super::Reach::Deal

mod door;
mod doors;
mod host;
mod stream;

pub use door::{Door, Greeting, Guest, kept};
pub use doors::Doors;
pub use host::{Host, Received};
pub use stream::{Lost, Stream};

pub use super::launch::{Launch, Running};
use super::{Agent, Budget, Misstep, Seatable};
use crate::record::FaultKind;
use serde_json::Value;
use std::fmt::{self, Debug, Formatter};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Characters of a client's name that count.
pub const NAME_KEPT: usize = 9;
/// How long a client is waited for where a league does not say.
pub const START: Duration = Duration::from_secs(60);
/// How long an answer is waited for where a league does not limit it.
pub const HANG: Duration = Duration::from_secs(10);

/// A protocol, as the room needs it.
pub struct Protocol {
    /// Its name, which is the `kind` of its entrants.
    pub name: &'static str,
    /// The port that servers of it listen at where nobody says.
    pub port: u16,
    /// Names of the games that it can be spoken in, without revision.
    pub games: &'static [&'static str],
    /// How long a client may take to greet.
    pub greeting: Duration,
    /// Clients tell their names, so that several entrants can share an address.
    pub names: bool,
    /// Clients may speak out of turn: their answers say what they answer, and the protocol's agent
    /// sorts them out.
    pub chatter: bool,
    /// Whether clients can play by these options of the game, else why not.
    pub suits: fn(&Value) -> Result<(), String>,
    /// Reads what a client says first. `Err` says why it cannot be seated.
    pub greet: fn(&mut Stream, Instant) -> Result<Greeting, String>,
    /// A seat of one thread.
    pub agent: fn(Host) -> Box<dyn Agent>,
}

impl Debug for Protocol {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// On what terms an entrant's clients are seated.
#[derive(Debug)]
pub struct ClientTerms {
    /// What they speak.
    pub protocol: &'static Protocol,
    /// Name of the entrant.
    pub name: String,
    /// Where they come in; `None` for those that are started and told where.
    pub door: Option<Arc<Door>>,
    /// How they are started; `None` for those that come by themselves.
    pub launch: Option<Launch>,
    /// How long one is waited for.
    pub start: Duration,
    /// How long an answer without a limit of its own is waited for.
    pub hang: Duration,
    /// One client is started at a time where others use the door too.
    starting: Mutex<()>,
    /// A client that has come before anybody was seated.
    first: Mutex<Option<(Guest, Running)>>,
}

impl ClientTerms {
    /// Terms of the entrant `name` under a league's budget.
    #[must_use]
    pub fn new(protocol: &'static Protocol, name: &str, budget: &Budget) -> ClientTerms {
        let limited = budget
            .decision_us
            .map(|us| super::worker::Limits::patience(Duration::from_micros(us)));
        ClientTerms {
            protocol,
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

/// An entrant whose clients speak over a socket.
#[derive(Clone, Debug)]
pub struct ClientBot(Arc<ClientTerms>);

impl ClientBot {
    /// An entrant on these terms. Where it has a door, its clients are expected there from now on.
    #[must_use]
    pub fn new(terms: ClientTerms) -> ClientBot {
        if let Some(door) = &terms.door {
            door.expect(&terms.name);
        }
        ClientBot(Arc::new(terms))
    }
}

impl Seatable for ClientBot {
    /// Nobody is waited for yet: that is for the start of a block.
    fn open(&self, _config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        Ok((self.0.protocol.agent)(Host::new(Arc::clone(&self.0))))
    }

    /// Waits until a client has come, which the first block then gets.
    fn prove(&self, _config_json: &str) -> Result<(), Misstep> {
        let terms = &self.0;
        let cure = match (&terms.launch, &terms.door) {
            (None, Some(door)) => format!("start a client that connects there ({})", door.address()),
            _ => "mend the `command` of the entrant; `{host}` and `{port}` in it stand for where to connect".to_owned(),
        };
        let proven = match (&terms.launch, &terms.door) {
            (None, Some(door)) => door.await_one(&terms.name, Instant::now() + terms.start),
            _ => Host::new(Arc::clone(terms)).connect_first().map(|first| {
                *terms.first.lock().unwrap_or_else(PoisonError::into_inner) = first;
            }),
        };
        proven.map_err(|reason| Misstep::new(FaultKind::Start, format!("{reason}; {cure}")))
    }

    fn heard(&self) -> Option<&str> {
        self.0.launch.as_ref()?.heard()
    }
}
