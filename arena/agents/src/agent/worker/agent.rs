//! The host's side of a bot in a worker: calls go out as frames, answers come back, and what ends a
//! process is a misstep. The block is played again where somebody else has ended it
//! ([`Reach::Outside`]).

use super::order::{Code, Order};
use super::process::{NoStart, Process, Reply};
use crate::agent::process::pin::{self, Pin};
use crate::agent::process::{nanos_in_call, now};
use crate::agent::status::in_time;
use crate::agent::transport::frame::{self, BlockHead, Choose, Chosen, Ended, Payoffs};
use crate::agent::{
    Agent, BlockStart, Hosting, Limits, LoadError, Misstep, Observation, Reach, Sandboxed,
    Seatable, Turn,
};
use crate::record::FaultKind;
use hattari_plugin::Choice;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Processor time that others have used during a call from which on they have disturbed it.
const DISTURBED_NANOS: u64 = 1_000_000;

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
    jail: Option<Sandboxed>,
    peak_kib: u64,
}

impl WorkerBot {
    /// The bot `id` of that code, which has this hash; `threads` are those that it may start.
    #[must_use]
    pub fn new(code: Code, hash: u64, id: &str, threads: u32, limits: Limits) -> WorkerBot {
        WorkerBot {
            code,
            hash,
            id: id.to_owned(),
            threads,
            limits,
            observed: Arc::default(),
        }
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
        self.observed()
            .jail
            .get_or_insert_with(|| process.jail.clone());
        Ok(process)
    }

    fn explain(&self, error: NoStart) -> Misstep {
        match error {
            NoStart::Failed(misstep) => misstep,
            NoStart::Refused(refusal) => {
                let error =
                    LoadError::told_by_worker(self.code.place(), refusal.cause, refusal.cure);
                Misstep::new(FaultKind::Start, error.to_string())
            }
        }
    }

    fn observed(&self) -> MutexGuard<'_, Observed> {
        self.observed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seatable for WorkerBot {
    /// Starts the worker at once, so that a config that the bot refuses is told before anything is
    /// played.
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        let mut agent = WorkerAgent {
            bot: self.clone(),
            config_json: config_json.to_owned(),
            process: None,
            is_fresh: false,
            pin: None,
            block: None,
            fell: false,
            sent: 0,
            took: 0,
        };
        agent.begin()?;
        Ok(Box::new(agent))
    }

    fn hosting(&self) -> Option<Hosting> {
        let observed = self.observed();
        Some(Hosting {
            jail: observed.jail.clone().unwrap_or_default(),
            peak_kib: observed.peak_kib,
        })
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
    /// Events of the deal that the worker has got.
    sent: u32,
    /// Nanoseconds of the last call.
    took: u64,
}

impl Agent for WorkerAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        let block = Some((start.seed, start.player));
        if self.block != block {
            (self.block, self.fell) = (block, false);
            self.process
                .iter()
                .for_each(|process| process.set_between_calls(Duration::ZERO));
        }
        let is_restart = std::mem::take(&mut self.fell);
        self.start_block(start).map_err(|misstep| {
            // What has been played of the block stands, so the league does not wait for better
            // times with a bot that has died in it.
            let misstep = if is_restart && misstep.reach == Reach::Outside {
                misstep.reaching(Reach::Deal)
            } else {
                misstep
            };
            // Whatever the reason, a bot that does not start a block is not there for it.
            let misstep = if misstep.reach == Reach::Decision {
                misstep.reaching(Reach::Deal)
            } else {
                misstep
            };
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
        let Turn {
            seen,
            legal,
            budget_us,
        } = *turn;
        let process = self.process.as_mut().ok_or_else(gone)?;
        let out = process.request(frame::ACT);
        let choose = Choose {
            actions: legal.count(),
            action: legal.stride(),
            budget_us,
        };
        out.put_seen(&mut self.sent, &seen, |out| out.put(&choose));
        out.add(legal.as_bytes());
        let budget = Duration::from_micros(u64::try_from(budget_us).unwrap_or(0));
        let patience = if budget.is_zero() {
            self.bot.limits.hang
        } else {
            Limits::patience(budget)
        };
        let answer = self.ask("act", patience);
        if let Ok(Reply::Done) = answer {
            return Err(self.fall(nonsense("act")));
        }
        // What it says of itself counts less than that it is late.
        if answer
            .as_ref()
            .err()
            .is_none_or(|misstep| misstep.reach == Reach::Decision)
            && !budget.is_zero()
        {
            in_time(self.late_nanos(budget), budget_us)?;
        }
        match answer? {
            Reply::Chosen(Chosen { action, amount, .. }) => Ok(Choice {
                action: action as usize,
                amount,
            }),
            Reply::Done => Err(nonsense("act")),
        }
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        let out = process.request(frame::DEAL_END);
        let count = u32::try_from(payoffs.len()).expect("tables have a handful of players");
        out.put_seen(&mut self.sent, seen, |out| {
            out.put(&Payoffs {
                payoffs: count,
                reserved: 0,
            })
        });
        out.add(bytemuck::cast_slice(payoffs));
        self.done("deal_end")
    }

    fn block_end(&mut self) -> Result<(), Misstep> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        process.request(frame::BLOCK_END);
        self.done("destroy")?;
        let ended = self
            .process
            .as_mut()
            .and_then(|process| process.finish(false));
        ended.map_or(Ok(()), |ended| self.look_after_block(&ended))
    }
}

