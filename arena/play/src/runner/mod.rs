//! Plays a league's open jobs on all cores and hands the records to the store. Prints nothing,
//! decides nothing about results: which thread plays what, and when it is stopped, cannot be seen
//! in the records.

#[cfg(test)]
mod sequential_tests;
mod source;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod unit_tests;
mod worker;

use crate::league::League;
use crate::schedule::Part;
use crate::stopping::Need;
use crate::store::{StoreError, Writer};
use hattari_agents::agent::{Agent, Misstep, Seatable, TimeLimits};
use hattari_agents::record::{Fault, JobId, Played, Record};
use hattari_agents::table::{AnyGame, FaultPolicy};
use hattari_agents::text;
use source::{Gate, Source};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use worker::{Event, Seated, Shared, describe_panic, work};

/// Records that wait for the writer at most, for each thread: workers are held up when the disk is.
const WAITING_MAX: usize = 16;
/// How often progress is told and a commit is looked for.
const TICK: Duration = Duration::from_millis(50);

/// Where one entrant's agents come from.
#[derive(Clone)]
pub struct Chair {
    /// The bot.
    pub bot: Arc<dyn Seatable>,
    /// Its settings.
    pub config_json: String,
    /// The same seed gives the same play, another time too. What others have answered is kept with
    /// the record.
    pub is_repeatable: bool,
    /// The limits of its agents' time, where they are not the league's.
    pub limits: Option<TimeLimits>,
}

impl Chair {
    /// Opens an agent for one seat on the calling thread.
    ///
    /// # Errors
    /// As [`Seatable::open`].
    pub fn open(&self) -> Result<Box<dyn Agent>, Misstep> {
        let agent = self.bot.open(&self.config_json)?;
        Ok(match self.limits {
            Some(_) => Box::new(Seated::new(self, Some(agent))),
            None => agent,
        })
    }
}

/// How a run is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// Threads that play.
    pub threads: usize,
    /// The part of the jobs that is played.
    pub part: Part,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Blocks that this run is to play.
    pub blocks_planned: u64,
    /// Blocks that it has played.
    pub blocks: u64,
    /// Deals that it is to play.
    pub deals_planned: u64,
    /// Deals that it has played; those of running blocks count.
    pub deals: u64,
    /// Faults in its blocks.
    pub faults: u64,
    /// Time since it began.
    pub elapsed: Duration,
    /// Whether it has been asked to stop and waits for the running blocks.
    pub stopping: bool,
}

/// Looks on while a league is played.
pub trait Observer {
    /// Called some twenty times a second, and once when the run is over.
    fn progress(&mut self, _progress: &Progress) {}
    /// A block has been played.
    fn record(&mut self, _record: &Record) {}
}

/// Nobody looks on.
impl Observer for () {}

/// How a run ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every job of the shard is in the store.
    Finished,
    /// It was asked to stop.
    Interrupted,
}

/// Why a run ended before its time. All blocks that were played to their end are kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A fault, in a league whose rule is that a fault stops it.
    #[error(
        "stopped by a fault, as the league asks (`faults: stop`): {entrant} in line-up {}, block {}, deal {}: {}: {}. \
         The block is kept with its fault; run again to go on with the next",
        job.line_up, job.block, fault.deal, fault.kind.name(), text::harmless(&fault.message)
    )]
    Stopped {
        /// The block, which is in the store.
        job: JobId,
        /// Name of the entrant.
        entrant: String,
        /// The first fault of the block.
        fault: Fault,
    },
    /// The host cannot go on with a bot and keep what it promises.
    #[error(
        "the run ends at {entrant} in line-up {}, block {}, deal {}: {}. No bot is charged with it, and all blocks before are kept",
        job.line_up, job.block, fault.deal, text::harmless(&fault.message)
    )]
    Failed {
        /// The block, which is not in the store.
        job: JobId,
        /// Name of the entrant.
        entrant: String,
        /// What would be a fault if the bot were to blame.
        fault: Fault,
    },
    /// The host itself failed in some blocks; all others are in the store.
    #[error("{}", panics(.0))]
    Panicked(Vec<(JobId, String)>),
    /// The system gave no thread.
    #[error("no thread could be started: {0}")]
    NoThreads(std::io::Error),
}

fn panics(jobs: &[(JobId, String)]) -> String {
    let place = |(job, message): &(JobId, String)| {
        format!(
            "\n  line-up {}, block {}: {message}",
            job.line_up, job.block
        )
    };
    let list: String = jobs.iter().map(place).collect();
    format!(
        "the host or the rules failed in some blocks, which is a mistake in hattari; all others are kept:{list}"
    )
}

