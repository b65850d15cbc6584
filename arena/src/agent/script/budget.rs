//! What a script may use, and the watchdog behind the count of steps.
//!
//! Steps are Luau's safepoints, counted by the interpreter itself: the same script takes the same steps everywhere, so
//! they decide a game. One step can be dear (copying megabytes), so a watchdog looks at the clock as a backstop. It
//! costs the calls nothing: it only sees whether the same call still runs, tick after tick.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64};
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
    /// The clock stops a call after this long at the least. Steps decide; this is for the few calls that are dear.
    pub const CLOCK: Duration = Duration::from_secs(2);
    /// Where the league sets a time for decisions, the clock stops a script after this many times that time.
    pub const CLOCK_FACTOR: u32 = 20;
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 1_000_000, memory: 16 << 20 }
    }
}

/// Left where the clock has stopped a call: far below what counting reaches.
const STOPPED: i64 = i64::MIN / 2;
/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(20);

/// Whether the clock, not the count, brought the steps left to `left`.
pub fn by_clock(left: i64) -> bool {
    left < STOPPED / 2
}

/// The meter of one agent. The agent's thread counts, the watchdog looks on.
#[derive(Debug, Default)]
pub struct Beat {
    /// Steps left in the call; below 0 it is to end.
    pub steps_left: AtomicI64,
    /// Calls begun and ended: odd while one runs.
    calls: AtomicU64,
    /// Ticks that a call may last.
    ticks: AtomicU32,
}

impl Beat {
    /// A meter, watched until it is dropped.
    pub fn watched() -> Arc<Beat> {
        let beat = Arc::new(Beat::default());
        beat.set_clock(Limits::CLOCK);
        watchdog().watch(&beat);
        beat
    }

    /// Sets how long a call may last by the clock.
    pub fn set_clock(&self, limit: Duration) {
        let ticks = limit.as_millis() / TICK.as_millis();
        self.ticks.store(u32::try_from(ticks).unwrap_or(u32::MAX), Relaxed);
    }

    pub(super) fn begin(&self, steps: i64) {
        self.steps_left.store(steps, Relaxed);
        self.calls.store(self.calls.load(Relaxed) + 1, Relaxed);
    }

    pub(super) fn end(&self) {
        self.calls.store(self.calls.load(Relaxed) + 1, Relaxed);
    }

    /// Steps left of the last call, below 0 where they did not suffice.
    pub fn left(&self) -> i64 {
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
    /// The call seen at the last tick, and for how many ticks.
    call: u64,
    ticks: u32,
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
        watched.push(Watched { beat: Arc::downgrade(beat), call: 0, ticks: 0 });
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
    /// Ticks are counted, not time: a process that is stopped for a while has not used its time.
    fn look(&mut self) -> bool {
        let Some(beat) = self.beat.upgrade() else { return false };
        let call = beat.calls.load(Relaxed);
        if call % 2 == 0 || call != self.call {
            (self.call, self.ticks) = (call, 0);
            return true;
        }
        self.ticks += 1;
        if self.ticks > beat.ticks.load(Relaxed) {
            // Should the count write over this, or the call end meanwhile, the next tick or call mends it.
            beat.steps_left.store(STOPPED, Relaxed);
        }
        true
    }
}
