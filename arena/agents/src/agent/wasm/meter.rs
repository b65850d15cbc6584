//! The backstop for work that fuel does not count.

use crate::agent::backstop::{self, RunningCall, WatchedBot};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The state of an instance's call. After the backstop has stopped the call, host functions fail
/// and the answer is ignored. The module's own code can only be stopped by fuel.
#[derive(Debug, Default)]
pub(super) struct Meter {
    watch: RunningCall,
    is_stopped: AtomicBool,
}

impl Meter {
    /// Creates a meter that the watchdog checks until it is dropped.
    pub(super) fn watched() -> Arc<Meter> {
        let meter = Arc::new(Meter::default());
        backstop::watch(&meter);
        meter
    }

    /// Begins a call with a limit of processor time.
    pub(super) fn begin(&self, limit: Duration) {
        self.is_stopped.store(false, Relaxed);
        self.watch.begin(limit);
    }

    /// Ends a call. Returns `true` if the backstop has stopped it.
    pub(super) fn end(&self) -> bool {
        self.watch.end();
        self.is_stopped()
    }

    /// Returns `true` if the backstop has stopped the current call.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }
}

impl WatchedBot for Meter {
    fn watch(&self) -> &RunningCall {
        &self.watch
    }

    fn stop(&self) {
        self.is_stopped.store(true, Relaxed);
    }
}