/// Plays the jobs that are not in the store yet, and where the format decides as it goes, what it
/// asks for then. `seats` go by entrant; setting `stop` ends the run after the blocks that are
/// being played.
///
/// # Errors
/// The store cannot be written, a fault stops the league, or the host fails. What was played is
/// kept.
pub fn run(
    game: &dyn AnyGame,
    league: &League,
    seats: &[Chair],
    writer: &mut Writer,
    orders: &Orders,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<End, RunError> {
    writer.take_part(&orders.part)?;
    let (started, mut progress) = (Instant::now(), Progress::default());
    loop {
        let end = run_open(
            game,
            league,
            seats,
            writer,
            orders,
            stop,
            observer,
            (started, &mut progress),
        )?;
        if end == End::Interrupted || orders.part != Part::WHOLE || !writer.advance()? {
            return Ok(end);
        }
    }
}

/// Plays the jobs that are known to be open. Progress goes on from what it was.
#[expect(
    clippy::too_many_arguments,
    reason = "those of `run`, and how far it is"
)]
fn run_open(
    game: &dyn AnyGame,
    league: &League,
    seats: &[Chair],
    writer: &mut Writer,
    orders: &Orders,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
    (started, progress): (Instant, &mut Progress),
) -> Result<End, RunError> {
    let schedule = writer.store().schedule().clone();
    let done = writer.done().clone();
    // A part knows nothing of the others' rounds: it plays all its blocks, and the merge leaves out
    // those not needed.
    let stopping = writer
        .store()
        .stopping()
        .filter(|_| orders.part == Part::WHOLE)
        .cloned();
    let is_needed = |index: &u64| {
        stopping
            .as_ref()
            .is_none_or(|stopping| stopping.need(schedule.job(*index)) != Need::No)
    };
    let indices =
        (0..schedule.jobs()).filter(|&index| orders.part.holds(index) && !done.has(index));
    let blocks_planned = indices.clone().filter(is_needed).count() as u64;
    let plan = league.block_plan();
    let players = schedule
        .line_ups
        .first()
        .map_or(1, |line_up| line_up.entrants.len());
    let deals_a_block = u64::from(plan.deals)
        * if plan.duplicate {
            game.rotations(players) as u64
        } else {
            1
        };
    let halt = AtomicBool::new(false);
    let shared = Shared {
        game,
        plan,
        league,
        schedule: &schedule,
        seats,
        jobs: match stopping {
            None => Source::Fixed(Mutex::new(Box::new(
                indices.map(|index| schedule.job(index)),
            ))),
            Some(stopping) => {
                let threads = orders.threads.max(1);
                Source::Sequential(Box::new(Gate::new(&schedule, &done, threads, stopping)))
            }
        },
        stop,
        halt: &halt,
        deals: AtomicU64::new(progress.deals),
        panics: AtomicUsize::new(0),
    };
    let gate = match &shared.jobs {
        Source::Sequential(gate) => Some(gate.as_ref()),
        Source::Fixed(_) => None,
    };
    let mut collector = Collector {
        gate,
        needed: gate.map_or(0, |gate| gate.standing().0),
        writer,
        observer,
        stop,
        halt: &halt,
        started,
        deals_a_block,
        stops: plan.faults == FaultPolicy::Stop,
        progress: Progress {
            blocks_planned: progress.blocks + blocks_planned,
            deals_planned: progress.deals + blocks_planned * deals_a_block,
            ..*progress
        },
        stopped: Vec::new(),
        panicked: Vec::new(),
    };
    thread::scope(|scope| {
        let threads = orders.threads.max(1);
        let (sender, receiver) = sync_channel(WAITING_MAX * threads);
        let mut workers = Vec::new();
        for number in 0..threads {
            let (shared, sender) = (&shared, sender.clone());
            let named = thread::Builder::new().name(format!("table {number}"));
            match named.spawn_scoped(scope, move || work(shared, &sender)) {
                Ok(worker) => workers.push(worker),
                // A machine short of threads plays with those it gives.
                Err(error) if workers.is_empty() => return Err(RunError::NoThreads(error)),
                Err(error) => {
                    tracing::warn!("only {number} of {threads} threads could be started: {error}")
                }
            }
        }
        drop(sender);
        let collected = collector.collect(receiver, &shared.deals);
        for worker in workers {
            if let Err(panic) = worker.join() {
                collector.panicked.push((
                    JobId {
                        line_up: 0,
                        block: 0,
                    },
                    describe_panic(panic.as_ref()),
                ));
            }
        }
        collected
    })?;
    collector.writer.commit()?;
    collector.report(&shared.deals);
    let before = std::mem::replace(progress, collector.progress).blocks;
    // Jobs are begun in order, so the first of those that stopped is the same on any number of
    // threads. How many more were begun is not.
    let first = collector
        .stopped
        .into_iter()
        .min_by_key(|(job, ..)| schedule.index(*job));
    if let Some((job, fault, is_asked)) = first {
        let entrant = schedule.line_ups[job.line_up as usize].entrants[usize::from(fault.entrant)];
        let entrant = league.entrants[entrant].name.clone();
        return Err(if is_asked {
            RunError::Stopped {
                job,
                entrant,
                fault,
            }
        } else {
            RunError::Failed {
                job,
                entrant,
                fault,
            }
        });
    }
    if !collector.panicked.is_empty() {
        collector
            .panicked
            .sort_by_key(|(job, _)| schedule.index(*job));
        return Err(RunError::Panicked(collector.panicked));
    }
    let finished = match gate {
        None => progress.blocks == before + blocks_planned,
        Some(gate) => gate.standing().1,
    };
    if gate.is_some() {
        // Blocks that were merged from shards, for instance, may lie beyond the end.
        collector.writer.settle()?;
    }
    Ok(if finished {
        End::Finished
    } else {
        End::Interrupted
    })
}