impl WorkerAgent {
    /// A process with a fresh instance, by the same keeper where that is alive.
    fn begin(&mut self) -> Result<(), Misstep> {
        if let Some(process) = &mut self.process
            && process.is_kept()
        {
            process.begin().map_err(|error| self.bot.explain(error))?;
        } else {
            // The one that is gone makes room for the next.
            let between_calls = self
                .process
                .take()
                .map_or(Duration::ZERO, |process| process.between_calls());
            let process = self.process.insert(self.bot.start(&self.config_json)?);
            process.set_between_calls(between_calls);
            if let (Some(pin), Some(process)) = (&self.pin, &self.process) {
                process.bind(pin);
            }
        }
        self.is_fresh = true;
        Ok(())
    }

    fn start_block(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        if self.pin.is_none() {
            let pin = self.pin.insert(pin::this_thread());
            self.process.iter().for_each(|process| process.bind(pin));
        }
        self.sent = 0;
        let is_fresh = std::mem::take(&mut self.is_fresh)
            && self.process.as_ref().is_some_and(Process::is_kept);
        if !is_fresh {
            self.begin()?;
            self.is_fresh = false;
        }
        let process = self.process.as_mut().ok_or_else(gone)?;
        let out = process.request(frame::BLOCK_START);
        let size = |text: &str| u32::try_from(text.len()).expect("options are a few lines");
        let BlockStart {
            players,
            player,
            deals,
            seed,
            ..
        } = *start;
        let (game, options) = (size(start.game), size(start.options_json));
        out.put(&BlockHead {
            players,
            player,
            deals,
            game,
            options,
            reserved: 0,
            seed,
        });
        out.add(start.game.as_bytes());
        out.add(start.options_json.as_bytes());
        self.done("block_start")
    }

    /// Returns by how many nanoseconds the last call was too long, 0 or less where it was not.
    /// Where others have disturbed it, its own processor time counts: they make it wait for
    /// whoever else is on the core, too.
    fn late_nanos(&self, budget: Duration) -> i64 {
        let late = |took: Duration| {
            let late = took.as_nanos().cast_signed() - budget.as_nanos().cast_signed();
            i64::try_from(late).unwrap_or(i64::MAX)
        };
        let by_clock = late(Duration::from_nanos(self.took));
        match &self.process {
            Some(process) if by_clock > 0 && nanos_in_call() > DISTURBED_NANOS => {
                late(process.used_in_call())
            }
            _ => by_clock,
        }
    }

    /// Sends the request that was begun, and gives its answer.
    fn ask(&mut self, call: &str, patience: Duration) -> Result<Reply, Misstep> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        let start = now();
        let outcome = process.ask(call, patience);
        self.took = now() - start;
        outcome.map_err(|misstep| self.fall(misstep))
    }

    /// Sends the request that was begun; the answer must be that it is done.
    fn done(&mut self, call: &str) -> Result<(), Misstep> {
        match self.ask(call, self.bot.limits.hang)? {
            Reply::Done => Ok(()),
            Reply::Chosen(_) => Err(self.fall(nonsense(call))),
        }
    }

    /// Ends a process that is of no more use: what has gone wrong with an instance may have left
    /// more behind.
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
        if ended.threads > 1 {
            let left = ended.threads - 1;
            return Err(Misstep::new(
                FaultKind::Error,
                format!("destroy: {left} of its threads still run"),
            ));
        }
        Ok(())
    }
}

fn gone() -> Misstep {
    Misstep::new(FaultKind::Start, "the bot has no living process")
}

fn nonsense(call: &str) -> Misstep {
    Misstep::new(
        FaultKind::Crash,
        format!("{call}: its process sent what is no answer"),
    )
}
