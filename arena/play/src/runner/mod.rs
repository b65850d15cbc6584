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
use crate::schedule::Part;
use crate::store::StoreWriter;
use hattari_agents::agent::{Agent, AgentFactory, AgentResult, TimeLimits};
use hattari_agents::record::{BlockResult, JobId, Record};
use hattari_agents::table::{AnyGame, FaultPolicy};
use source::JobQueue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
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
    pub fn open(&self) -> AgentResult<Box<dyn Agent>> {
        let agent = self.bot.open(&self.config_json)?;
        Ok(match self.limits {
            Some(_) => Box::new(SeatedAgent::new(self, Some(agent))),
            None => agent,
        })
    }
}

/// The number of threads of a run, and the jobs that it plays.
#[derive(Debug)]
pub struct RunOptions {
    /// Number of threads.
    pub threads: usize,
    /// The part of the jobs to play.
    pub part: Part,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default)]
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
#[derive(Clone, Copy, Debug, PartialEq)]
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
        let schedule = writer.store().schedule.clone();
        let players = schedule.line_ups.first().map_or(1, Vec::len);
        // Repetitions with rotated seats are included.
        let rotations = u64::from(self.league.rotations(players));
        let deals_per_block = u64::from(self.league.deals) * rotations;
        let threads = self.options.threads.max(1);
        let shared = WorkerShared {
            game: self.game,
            plan: self.league.block_plan(),
            league: self.league,
            seats: self.seats,
            jobs: JobQueue::new(schedule, writer.done().clone(), part, threads, stopping),
            stop: self.stop,
            halt: AtomicBool::new(false),
            deals: AtomicU64::new(progress.deals),
            panics: AtomicUsize::new(0),
        };
        let blocks_planned = shared.jobs.count_needed();
        let mut collector = RecordCollector {
            shared: &shared,
            needed: shared.jobs.blocks_needed(),
            dropped_deals: 0,
            writer,
            observer,
            started,
            deals_per_block,
            progress: Progress {
                blocks_planned: progress.blocks + blocks_planned,
                deals_planned: progress.deals + blocks_planned * deals_per_block,
                ..*progress
            },
            ending_faults: Vec::new(),
            panics: Vec::new(),
        };
        collector.play(threads)?;
        let blocks_expected = progress.blocks + blocks_planned;
        *progress = collector.progress;
        collector.finish(blocks_expected)
    }
}

/// A collector of the workers' events, on the thread that called [`RunContext::run`]. It stores the
/// records.
struct RecordCollector<'a> {
    shared: &'a WorkerShared<'a>,
    /// Number of blocks that a sequential league needed at the last update.
    needed: u64,
    /// Number of deals in blocks that a sequential league turned out not to need.
    dropped_deals: u64,
    writer: &'a mut StoreWriter,
    observer: &'a mut dyn RunObserver,
    started: Instant,
    deals_per_block: u64,
    progress: Progress,
    /// The faults that end the run, each with the index of its job.
    ending_faults: Vec<(u64, RunError)>,
    panics: Vec<HostPanic>,
}

