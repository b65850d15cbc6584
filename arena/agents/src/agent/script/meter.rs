//! The count of a script's steps.
//!
//! Steps are Luau's safepoints: the same script takes the same steps on every machine, so they
//! decide a game. Work within one step is counted as many: memory when it is allocated, functions
//! of the libraries before they run ([`super::charges`]), long texts and long argument lists at
//! every step. The backstop ends what the count misses.
#![expect(
    unsafe_code,
    reason = "the meter of the call that runs is found through a pointer of its thread, and errors are raised in Luau"
)]

use super::{collisions, structs, weights};
use crate::agent::backstop::{self, Watch, Watched};
use mlua::ffi;
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Bytes of a text that add one to the price of each step: reading a number takes as long for each
/// of the first bytes, of which all digits count, as for many of those that follow.
const SHORT: usize = 128;
const SHORT_MAX: usize = 1024;
const LONG: usize = 1024;
/// Bytes of the shortest text that does, with the header of texts.
const LONG_MIN: usize = 160;
/// Values of a call that do not change the price of its steps. Beyond, each step may copy all the
/// values: they count as a step for every few of them.
const VALUES_FREE: usize = 256;
const VALUES_PER_STEP: usize = 4;
/// Places of a table that a loop may have to pass over, and that count as one step when it starts.
const PLACES_PER_STEP: usize = 32;

/// Steps left after the backstop has stopped a call, and after the memory did not suffice: far
/// below what counting reaches.
const STOPPED: i64 = i64::MIN / 2;
const OUT_OF_MEMORY: i64 = i64::MIN / 8;

/// The limit that has ended a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Steps.
    Steps,
    /// Memory, whether or not the script has caught the error.
    Memory,
    /// Processor time.
    Clock,
}

impl End {
    /// Returns the limit that has brought the steps left to `left`; `None` if steps are left.
    pub(super) fn of(left: i64) -> Option<End> {
        match left {
            0.. => None,
            _ if left < STOPPED / 2 => Some(End::Clock),
            _ if left < OUT_OF_MEMORY / 2 => Some(End::Memory),
            _ => Some(End::Steps),
        }
    }
}

/// The step counter of one agent. The agent's thread counts, the backstop watches.
#[derive(Debug, Default)]
pub(super) struct StepCounter {
    /// Steps left in the call; below 0 it has to end.
    steps_left: AtomicI64,
    /// Steps that each safepoint counts as.
    price: AtomicI64,
    watch: Watch,
}

impl StepCounter {
    /// Creates a counter that is watched until it is dropped.
    pub(super) fn watched() -> Arc<StepCounter> {
        let counter = Arc::new(StepCounter::default());
        counter.begin_block(0);
        backstop::watch(&counter);
        counter
    }

    /// Begins a call that may take so many steps, and `clock` of processor time.
    fn begin(&self, steps: i64, clock: Duration) {
        self.steps_left.store(steps, Relaxed);
        self.watch.begin(clock);
    }

    fn end(&self) {
        self.watch.end();
    }

    /// Takes steps from the call that runs. Returns whether there were so many left. Only its
    /// thread calls this.
    fn take(&self, steps: i64) -> bool {
        let left = self.steps_left.load(Relaxed);
        // The limit that ended the call first is reported.
        if left < 0 {
            return false;
        }
        let left = left.saturating_sub(steps).max(-1);
        self.steps_left.store(left, Relaxed);
        left >= 0
    }

    /// Begins a block of a script whose source has texts of so many bytes.
    pub(super) fn begin_block(&self, longest: usize) {
        self.price.store(1, Relaxed);
        self.raise_price(price_with(longest));
    }

    /// Lets each step of the block count as so many at least.
    fn raise_price(&self, price: usize) {
        self.price
            .fetch_max(i64::try_from(price).unwrap_or(i64::MAX), Relaxed);
    }

    /// Returns the steps left of the last call, below 0 if they did not suffice.
    pub(super) fn left(&self) -> i64 {
        self.steps_left.load(Relaxed)
    }
}

impl Watched for StepCounter {
    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn stop(&self) {
        // Should the count overwrite this, the next tick repeats it.
        self.steps_left.store(STOPPED, Relaxed);
    }
}

thread_local! {
    /// The counter of the call that runs on this thread; null outside of calls.
    static METER: Cell<*const StepCounter> = const { Cell::new(ptr::null()) };
}

/// Ends the count of a call when it is dropped.
pub(super) struct Metered<'a> {
    counter: &'a StepCounter,
    outer: *const StepCounter,
}

impl<'a> Metered<'a> {
    /// Starts to count the steps of a call, which may take `steps`, and `clock` of processor time.
    pub(super) fn start(counter: &'a StepCounter, steps: i64, clock: Duration) -> Metered<'a> {
        counter.begin(steps, clock);
        Metered {
            counter,
            outer: METER.replace(counter),
        }
    }
}

impl Drop for Metered<'_> {
    fn drop(&mut self) {
        METER.set(self.outer);
        self.counter.end();
    }
}

/// Runs `f`, host code that happens to be written in Luau, without counting its steps.
pub(super) fn unmetered<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(*const StepCounter);
    impl Drop for Restore {
        fn drop(&mut self) {
            METER.set(self.0);
        }
    }
    let _restore = Restore(METER.replace(ptr::null()));
    f()
}

/// Returns the counter of the call that runs on this thread.
fn running() -> Option<&'static StepCounter> {
    // SAFETY: `Metered` borrows the counter for as long as the pointer is set, and the pointer is of
    // this thread. The functions of this file keep the reference no longer than they run, and none
    // of them ends the call.
    unsafe { METER.get().as_ref() }
}

