//! The host's side of a bot in a worker: calls go out as frames, answers come back, and what ends a process is a misstep.
//!
//! A process that somebody else has ended costs the bot nothing and gives it nothing: another is told all calls of the block again,
//! what it answers to them is not looked at, and it is asked on from the one that was under way. So an answer that was given stands,
//! and nobody else at the table notices.

use super::death::is_kill;
use super::frame::{self, BlockHead, Choose, Chosen, Ended, Payoffs};
use super::pin::{self, Pin};
use super::process::{NoStart, Process, Reply};
use super::tape::Tape;
use super::watchdog::now;
use super::{Code, Hosting, Jailed, Limits, Order};
use crate::agent::plugin::LoadError;
use crate::agent::{Agent, BlockStart, Misstep, Observation, Reach, Seatable, Turn};
use crate::record::FaultKind;
use hattari_plugin::Choice;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Processor time that a bot may use in a block beside that of its calls, for what the clocks do not agree on.
const IDLE_SLACK: Duration = Duration::from_millis(50);
/// Times that the process of a bot may be killed by others in a block; from then on it counts as its own crash.
const KILLS_MAX: u32 = 3;

/// A compiled bot that plays in a process of its own.
#[derive(Clone, Debug)]
pub struct WorkerBot {
    code: Code,
    hash: u64,
    id: String,
    /// Threads that it may start.
    threads: u32,
    limits: Limits,
    observed: Arc<Mutex<Observed>>,
}

/// What has been seen of a bot's workers.
#[derive(Debug, Default)]
struct Observed {
    jail: Option<Jailed>,
    peak_kib: u64,
}

impl WorkerBot {
    /// The bot `id` of that code, which has this hash; `threads` are those that it may start.
    #[must_use]
    pub fn new(code: Code, hash: u64, id: &str, threads: u32, limits: Limits) -> WorkerBot {
        WorkerBot { code, hash, id: id.to_owned(), threads, limits, observed: Arc::default() }
    }

    fn start(&self, config_json: &str) -> Result<Process, Misstep> {
        let order = Order {
            code: self.code.clone(),
            hash: self.hash,
            id: Some(self.id.clone()),
            config_json: config_json.to_owned(),
            limits: self.limits,
            threads: self.threads,
            debug: tracing::enabled!(target: "hattari::bot", tracing::Level::DEBUG),
            parent: std::process::id(),
        };
        let jail = self.observed().jail.clone();
        let process = Process::start(&order, jail).map_err(|error| self.explain(error))?;
        self.observed().jail.get_or_insert_with(|| process.jail.clone());
        Ok(process)
    }

    fn explain(&self, error: NoStart) -> Misstep {
        match error {
            NoStart::Failed(misstep) => misstep,
            NoStart::Refused(refusal) => {
                let error = LoadError::told_by_worker(self.code.place(), refusal.cause, refusal.cure);
                Misstep::new(FaultKind::Start, error.to_string())
            }
        }
    }

    fn observed(&self) -> MutexGuard<'_, Observed> {
        self.observed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seatable for WorkerBot {
    /// Starts the worker at once, so that a config that the bot refuses is told before anything is played.
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        let mut agent = WorkerAgent {
            bot: self.clone(),
            config_json: config_json.to_owned(),
            process: None,
            is_fresh: false,
            pin: None,
            block: None,
            fell: false,
            kills: 0,
            tape: Tape::default(),
            sent: 0,
            calls: 0,
        };
        agent.begin()?;
        Ok(Box::new(agent))
    }

    fn hosting(&self) -> Option<Hosting> {
        let observed = self.observed();
        Some(Hosting { jail: observed.jail.clone().unwrap_or_default(), peak_kib: observed.peak_kib })
    }
}

/// A bot at one seat.
struct WorkerAgent {
    bot: WorkerBot,
    config_json: String,
    process: Option<Process>,
    /// The process has an instance that has not seen a block.
    is_fresh: bool,
    /// From the first block on.
    pin: Option<Rc<Pin>>,
    /// Seed and player of the block that was begun last.
    block: Option<(u64, u32)>,
    /// An instance of this block is dead by its own doing.
    fell: bool,
    /// Times that others have ended a process of this block.
    kills: u32,
    tape: Tape,
    /// Events of the deal that the worker has got.
    sent: u32,
    /// Nanoseconds of all calls of the process.
    calls: u64,
}

