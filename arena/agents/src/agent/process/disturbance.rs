//! Processor time that bots take from the other bots of their table. The processes of a table share
//! one core with the host's thread, so a process that works between its calls delays the calls of
//! the other bots. This time is measured and is not charged to the delayed bots. More than
//! [`BETWEEN_CALLS_MAX`] is a fault of the bot that uses it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
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

/// Total processor time in nanoseconds that the processes called by one host thread have used
/// between their calls.
#[derive(Debug, Default)]
pub(crate) struct Disturbance {
    sum: AtomicU64,
    /// Value of `sum` at the start of the current call.
    at_call: AtomicU64,
}

impl Disturbance {
    /// Returns the counter of the calling thread.
    pub(crate) fn of_this_thread() -> Arc<Disturbance> {
        OWN.with(Arc::clone)
    }

    /// Adds processor time to the counter.
    pub(crate) fn add(&self, nanos: u64) {
        self.sum.fetch_add(nanos, Relaxed);
    }

    /// Sets the value from which [`Disturbance::in_call`] counts, at the start of a call.
    pub(crate) fn begin_call(&self) {
        self.at_call.store(self.sum.load(Relaxed), Relaxed);
    }

    /// Returns the nanoseconds added since the start of the current call.
    pub(crate) fn in_call(&self) -> u64 {
        self.sum
            .load(Relaxed)
            .saturating_sub(self.at_call.load(Relaxed))
    }
}

thread_local!(static OWN: Arc<Disturbance> = Arc::default());

/// Starts to count the processor time that other bots use during the call that now begins on this
/// thread.
#[inline]
pub(crate) fn begin_call() {
    OWN.with(|own| own.begin_call());
}
