//! Plays a league's open jobs on several threads and passes the records to the store. The records
//! do not depend on the assignment of jobs to threads, nor on interruptions.

mod error;
mod retry;
#[cfg(test)]
mod sequential_tests;
mod source;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod work_unit_tests;
mod worker;

pub use error::RunError;
pub(crate) use error::{HostPanic, describe_fault};

use crate::league::League;
use crate::schedule::{JobSet, Part, Schedule};
use crate::stopping::{JobNeed, StoppingState};
use crate::store::StoreWriter;
use hattari_agents::agent::{Agent, AgentError, AgentFactory, TimeLimits};
use hattari_agents::record::{BlockResult, Fault, JobId, Record};
use hattari_agents::table::{AnyGame, FaultPolicy};
use source::{JobSource, SequentialQueue};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use worker::{SeatedAgent, WorkerEvent, WorkerShared, describe_panic, work};

/// Maximum number of records per thread that wait for the writer. When this number is reached,
/// workers wait until records are written.
const WAITING_MAX: usize = 16;
/// Interval at which progress is reported and commits are checked.
const TICK: Duration = Duration::from_millis(50);

/// The bot of an entrant and its settings, from which agents are opened.
#[derive(Clone)]
pub struct SeatConfig {
    /// Factory from which the bot's agents are opened.
    pub bot: Arc<dyn AgentFactory>,
    /// Settings of the bot as JSON.
    pub config_json: String,
    /// True if the bot plays the same with the same seed in every run. Otherwise, the answers of
    /// all bots at the table are stored with the record.
    pub is_repeatable: bool,
    /// Time limits of the agents, if they differ from the league's.
    pub limits: Option<TimeLimits>,
}

impl SeatConfig {
    /// Opens an agent for one seat on the calling thread.
    ///
    /// # Errors
    /// Returns the errors of [`AgentFactory::open`].
    pub fn open(&self) -> Result<Box<dyn Agent>, AgentError> {
        let agent = self.bot.open(&self.config_json)?;
        Ok(match self.limits {
            Some(_) => Box::new(SeatedAgent::new(self, Some(agent))),
            None => agent,
        })
    }
}

/// The number of threads of a run, and the jobs that it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Number of threads.
    pub threads: usize,
    /// The part of the jobs to play.
    pub part: Part,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of blocks to play in this run.
    pub blocks_planned: u64,
    /// Number of blocks played in this run.
    pub blocks: u64,
    /// Number of deals to play.
    pub deals_planned: u64,
    /// Number of deals played, including those of running blocks.
    pub deals: u64,
    /// Number of faults.
    pub faults: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// True after a stop request, while running blocks are finished.
    pub stopping: bool,
}

/// An observer of a run, which receives its progress and its records.
pub trait RunObserver {
    /// Receives the progress, about twenty times per second and once at the end of the run.
    fn progress(&mut self, _progress: &Progress) {}
    /// Receives the record of each block after it is stored.
    fn record(&mut self, _record: &Record) {}
}

/// An observer that does nothing.
impl RunObserver for () {}

/// The reason for the end of a run without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All jobs of the part are in the store.
    Finished,
    /// The run was stopped on request.
    Interrupted,
}

/// The arguments of a run that all of its rounds share.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// The game with the league's options.
    pub game: &'a dyn AnyGame,
    /// The league.
    pub league: &'a League,
    /// The seats, one per entrant.
    pub seats: &'a [SeatConfig],
    /// The number of threads and the jobs to play.
    pub options: &'a RunOptions,
    /// Flag that ends the run, after the running blocks, when it is set.
    pub stop: &'a AtomicBool,
}

/// The jobs that are known at the start of a round.
struct KnownJobs<'a> {
    schedule: Schedule,
    /// The jobs with a record.
    done: JobSet,
    /// The part of the jobs to play.
    part: &'a Part,
}

