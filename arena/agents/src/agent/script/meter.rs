//! The step counter of scripts.
//!
//! Steps are Luau's safepoints. The same script takes the same steps on every computer, so a step
//! limit has the same effect everywhere. Work within one step counts as several steps: memory when
//! it is allocated, library functions before they run ([`super::charges`]), long texts and long
//! argument lists at every step. The backstop stops calls whose work is not counted.
#![expect(
    unsafe_code,
    reason = "reads the running call's counter through a thread-local pointer and raises errors in Luau"
)]

use super::state::RawState;
use super::structs;
use crate::agent::backstop::{CallMeter, STOPPED};
use mlua::ffi;
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Length in bytes of a text that raises the price of a step by one.
const LONG: usize = 1024;
/// Minimum length in bytes of a text that affects the price.
const LONG_MIN: usize = LONG / 2;
/// Maximum number of values of a call that do not affect the price of its steps. With more, the
/// price rises, because one step may copy all the values.
const VALUES_FREE: usize = 256;
/// Number of values that raise the price of a step by one, in a call with more than [`VALUES_FREE`]
/// values.
const VALUES_PER_STEP: usize = 4;
/// Maximum number of instructions of a function that do not affect the price of its steps. The
/// steps of longer functions cost a multiple, because one step may run all the instructions.
const CODE_FREE: c_int = 512;
/// Number of slots of a table that count as one step at the start of a loop, because the loop may
/// have to skip empty slots.
const PLACES_PER_STEP: usize = 32;

/// Value of `steps_left` after a call has run out of memory. Counting steps never reaches this
/// value.
const OUT_OF_MEMORY: i64 = i64::MIN / 8;

/// The exceeded limit that ended a call.
#[derive(Debug, PartialEq)]
pub(super) enum ReachedLimit {
    /// The limit of steps.
    Steps,
    /// The memory limit, whether or not the script caught the error.
    Memory,
    /// The limit of processor time of the backstop.
    Clock,
}

impl ReachedLimit {
    /// Returns the limit that `left`, a value of `steps_left`, stands for; `None` if steps are
    /// left.
    pub(super) fn of(left: i64) -> Option<ReachedLimit> {
        match left {
            0.. => None,
            _ if left < STOPPED / 2 => Some(ReachedLimit::Clock),
            _ if left < OUT_OF_MEMORY / 2 => Some(ReachedLimit::Memory),
            _ => Some(ReachedLimit::Steps),
        }
    }
}

/// Methods that count the steps of a script. Only the agent's thread calls them.
impl CallMeter {
    /// Charges steps to the current call. Returns `false` if too few were left.
    fn take(&self, steps: i64) -> bool {
        let left = self.left();
        // The first exceeded limit is reported.
        if left < 0 {
            return false;
        }
        let left = left.saturating_sub(steps).max(-1);
        self.steps_left.store(left, Relaxed);
        left >= 0
    }

    /// Begins a block of a script whose longest text in the source has `longest` bytes.
    pub(super) fn begin_block(&self, longest: usize) {
        self.price.store(price_with(longest), Relaxed);
    }
}

thread_local! {
    /// Counter of the current call on this thread; null outside of calls.
    static METER: Cell<*const CallMeter> = const { Cell::new(ptr::null()) };
}

/// A guard that restores the previous counter of this thread when it is dropped.
pub(super) struct OuterMeter(*const CallMeter);

impl OuterMeter {
    fn replace(counter: *const CallMeter) -> OuterMeter {
        OuterMeter(METER.replace(counter))
    }
}

impl Drop for OuterMeter {
    fn drop(&mut self) {
        METER.set(self.0);
    }
}

/// A guard that counts the steps of a call until it is dropped.
pub(super) struct MeteredCall<'a> {
    counter: &'a CallMeter,
    _outer: OuterMeter,
}

impl<'a> MeteredCall<'a> {
    /// Starts counting the steps of a call with a limit of steps and of processor time.
    pub(super) fn start(counter: &'a CallMeter, steps: i64, clock: Duration) -> MeteredCall<'a> {
        counter.begin(steps, clock);
        MeteredCall {
            counter,
            _outer: OuterMeter::replace(counter),
        }
    }
}

impl Drop for MeteredCall<'_> {
    fn drop(&mut self) {
        self.counter.end();
    }
}

/// Stops counting steps until the guard is dropped. Used for the host's own Luau code.
pub(super) fn pause() -> OuterMeter {
    OuterMeter::replace(ptr::null())
}

/// Returns the counter of the current call on this thread.
fn running() -> Option<&'static CallMeter> {
    // SAFETY: `MeteredCall` borrows the counter as long as the pointer is set, and the pointer
    // belongs to this thread. The functions of this file do not keep the reference, and none of
    // them ends the call.
    unsafe { METER.get().as_ref() }
}

