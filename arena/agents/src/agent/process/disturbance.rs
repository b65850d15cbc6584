//! Time that is not charged to the called bot. The processes of a table share one core with the
//! host's thread, so a process that works between its calls delays the calls of the other bots; more
//! than [`BETWEEN_CALLS_MAX`] is a fault of the bot that uses it. A virtual machine that is paused
//! delays all calls.

use std::sync::Arc;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{AcqRel, Relaxed},
};
use std::time::Duration;

/// Processor time that a process may use between its calls in a block, in addition to
/// [`UNCOUNTED_TIME`].
pub(crate) const BETWEEN_CALLS_MAX: Duration = Duration::from_millis(50);
/// Processor time after each answer that is not counted, because a process needs some before it
/// waits for the next call.
pub(crate) const UNCOUNTED_TIME: Duration = Duration::from_micros(100);
/// Uncounted time after each answer for a process that is not bound to the host's core. The kernel
/// updates the processor time on another core only at its timer ticks.
pub(crate) const UNCOUNTED_TIME_UNBOUND: Duration = Duration::from_millis(10);

/// Longest interval between two checks of the watchdog on a working system. In a longer one the
/// system was paused, or gave the program no processor time.
const CHECK_INTERVAL_MAX: Duration = Duration::from_millis(100);

/// Total time in which the watchdog should have run and did not.
#[derive(Debug)]
pub(super) struct StallTime {
    nanos: AtomicU64,
    /// Time of the last check in nanoseconds; 0 while the watchdog has nothing to check.
    last_check: AtomicU64,
}

pub(super) static STALL_TIME: StallTime = StallTime {
    nanos: AtomicU64::new(0),
    last_check: AtomicU64::new(0),
};

impl StallTime {
    /// Adds the time since the last check if it is longer than [`CHECK_INTERVAL_MAX`].
    pub(super) fn count(&self, now: u64) {
        let last = self.last_check.load(Relaxed);
        let since = now.saturating_sub(last);
        if last > 0
            && u128::from(since) > CHECK_INTERVAL_MAX.as_nanos()
            // Two threads may notice the same stall.
            && self.last_check.compare_exchange(last, now, AcqRel, Relaxed).is_ok()
        {
            self.nanos.fetch_add(since, Relaxed);
        }
    }

    /// Records a check; `None` if there is nothing to check.
    pub(super) fn set_last_check(&self, now: Option<u64>) {
        self.last_check.store(now.unwrap_or(0), Relaxed);
    }
}

/// Processor time in nanoseconds that the processes called by one host thread have used between
/// their calls, and the time in which the system had stopped.
#[derive(Debug, Default)]
pub(crate) struct Disturbance {
    pub(super) used: AtomicU64,
    /// Value of [`Disturbance::sum`] at the start of the current call.
    at_call: AtomicU64,
}

impl Disturbance {
    fn new() -> Arc<Disturbance> {
        let new = Disturbance::default();
        new.begin_call();
        Arc::new(new)
    }

    /// Returns the counter of the calling thread.
    pub(crate) fn of_this_thread() -> Arc<Disturbance> {
        OWN.with(Arc::clone)
    }

    /// Adds processor time to the counter.
    pub(crate) fn add(&self, nanos: u64) {
        self.used.fetch_add(nanos, Relaxed);
    }

    fn sum(&self) -> u64 {
        self.used.load(Relaxed) + STALL_TIME.nanos.load(Relaxed)
    }

    /// Sets the value from which [`Disturbance::in_call`] counts, at the start of a call.
    pub(crate) fn begin_call(&self) {
        self.at_call.store(self.sum(), Relaxed);
    }

    /// Returns the nanoseconds added since the start of the current call.
    pub(crate) fn in_call(&self) -> u64 {
        self.sum().saturating_sub(self.at_call.load(Relaxed))
    }
}

thread_local!(static OWN: Arc<Disturbance> = Disturbance::new());

/// Starts to count the time that is not charged to the call that now begins on this thread.
#[inline]
pub(crate) fn begin_call() {
    OWN.with(|own| own.begin_call());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_without_a_check_are_counted_once_and_only_if_they_are_long() {
        let ms = |ms: u64| ms * 1_000_000;
        let stall = StallTime {
            nanos: AtomicU64::new(0),
            last_check: AtomicU64::new(0),
        };
        let counted = || stall.nanos.load(Relaxed);
        // Nothing has been checked.
        stall.count(ms(5_000));
        assert_eq!(counted(), 0);
        stall.set_last_check(Some(ms(5_000)));
        stall.count(ms(5_100));
        assert_eq!(counted(), 0, "delays of a busy system");
        stall.count(ms(25_000));
        stall.count(ms(25_001));
        assert_eq!(counted(), ms(20_000));
        // There was nothing to check for a while.
        stall.set_last_check(None);
        stall.count(ms(90_000));
        assert_eq!(counted(), ms(20_000));
    }
}
