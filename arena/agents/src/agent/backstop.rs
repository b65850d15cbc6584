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
use crate::agent::patrol::PeriodicChecks;
use crate::record::FaultKind;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Default limit of processor time for a call.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);
/// The interval of the watchdog.
const TICK: Duration = Duration::from_millis(20);

/// The state of the current call. Written by the calling thread, read by the watchdog.
#[derive(Debug, Default)]
pub(super) struct RunningCall {
    /// Number of starts and ends of calls so far, which is odd while a call runs.
    calls: AtomicU64,
    /// Limit of processor time for the call, in milliseconds.
    millis: AtomicU32,
    /// Processor time clock of the calling thread.
    clock: AtomicI32,
}

impl RunningCall {
    /// Records that a call begins on this thread.
    pub(super) fn begin(&self, limit: Duration) {
        self.millis.store(
            u32::try_from(limit.as_millis()).unwrap_or(u32::MAX),
            Relaxed,
        );
        self.clock.store(processor::of_this_thread(), Relaxed);
        self.calls.store(self.calls.load(Relaxed) + 1, Relaxed);
    }

    /// Records that the call has ended.
    pub(super) fn end(&self) {
        self.calls.store(self.calls.load(Relaxed) + 1, Relaxed);
    }
}

/// A bot whose calls are watched.
pub(super) trait WatchedBot: Send + Sync + 'static {
    /// Returns the state of the bot's current call.
    fn watch(&self) -> &RunningCall;
    /// Stops the running call. Called by the watchdog's thread at every tick until the call has
    /// ended. The call may have ended before, so the next call must undo the stop.
    fn stop(&self);
}

/// Watches the calls of `bot` until it is dropped.
pub(super) fn watch(bot: &Arc<impl WatchedBot>) {
    let bot = Arc::downgrade(bot) as Weak<dyn WatchedBot>;
    let look = WatchState {
        bot,
        call: 0,
        start: 0,
    };
    if let Err(error) = WATCHDOG.add(look) {
        // Steps and fuel are still counted; only the backstop is missing.
        tracing::warn!("a bot runs without a CPU time limit: {error}");
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

/// The watchdog's state of one bot.
struct WatchState {
    bot: Weak<dyn WatchedBot>,
    /// Value of [`RunningCall::calls`] at the last tick.
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
        let Some(bot) = self.bot.upgrade() else {
            return false;
        };
        let watch = bot.watch();
        let call = watch.calls.load(Relaxed);
        if call % 2 == 0 {
            return true;
        }
        let used = processor::nanos(watch.clock.load(Relaxed)).unwrap_or(0);
        if call != self.call {
            (self.call, self.start) = (call, used);
        } else if used.saturating_sub(self.start) / 1_000_000
            > u64::from(watch.millis.load(Relaxed))
        {
            bot.stop();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[derive(Default)]
    struct Bot {
        watch: RunningCall,
        is_stopped: AtomicBool,
    }

    impl WatchedBot for Bot {
        fn watch(&self) -> &RunningCall {
            &self.watch
        }

        fn stop(&self) {
            self.is_stopped.store(true, Relaxed);
        }
    }

    #[test]
    fn a_call_that_exceeds_its_cpu_time_limit_is_stopped() {
        let bot = Arc::new(Bot::default());
        watch(&bot);
        bot.watch.begin(Duration::from_millis(1));
        while !bot.is_stopped.load(Relaxed) {
            std::hint::spin_loop();
        }
        bot.watch.end();
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
