//! One seat of one thread with the client that plays for it: the connection, the process behind it,
//! and whatever ends them.

use super::door::{Door, Guest};
use super::handshake::Greeting;
use super::stream::{Lost, Stream};
use super::terms::ClientTerms;
use crate::agent::launch::{Leaving, Running};
use crate::agent::lock::lock;
use crate::agent::{Limits, Misstep, Reach};
use crate::record::FaultKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a client that gets its last words may take to take them.
const PARTING: Duration = Duration::from_secs(2);
/// How long it is looked for how a process has ended whose connection is closed.
const ENDING: Duration = Duration::from_millis(200);

/// A seat's client.
///
/// What is to be said is gathered in [`Host::outbox`] and goes out with the next [`Host::ask`];
/// nothing else waits for the client. Whatever ends the connection is a misstep that reaches to the
/// end of the deal; the process goes with it, and [`Host::connect`] gets another.
#[derive(Debug)]
pub struct Host {
    terms: Arc<ClientTerms>,
    /// The door of a client that is started: no other comes to it.
    own: Option<Door>,
    stream: Option<Stream>,
    /// Where what is said to nobody goes.
    unheard: Vec<u8>,
    running: Option<Running>,
    leaving: Leaving,
}

/// An answer that has come.
#[derive(Debug)]
pub struct Received<T> {
    /// What the client said.
    pub value: T,
    /// It came, but later than allowed: the misstep that this is. The connection goes on.
    pub late: Option<Misstep>,
}

impl Host {
    /// A seat that nobody has connected to.
    #[must_use]
    pub fn new(terms: Arc<ClientTerms>) -> Host {
        let leaving = Leaving::default();
        Host {
            terms,
            own: None,
            stream: None,
            unheard: Vec::new(),
            running: None,
            leaving,
        }
    }

    /// Parts from the client of the last match, if there still is one, starts a client if the
    /// league says how, and waits for one. Its greeting has been read, nothing has been said to
    /// it.
    ///
    /// # Errors
    /// No client came: a misstep for the rest of the block, so that a league with a client that has
    /// gone comes to its end.
    pub fn connect(&mut self) -> Result<Greeting, Misstep> {
        self.part();
        self.unheard.clear();
        let (guest, running) = self.guest().map_err(|message| {
            self.running = None;
            Misstep::start(message).reaching(Reach::Block)
        })?;
        self.running = running;
        self.stream = Some(guest.stream);
        Ok(guest.greeting)
    }

    fn guest(&mut self) -> Result<(Guest, Option<Running>), String> {
        let terms = Arc::clone(&self.terms);
        if let Some((mut guest, running)) = lock(&terms.first).take()
            && guest.is_fit(terms.handshake).is_ok()
        {
            return Ok((guest, Some(running)));
        }
        let until = || Instant::now() + terms.start;
        let Some(launch) = &terms.launch else {
            let door = terms.door.as_ref().ok_or("no address is listened at")?;
            return Ok((door.admit(&terms.name, until(), &mut || None)?, None));
        };
        // At a door that others use too, one client is started at a time: whoever comes in is the
        // one that was started.
        let _alone = terms.door.as_ref().map(|_| lock(&terms.starting));
        let own;
        let door: &Door = match &terms.door {
            Some(door) => door,
            None => {
                if self.own.is_none() {
                    let door =
                        Door::open(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), terms.handshake);
                    self.own = Some(door.map_err(|error| {
                        format!("no port of this machine can be listened at: {error}")
                    })?);
                }
                own = self.own.as_ref().ok_or("no address is listened at")?;
                own
            }
        };
        let mut running = launch.start(door.near(), &terms.name)?;
        let guest = door.admit(&terms.name, until(), &mut || {
            let ended = running.ended()?;
            Some(format!("{ended} before it had connected"))
        });
        match guest {
            Ok(guest) => Ok((guest, Some(running))),
            Err(reason) => Err(match running.words() {
                Some(words) => format!("{reason}; it wrote: {words}"),
                None => reason,
            }),
        }
    }

    /// Connects as [`Host::connect`] does, for somebody else's first match.
    pub(super) fn connect_first(mut self) -> Result<Option<(Guest, Running)>, String> {
        let (guest, running) = self.guest()?;
        Ok(running.map(|running| (guest, running)))
    }

    /// What the client is told next, to be added to. Without a client nobody hears it.
    pub fn outbox(&mut self) -> &mut Vec<u8> {
        match &mut self.stream {
            Some(stream) => stream.outbox(),
            None => {
                self.unheard.clear();
                &mut self.unheard
            }
        }
    }

    /// Tells the client all that has been gathered and reads its answer. `read` must read all of
    /// it; `budget_us` is the time that the league allows, 0 for none; `call` names the
    /// question in messages.
    ///
    /// # Errors
    /// The client had spoken before it was asked, is gone, or does not answer in a while longer
    /// than allowed.
    pub fn ask<T>(
        &mut self,
        call: &str,
        budget_us: i64,
        read: impl FnOnce(&mut Stream, Instant) -> Result<T, Lost>,
    ) -> Result<Received<T>, Misstep> {
        let budget = Duration::from_micros(u64::try_from(budget_us).unwrap_or(0));
        let patience = if budget.is_zero() {
            self.terms.hang
        } else {
            Limits::patience(budget)
        };
        let Some(stream) = &mut self.stream else {
            return Err(Misstep::new(
                FaultKind::Crash,
                format!("{call}: no client is connected"),
            ));
        };
        let start = Instant::now();
        let until = start + patience;
        let spoken = if self.terms.handshake.chatter {
            Ok(())
        } else {
            stream.expect_silence()
        };
        let answered = spoken
            .and_then(|()| stream.flush(until))
            .and_then(|()| read(stream, until));
        let value = match answered {
            Ok(value) => value,
            Err(lost) => return Err(self.lose(call, &lost)),
        };
        let took = start.elapsed();
        let late = (!budget.is_zero() && budget < took).then(|| {
            let message = format!(
                "{call}: {} µs, {budget_us} µs are allowed",
                took.as_micros()
            );
            Misstep::new(FaultKind::Time, message)
        });
        Ok(Received { value, late })
    }

    /// Gives up a client that is of no more use. The misstep says how it ended and what it last
    /// wrote.
    #[cold]
    fn lose(&mut self, call: &str, lost: &Lost) -> Misstep {
        self.stream = None;
        let mut misstep = lost.misstep(call);
        if let Some(mut running) = self.running.take() {
            let ended = if misstep.kind == FaultKind::Crash {
                running.ending(ENDING)
            } else {
                running.ended()
            };
            for more in ended
                .into_iter()
                .chain(running.words().map(|words| format!("it wrote: {words}")))
            {
                misstep.message += "; ";
                misstep.message += &more;
            }
        }
        misstep
    }

    /// Ends the connection after a misstep of the protocol's own, with its process.
    pub fn hang_up(&mut self) {
        self.stream = None;
        self.running = None;
    }

    /// Says the last that has been gathered and closes the connection; the process is given time to
    /// go.
    pub fn part(&mut self) {
        if let Some(stream) = self.stream.take() {
            stream.close(Instant::now() + PARTING);
        }
        if let Some(running) = self.running.take() {
            self.leaving.add(running);
        }
        self.leaving.tidy();
    }

    /// To be called now and then: keeps what the client writes to its own output short.
    pub fn tidy(&mut self) {
        if let Some(running) = &mut self.running {
            running.shorten_words();
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.part();
    }
}