impl RecordCollector<'_> {
    /// Starts the workers, processes their events until all of them have ended, and commits.
    fn play(&mut self, threads: usize) -> Result<(), RunError> {
        let shared = self.shared;
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(WAITING_MAX * threads);
            let mut workers = Vec::new();
            for number in 0..threads {
                let sender = sender.clone();
                let named = thread::Builder::new().name(format!("table {number}"));
                match named.spawn_scoped(scope, move || work(shared, &sender)) {
                    Ok(worker) => workers.push(worker),
                    // If the system lacks threads, play with those that could be started.
                    Err(error) if workers.is_empty() => {
                        return Err(RunError::Other(format!("cannot start a thread: {error}")));
                    }
                    Err(error) => tracing::warn!(
                        "only {number} of {threads} threads could be started: {error}"
                    ),
                }
            }
            drop(sender);
            let collected = self.collect(receiver);
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
        self.report();
        Ok(())
    }

    /// Returns the end of the round, after all workers have ended. Without a stopping rule, the
    /// round is finished if the run has played `blocks_expected` blocks.
    fn finish(&mut self, blocks_expected: u64) -> Result<RunEnd, RunError> {
        // Jobs begin in order. Therefore, the first fault does not depend on the number of threads.
        if let Some((_, error)) = std::mem::take(&mut self.ending_faults)
            .into_iter()
            .min_by_key(|(index, _)| *index)
        {
            return Err(error);
        }
        let jobs = &self.shared.jobs;
        if !self.panics.is_empty() {
            self.panics
                .sort_by_key(|panic| panic.job.map(|job| jobs.schedule.index(job)));
            return Err(RunError::Panicked(std::mem::take(&mut self.panics)));
        }
        let is_finished = match jobs.is_finished() {
            None => self.progress.blocks == blocks_expected,
            Some(is_finished) => {
                // The store may contain blocks after the end of a line-up, for example from merged
                // shards.
                self.writer.apply_stopping_rule()?;
                is_finished
            }
        };
        Ok(if is_finished {
            RunEnd::Finished
        } else {
            RunEnd::Interrupted
        })
    }

    /// Processes events until all workers have ended. On an error, dropping the receiver ends the
    /// workers.
    fn collect(&mut self, receiver: Receiver<WorkerEvent>) -> Result<(), RunError> {
        let outcome = self.process_events(&receiver);
        // Set the flag first, so that no worker begins another job. Then drop the receiver, so that
        // no worker waits to send.
        if outcome.is_err() {
            self.shared.halt.store(true, Ordering::Relaxed);
        }
        drop(receiver);
        outcome
    }

    fn process_events(&mut self, receiver: &Receiver<WorkerEvent>) -> Result<(), RunError> {
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
                self.report();
            }
        }
    }

    fn process_event(&mut self, event: WorkerEvent) -> Result<(), RunError> {
        match event {
            WorkerEvent::Played(played) => {
                let jobs = &self.shared.jobs;
                let sorted = jobs.add_played(*played);
                self.dropped_deals += sorted.dropped_deals;
                for played in sorted.needed {
                    self.store_block(&played)?;
                }
                let needed = jobs.blocks_needed();
                let unneeded = self.needed.saturating_sub(needed);
                self.needed = needed;
                let Progress {
                    blocks_planned,
                    deals_planned,
                    ..
                } = &mut self.progress;
                *blocks_planned = blocks_planned.saturating_sub(unneeded);
                *deals_planned = deals_planned.saturating_sub(unneeded * self.deals_per_block);
            }
            WorkerEvent::Failed(job, fault) => {
                let cause = describe_fault(job, self.shared.entrant(job, &fault), &fault);
                let error = RunError::Other(format!(
                    "the run ended because of {cause}. No bot is charged with a fault, and all \
                    earlier blocks are stored"
                ));
                self.end_by(job, error);
            }
            WorkerEvent::Panicked(job, message) => {
                self.shared.jobs.mark_failed();
                self.panics.push(HostPanic {
                    job: Some(job),
                    message,
                });
            }
        }
        Ok(())
    }

    fn end_by(&mut self, job: JobId, error: RunError) {
        let index = self.shared.jobs.schedule.index(job);
        self.ending_faults.push((index, error));
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
        if self.shared.plan.faults == FaultPolicy::Stop
            && let Some(fault) = record.faults.first()
        {
            let error = RunError::Stopped {
                job: record.job,
                entrant: self.shared.entrant(record.job, fault).to_owned(),
                fault: fault.clone(),
            };
            self.end_by(record.job, error);
            self.shared.halt.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn report(&mut self) {
        let deals = self.shared.deals.load(Ordering::Relaxed);
        self.progress.deals = deals.saturating_sub(self.dropped_deals);
        self.progress.elapsed = self.started.elapsed();
        self.progress.stopping = self.shared.is_stopping();
        self.observer.progress(&self.progress);
    }
}
