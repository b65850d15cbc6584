//! What a script may use, and the watchdog behind the count of steps.
//!
//! Steps are Luau's safepoints, counted by the interpreter itself: the same script takes the same steps everywhere, so
//! they decide a game. What takes long in one step is counted as many: memory where it is taken, the library's dear functions
//! by the prelude. A few operators remain that can be dear (comparing megabytes of text), so a watchdog looks at the clock as a
//! backstop. It costs the calls nothing: it only sees whether the same call still runs, tick after tick, and what processor
//! time its thread has used meanwhile; a busy machine stops nobody.

use super::processor;
use crate::agent::Budget;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};
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
    /// The start of a block, where tables are built, may take this many times the steps of a decision.
    pub const START_FACTOR: u32 = 10;
    /// Lines that a script may print in a block.
    pub const LINES: u32 = 200;
    /// The clock gives a call up after this much processor time at the least, and for each of its steps. It decides nothing: steps
    /// end what a script does, and where they do not, the run ends.
    pub const CLOCK: Duration = Duration::from_secs(20);
    /// See [`Limits::CLOCK`].
    pub const CLOCK_PER_STEP: Duration = Duration::from_micros(20);

    /// What a league allows.
    #[must_use]
    pub fn of(budget: &Budget) -> Limits {
        let default = Limits::default();
        let bytes = |mb: u64| usize::try_from(mb << 20).unwrap_or(usize::MAX);
        Limits {
            steps: budget.lua_steps.map_or(default.steps, |steps| u32::try_from(steps).unwrap_or(u32::MAX)),
            memory: budget.lua_memory_mb.map_or(default.memory, bytes),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 1_000_000, memory: 16 << 20 }
    }
}

/// Left where the clock has stopped a call, and where the memory did not suffice: far below what counting reaches.
const STOPPED: i64 = i64::MIN / 2;
const STARVED: i64 = i64::MIN / 8;
/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(20);

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
    /// Calls begun and ended: odd while one runs.
    calls: AtomicU64,
    /// Milliseconds of processor time that a call may take.
    millis: AtomicU32,
    /// The clock of the thread that calls.
    clock: AtomicI32,
}

impl Beat {
    /// A meter, watched until it is dropped.
    pub(super) fn watched() -> Arc<Beat> {
        let beat = Arc::new(Beat::default());
        beat.begin_block();
        watchdog().watch(&beat);
        beat
    }

    pub(super) fn begin(&self, steps: i64) {
        let per_step = Limits::CLOCK_PER_STEP.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX));
        let limit = Limits::CLOCK.max(per_step).as_millis();
        self.millis.store(u32::try_from(limit).unwrap_or(u32::MAX), Relaxed);
        self.steps_left.store(steps, Relaxed);
        self.clock.store(processor::clock(), Relaxed);
        self.calls.store(self.calls.load(Relaxed) + 1, Relaxed);
    }

    pub(super) fn end(&self) {
        self.calls.store(self.calls.load(Relaxed) + 1, Relaxed);
    }

    /// Takes steps from the call that runs; whether there were so many left. Only its thread calls this.
    pub(super) fn take(&self, steps: i64) -> bool {
        let left = self.steps_left.load(Relaxed);
        // What has ended by something else is not made to look as if by steps, nor the other way round.
        if left < 0 {
            return false;
        }
        let left = left.saturating_sub(steps).max(-1);
        self.steps_left.store(left, Relaxed);
        left >= 0
    }

    /// A block begins, in which no long text has been made.
    pub(super) fn begin_block(&self) {
        self.price.store(1, Relaxed);
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

/// One thread for all scripts of the process.
struct Watchdog {
    watched: Mutex<Vec<Watched>>,
    wake: Condvar,
}

struct Watched {
    beat: Weak<Beat>,
    /// The call seen at the last tick.
    call: u64,
    /// Processor time of its thread when it was seen first.
    start: Duration,
}

fn watchdog() -> &'static Watchdog {
    static WATCHDOG: OnceLock<&'static Watchdog> = OnceLock::new();
    WATCHDOG.get_or_init(|| {
        let dog: &'static Watchdog =
            Box::leak(Box::new(Watchdog { watched: Mutex::new(Vec::new()), wake: Condvar::new() }));
        let thread = std::thread::Builder::new().name("script-watchdog".into());
        if let Err(error) = thread.spawn(move || dog.run()) {
            // Steps are still counted; only the backstop is missing.
            tracing::warn!("scripts run without a clock: {error}");
        }
        dog
    })
}

impl Watchdog {
    fn watch(&self, beat: &Arc<Beat>) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.push(Watched { beat: Arc::downgrade(beat), call: 0, start: Duration::ZERO });
        self.wake.notify_one();
    }

    fn run(&self) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            watched.retain_mut(Watched::look);
            watched = if watched.is_empty() {
                self.wake.wait(watched).unwrap_or_else(PoisonError::into_inner)
            } else {
                drop(watched);
                std::thread::sleep(TICK);
                self.watched.lock().unwrap_or_else(PoisonError::into_inner)
            };
        }
    }
}

impl Watched {
    /// Stops the call if it lasts too long. Says whether there is anything left to watch.
    ///
    /// Processor time counts: a process that is stopped for a while, or waits for others, has not used its time.
    fn look(&mut self) -> bool {
        let Some(beat) = self.beat.upgrade() else { return false };
        let call = beat.calls.load(Relaxed);
        if call % 2 == 0 {
            return true;
        }
        let used = processor::used(beat.clock.load(Relaxed));
        if call != self.call {
            (self.call, self.start) = (call, used);
        } else if used.saturating_sub(self.start).as_millis() > u128::from(beat.millis.load(Relaxed)) {
            // Should the count write over this, or the call end meanwhile, the next tick or call mends it.
            beat.steps_left.store(STOPPED, Relaxed);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_ends_a_call_whose_steps_do_not() {
        let beat = Beat::watched();
        beat.begin(1_000_000);
        assert!(Limits::CLOCK.as_millis() <= u128::from(beat.millis.load(Relaxed)));
        beat.millis.store(1, Relaxed);
        while End::of(beat.left()).is_none() {
            std::hint::spin_loop();
        }
        assert_eq!(End::of(beat.left()), Some(End::Clock));
        beat.end();
        beat.begin(1_000_000);
        assert_eq!(End::of(beat.left()), None);
        assert!(!beat.take(1_000_001));
        assert_eq!(End::of(beat.left()), Some(End::Steps));
        beat.end();
    }
}
