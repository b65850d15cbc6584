//! Limits of bots in their own process: libraries and programs.

use crate::agent::Budget;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Limits of a bot in its own process. Times are measured by the host's monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// Time limit of calls for which the league sets none. If a call exceeds it, the process is
    /// killed.
    pub hang: Duration,
    /// Time limit for loading the library and creating the first instance.
    pub start: Duration,
    /// Memory limit in MiB. For libraries: address space in addition to what the worker uses before
    /// it loads the library; reserved but unused memory counts. For programs: writable memory of
    /// each process, and the memory of all processes together.
    pub memory_mb: u64,
    /// Limit of the processor time that the process uses in a block.
    pub processor: Duration,
}

impl Default for ProcessLimits {
    fn default() -> Self {
        ProcessLimits {
            hang: Duration::from_secs(10),
            start: Duration::from_secs(10),
            memory_mb: 512,
            processor: Duration::from_secs(3600),
        }
    }
}

/// Minimum time between the deadline of an answer and the killing of the process.
const GRACE_MIN: Duration = Duration::from_millis(10);
/// Maximum time between the deadline of an answer and the killing of the process.
const GRACE_MAX: Duration = Duration::from_secs(1);

impl ProcessLimits {
    /// Returns the limits that result from a league's budget.
    #[must_use]
    pub fn of(budget: &Budget) -> ProcessLimits {
        let default = ProcessLimits::default();
        let decision = budget
            .decision_us
            .map(|us| ProcessLimits::patience(Duration::from_micros(us)));
        let block = budget.block_us.map(Duration::from_micros);
        ProcessLimits {
            hang: decision.map_or(default.hang, |patience| patience.max(GRACE_MAX)),
            memory_mb: budget.memory_mb.unwrap_or(default.memory_mb),
            // The host enforces the block's time limit. This limit applies only if the host cannot
            // check the time.
            processor: block.map_or(default.processor, |block| block + default.hang),
            ..default
        }
    }

    /// Returns the time after which a process that has not answered a decision is killed. Without a
    /// limit for the decision this is `hang`.
    pub(crate) fn patience_of(budget_us: i64, hang: Duration) -> Duration {
        match u64::try_from(budget_us) {
            Ok(micros @ 1..) => ProcessLimits::patience(Duration::from_micros(micros)),
            _ => hang,
        }
    }

    /// Returns the time that the host waits for an answer with the time limit `budget`. A late
    /// answer is a fault; without an answer the process is killed.
    pub(crate) fn patience(budget: Duration) -> Duration {
        budget + budget.clamp(GRACE_MIN, GRACE_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_timeout_exceeds_the_budget_and_is_finite() {
        let ms = Duration::from_millis;
        assert_eq!(ProcessLimits::patience(ms(1)), ms(11));
        assert_eq!(ProcessLimits::patience(ms(100)), ms(200));
        assert_eq!(ProcessLimits::patience(ms(60_000)), ms(61_000));
        let limits = ProcessLimits::of(&Budget {
            decision_us: Some(5_000),
            memory_mb: Some(64),
            ..Budget::default()
        });
        assert_eq!((limits.hang, limits.memory_mb), (ms(1000), 64));
        assert_eq!(
            ProcessLimits::of(&Budget::default()),
            ProcessLimits::default()
        );
    }
}
