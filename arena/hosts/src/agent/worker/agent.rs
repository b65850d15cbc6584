//! The host's side of a bot in a worker: calls go out as frames, answers come back, and what ends the worker is a misstep.

use super::frame::{self, BlockHead, Choose, Chosen, Known, Payoffs};
use super::pin::{self, Pin};
use super::process::{NoStart, Process, Reply};
use super::usage::Usage;
use super::watchdog::now;
use super::{Code, Hosting, Jailed, Limits, Order};
use crate::agent::{Agent, BlockStart, Misstep, Observation, Reach, Seatable, Turn};
use crate::record::FaultKind;
use hattari_plugin::Choice;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Share of the memory that a worker may have used up after a block before another takes its place. What a bot leaks in one
/// block must not decide another.
const LEAK_SHARE: u64 = 4;
/// Blocks from one look at what a worker uses to the next, where its jail leaves it nothing to do beside its calls.
const LOOK_EVERY: u32 = 16;
/// Processor time that a bot may use in a block beside that of its calls, for what the clocks do not agree on.
const IDLE_SLACK: Duration = Duration::from_millis(50);

/// A compiled bot that plays in a process of its own.
#[derive(Clone, Debug)]
pub struct WorkerBot {
    code: Code,
    hash: u64,
    id: String,
    /// It may start threads.
    threads: bool,
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
    /// The bot `id` of that code, which has this hash; `threads` grants it threads.
    #[must_use]
    pub fn new(code: Code, hash: u64, id: &str, threads: bool, limits: Limits) -> WorkerBot {
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
        let process = Process::start(&order, jail).map_err(|error| match error {
            NoStart::Failed(misstep) => misstep,
            NoStart::Refused(error) => Misstep::new(FaultKind::Start, error.to_string()),
        })?;
        self.observed().jail.get_or_insert_with(|| process.ready.jail.clone());
        Ok(process)
    }

    fn observe(&self, usage: &Usage) {
        let mut observed = self.observed();
        observed.peak_kib = observed.peak_kib.max(usage.peak_kib);
    }

    fn observed(&self) -> MutexGuard<'_, Observed> {
        self.observed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seatable for WorkerBot {
    /// Starts the worker at once, so that a config that the bot refuses is told before anything is played.
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        let process = Some(self.start(config_json)?);
        let config_json = config_json.to_owned();
        Ok(Box::new(WorkerAgent { bot: self.clone(), config_json, process, blocks: 0, pin: None, sent: 0, calls: 0 }))
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
    /// Blocks that the process has begun.
    blocks: u32,
    /// From the first block on.
    pin: Option<Rc<Pin>>,
    /// Events of the deal that the worker has got.
    sent: u32,
    /// Nanoseconds of all calls of the process.
    calls: u64,
}

impl Drop for WorkerAgent {
    fn drop(&mut self) {
        if let Some(usage) = self.process.as_ref().and_then(Process::usage) {
            self.bot.observe(&usage);
        }
    }
}

impl Agent for WorkerAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        let outcome = self.start_block(start);
        match outcome {
            // Somebody has killed a worker that waited for work: nothing is lost by it.
            Err(Misstep { reach: Reach::Outside, .. }) if self.blocks > 1 => self.start_block(start),
            outcome => outcome,
        }
        .map_err(|misstep| {
            self.process = None;
            // Whatever the reason, a bot that does not start a block is not there for it.
            if misstep.reach == Reach::Decision { misstep.reaching(Reach::Deal) } else { misstep }
        })
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        self.sent = 0;
        let process = self.process.as_mut().ok_or_else(gone)?;
        let out = process.request(frame::DEAL_START);
        put_seen(out, &mut self.sent, seen, |_| {});
        self.done("deal_start")
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        let Turn { seen, legal, budget_us } = *turn;
        let process = self.process.as_mut().ok_or_else(gone)?;
        let out = process.request(frame::ACT);
        let choose = Choose { actions: legal.count(), action: legal.stride(), budget_us };
        put_seen(out, &mut self.sent, &seen, |out| out.put(&choose));
        out.add(legal.as_bytes());
        let budget = Duration::from_micros(u64::try_from(budget_us).unwrap_or(0));
        let patience = if budget.is_zero() { self.bot.limits.hang } else { Limits::patience(budget) };
        let start = now();
        let answer = process.ask("act", patience);
        let took = now() - start;
        self.calls += took;
        let Chosen { action, amount, .. } = match answer {
            Ok(Reply::Chosen(chosen)) => chosen,
            Ok(Reply::Done) => return self.failed(nonsense("act")),
            Err(misstep) => return self.failed(misstep),
        };
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
        put_seen(out, &mut self.sent, seen, |out| out.put(&Payoffs { payoffs: count, reserved: 0 }));
        out.add(bytemuck::cast_slice(payoffs));
        self.done("deal_end")
    }

    fn block_end(&mut self) -> Result<(), Misstep> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        process.request(frame::BLOCK_END);
        self.done("destroy")?;
        self.look_after_block()
    }
}