impl KnownJobs<'_> {
    /// Iterates over the indices of the part's jobs that are not in the store yet.
    fn open(&self) -> impl Iterator<Item = u64> + Send {
        (0..self.schedule.jobs())
            .filter(move |&index| self.part.contains(index) && !self.done.contains(index))
    }

    /// Returns the number of open jobs that are needed or may be needed.
    fn count_needed(&self, stopping: Option<&StoppingState>) -> u64 {
        let is_needed = |index: &u64| {
            stopping
                .is_none_or(|stopping| stopping.job_need(self.schedule.job(*index)) != JobNeed::No)
        };
        self.open().filter(is_needed).count() as u64
    }

    fn source(&self, threads: usize, stopping: Option<StoppingState>) -> JobSource<'_> {
        match stopping {
            None => {
                let jobs = self.open().map(move |index| self.schedule.job(index));
                JobSource::Fixed(Mutex::new(Box::new(jobs)))
            }
            Some(stopping) => {
                let queue = SequentialQueue::new(&self.schedule, &self.done, threads, stopping);
                JobSource::Sequential(Box::new(queue))
            }
        }
    }
}

impl RunContext<'_> {
    /// Plays the jobs that are not in the store yet. If the format plays in rounds, the following
    /// rounds are played too.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written, if a fault stops the league, or if the host
    /// fails. Finished blocks are kept.
    pub fn run(
        &self,
        writer: &mut StoreWriter,
        observer: &mut dyn RunObserver,
    ) -> Result<RunEnd, RunError> {
        let part = &self.options.part;
        writer.take_part(part)?;
        let started = Instant::now();
        let mut progress = Progress::default();
        loop {
            let end = self.play_open_jobs(writer, observer, started, &mut progress)?;
            if end == RunEnd::Interrupted || *part != Part::WHOLE || !writer.advance()? {
                return Ok(end);
            }
        }
    }

    /// Plays the jobs that are known now and not in the store yet. Adds to `progress`.
    fn play_open_jobs(
        &self,
        writer: &mut StoreWriter,
        observer: &mut dyn RunObserver,
        started: Instant,
        progress: &mut Progress,
    ) -> Result<RunEnd, RunError> {
        let part = &self.options.part;
        // A part does not contain the results of other parts, so the stopping rule cannot be
        // applied. All blocks of the part are played; after the merge, those that are not needed
        // are ignored.
        let stopping = writer.store().stopping();
        let stopping = stopping.filter(|_| *part == Part::WHOLE).cloned();
        let jobs = KnownJobs {
            schedule: writer.store().schedule().clone(),
            done: writer.done().clone(),
            part,
        };
        let blocks_planned = jobs.count_needed(stopping.as_ref());
        let threads = self.options.threads.max(1);
        let halt = AtomicBool::new(false);
        let plan = self.league.block_plan();
        let shared = WorkerShared {
            game: self.game,
            plan,
            league: self.league,
            schedule: &jobs.schedule,
            seats: self.seats,
            jobs: jobs.source(threads, stopping),
            stop: self.stop,
            halt: &halt,
            deals: AtomicU64::new(progress.deals),
            panics: AtomicUsize::new(0),
        };
        let queue = shared.jobs.queue();
        let deals_per_block = self.deals_per_block(&jobs.schedule);
        let mut collector = RecordCollector {
            queue,
            needed: queue.map_or(0, |queue| queue.blocks_needed()),
            dropped_deals: 0,
            writer,
            observer,
            stop: self.stop,
            halt: &halt,
            started,
            deals_per_block,
            stops: plan.faults == FaultPolicy::Stop,
            progress: Progress {
                blocks_planned: progress.blocks + blocks_planned,
                deals_planned: progress.deals + blocks_planned * deals_per_block,
                ..*progress
            },
            ending_faults: Vec::new(),
            panics: Vec::new(),
        };
        collector.play(&shared, threads)?;
        let blocks_expected = progress.blocks + blocks_planned;
        *progress = collector.progress;
        collector.finish(self.league, &jobs.schedule, blocks_expected)
    }

    /// Returns the number of deals in a block, including repetitions with rotated seats.
    fn deals_per_block(&self, schedule: &Schedule) -> u64 {
        let players = (schedule.line_ups.first()).map_or(1, |line_up| line_up.entrants.len());
        let rotations = if self.league.duplicate {
            self.game.rotations(players) as u64
        } else {
            1
        };
        u64::from(self.league.deals) * rotations
    }
}

