//! The few raw calls into Luau that mlua's safe face lacks, and what is lent to the functions that
//! scripts call.
#![expect(
    unsafe_code,
    reason = "this file is the border to Luau's C interface, and lends to functions that outlive the loan"
)]

use super::budget::{self, Beat};
use super::{heap, structs};
use crate::agent::Turn;
use mlua::{Function, Lua, ffi};
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Bytes of a text that add one to what each step counts as.
const LONG: usize = 1024;
/// Bytes of the shortest text that does.
const LONG_MIN: usize = LONG / 2;
/// Values of a call, and instructions of its function, without an effect on what its steps count
/// as. Beyond, each step may copy all the values, or run all the instructions, before the next
/// step: the values count as a step for every few of them, and the steps as many times more as the
/// function is longer.
const VALUES_FREE: usize = 256;
const VALUES_PER_STEP: usize = 4;
const CODE_FREE: c_int = 512;

thread_local! {
    /// The meter of the call that runs on this thread; null outside of calls.
    static METER: Cell<*const Beat> = const { Cell::new(ptr::null()) };
}

/// Puts the meter of a call back when the call ends, however it ends.
pub(super) struct Metered<'a> {
    beat: &'a Beat,
    outer: *const Beat,
}

impl<'a> Metered<'a> {
    /// Starts to count the steps of a call; at most `steps` may be taken, and `clock` of processor
    /// time.
    pub(super) fn start(beat: &'a Beat, steps: i64, clock: Duration) -> Metered<'a> {
        beat.begin(steps, clock);
        Metered {
            beat,
            outer: METER.replace(beat),
        }
    }
}

impl Drop for Metered<'_> {
    fn drop(&mut self) {
        METER.set(self.outer);
        self.beat.end();
    }
}

/// Runs `f`, host code that happens to be written in Luau, without counting its steps.
pub(super) fn unmetered<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(*const Beat);
    impl Drop for Restore {
        fn drop(&mut self) {
            METER.set(self.0);
        }
    }
    let _restore = Restore(METER.replace(ptr::null()));
    f()
}

/// Luau calls this at every safepoint: loop edges, calls, returns, and within pattern matching.
unsafe extern "C-unwind" fn safepoint(state: *mut ffi::lua_State, gc: c_int) {
    if gc >= 0 {
        return heap::collecting(state);
    }
    let beat = METER.get();
    if beat.is_null() {
        return;
    }
    // SAFETY: `Metered` borrows the meter for as long as it is set, and the pointer is of this
    // thread.
    let beat = unsafe { &*beat };
    let mut price = beat.price.load(Relaxed);
    // SAFETY: Luau calls with a valid state, which runs a call.
    unsafe {
        if structs::exceeds(state, VALUES_FREE, CODE_FREE) {
            price = dearer(price, state);
        }
    }
    // Only this thread counts; the backstop's store may get lost between the two halves, it repeats
    // it.
    let left = beat.steps_left.load(Relaxed) - price;
    beat.steps_left.store(left, Relaxed);
    if left < 0 {
        // SAFETY: Luau calls with a valid state; the error unwinds through this frame, which owns
        // nothing to drop.
        unsafe { raise(state, left, 0) }
    }
}

/// The price of a step where the call has many values, or a long function.
#[cold]
unsafe fn dearer(price: i64, state: *mut ffi::lua_State) -> i64 {
    // SAFETY: the caller's state is valid and runs a call.
    let (values, code) = unsafe { structs::running(state) };
    let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let values = if VALUES_FREE < values {
        whole(values / VALUES_PER_STEP)
    } else {
        0
    };
    price
        .saturating_add(values)
        .saturating_mul(1 + whole(code) / i64::from(CODE_FREE))
}

/// Takes steps from the call that runs, for work that its function is about to do.
///
/// Raises an error in the machine where there are not so many left.
pub(super) unsafe fn demand(state: *mut ffi::lua_State, steps: u64) {
    if steps > 0 && !charge(steps) {
        // SAFETY: the caller's state is valid and within a call of a function in C.
        unsafe { raise(state, -1, 1) }
    }
}

/// Returns the price of each step.
pub(super) fn price() -> u64 {
    let beat = METER.get();
    // SAFETY: as in `safepoint`.
    if beat.is_null() {
        1
    } else {
        unsafe { &*beat }.price.load(Relaxed).unsigned_abs()
    }
}

/// Lets each step of the block count as so many at the least.
pub(super) fn raise_price(price: usize) {
    let beat = METER.get();
    if !beat.is_null() {
        // SAFETY: as in `safepoint`.
        unsafe { &*beat }.raise_price(price);
    }
}

/// Takes steps from the call that runs, for what takes long in one step or is done by the host;
/// whether there were so many left. Where there were not, the call is to end, and does at its next
/// step at the latest.
pub(super) fn charge(steps: u64) -> bool {
    let beat = METER.get();
    if beat.is_null() {
        return true;
    }
    // SAFETY: as in `safepoint`.
    unsafe { &*beat }.take(i64::try_from(steps).unwrap_or(i64::MAX))
}

