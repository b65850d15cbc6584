//! Resource limits of scripts.

use crate::agent::{Budget, backstop};
use std::time::Duration;

/// Limits of a script's steps and memory.
#[derive(Clone, Copy, Debug)]
pub struct ScriptLimits {
    /// Maximum number of steps in a decision or in a call of `deal_start` or `deal_end`.
    pub steps: u32,
    /// Maximum memory in bytes, in addition to that of an empty script.
    pub memory: usize,
}

impl ScriptLimits {
    /// Maximum length of source text in bytes.
    pub const SOURCE: usize = 256 * 1024;
    /// Factor by which the step limit is larger at the start of a block, because scripts build
    /// tables then.
    pub(super) const START_FACTOR: i64 = 10;
    /// Maximum number of lines that a script may print in a block.
    pub(super) const LINES: u32 = 200;
    /// Processor time limit per step. The limit of a call is at least [`backstop::LIMIT`].
    const CLOCK_PER_STEP: Duration = Duration::from_micros(20);

    /// Returns the limit of processor time for a call with a limit of `steps` steps.
    pub(super) fn clock(steps: i64) -> Duration {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        backstop::LIMIT.max(ScriptLimits::CLOCK_PER_STEP.saturating_mul(steps))
    }

    /// Returns the limits that result from a league's budget.
    pub(super) fn of(budget: &Budget) -> ScriptLimits {
        let default = ScriptLimits::default();
        ScriptLimits {
            steps: budget.lua_steps.map_or(default.steps, |steps| {
                u32::try_from(steps).unwrap_or(u32::MAX)
            }),
            memory: budget.lua_memory_mb.map_or(default.memory, |mb| {
                usize::try_from(mb << 20).unwrap_or(usize::MAX)
            }),
        }
    }
}

impl Default for ScriptLimits {
    fn default() -> Self {
        ScriptLimits {
            steps: 1_000_000,
            memory: 16 << 20,
        }
    }
}
