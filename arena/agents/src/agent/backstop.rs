//! The backstop: a limit of processor time for each call of a bot in this process, in addition to
//! counted budgets.
//!
//! Steps of scripts and fuel of modules are counted, so that these limits stop a bot at the same
//! point on every machine. A watchdog thread stops calls that use much processor time but few
//! steps. Such a fault depends on the machine; its kind is [`FaultKind::Clock`], so that records
//! and reports can separate it from others. Watching costs a call almost nothing: the thread checks
//! every [`TICK`] whether the same call still runs and how much processor time it has used. Waiting
//! on a busy machine does not count.

use super::{AgentError, FaultScope, processor};
use crate::agent::periodic_checks::PeriodicChecks;
use crate::record::FaultKind;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Default limit of processor time for a call.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);
/// The interval of the watchdog.
const TICK: Duration = Duration::from_millis(20);

/// Value of [`CallMeter::steps_left`] after the watchdog has stopped a call. Counting steps never
/// reaches this value.
pub(super) const STOPPED: i64 = i64::MIN / 2;

/// The counted work and the processor time of a bot's calls. Written by the calling thread; the
/// watchdog's thread reads it and stores [`STOPPED`].
#[derive(Default)]
pub(super) struct CallMeter {
    /// Number of starts and ends of calls so far, which is odd while a call runs.
    calls: AtomicU64,
    /// Limit of processor time for the call, in milliseconds.
    millis: AtomicU32,
    /// Processor time clock of the calling thread.
    clock: AtomicI32,
    /// Number of steps left in the call of a script. If it is negative, the call must end.
    pub steps_left: AtomicI64,
    /// Number of steps charged for each safepoint of a script.
    pub price: AtomicI64,
}

impl CallMeter {
    /// Creates a meter that the watchdog checks until it is dropped.
    pub(super) fn watched() -> Arc<CallMeter> {
        let meter = Arc::new(CallMeter::default());
        let state = WatchState {
            meter: Arc::downgrade(&meter),
            call: 0,
            start: 0,
        };
        if let Err(error) = WATCHDOG.add(state) {
            // Steps and fuel are still counted; only the backstop is missing.
            tracing::warn!("a bot runs without a CPU time limit: {error}");
        }
        meter
    }

    /// Begins a call on this thread with a limit of steps and of processor time.
    pub(super) fn begin(&self, steps: i64, limit: Duration) {
        self.steps_left.store(steps, Relaxed);
        self.millis.store(
            u32::try_from(limit.as_millis()).unwrap_or(u32::MAX),
            Relaxed,
        );
        self.clock.store(processor::of_this_thread(), Relaxed);
        self.calls.store(self.calls.load(Relaxed) + 1, Relaxed);
    }

    /// Marks the call as ended, so that the watchdog ignores it.
    pub(super) fn end(&self) {
        self.calls.store(self.calls.load(Relaxed) + 1, Relaxed);
    }

    /// Returns the number of steps left in the current or last call; negative if the call must end.
    pub(super) fn left(&self) -> i64 {
        self.steps_left.load(Relaxed)
    }

    /// Stops the running call by storing [`STOPPED`]. If the calling thread overwrites this value,
    /// the watchdog stores it again at its next tick. If the call has already ended, nothing is
    /// stopped, because the next call overwrites the value.
    pub(super) fn stop(&self) {
        self.steps_left.store(STOPPED, Relaxed);
    }
}

/// Returns the fault of a bot that the watchdog has stopped. `during` is the call ("in one
/// decision"), `unit` is the unit of its counted work ("steps"). The bot gets no more calls in the
/// block, because later calls would take as long.
pub(crate) fn processor_time_fault(limit: Duration, during: &str, unit: &str) -> AgentError {
    let message = format!(
        "exceeded {} s of CPU time {during}; the limit of {unit} did not stop it",
        limit.as_secs_f64()
    );
    AgentError::new(FaultKind::Clock, message).with_scope(FaultScope::Block)
}

static WATCHDOG: PeriodicChecks<WatchState> = PeriodicChecks::new("bot-watchdog", TICK, |looks| {
    looks.retain_mut(WatchState::check_call)
});

/// The data that the watchdog keeps for each bot.
struct WatchState {
    meter: Weak<CallMeter>,
    /// Value of [`CallMeter::calls`] at the last tick.
    call: u64,
    /// Processor time of the calling thread when the watchdog first saw the call.
    start: u64,
}

impl WatchState {
    /// Stops the call if it has used too much processor time. Returns `false` if the bot no longer
    /// exists.
    ///
    /// Time in which the process is suspended or waits does not count.
    fn check_call(&mut self) -> bool {
        let Some(meter) = self.meter.upgrade() else {
            return false;
        };
        let call = meter.calls.load(Relaxed);
        if call % 2 == 0 {
            return true;
        }
        let used = processor::nanos(meter.clock.load(Relaxed)).unwrap_or(0);
        if call != self.call {
            (self.call, self.start) = (call, used);
        } else if used.saturating_sub(self.start) / 1_000_000
            > u64::from(meter.millis.load(Relaxed))
        {
            meter.stop();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_exceeds_its_cpu_time_limit_is_stopped() {
        let meter = CallMeter::watched();
        meter.begin(0, Duration::from_millis(1));
        while meter.left() != STOPPED {
            std::hint::spin_loop();
        }
        meter.end();
        let fault = processor_time_fault(LIMIT, "in one decision", "steps");
        assert_eq!(
            fault.message,
            "exceeded 20 s of CPU time in one decision; the limit of steps did not stop it"
        );
        assert_eq!(
            (fault.kind, fault.scope),
            (FaultKind::Clock, FaultScope::Block)
        );
    }
}
