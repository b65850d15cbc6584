//! The source of the workers' jobs: all open jobs in order, or, in a sequential league, the jobs
//! that the comparisons need.

use crate::schedule::{JobSet, Schedule};
use crate::stopping::{JobNeed, StoppingState};
use hattari_agents::record::{BlockResult, JobId};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Interval at which a waiting worker checks for a stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The source of jobs for the workers.
pub(super) enum JobSource<'s> {
    /// All jobs in order.
    Fixed(Mutex<Box<dyn Iterator<Item = JobId> + Send + 's>>),
    /// Jobs that depend on the results of earlier rounds.
    Sequential(Box<SequentialQueue<'s>>),
}

impl<'s> JobSource<'s> {
    /// Returns the queue of a sequential league; `None` for other leagues.
    pub(super) fn queue(&self) -> Option<&SequentialQueue<'s>> {
        match self {
            JobSource::Fixed(_) => None,
            JobSource::Sequential(queue) => Some(queue),
        }
    }

    /// Returns the next job; `None` if there is none or `is_halted` returns `true`.
    pub(super) fn next(&self, is_halted: impl Fn() -> bool) -> Option<JobId> {
        match self {
            JobSource::Fixed(jobs) if !is_halted() => {
                jobs.lock().unwrap_or_else(PoisonError::into_inner).next()
            }
            JobSource::Fixed(_) => None,
            JobSource::Sequential(queue) => queue.next(is_halted),
        }
    }
}

/// A queue of the jobs of a sequential league, in order. To keep all threads busy, it starts a few
/// rounds before they are known to be needed, and discards blocks that are not needed.
pub(super) struct SequentialQueue<'s> {
    schedule: &'s Schedule,
    done: &'s JobSet,
    threads: usize,
    state: Mutex<QueueState>,
    advanced: Condvar,
}

/// Played blocks of a sequential league.
#[derive(Default)]
pub(super) struct SortedBlocks {
    /// The blocks that are needed.
    pub needed: Vec<BlockResult>,
    /// Number of deals in the blocks that are not needed.
    pub dropped_deals: u64,
}

struct QueueState {
    stopping: StoppingState,
    next: u64,
    /// True after a job has failed: its round will never be complete.
    has_failed: bool,
    /// The blocks that wait until the need for them is known.
    waiting: Vec<BlockResult>,
}

impl<'s> SequentialQueue<'s> {
    /// Creates a queue. `stopping` contains the stored results, `done` the jobs with a record.
    pub(super) fn new(
        schedule: &'s Schedule,
        done: &'s JobSet,
        threads: usize,
        stopping: StoppingState,
    ) -> SequentialQueue<'s> {
        let state = QueueState {
            stopping,
            next: 0,
            has_failed: false,
            waiting: Vec::new(),
        };
        SequentialQueue {
            schedule,
            done,
            threads,
            state: Mutex::new(state),
            advanced: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, is_halted: impl Fn() -> bool) -> Option<JobId> {
        let mut state = self.state();
        loop {
            if is_halted() || state.stopping.is_finished() || state.next == self.schedule.jobs() {
                return None;
            }
            let job = self.schedule.job(state.next);
            let is_open = !self.done.contains(state.next);
            let is_next = match state.stopping.job_need(job) {
                JobNeed::Yes => is_open,
                JobNeed::No => false,
                JobNeed::Unknown if is_open => {
                    if job.block < state.stopping.rounds() + self.rounds_ahead(&state.stopping) {
                        true
                    } else if state.has_failed {
                        return None;
                    } else {
                        state = self
                            .advanced
                            .wait_timeout(state, STOP_CHECK_INTERVAL)
                            .unwrap_or_else(PoisonError::into_inner)
                            .0;
                        continue;
                    }
                }
                JobNeed::Unknown => false,
            };
            state.next += 1;
            if is_next {
                return Some(job);
            }
        }
    }

    /// Returns the number of rounds that may be started: the current round and, with several
    /// threads, enough further rounds to keep them busy.
    fn rounds_ahead(&self, stopping: &StoppingState) -> u32 {
        if self.threads < 2 {
            return 1;
        }
        let extra_rounds = (2 * self.threads).div_ceil(stopping.open_line_ups().max(1));
        u32::try_from(1 + extra_rounds).unwrap_or(u32::MAX)
    }

    /// Adds a played block. Returns the blocks that are now known to be needed, and the blocks that
    /// are not. The others wait until this is known.
    pub(super) fn add_played(&self, played: BlockResult) -> SortedBlocks {
        let mut state = self.state();
        state.stopping.add(&played.record);
        state.waiting.push(played);
        let mut sorted = SortedBlocks::default();
        for played in std::mem::take(&mut state.waiting) {
            match state.stopping.job_need(played.record.job) {
                JobNeed::Yes => sorted.needed.push(played),
                JobNeed::No => sorted.dropped_deals += u64::from(played.record.deals),
                JobNeed::Unknown => state.waiting.push(played),
            }
        }
        drop(state);
        self.advanced.notify_all();
        sorted
    }

    /// Marks a job as failed, and wakes the workers that wait for its round.
    pub(super) fn mark_failed(&self) {
        self.state().has_failed = true;
        self.advanced.notify_all();
    }

    /// Returns the number of blocks that are needed according to the results so far.
    pub(super) fn blocks_needed(&self) -> u64 {
        self.state().stopping.blocks_needed()
    }

    /// Returns `true` if all needed blocks are played.
    pub(super) fn is_finished(&self) -> bool {
        self.state().stopping.is_finished()
    }
}