/// Takes steps from the call that runs, for work that a function of the host's does in its stead.
///
/// # Errors
/// There are not so many left; the call is over at its next step then.
pub(super) fn pay(steps: u64) -> mlua::Result<()> {
    if charge(steps) {
        Ok(())
    } else {
        Err(mlua::Error::runtime("out of steps"))
    }
}

/// Whether a call runs whose steps are counted.
pub(super) fn is_metered() -> bool {
    !METER.get().is_null()
}

/// The call that runs has used more memory than it may: it is to end.
pub(super) fn starve() {
    let beat = METER.get();
    if !beat.is_null() {
        // SAFETY: as in `safepoint`.
        unsafe { &*beat }.starve();
    }
}

/// The script has made a text of so many bytes. Texts are compared, and read as numbers, in one
/// step, so with long ones about each step counts as more.
pub(super) fn has_text(bytes: usize) {
    if bytes >= LONG_MIN {
        raise_price(price_with(bytes));
    }
}

/// Returns the number of steps that each step counts as where the longest text has `bytes` bytes.
pub(super) fn price_with(bytes: usize) -> usize {
    1 + (bytes + LONG - LONG_MIN) / LONG
}

/// The function by which the prelude says that the script has caught the error that no memory is
/// left.
pub(super) fn starver(lua: &Lua) -> mlua::Result<Function> {
    lua.create_function(|_, ()| {
        starve();
        Ok(())
    })
}

#[cold]
unsafe fn raise(state: *mut ffi::lua_State, left: i64, level: c_int) -> ! {
    let message = match budget::End::of(left) {
        Some(budget::End::Clock) => c"stopped by the clock",
        Some(budget::End::Memory) => c"not enough memory",
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

/// Whether the call that runs on this thread has to end: out of steps, or stopped by the clock.
pub(super) fn is_over() -> bool {
    let beat = METER.get();
    // SAFETY: as in `safepoint`.
    !beat.is_null() && unsafe { &*beat }.left() < 0
}

/// Makes Luau count steps in `lua`. Calls without a [`Metered`] guard run free.
pub(super) fn install_meter(lua: &Lua) -> mlua::Result<()> {
    // SAFETY: the state is valid within `exec_raw`; the callback is a plain function.
    unsafe {
        lua.exec_raw((), |state| {
            (*ffi::lua_callbacks(state)).interrupt = Some(safepoint);
        })
    }
}

/// Copies of main chunks whose globals are their own, fresh and the same for all of them; they read
/// the shared ones through these, which keeps the environment safe in Luau's sense and so compiled
/// code fast.
pub(super) fn with_fresh_globals(lua: &Lua, chunks: &[&Function]) -> mlua::Result<Vec<Function>> {
    let chunks: mlua::Variadic<Function> = chunks.iter().copied().cloned().collect();
    // SAFETY: `chunks` are at indices from 1 on of a protected frame, which is given room for three
    // more values. The new thread stays on the stack, so alive, until the clones have moved
    // over. mlua keeps no state for threads that it has not made.
    let fresh: mlua::Variadic<Function> = unsafe {
        lua.exec_raw(chunks, |state| {
            let count = ffi::lua_gettop(state);
            ffi::luaL_checkstack(state, 3, ptr::null());
            let thread = ffi::lua_newthread(state);
            ffi::luaL_sandboxthread(thread);
            for at in 1..=count {
                ffi::lua_xpush(state, thread, at);
                ffi::lua_clonefunction(thread, -1);
                ffi::lua_xmove(thread, state, 1);
                ffi::lua_replace(state, at);
                ffi::lua_settop(thread, 0);
            }
            ffi::lua_settop(state, count);
        })?
    };
    Ok(fresh.into_iter().collect())
}

/// What a call shows, lent for the call to functions that cannot name its lifetime.
#[derive(Debug, Default)]
pub(in crate::agent) struct Loan(Cell<Option<ptr::NonNull<Turn<'static>>>>);

impl Loan {
    /// Lends `turn` while `call` runs, however that ends.
    pub(in crate::agent) fn lend<R>(&self, turn: &Turn<'_>, call: impl FnOnce() -> R) -> R {
        struct Back<'a>(&'a Loan, Option<ptr::NonNull<Turn<'static>>>);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                self.0.0.set(self.1);
            }
        }
        let _back = Back(self, self.0.replace(Some(ptr::NonNull::from(turn).cast())));
        call()
    }

    /// Reads what is lent; `None` outside of calls.
    pub(in crate::agent) fn read<R>(&self, f: impl FnOnce(Option<&Turn<'_>>) -> R) -> R {
        // SAFETY: there is something only while `lend`, which holds it borrowed, runs its `call`,
        // and so this within it: a `Cell` is of one thread. `f` has to work with any
        // lifetimes, so it keeps nothing.
        f(self.0.get().map(|turn| unsafe { turn.as_ref() }))
    }
}