/// The one who writes, on the thread that called [`run`].
struct Collector<'a> {
    /// Says in a sequential league which records are kept.
    gate: Option<&'a Gate<'a>>,
    /// Blocks that a sequential league was to play when last asked.
    needed: u64,
    writer: &'a mut Writer,
    observer: &'a mut dyn Observer,
    stop: &'a AtomicBool,
    halt: &'a AtomicBool,
    started: Instant,
    deals_a_block: u64,
    /// A fault stops the league.
    stops: bool,
    progress: Progress,
    /// With whether the league asks for it.
    stopped: Vec<(JobId, Fault, bool)>,
    panicked: Vec<(JobId, String)>,
}

impl Collector<'_> {
    /// Takes events until all workers are gone. Returning early drops the receiver, which ends the
    /// workers too.
    fn collect(&mut self, receiver: Receiver<Event>, deals: &AtomicU64) -> Result<(), RunError> {
        let outcome = self.take_all(&receiver, deals);
        // The flag first: nobody begins another job; the receiver then: nobody waits to hand one
        // over.
        if outcome.is_err() {
            self.halt.store(true, Ordering::Relaxed);
        }
        drop(receiver);
        outcome
    }

    fn take_all(&mut self, receiver: &Receiver<Event>, deals: &AtomicU64) -> Result<(), RunError> {
        let mut next_tick = Instant::now();
        loop {
            match receiver.recv_timeout(next_tick.saturating_duration_since(Instant::now())) {
                Ok(event) => self.take(event)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if next_tick <= Instant::now() {
                next_tick = Instant::now() + TICK;
                self.writer.commit_if_due()?;
                self.report(deals);
            }
        }
    }

    fn take(&mut self, event: Event) -> Result<(), RunError> {
        match event {
            Event::Played(played) => {
                let Some(gate) = self.gate else {
                    return self.keep(&played);
                };
                for played in gate.played(*played) {
                    self.keep(&played)?;
                }
                let needed = gate.standing().0;
                let less = self.needed.saturating_sub(needed);
                self.needed = needed;
                self.progress.blocks_planned = self.progress.blocks_planned.saturating_sub(less);
                self.progress.deals_planned = self
                    .progress
                    .deals_planned
                    .saturating_sub(less * self.deals_a_block);
            }
            Event::Failed(job, fault) => self.stopped.push((job, fault, false)),
            Event::Panicked(job, message) => {
                self.gate.inspect(|gate| gate.give_up());
                self.panicked.push((job, message));
            }
        }
        Ok(())
    }

    /// Puts a block into the store.
    fn keep(&mut self, played: &Played) -> Result<(), RunError> {
        let record = &played.record;
        self.writer.push(played)?;
        self.progress.blocks += 1;
        self.progress.faults += record
            .fault_counts
            .iter()
            .map(|&count| u64::from(count))
            .sum::<u64>();
        // A block may end early; the rest of it will not be played.
        let unplayed = self.deals_a_block.saturating_sub(record.deals.into());
        self.progress.deals_planned = self.progress.deals_planned.saturating_sub(unplayed);
        self.observer.record(record);
        // Only what is kept stops a league: a block that is not would be played again, as often as
        // its bot likes.
        if let (true, Some(fault)) = (self.stops, record.faults.first()) {
            self.stopped.push((record.job, fault.clone(), true));
            self.halt.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn report(&mut self, deals: &AtomicU64) {
        self.progress.deals = deals.load(Ordering::Relaxed);
        self.progress.elapsed = self.started.elapsed();
        self.progress.stopping =
            self.halt.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed);
        self.observer.progress(&self.progress);
    }
}
