//! Time limits of a check: for all failing calls together, and for the whole check.

use super::CheckPlan;
use super::speed::Stopwatch;
use hattari_agents::agent::{Agent, AgentError, AgentResult, Notice, Turn, lock};
use hattari_agents::record::FaultKind;
use hattari_plugin::Choice;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Time limit for all failing calls together. Ordinary failures are immediate, so a bot that takes
/// longer hangs or loops.
const FAILING: Duration = Duration::from_secs(2);
/// Time allowed for the games that precede the measured games: a deal at every table size, and the
/// pilot block.
const PREPARATION: Duration = Duration::from_secs(30);
/// Ratio of the time limit for the measured games to the requested playing time.
const SLACK: u32 = 4;

/// Message of the error for calls after the end of a check. It is not a fault of the bot.
pub(super) const CHECK_ENDED: &str = "the check has ended";

/// The time limits of a check, shared by the bot's agents on all threads.
pub(super) struct TimeAllowance {
    deadline: Instant,
    bound: Duration,
    /// Total time of the failing calls so far.
    failing: Mutex<Duration>,
    exceeded: OnceLock<ExceededLimit>,
}

/// The time limit that a check has exceeded; the bot gets no more calls.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum ExceededLimit {
    /// The limit for failing calls. Contains the total time of these calls.
    #[error(
        "the check ended early, because failed calls took {:.1} s",
        .0.as_secs_f64()
    )]
    Failing(Duration),
    /// The limit for the whole check. Contains this limit.
    #[error(
        "the check ended early after {} s; give a larger --time or fewer --deals",
        .0.as_secs()
    )]
    Slow(Duration),
}

impl TimeAllowance {
    pub(super) fn new(plan: &CheckPlan) -> TimeAllowance {
        TimeAllowance::with_bound(plan.time * SLACK + PREPARATION)
    }

    pub(super) fn with_bound(bound: Duration) -> TimeAllowance {
        TimeAllowance {
            deadline: Instant::now() + bound,
            bound,
            failing: Mutex::default(),
            exceeded: OnceLock::new(),
        }
    }

    pub(super) fn exceeded(&self) -> Option<&ExceededLimit> {
        self.exceeded.get()
    }

    fn call_within_limits<T>(&self, call: impl FnOnce() -> AgentResult<T>) -> AgentResult<T> {
        if self.exceeded.get().is_some() {
            return Err(AgentError::new(FaultKind::Crash, CHECK_ENDED));
        }
        let start = Instant::now();
        let answer = call();
        if answer.is_err() {
            self.note_failure(start.elapsed());
        }
        if Instant::now() >= self.deadline {
            self.exceeded
                .get_or_init(|| ExceededLimit::Slow(self.bound));
        }
        answer
    }

    fn note_failure(&self, time: Duration) {
        let failing = add_time(&self.failing, time);
        if failing >= FAILING {
            self.exceeded
                .get_or_init(|| ExceededLimit::Failing(failing));
        }
    }
}

/// Adds `time` to `total` and returns the new total.
pub(super) fn add_time(total: &Mutex<Duration>, time: Duration) -> Duration {
    let mut total = lock(total);
    *total += time;
    *total
}

pub(super) struct CheckedAgent {
    pub agent: Box<dyn Agent>,
    /// The allowance of the tested bot; `None` for agents of the host.
    pub allowance: Option<Arc<TimeAllowance>>,
    /// The times of decisions, if they are measured.
    pub watch: Option<Rc<Stopwatch>>,
    /// Total time of the calls that start and end blocks.
    pub start_time: Arc<Mutex<Duration>>,
}

impl CheckedAgent {
    fn call<T>(&mut self, call: impl FnOnce(&mut dyn Agent) -> AgentResult<T>) -> AgentResult<T> {
        let CheckedAgent {
            agent, allowance, ..
        } = self;
        match allowance {
            Some(allowance) => allowance.call_within_limits(|| call(&mut **agent)),
            None => call(&mut **agent),
        }
    }
}

impl Agent for CheckedAgent {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        let start = Instant::now();
        let answer = self.call(|agent| agent.notify(notice));
        // A program starts its process here.
        if matches!(notice, Notice::BlockStart(_) | Notice::BlockEnd) {
            add_time(&self.start_time, start.elapsed());
        }
        answer
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let start = Instant::now();
        let answer = self.call(|agent| agent.act(turn));
        if let Some(watch) = &self.watch {
            watch.note_decision(start.elapsed(), self.allowance.is_some());
        }
        answer
    }

    fn is_asked_when_forced(&self) -> bool {
        self.agent.is_asked_when_forced()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_failures_that_add_up_end_a_check_like_one_long_failure() {
        let [many, one] = [PREPARATION; 2].map(TimeAllowance::with_bound);
        for _ in 0..3 {
            many.note_failure(FAILING / 4);
        }
        assert_eq!(many.exceeded(), None);
        many.note_failure(FAILING / 4);
        one.note_failure(FAILING * 5);
        for (allowance, time) in [(&many, FAILING), (&one, FAILING * 5)] {
            assert_eq!(allowance.exceeded(), Some(&ExceededLimit::Failing(time)));
        }
        let mut is_called = false;
        let refused = many.call_within_limits(|| {
            is_called = true;
            Ok(())
        });
        assert!(refused.is_err() && !is_called);
    }
}