/// Counts a safepoint: Luau's callback at loop edges, calls, returns, and within pattern matching.
///
/// # Safety
/// Luau calls with a valid state, which runs a call.
#[inline(always)]
pub(super) unsafe fn count(state: *mut ffi::lua_State) {
    let Some(counter) = running() else { return };
    let mut price = counter.price.load(Relaxed);
    // SAFETY: as required from the caller.
    unsafe {
        if let Some(least) = collisions::price(state, 1) {
            counter.raise_price(least);
            price = counter.price.load(Relaxed);
        }
        if structs::exceeds(state, VALUES_FREE) {
            price = raised(price, state);
        }
        // Luau passes over empty places of a table within one step.
        if let Some(places) = structs::places_of_loop(state) {
            let steps = i64::try_from(places / PLACES_PER_STEP).unwrap_or(i64::MAX);
            price = price.saturating_add(steps);
        }
    }
    // Only this thread counts; should the backstop's store get lost between the two halves, it is
    // repeated.
    let left = counter.steps_left.load(Relaxed).saturating_sub(price);
    counter.steps_left.store(left, Relaxed);
    if left < 0 {
        // SAFETY: the error unwinds through this frame, which owns nothing to drop.
        unsafe { raise(state, left, 0) }
    }
}

/// Returns the price of a step if the call has many values, or a function with much code between
/// two steps.
#[cold]
unsafe fn raised(price: i64, state: *mut ffi::lua_State) -> i64 {
    // SAFETY: the caller's state is valid and runs a call.
    let (values, weight) = unsafe { structs::running(state) };
    let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let values = if VALUES_FREE < values {
        whole(values / VALUES_PER_STEP)
    } else {
        0
    };
    price
        .saturating_add(values)
        .saturating_mul(1 + i64::from(weight / weights::PER_STEP))
}

/// Takes steps from the call that runs, for work that its function is about to do. Raises an error
/// in the machine if there are not so many left.
///
/// # Safety
/// `state` is valid and within a call of a function in C.
pub(super) unsafe fn demand(state: *mut ffi::lua_State, steps: u64) {
    // SAFETY: as required from the caller.
    unsafe {
        let least = collisions::price(state, steps).inspect(|&least| raise_price(least));
        let steps = steps.saturating_mul(least.unwrap_or(1) as u64);
        if steps > 0 && !charge(steps) {
            raise(state, -1, 1)
        }
    }
}

/// Returns the price of each step.
pub(super) fn price() -> u64 {
    running().map_or(1, |counter| counter.price.load(Relaxed).unsigned_abs())
}

/// Lets each step of the block count as so many at least.
pub(super) fn raise_price(price: usize) {
    if let Some(counter) = running() {
        counter.raise_price(price);
    }
}

/// Takes steps from the call that runs, for what takes long in one step or is done by the host.
/// Returns whether there were so many left. If not, the call ends at its next step at the latest.
pub(super) fn charge(steps: u64) -> bool {
    running().is_none_or(|counter| counter.take(i64::try_from(steps).unwrap_or(i64::MAX)))
}

/// Takes steps from the call that runs, for work that a function of the host does for it.
///
/// # Errors
/// Returns an error if there are not so many left; the call then ends at its next step.
pub(super) fn pay(steps: u64) -> Result<(), String> {
    if charge(steps) {
        Ok(())
    } else {
        Err("out of steps".to_owned())
    }
}

/// Returns whether a call runs whose steps are counted.
pub(super) fn is_metered() -> bool {
    running().is_some()
}

/// Ends the call that runs because it has used more memory than it may.
pub(super) fn end_for_memory() {
    if let Some(counter) = running() {
        counter.steps_left.store(OUT_OF_MEMORY, Relaxed);
    }
}

/// Raises the price of steps for a text of so many bytes that the script has made: texts are
/// compared, and read as numbers, in one step.
pub(super) fn has_text(bytes: usize) {
    if bytes >= LONG_MIN {
        raise_price(price_with(bytes));
    }
}

/// Returns the number of steps that each step counts as if the longest text has `bytes` bytes.
fn price_with(bytes: usize) -> usize {
    if bytes < LONG_MIN {
        return 1;
    }
    1 + bytes.min(SHORT_MAX) / SHORT + bytes / LONG
}

/// Returns whether the call that runs on this thread has to end.
pub(super) fn is_over() -> bool {
    running().is_some_and(|counter| counter.left() < 0)
}

#[cold]
unsafe fn raise(state: *mut ffi::lua_State, left: i64, level: c_int) -> ! {
    let message = match End::of(left) {
        Some(End::Clock) => c"stopped by the clock",
        Some(End::Memory) => c"not enough memory",
        _ => c"out of steps",
    };
    // SAFETY: a valid state from Luau, which has room for the few values of an interrupt; level 0
    // is the function that runs, level 1 its caller.
    unsafe {
        ffi::luaL_where(state, level);
        ffi::lua_pushstring(state, message.as_ptr());
        ffi::lua_concat(state, 2);
        ffi::lua_error(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::script::limits::Limits;

    #[test]
    fn the_clock_ends_a_call_whose_steps_do_not() {
        let counter = StepCounter::watched();
        counter.begin(1_000_000, Duration::from_millis(1));
        while End::of(counter.left()).is_none() {
            std::hint::spin_loop();
        }
        assert_eq!(End::of(counter.left()), Some(End::Clock));
        counter.end();
        counter.begin(1_000_000, Limits::clock(1_000_000));
        assert_eq!(End::of(counter.left()), None);
        assert!(!counter.take(1_000_001));
        assert_eq!(End::of(counter.left()), Some(End::Steps));
        counter.end();
        assert_eq!(Limits::clock(1_000_000), Duration::from_secs(20));
        assert_eq!(Limits::clock(10_000_000), Duration::from_secs(200));
    }
}
