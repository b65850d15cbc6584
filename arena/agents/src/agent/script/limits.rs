//! Limits of a script.

use crate::agent::{Budget, backstop};
use std::time::Duration;

/// Steps and memory that a script may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of one decision, or of `deal_start` or `deal_end`.
    pub steps: u32,
    /// Bytes of memory above what an empty script takes.
    pub memory: usize,
}

impl Limits {
    /// Bytes of source text.
    pub const SOURCE: usize = 256 * 1024;
    /// The start of a block, where tables are built, may take this many times the steps of a
    /// decision.
    pub(super) const START_FACTOR: u32 = 10;
    /// Lines that a script may print in a block.
    pub(super) const LINES: u32 = 200;
    /// The backstop allows this much processor time for each step, and [`backstop::LIMIT`] at the
    /// least.
    const CLOCK_PER_STEP: Duration = Duration::from_micros(20);

    /// Returns the processor time after which the backstop ends a call of so many steps.
    pub(super) fn clock(steps: i64) -> Duration {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        backstop::LIMIT.max(Limits::CLOCK_PER_STEP.saturating_mul(steps))
    }

    /// Returns the limits of a league's budget.
    #[must_use]
    pub(super) fn of(budget: &Budget) -> Limits {
        let default = Limits::default();
        let bytes = |mb: u64| usize::try_from(mb << 20).unwrap_or(usize::MAX);
        Limits {
            steps: budget.lua_steps.map_or(default.steps, |steps| {
                u32::try_from(steps).unwrap_or(u32::MAX)
            }),
            memory: budget.lua_memory_mb.map_or(default.memory, bytes),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 1_000_000,
            memory: 16 << 20,
        }
    }
}