impl Agent for WorkerAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        let block = Some((start.seed, start.player));
        if self.block != block {
            (self.block, self.kills, self.fell) = (block, 0, false);
        }
        let is_restart = std::mem::take(&mut self.fell);
        self.start_block(start).map_err(|misstep| {
            // What has been played of the block stands, so the league does not wait for better times with a bot that has died in it.
            let misstep =
                if is_restart && misstep.reach == Reach::Outside { misstep.reaching(Reach::Deal) } else { misstep };
            // Whatever the reason, a bot that does not start a block is not there for it.
            let misstep = if misstep.reach == Reach::Decision { misstep.reaching(Reach::Deal) } else { misstep };
            self.fall(misstep)
        })
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        self.sent = 0;
        let process = self.process.as_mut().ok_or_else(gone)?;
        let out = process.request(frame::DEAL_START);
        out.put_seen(&mut self.sent, seen, |_| {});
        self.done("deal_start")
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        let Turn { seen, legal, budget_us } = *turn;
        let process = self.process.as_mut().ok_or_else(gone)?;
        let out = process.request(frame::ACT);
        let choose = Choose { actions: legal.count(), action: legal.stride(), budget_us };
        out.put_seen(&mut self.sent, &seen, |out| out.put(&choose));
        out.add(legal.as_bytes());
        let budget = Duration::from_micros(u64::try_from(budget_us).unwrap_or(0));
        let patience = if budget.is_zero() { self.bot.limits.hang } else { Limits::patience(budget) };
        let (answer, took) = self.ask("act", patience)?;
        let Reply::Chosen(Chosen { action, amount, .. }) = answer else { return Err(self.fall(nonsense("act"))) };
        if !budget.is_zero() && budget < Duration::from_nanos(took) {
            let took_us = took / 1000;
            return Err(Misstep::new(FaultKind::Time, format!("act: {took_us} µs, {budget_us} µs are allowed")));
        }
        Ok(Choice { action: action as usize, amount })
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        let out = process.request(frame::DEAL_END);
        let count = u32::try_from(payoffs.len()).expect("tables have a handful of players");
        out.put_seen(&mut self.sent, seen, |out| out.put(&Payoffs { payoffs: count, reserved: 0 }));
        out.add(bytemuck::cast_slice(payoffs));
        self.done("deal_end")
    }

    fn block_end(&mut self) -> Result<(), Misstep> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        process.request(frame::BLOCK_END);
        self.done("destroy")?;
        let ended = self.process.as_mut().and_then(|process| process.finish(false));
        ended.map_or(Ok(()), |ended| self.look_after_block(&ended))
    }

    fn kills(&self) -> u32 {
        self.kills
    }
}

impl WorkerAgent {
    /// A process with a fresh instance, by the same keeper where that is alive.
    fn begin(&mut self) -> Result<(), Misstep> {
        self.calls = 0;
        let start = now();
        if let Some(process) = &mut self.process
            && process.is_kept()
        {
            process.begin().map_err(|error| self.bot.explain(error))?;
        } else {
            // The one that is gone makes room for the next.
            self.process = None;
            self.process = Some(self.bot.start(&self.config_json)?);
            if let (Some(pin), Some(process)) = (&self.pin, &self.process) {
                process.ids().for_each(|id| pin.bind(id));
            }
        }
        self.calls = now() - start;
        self.is_fresh = true;
        Ok(())
    }

    fn start_block(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        if self.pin.is_none() {
            let pin = self.pin.insert(pin::this_thread());
            self.process.iter().flat_map(Process::ids).for_each(|id| pin.bind(id));
        }
        self.tape.clear();
        self.sent = 0;
        let is_fresh = std::mem::take(&mut self.is_fresh) && self.process.as_ref().is_some_and(Process::is_kept);
        if !is_fresh {
            self.begin_or_count()?;
            self.is_fresh = false;
        }
        let process = self.process.as_mut().ok_or_else(gone)?;
        let out = process.request(frame::BLOCK_START);
        let size = |text: &str| u32::try_from(text.len()).expect("options are a few lines");
        let BlockStart { players, player, deals, seed, .. } = *start;
        let (game, options) = (size(start.game), size(start.options_json));
        out.put(&BlockHead { players, player, deals, game, options, reserved: 0, seed });
        out.add(start.game.as_bytes());
        out.add(start.options_json.as_bytes());
        self.done("block_start")
    }

    /// As [`WorkerAgent::begin`], again where somebody kills the process meanwhile.
    fn begin_or_count(&mut self) -> Result<(), Misstep> {
        loop {
            match self.begin() {
                Err(misstep) if is_kill(&misstep) => self.count_kill(&misstep)?,
                outcome => return outcome,
            }
        }
    }