/// Charges the steps for a safepoint. Luau calls this at loop edges, calls and returns, and within
/// pattern matching.
///
/// # Safety
/// `state` must be valid and running a call.
#[inline(always)]
pub(super) unsafe fn count(state: RawState) {
    let Some(counter) = running() else { return };
    let mut price = counter.price.load(Relaxed);
    // SAFETY: required from the caller.
    unsafe {
        let (values, code) = structs::running(state);
        if values > VALUES_FREE || code > CODE_FREE {
            price = raised_price(price, values, code);
        }
        // Luau skips empty places of a table within one step.
        if let Some(places) = structs::slots_of_loop(state) {
            let steps = signed(places / PLACES_PER_STEP);
            price = price.saturating_add(steps);
        }
    }
    // Only this thread counts. If the backstop stores its value between these two lines, the value
    // is lost, but the backstop stores it again.
    let left = counter.left().saturating_sub(price);
    counter.steps_left.store(left, Relaxed);
    if left < 0 {
        // SAFETY: the error unwinds through this frame, which owns nothing that must be dropped.
        unsafe { raise_limit_error(state, left, 0) }
    }
}

/// Returns the price of a step in a call with many values or a long function.
#[cold]
fn raised_price(price: i64, values: usize, code: c_int) -> i64 {
    let values = if VALUES_FREE < values {
        signed(values / VALUES_PER_STEP)
    } else {
        0
    };
    price
        .saturating_add(values)
        .saturating_mul(1 + i64::from(code / CODE_FREE))
}

/// Charges steps for work that a C function is about to do. Raises an error in the machine if too
/// few are left.
///
/// # Safety
/// `state` must be valid and within a call of a C function.
pub(super) unsafe fn charge_or_raise(state: RawState, steps: u64) {
    if !charge(steps) {
        // SAFETY: required from the caller.
        unsafe { raise_limit_error(state, -1, 1) }
    }
}

/// Returns the price of each step.
pub(super) fn price() -> i64 {
    running().map_or(1, |counter| counter.price.load(Relaxed))
}

/// Raises the price of each step in the block to at least `price`.
pub(super) fn raise_price(price: i64) {
    if let Some(counter) = running() {
        counter.price.fetch_max(price, Relaxed);
    }
}

/// Charges steps for work of the host or for long work within one step. Returns `false` if too few
/// were left; the call then ends at its next step.
pub(super) fn charge(steps: u64) -> bool {
    running().is_none_or(|counter| counter.take(i64::try_from(steps).unwrap_or(i64::MAX)))
}

/// Charges steps for work of a host function.
///
/// # Errors
/// Returns an error if too few are left; the call then ends at its next step.
pub(super) fn pay(steps: u64) -> Result<(), String> {
    if charge(steps) {
        Ok(())
    } else {
        Err("out of steps".to_owned())
    }
}

/// Returns `true` during a call whose steps are counted.
pub(super) fn is_metered() -> bool {
    running().is_some()
}

/// Ends the current call because it exceeded its memory limit.
pub(super) fn end_for_memory() {
    if let Some(counter) = running() {
        counter.steps_left.store(OUT_OF_MEMORY, Relaxed);
    }
}

/// Raises the price of steps because the script has created a text of this length. A single step
/// can compare texts or parse them as numbers.
pub(super) fn raise_price_for_text(bytes: usize) {
    if bytes >= LONG_MIN {
        raise_price(price_with(bytes));
    }
}

/// Converts a size or a count to the type of steps.
pub(super) fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns the price of a step if the longest text has `bytes` bytes.
fn price_with(bytes: usize) -> i64 {
    signed(1 + (bytes + LONG - LONG_MIN) / LONG)
}

/// Returns `true` if the current call on this thread must end.
pub(super) fn is_over() -> bool {
    running().is_some_and(|counter| counter.left() < 0)
}

#[cold]
unsafe fn raise_limit_error(state: RawState, left: i64, level: c_int) -> ! {
    let message = match ReachedLimit::of(left) {
        Some(ReachedLimit::Clock) => c"CPU time limit exceeded",
        Some(ReachedLimit::Memory) => c"not enough memory",
        _ => c"out of steps",
    };
    // SAFETY: Luau passed a valid state, which has room for a few values; level 0 is the running
    // function, level 1 its caller.
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
    use crate::agent::script::limits::ScriptLimits;

    #[test]
    fn a_stopped_call_has_reached_the_limit_that_stopped_it() {
        let counter = CallMeter::default();
        counter.begin(1_000_000, ScriptLimits::clock(1_000_000));
        assert_eq!(ReachedLimit::of(counter.left()), None);
        assert!(!counter.take(1_000_001));
        assert_eq!(ReachedLimit::of(counter.left()), Some(ReachedLimit::Steps));
        counter.stop();
        assert_eq!(ReachedLimit::of(counter.left()), Some(ReachedLimit::Clock));
        assert_eq!(ScriptLimits::clock(1_000_000), Duration::from_secs(20));
        assert_eq!(ScriptLimits::clock(10_000_000), Duration::from_secs(200));
    }
}