/// A collector of the workers' events, on the thread that called [`RunContext::run`]. It stores the
/// records.
struct RecordCollector<'a> {
    /// The queue that decides which records of a sequential league are kept.
    queue: Option<&'a SequentialQueue<'a>>,
    /// Number of blocks that a sequential league needed at the last update.
    needed: u64,
    /// Number of deals in blocks that a sequential league turned out not to need.
    dropped_deals: u64,
    writer: &'a mut StoreWriter,
    observer: &'a mut dyn RunObserver,
    stop: &'a AtomicBool,
    halt: &'a AtomicBool,
    started: Instant,
    deals_per_block: u64,
    /// True if a fault stops the league.
    stops: bool,
    progress: Progress,
    /// The faults that end the run.
    ending_faults: Vec<EndingFault>,
    panics: Vec<HostPanic>,
}

/// A fault that ends the run.
struct EndingFault {
    job: JobId,
    fault: Fault,
    /// True if the league has `faults: stop`; false if the host cannot continue with the bot.
    is_by_league: bool,
}

impl RecordCollector<'_> {
    /// Starts the workers, processes their events until all of them have ended, and commits.
    fn play(&mut self, shared: &WorkerShared<'_>, threads: usize) -> Result<(), RunError> {
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(WAITING_MAX * threads);
            let mut workers = Vec::new();
            for number in 0..threads {
                let sender = sender.clone();
                let named = thread::Builder::new().name(format!("table {number}"));
                match named.spawn_scoped(scope, move || work(shared, &sender)) {
                    Ok(worker) => workers.push(worker),
                    // If the system lacks threads, play with those that could be started.
                    Err(error) if workers.is_empty() => return Err(RunError::NoThreads(error)),
                    Err(error) => tracing::warn!(
                        "only {number} of {threads} threads could be started: {error}"
                    ),
                }
            }
            drop(sender);
            let collected = self.collect(receiver, &shared.deals);
            for worker in workers {
                if let Err(panic) = worker.join() {
                    self.panics.push(HostPanic {
                        job: None,
                        message: describe_panic(panic.as_ref()),
                    });
                }
            }
            collected
        })?;
        self.writer.commit()?;
        self.report(&shared.deals);
        Ok(())
    }

    /// Returns the end of the round, after all workers have ended. Without a stopping rule, the
    /// round is finished if the run has played `blocks_expected` blocks.
    fn finish(
        &mut self,
        league: &League,
        schedule: &Schedule,
        blocks_expected: u64,
    ) -> Result<RunEnd, RunError> {
        self.check_failures(league, schedule)?;
        let is_finished = match self.queue {
            None => self.progress.blocks == blocks_expected,
            Some(queue) => {
                // The store may contain blocks after the end of a line-up, for example from merged
                // shards.
                self.writer.apply_stopping_rule()?;
                queue.is_finished()
            }
        };
        Ok(if is_finished {
            RunEnd::Finished
        } else {
            RunEnd::Interrupted
        })
    }

    /// Returns an error if a fault or a panic ended the run.
    fn check_failures(&mut self, league: &League, schedule: &Schedule) -> Result<(), RunError> {
        // Jobs begin in order. Therefore, the first fault does not depend on the number of threads.
        let first = std::mem::take(&mut self.ending_faults)
            .into_iter()
            .min_by_key(|ending| schedule.index(ending.job));
        if let Some(EndingFault {
            job,
            fault,
            is_by_league,
        }) = first
        {
            let entrants = &schedule.line_ups[job.line_up as usize].entrants;
            let entrant = &league.entrants[entrants[usize::from(fault.entrant)]];
            let entrant = entrant.name.clone();
            return Err(if is_by_league {
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
        if self.panics.is_empty() {
            return Ok(());
        }
        self.panics
            .sort_by_key(|panic| panic.job.map(|job| schedule.index(job)));
        Err(RunError::Panicked(std::mem::take(&mut self.panics)))
    }

    /// Processes events until all workers have ended. On an error, dropping the receiver ends the
    /// workers.
    fn collect(
        &mut self,
        receiver: Receiver<WorkerEvent>,
        deals: &AtomicU64,
    ) -> Result<(), RunError> {
        let outcome = self.process_events(&receiver, deals);
        // Set the flag first, so that no worker begins another job. Then drop the receiver, so that
        // no worker waits to send.
        if outcome.is_err() {
            self.halt.store(true, Ordering::Relaxed);
        }
        drop(receiver);
        outcome
    }

    fn process_events(
        &mut self,
        receiver: &Receiver<WorkerEvent>,
        deals: &AtomicU64,
    ) -> Result<(), RunError> {
        let mut next_tick = Instant::now();
        loop {
            match receiver.recv_timeout(next_tick.saturating_duration_since(Instant::now())) {
                Ok(event) => self.process_event(event)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if Instant::now() >= next_tick {
                next_tick = Instant::now() + TICK;
                self.writer.commit_if_due()?;
                self.report(deals);
            }
        }
    }

    fn process_event(&mut self, event: WorkerEvent) -> Result<(), RunError> {
        match event {
            WorkerEvent::Played(played) => {
                let Some(queue) = self.queue else {
                    return self.store_block(&played);
                };
                let sorted = queue.add_played(*played);
                self.dropped_deals += sorted.dropped_deals;
                for played in sorted.needed {
                    self.store_block(&played)?;
                }
                let needed = queue.blocks_needed();
                let unneeded = self.needed.saturating_sub(needed);
                self.needed = needed;
                self.progress.blocks_planned =
                    self.progress.blocks_planned.saturating_sub(unneeded);
                self.progress.deals_planned = self
                    .progress
                    .deals_planned
                    .saturating_sub(unneeded * self.deals_per_block);
            }
            WorkerEvent::Failed(job, fault) => self.ending_faults.push(EndingFault {
                job,
                fault,
                is_by_league: false,
            }),
            WorkerEvent::Panicked(job, message) => {
                self.queue.inspect(|queue| queue.mark_failed());
                self.panics.push(HostPanic {
                    job: Some(job),
                    message,
                });
            }
        }
        Ok(())
    }

    /// Adds a block to the store.
    fn store_block(&mut self, played: &BlockResult) -> Result<(), RunError> {
        let record = &played.record;
        self.writer.push(played)?;
        self.progress.blocks += 1;
        self.progress.faults += record
            .fault_counts
            .iter()
            .map(|&count| u64::from(count))
            .sum::<u64>();
        // The rest of a block that ended early will not be played.
        let unplayed = self.deals_per_block.saturating_sub(record.deals.into());
        self.progress.deals_planned = self.progress.deals_planned.saturating_sub(unplayed);
        self.observer.record(record);
        // Only a stored block stops the league. Without its record, every later run would play the
        // block again and stop again.
        if let (true, Some(fault)) = (self.stops, record.faults.first()) {
            self.ending_faults.push(EndingFault {
                job: record.job,
                fault: fault.clone(),
                is_by_league: true,
            });
            self.halt.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn report(&mut self, deals: &AtomicU64) {
        let deals = deals.load(Ordering::Relaxed);
        self.progress.deals = deals.saturating_sub(self.dropped_deals);
        self.progress.elapsed = self.started.elapsed();
        self.progress.stopping =
            self.halt.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed);
        self.observer.progress(&self.progress);
    }
}