    /// Notes that somebody has killed a process of this block.
    ///
    /// # Errors
    /// It has happened too often to be believed.
    #[cold]
    fn count_kill(&mut self, misstep: &Misstep) -> Result<(), Misstep> {
        self.kills += 1;
        let (id, message) = (&self.bot.id, &misstep.message);
        if self.kills < KILLS_MAX {
            tracing::warn!("another process takes the place of `{id}`'s and is told all again: {message}");
            return Ok(());
        }
        let message = format!("{message}; so it was {} times in this block, which counts as its own doing", self.kills);
        Err(self.fall(Misstep::new(FaultKind::Crash, message)))
    }

    /// Sends the request that was begun; its answer, and the nanoseconds that it took.
    fn ask(&mut self, call: &str, patience: Duration) -> Result<(Reply, u64), Misstep> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        self.tape.add(process.requested());
        let start = now();
        let mut outcome = process.ask(call, patience);
        let mut took = now() - start;
        while let Err(misstep) = &outcome
            && is_kill(misstep)
        {
            self.count_kill(misstep)?;
            (outcome, took) = self.tell_again(call, patience);
        }
        self.calls += took;
        outcome.map(|answer| (answer, took)).map_err(|misstep| self.fall(misstep))
    }

    /// Tells a fresh process all calls of the block; its answer to the last of them, and the nanoseconds that it took.
    #[cold]
    fn tell_again(&mut self, call: &str, patience: Duration) -> (Result<Reply, Misstep>, u64) {
        if self.tape.is_cut() {
            let message = format!("{call}: its process was killed, and the block is too long to be told to another");
            return (Err(Misstep::new(FaultKind::Crash, message)), 0);
        }
        if let Err(misstep) = self.begin() {
            let is_short = misstep.reach == Reach::Outside && !is_kill(&misstep);
            return (Err(if is_short { misstep.reaching(Reach::Deal) } else { misstep }), 0);
        }
        self.is_fresh = false;
        let Some(process) = &mut self.process else { return (Err(gone()), 0) };
        let calls = self.tape.len();
        for (number, request) in self.tape.calls().enumerate() {
            let (start, is_last) = (now(), number + 1 == calls);
            let outcome = process.ask_again(request, call, if is_last { patience } else { self.bot.limits.hang });
            let took = now() - start;
            match outcome {
                _ if is_last => return (outcome, took),
                // It is where the other was, or dead by its own doing; what it answered is not looked at.
                Err(misstep) if misstep.reach != Reach::Decision => return (Err(misstep), took),
                _ => self.calls += took,
            }
        }
        (Err(gone()), 0)
    }

    /// Sends the request that was begun; the answer must be that it is done.
    fn done(&mut self, call: &str) -> Result<(), Misstep> {
        match self.ask(call, self.bot.limits.hang)? {
            (Reply::Done, _) => Ok(()),
            (Reply::Chosen(_), _) => Err(self.fall(nonsense(call))),
        }
    }

    /// Ends a process that is of no more use: what has gone wrong with an instance may have left more behind.
    #[cold]
    fn fall(&mut self, misstep: Misstep) -> Misstep {
        if misstep.reach != Reach::Decision {
            self.fell |= misstep.reach != Reach::Outside;
            self.is_fresh = false;
            if let Some(process) = &mut self.process {
                process.finish(false);
            }
        }
        misstep
    }

    /// What the bot has used and left behind in its process.
    fn look_after_block(&mut self, ended: &Ended) -> Result<(), Misstep> {
        let mut observed = self.bot.observed();
        observed.peak_kib = observed.peak_kib.max(ended.peak_kib);
        drop(observed);
        let own = Duration::from_micros(ended.processor_us);
        let beside = own.saturating_sub(Duration::from_nanos(self.calls));
        if ended.threads > 1 {
            let left = ended.threads - 1;
            Err(Misstep::new(FaultKind::Error, format!("destroy: {left} of its threads still run")))
        } else if beside > IDLE_SLACK {
            let message = format!("{beside:?} of processor time beside its calls: it works while others think");
            Err(Misstep::new(FaultKind::Time, message))
        } else {
            Ok(())
        }
    }
}

fn gone() -> Misstep {
    Misstep::new(FaultKind::Start, "the bot has no living process")
}

fn nonsense(call: &str) -> Misstep {
    Misstep::new(FaultKind::Crash, format!("{call}: its process sent what is no answer"))
}
