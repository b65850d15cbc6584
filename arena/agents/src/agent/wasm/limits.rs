//! Resource limits of WebAssembly bots.

use crate::agent::{Budget, backstop};
use std::time::Duration;

/// Limits of a WebAssembly bot. They do not depend on time, so they have the same effect on every
/// machine.
#[derive(Clone, Copy, Debug)]
pub struct WasmLimits {
    /// Maximum fuel of one call. An instruction takes about one unit, and bulk copying or filling
    /// takes one per byte.
    pub fuel: u64,
    /// Maximum size of the module's memory in bytes.
    pub memory: usize,
}

impl WasmLimits {
    /// Factor by which the fuel limit is larger at the start of a block, because bots build tables
    /// then.
    const START_FACTOR: u64 = 10;
    /// Processor time limit per unit of fuel in nanoseconds, ten times the usual time.
    const CLOCK_NANOS: u64 = 20;
    /// Maximum size of a module's file in bytes.
    pub(super) const FILE: u64 = 64 << 20;
    /// Size of the engine's call stack in bytes. The stack of C and Rust code is in the module's
    /// memory and should overflow first.
    pub(super) const STACK: usize = 1 << 20;
    /// Maximum number of entries in the table of functions.
    pub(super) const TABLE: usize = 50_000;

    /// Returns the limits that result from a league's budget.
    pub(super) fn of(budget: &Budget) -> WasmLimits {
        let default = WasmLimits::default();
        WasmLimits {
            fuel: budget.wasm_fuel.unwrap_or(default.fuel),
            memory: budget.memory_mb.map_or(default.memory, |mb| {
                usize::try_from(mb << 20).unwrap_or(usize::MAX)
            }),
        }
    }

    /// Returns the limit of processor time for a call with a limit of `fuel`.
    pub(super) fn clock(fuel: u64) -> Duration {
        Duration::from_nanos(fuel.saturating_mul(WasmLimits::CLOCK_NANOS)).max(backstop::LIMIT)
    }

    /// Returns the fuel of a call at the start of a block.
    pub(super) fn start_fuel(&self) -> u64 {
        self.fuel.saturating_mul(WasmLimits::START_FACTOR)
    }
}

impl Default for WasmLimits {
    fn default() -> Self {
        WasmLimits {
            fuel: 1_000_000_000,
            memory: 512 << 20,
        }
    }
}
