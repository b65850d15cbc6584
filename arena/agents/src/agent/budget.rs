//! Resource limits of bots.

use crate::text::joined;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Resource limits of a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    #[must_use]
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
        let ms = |us: Option<u64>| us.map(|us| format!("{}", us as f64 / 1000.0));
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// Limit of one decision.
    pub decision_us: i64,
    /// Limit of the total time of all calls in a block.
    pub block_us: i64,
}
