//! Resource limits of bots: those that a league sets, and those of bots in their own process
//! (libraries and programs).

use crate::text::joined;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Limits of a bot in its own process. Times are measured by the host's monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

/// Resource limits of a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Time limit of a decision in microseconds; `None` for no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_us: Option<u64>,
    /// Limit of the total time of all calls of an entrant in a block, in microseconds; `None` for
    /// no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_us: Option<u64>,
    /// Memory limit in MiB of a compiled bot in its own process, a WebAssembly module or a program;
    /// `None` for the host's default. A program without a sandbox has no default limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
    /// Maximum number of steps of a Lua bot per decision; `None` for the host's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lua_steps: Option<u64>,
    /// Memory limit of a Lua bot in MiB; `None` for the host's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lua_memory_mb: Option<u64>,
    /// Maximum fuel of a WebAssembly bot per decision; `None` for the host's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wasm_fuel: Option<u64>,
}

impl Budget {
    /// Returns these limits, with the limits of `other` where these are not set.
    #[must_use]
    pub fn or(self, other: Budget) -> Budget {
        Budget {
            decision_us: self.decision_us.or(other.decision_us),
            block_us: self.block_us.or(other.block_us),
            memory_mb: self.memory_mb.or(other.memory_mb),
            lua_steps: self.lua_steps.or(other.lua_steps),
            lua_memory_mb: self.lua_memory_mb.or(other.lua_memory_mb),
            wasm_fuel: self.wasm_fuel.or(other.wasm_fuel),
        }
    }

    /// Returns the time limits, with 0 for no limit.
    pub fn time_limits(&self) -> TimeLimits {
        let micros =
            |limit: Option<u64>| limit.map_or(0, |us| i64::try_from(us).unwrap_or(i64::MAX));
        TimeLimits {
            decision_us: micros(self.decision_us),
            block_us: micros(self.block_us),
        }
    }
}

impl fmt::Display for Budget {
    /// Writes the limits that are set, with the keys of league files: `decision_ms 50, lua_steps
    /// 2000000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |us: Option<u64>| us.map(|us| (us as f64 / 1000.0).to_string());
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let limits = [
            ("decision_ms", ms(self.decision_us)),
            ("block_ms", ms(self.block_us)),
            ("memory_mb", number(self.memory_mb)),
            ("lua_steps", number(self.lua_steps)),
            ("lua_memory_mb", number(self.lua_memory_mb)),
            ("wasm_fuel", number(self.wasm_fuel)),
        ];
        let limits = limits
            .into_iter()
            .filter_map(|(name, limit)| Some(format!("{name} {}", limit?)));
        f.write_str(&joined(limits, ", "))
    }
}

/// Time limits of one bot in microseconds; 0 for no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeLimits {
    /// Limit of one decision.
    pub decision_us: i64,
    /// Limit of the total time of all calls in a block.
    pub block_us: i64,
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
