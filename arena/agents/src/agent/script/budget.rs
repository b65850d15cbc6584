//! The limits of a script, and the count of its steps.
//!
//! Steps are Luau's safepoints, counted by the interpreter itself: the same script takes the same
//! steps on every machine, so they decide a game. Work within one step is counted as many: memory
//! where it is taken, functions of the libraries before they run ([`super::charges`]), long texts
//! and long argument lists at every step. The backstop ends what is missed.

use super::raw;
use crate::agent::Budget;
use crate::agent::backstop::{self, Watch, Watched};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// What a script may use.
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
    pub const START_FACTOR: u32 = 10;
    /// Lines that a script may print in a block.
    pub const LINES: u32 = 200;
    /// The backstop allows this much processor time for each step, and [`backstop::LIMIT`] at the
    /// least.
    const CLOCK_PER_STEP: Duration = Duration::from_micros(20);

    /// The processor time after which the backstop ends a call of so many steps.
    pub(super) fn clock(steps: i64) -> Duration {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        backstop::LIMIT.max(Limits::CLOCK_PER_STEP.saturating_mul(steps))
    }

    /// What a league allows.
    #[must_use]
    pub fn of(budget: &Budget) -> Limits {
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

/// Left where the clock has stopped a call, and where the memory did not suffice: far below what
/// counting reaches.
const STOPPED: i64 = i64::MIN / 2;
const STARVED: i64 = i64::MIN / 8;

/// What has ended a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The steps were used up.
    Steps,
    /// The script has caught the error that its memory does not suffice.
    Memory,
    /// The clock.
    Clock,
}

impl End {
    /// What has brought the steps left to `left`; `None` where they suffice.
    pub(super) fn of(left: i64) -> Option<End> {
        match left {
            0.. => None,
            _ if left < STOPPED / 2 => Some(End::Clock),
            _ if left < STARVED / 2 => Some(End::Memory),
            _ => Some(End::Steps),
        }
    }
}

/// The meter of one agent. The agent's thread counts, the watchdog looks on.
#[derive(Debug, Default)]
pub(super) struct Beat {
    /// Steps left in the call; below 0 it is to end.
    pub steps_left: AtomicI64,
    /// Steps that each safepoint counts as.
    pub price: AtomicI64,
    watch: Watch,
}

impl Beat {
    /// A meter, watched until it is dropped.
    pub(super) fn watched() -> Arc<Beat> {
        let beat = Arc::new(Beat::default());
        beat.begin_block(0);
        backstop::watch(&beat);
        beat
    }

    /// A call begins that may take so many steps, and `clock` of processor time.
    pub(super) fn begin(&self, steps: i64, clock: Duration) {
        self.steps_left.store(steps, Relaxed);
        self.watch.begin(clock);
    }

    pub(super) fn end(&self) {
        self.watch.end();
    }

    /// Takes steps from the call that runs; whether there were so many left. Only its thread calls
    /// this.
    pub(super) fn take(&self, steps: i64) -> bool {
        let left = self.steps_left.load(Relaxed);
        // What has ended by something else is not made to look as if by steps, nor the other way
        // round.
        if left < 0 {
            return false;
        }
        let left = left.saturating_sub(steps).max(-1);
        self.steps_left.store(left, Relaxed);
        left >= 0
    }

    /// A block begins in a machine whose script has texts of so many bytes in its source.
    pub(super) fn begin_block(&self, longest: usize) {
        self.price.store(1, Relaxed);
        self.raise_price(raw::price_with(longest));
    }

    /// Lets each step of the block count as so many at the least.
    pub(super) fn raise_price(&self, price: usize) {
        self.price
            .fetch_max(i64::try_from(price).unwrap_or(i64::MAX), Relaxed);
    }

    /// Ends the call that runs for want of memory.
    pub(super) fn starve(&self) {
        self.steps_left.store(STARVED, Relaxed);
    }

    /// Steps left of the last call, below 0 where they did not suffice.
    pub(super) fn left(&self) -> i64 {
        self.steps_left.load(Relaxed)
    }
}

impl Watched for Beat {
    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn stop(&self) {
        // Should the count write over this, the next tick repeats it.
        self.steps_left.store(STOPPED, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_ends_a_call_whose_steps_do_not() {
        let beat = Beat::watched();
        beat.begin(1_000_000, Duration::from_millis(1));
        while End::of(beat.left()).is_none() {
            std::hint::spin_loop();
        }
        assert_eq!(End::of(beat.left()), Some(End::Clock));
        beat.end();
        beat.begin(1_000_000, Limits::clock(1_000_000));
        assert_eq!(End::of(beat.left()), None);
        assert!(!beat.take(1_000_001));
        assert_eq!(End::of(beat.left()), Some(End::Steps));
        beat.end();
        assert_eq!(Limits::clock(1_000_000), Duration::from_secs(20));
        assert_eq!(Limits::clock(10_000_000), Duration::from_secs(200));
    }
}
