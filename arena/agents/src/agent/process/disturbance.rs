//! Processor time that bots take from the other bots of their table. The processes of a table share
//! one core with the host's thread, so one that works between its calls delays the calls of the
//! others. What it uses there is counted, is not charged to them, and is a fault of its own beyond
//! [`BETWEEN_CALLS_MAX`].

#[cfg(target_os = "linux")]
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
#[cfg(target_os = "linux")]
use std::time::Duration;

/// Processor time that a process may use between its calls in a block, beside [`FORGIVEN`].
#[cfg(target_os = "linux")]
pub(crate) const BETWEEN_CALLS_MAX: Duration = Duration::from_millis(50);
/// Processor time after each answer that does not count: the way to the next wait.
#[cfg(target_os = "linux")]
pub(crate) const FORGIVEN: Duration = Duration::from_micros(100);
/// The same for a process that is not bound to the host's core: the kernel counts what runs on
/// another core at its ticks only.
#[cfg(target_os = "linux")]
pub(crate) const FORGIVEN_UNBOUND: Duration = Duration::from_millis(10);

/// Processor time that the processes called by one host thread have used between their calls, in
/// nanoseconds.
#[cfg(target_os = "linux")]
#[derive(Debug, Default)]
pub(crate) struct Disturbance {
    sum: AtomicU64,
    /// The sum when the call under way began.
    at_call: AtomicU64,
}

#[cfg(target_os = "linux")]
impl Disturbance {
    /// Returns the sum of the calling thread.
    pub(crate) fn of_this_thread() -> Arc<Disturbance> {
        OWN.with(Arc::clone)
    }

    /// Adds to the sum.
    pub(crate) fn add(&self, nanos: u64) {
        self.sum.fetch_add(nanos, Relaxed);
    }

    /// Notes that a call begins.
    pub(crate) fn call_begins(&self) {
        self.at_call.store(self.sum.load(Relaxed), Relaxed);
    }

    /// Returns the nanoseconds since the call under way began.
    pub(crate) fn in_call(&self) -> u64 {
        self.sum
            .load(Relaxed)
            .saturating_sub(self.at_call.load(Relaxed))
    }
}

#[cfg(target_os = "linux")]
thread_local!(static OWN: Arc<Disturbance> = Arc::default());

/// Notes that the calling thread begins to call a bot.
#[cfg(target_os = "linux")]
#[inline]
pub(crate) fn call_begins() {
    OWN.with(|own| own.call_begins());
}

/// Notes nothing: this system has no processes of bots.
#[cfg(not(target_os = "linux"))]
pub(crate) fn call_begins() {}

/// Returns 0: this system has no processes of bots.
#[cfg(not(target_os = "linux"))]
pub(crate) fn nanos_in_call() -> u64 {
    0
}
