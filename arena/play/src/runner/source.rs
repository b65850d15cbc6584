//! The queue of the workers' jobs: all open jobs in order, or, in a sequential league, those that
//! the comparisons need.

use crate::schedule::{JobSet, Part, Schedule};
use crate::stopping::{JobNeed, StoppingState};
use hattari_agents::agent::lock;
use hattari_agents::record::{BlockResult, JobId};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Interval at which a waiting worker checks for a stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// A queue of the open jobs of a part, in order. In a sequential league, it starts a few rounds
/// before they are known to be needed, to keep all threads busy, and discards blocks that are not
/// needed.
pub(super) struct JobQueue<'s> {
    pub schedule: Schedule,
    /// The jobs with a record.
    done: JobSet,
    /// The part of the jobs to play.
    part: &'s Part,
    threads: usize,
    state: Mutex<QueueState>,
    advanced: Condvar,
}

/// Played blocks.
#[derive(Default)]
pub(super) struct SortedBlocks {
    /// The blocks that are needed.
    pub needed: Vec<BlockResult>,
    /// Number of deals in the blocks that are not needed.
    pub dropped_deals: u64,
}

struct QueueState {
    /// The results of a sequential league so far; `None` for other leagues.
    stopping: Option<StoppingState>,
    next: u64,
    /// True after a job has failed: its round will never be complete.
    has_failed: bool,
    /// The blocks that wait until the need for them is known.
    waiting: Vec<BlockResult>,
}

impl QueueState {
    fn need(&self, job: JobId) -> JobNeed {
        let stopping = self.stopping.as_ref();
        stopping.map_or(JobNeed::Yes, |stopping| stopping.job_need(job))
    }

    /// Returns the number of the first round that may not be started: after the current round and,
    /// with several threads, enough further rounds to keep them busy.
    fn rounds_end(&self, threads: usize) -> u32 {
        let Some(stopping) = &self.stopping else {
            return u32::MAX;
        };
        let extra_rounds = match threads {
            0 | 1 => 0,
            _ => (2 * threads).div_ceil(stopping.open_line_ups.max(1)),
        };
        stopping.rounds + u32::try_from(1 + extra_rounds).unwrap_or(u32::MAX)
    }
}

impl<'s> JobQueue<'s> {
    /// Creates a queue. `stopping` contains the stored results of a sequential league, `done` the
    /// jobs with a record.
    pub(super) fn new(
        schedule: Schedule,
        done: JobSet,
        part: &'s Part,
        threads: usize,
        stopping: Option<StoppingState>,
    ) -> JobQueue<'s> {
        let state = QueueState {
            stopping,
            next: 0,
            has_failed: false,
            waiting: Vec::new(),
        };
        JobQueue {
            schedule,
            done,
            part,
            threads,
            state: Mutex::new(state),
            advanced: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        lock(&self.state)
    }

    /// Returns `true` if the part contains the job, and it has no record.
    fn is_open(&self, index: u64) -> bool {
        self.part.contains(index) && !self.done.contains(index)
    }

    /// Returns the number of open jobs that are needed or may be needed.
    pub(super) fn count_needed(&self) -> u64 {
        let state = self.state();
        let is_needed = |&index: &u64| {
            self.is_open(index) && state.need(self.schedule.job(index)) != JobNeed::No
        };
        (0..self.schedule.jobs()).filter(is_needed).count() as u64
    }

    /// Returns the next job; `None` if there is none or `is_halted` returns `true`.
    pub(super) fn next(&self, is_halted: impl Fn() -> bool) -> Option<JobId> {
        let mut state = self.state();
        let is_finished = |state: &QueueState| {
            let stopping = state.stopping.as_ref();
            stopping.is_some_and(StoppingState::is_finished) || state.next == self.schedule.jobs()
        };
        while !is_halted() && !is_finished(&state) {
            if !self.is_open(state.next) {
                state.next += 1;
                continue;
            }
            let job = self.schedule.job(state.next);
            let need = state.need(job);
            if need == JobNeed::Unknown && state.rounds_end(self.threads) <= job.block {
                if state.has_failed {
                    return None;
                }
                let waited = self.advanced.wait_timeout(state, STOP_CHECK_INTERVAL);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            state.next += 1;
            if need != JobNeed::No {
                return Some(job);
            }
        }
        None
    }

    /// Adds a played block. Returns the blocks that are now known to be needed, and the blocks that
    /// are not. The others wait until this is known.
    pub(super) fn add_played(&self, played: BlockResult) -> SortedBlocks {
        let mut state = self.state();
        if let Some(stopping) = &mut state.stopping {
            stopping.add(&played.record);
        }
        state.waiting.push(played);
        let mut sorted = SortedBlocks::default();
        for played in std::mem::take(&mut state.waiting) {
            match state.need(played.record.job) {
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

    /// Returns the number of blocks that a sequential league needs according to the results so far.
    pub(super) fn blocks_needed(&self) -> u64 {
        let state = self.state();
        let stopping = state.stopping.as_ref();
        stopping.map_or(0, StoppingState::blocks_needed)
    }

    /// Returns `true` if all blocks that a sequential league needs are played; `None` for other
    /// leagues.
    pub(super) fn is_finished(&self) -> Option<bool> {
        let state = self.state();
        state.stopping.as_ref().map(StoppingState::is_finished)
    }
}
