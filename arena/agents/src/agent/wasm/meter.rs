//! The backstop behind fuel: what the count may miss ends by processor time.

use crate::agent::backstop::{self, Watch, Watched};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The call of an instance that runs. Once it is stopped the host's functions do nothing more for
/// it, and its answer counts for nothing. What the module does by itself is ended by fuel alone.
#[derive(Debug, Default)]
pub(super) struct Meter {
    watch: Watch,
    is_stopped: AtomicBool,
}

impl Meter {
    /// A meter that the watchdog looks at until it is dropped.
    pub(super) fn watched() -> Arc<Meter> {
        let meter = Arc::new(Meter::default());
        backstop::watch(&meter);
        meter
    }

    /// A call begins that may take so much processor time.
    pub(super) fn begin(&self, limit: Duration) {
        self.is_stopped.store(false, Relaxed);
        self.watch.begin(limit);
    }

    /// The call has ended. Returns whether it was stopped.
    pub(super) fn end(&self) -> bool {
        self.watch.end();
        self.is_stopped()
    }

    /// Returns whether the current call has been stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }
}

impl Watched for Meter {
    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn stop(&self) {
        self.is_stopped.store(true, Relaxed);
    }
}
