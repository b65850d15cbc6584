//! What a worker may use.

use crate::agent::Budget;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Limits of a bot in a process of its own. Times by the host's steady clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time for a call that has no limit of its own; after it the process is ended.
    pub hang: Duration,
    /// Time to load the library and create the first instance.
    pub start: Duration,
    /// Memory beyond what the worker has before it loads the library, in MiB: address space, so
    /// that all of it counts, touched or not.
    pub memory_mb: u64,
    /// Processor time of the process in a block.
    pub processor: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            hang: Duration::from_secs(10),
            start: Duration::from_secs(10),
            memory_mb: 512,
            processor: Duration::from_secs(3600),
        }
    }
}

/// The least and the most that an answer may be late before the process is ended.
const GRACE: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));

impl Limits {
    /// What a league allows.
    #[must_use]
    pub fn of(budget: &Budget) -> Limits {
        let default = Limits::default();
        let decision = budget
            .decision_us
            .map(|us| Limits::patience(Duration::from_micros(us)));
        let block = budget.block_us.map(Duration::from_micros);
        Limits {
            hang: decision.map_or(default.hang, |patience| patience.max(GRACE.1)),
            memory_mb: budget.memory_mb.unwrap_or(default.memory_mb),
            // The block's own limit is on time; processor time is what is left to hold if the host
            // cannot look.
            processor: block.map_or(default.processor, |block| block + default.hang),
            ..default
        }
    }

    /// Returns the time after which a process that does not answer a decision is ended: `hang` where
    /// the decision has no limit.
    pub(crate) fn patience_of(budget_us: i64, hang: Duration) -> Duration {
        match u64::try_from(budget_us) {
            Ok(micros @ 1..) => Limits::patience(Duration::from_micros(micros)),
            _ => hang,
        }
    }

    /// How long an answer is waited for that is due within `budget`: a late one is a fault, none is
    /// the end of the process.
    #[must_use]
    pub(crate) fn patience(budget: Duration) -> Duration {
        budget + budget.clamp(GRACE.0, GRACE.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_longer_than_the_budget_and_has_an_end() {
        let ms = Duration::from_millis;
        assert_eq!(Limits::patience(ms(1)), ms(11));
        assert_eq!(Limits::patience(ms(100)), ms(200));
        assert_eq!(Limits::patience(ms(60_000)), ms(61_000));
        let limits = Limits::of(&Budget {
            decision_us: Some(5_000),
            memory_mb: Some(64),
            ..Budget::default()
        });
        assert_eq!((limits.hang, limits.memory_mb), (ms(1000), 64));
        assert_eq!(Limits::of(&Budget::default()), Limits::default());
    }
}
