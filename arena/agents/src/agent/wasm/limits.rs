//! What a module may use.

use crate::agent::{Budget, backstop};
use std::time::Duration;

/// Limits of a bot in WebAssembly. None of them is a clock: where one is met, it is met on every
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Fuel of one call: about one for every instruction, and one for every byte that is copied or
    /// filled in bulk.
    pub fuel: u64,
    /// Bytes that the module's memory may have.
    pub memory: usize,
}

impl Limits {
    /// The start of a block, where tables are built, may take this many times the fuel of a
    /// decision.
    const START_FACTOR: u64 = 10;
    /// Nanoseconds of processor time that each unit of fuel may take: ten times what it takes.
    const CLOCK_NANOS: u64 = 20;
    /// Bytes of a module's file.
    pub(super) const FILE: u64 = 64 << 20;
    /// Bytes of the stack of calls. The stack of C and Rust lies in the module's memory and should
    /// end first.
    pub(super) const STACK: usize = 1 << 20;
    /// Entries of the table of functions.
    pub(super) const TABLE: usize = 50_000;

    /// What a league allows.
    #[must_use]
    pub(super) fn of(budget: &Budget) -> Limits {
        let default = Limits::default();
        let bytes = |mb: u64| usize::try_from(mb << 20).unwrap_or(usize::MAX);
        Limits {
            fuel: budget.wasm_fuel.unwrap_or(default.fuel),
            memory: budget.memory_mb.map_or(default.memory, bytes),
        }
    }

    /// Processor time of a call with so much fuel, behind which the backstop ends it.
    pub(super) fn clock(fuel: u64) -> Duration {
        Duration::from_nanos(fuel.saturating_mul(Limits::CLOCK_NANOS)).max(backstop::LIMIT)
    }

    /// Fuel of a call at the start of a block.
    pub(super) fn start_fuel(&self) -> u64 {
        self.fuel.saturating_mul(Limits::START_FACTOR)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            fuel: 1_000_000_000,
            memory: 512 << 20,
        }
    }
}