impl WorkerAgent {
    fn start_block(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        let pin = self.pin.get_or_insert_with(pin::this_thread);
        if self.process.is_none() {
            (self.blocks, self.calls) = (0, 0);
            self.process = Some(self.bot.start(&self.config_json)?);
        }
        let process = self.process.as_mut().ok_or_else(gone)?;
        if self.blocks == 0 {
            pin.bind(process.id());
        }
        self.blocks += 1;
        self.sent = 0;
        process.begin_block(Duration::from_nanos(self.calls));
        let out = process.request(frame::BLOCK_START);
        let size = |text: &str| u32::try_from(text.len()).expect("options are a few lines");
        let BlockStart { players, player, deals, seed, .. } = *start;
        let (game, options) = (size(start.game), size(start.options_json));
        out.put(&BlockHead { players, player, deals, game, options, reserved: 0, seed });
        out.add(start.game.as_bytes());
        out.add(start.options_json.as_bytes());
        self.done("block_start")
    }

    /// Sends the request that was begun; the answer must be that it is done.
    fn done(&mut self, call: &str) -> Result<(), Misstep> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        let start = now();
        let answer = process.ask(call, self.bot.limits.hang);
        self.calls += now() - start;
        match answer {
            Ok(Reply::Done) => Ok(()),
            Ok(Reply::Chosen(_)) => self.failed(nonsense(call)),
            Err(misstep) => self.failed(misstep),
        }
    }

    /// Drops a worker that is of no more use: what has gone wrong with an instance may have left more behind in its process.
    #[cold]
    fn failed<T>(&mut self, misstep: Misstep) -> Result<T, Misstep> {
        if misstep.reach != Reach::Decision {
            self.process = None;
        }
        Err(misstep)
    }

    /// What the bot has left behind in the process, as the system tells it.
    fn look_after_block(&mut self) -> Result<(), Misstep> {
        let Some(process) = &self.process else { return Ok(()) };
        // A worker that can do nothing beside its calls need not be looked at every time.
        let only_answers = !self.bot.threads && process.ready.jail.holds_system_calls();
        if only_answers && self.blocks % LOOK_EVERY != 1 {
            return Ok(());
        }
        let Some(usage) = process.usage() else { return Ok(()) };
        self.bot.observe(&usage);
        let own = usage.processor.saturating_sub(process.at_first.processor);
        let beside = own.saturating_sub(Duration::from_nanos(self.calls));
        let outcome = if usage.threads > 1 {
            let left = usage.threads - 1;
            Err(Misstep::new(FaultKind::Error, format!("destroy: {left} of its threads still run")))
        } else if beside > IDLE_SLACK {
            let message = format!("{beside:?} of processor time beside its calls: it works while others think");
            Err(Misstep::new(FaultKind::Time, message))
        } else {
            Ok(())
        };
        let room = self.bot.limits.memory_mb * 1024;
        let grown = usage.size_kib.saturating_sub(process.at_first.size_kib);
        if outcome.is_err() || grown > room / LEAK_SHARE {
            self.process = None;
        }
        outcome
    }
}

/// Adds what the bot may know, with the events that the worker has not got yet; `more` adds what comes before them.
fn put_seen(
    out: &mut frame::Outbox,
    sent: &mut u32,
    &Observation { view, history }: &Observation<'_>,
    more: impl FnOnce(&mut frame::Outbox),
) {
    // A record only grows within a deal.
    let before = (*sent).min(history.count());
    let size = u32::try_from(view.len()).expect("views are small");
    let event = history.stride();
    out.put(&Known { view: size, events_before: before, events: history.count() - before, event });
    more(out);
    out.add(view);
    out.add(&history.as_bytes()[before as usize * event as usize..]);
    *sent = history.count();
}

fn gone() -> Misstep {
    Misstep::new(FaultKind::Start, "the bot has no living process")
}

fn nonsense(call: &str) -> Misstep {
    Misstep::new(FaultKind::Crash, format!("{call}: its process sent what is no answer"))
}
