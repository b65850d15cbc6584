//! Where workers get their jobs: all open ones in order, or, in a sequential league, those that its
//! comparisons ask for.

use crate::schedule::{JobSet, Schedule};
use crate::stopping::{Need, Stopping};
use hattari_agents::record::{JobId, Played};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a waiting worker looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(20);

/// Jobs for the workers.
pub(super) enum Source<'s> {
    /// One after the other.
    Fixed(Mutex<Box<dyn Iterator<Item = JobId> + Send + 's>>),
    /// As far as the rounds before have been looked at.
    Sequential(Box<Gate<'s>>),
}

impl Source<'_> {
    /// The next job, `None` when there is none left or `is_halted`.
    pub(super) fn next(&self, is_halted: impl Fn() -> bool) -> Option<JobId> {
        match self {
            Source::Fixed(jobs) if !is_halted() => {
                jobs.lock().unwrap_or_else(PoisonError::into_inner).next()
            }
            Source::Fixed(_) => None,
            Source::Sequential(gate) => gate.next(is_halted),
        }
    }
}

/// Hands out jobs of a sequential league in order. A few rounds are begun before it is known
/// whether they are needed, so that no thread waits; what turns out not to be is thrown away.
pub(super) struct Gate<'s> {
    schedule: &'s Schedule,
    done: &'s JobSet,
    threads: usize,
    state: Mutex<State>,
    advanced: Condvar,
}

struct State {
    stopping: Stopping,
    next: u64,
    /// A job has failed, so its round will never be complete.
    stuck: bool,
    held: Vec<Played>,
}

impl<'s> Gate<'s> {
    /// `stopping` knows what the store holds, `done` which jobs have a record.
    pub(super) fn new(
        schedule: &'s Schedule,
        done: &'s JobSet,
        threads: usize,
        stopping: Stopping,
    ) -> Gate<'s> {
        let state = State {
            stopping,
            next: 0,
            stuck: false,
            held: Vec::new(),
        };
        Gate {
            schedule,
            done,
            threads,
            state: Mutex::new(state),
            advanced: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, is_halted: impl Fn() -> bool) -> Option<JobId> {
        let mut state = self.state();
        loop {
            if is_halted() || state.stopping.is_finished() {
                return None;
            }
            if state.next == self.schedule.jobs() {
                return None;
            }
            let job = self.schedule.job(state.next);
            let is_open = !self.done.has(state.next);
            let begins = match state.stopping.need(job) {
                Need::Yes => is_open,
                Need::No => false,
                Need::Unknown if is_open => {
                    if job.block < state.stopping.rounds() + self.ahead(&state.stopping) {
                        true
                    } else if state.stuck {
                        return None;
                    } else {
                        state = self
                            .advanced
                            .wait_timeout(state, LOOK)
                            .unwrap_or_else(PoisonError::into_inner)
                            .0;
                        continue;
                    }
                }
                Need::Unknown => false,
            };
            state.next += 1;
            if begins {
                return Some(job);
            }
        }
    }

    /// Rounds that may be begun: the present one, and with several threads as many more as keep
    /// them busy.
    fn ahead(&self, stopping: &Stopping) -> u32 {
        if self.threads < 2 {
            return 1;
        }
        let more = (2 * self.threads).div_ceil(stopping.open_line_ups().max(1));
        u32::try_from(1 + more).unwrap_or(u32::MAX)
    }

    /// Takes in what has been played; gives the records that are known to belong to the result now.
    /// Others wait, or are dropped when they are known not to.
    pub(super) fn played(&self, played: Played) -> Vec<Played> {
        let mut state = self.state();
        state.stopping.add(&played.record);
        state.held.push(played);
        let mut known = Vec::new();
        for played in std::mem::take(&mut state.held) {
            match state.stopping.need(played.record.job) {
                Need::Yes => known.push(played),
                Need::No => {}
                Need::Unknown => state.held.push(played),
            }
        }
        drop(state);
        self.advanced.notify_all();
        known
    }

    /// A job has failed: nobody waits for its round.
    pub(super) fn give_up(&self) {
        self.state().stuck = true;
        self.advanced.notify_all();
    }

    /// Blocks that the league is to play as far as is known, and whether all of them are played.
    pub(super) fn standing(&self) -> (u64, bool) {
        let state = self.state();
        (state.stopping.blocks_needed(), state.stopping.is_finished())
    }
}
