//! The few raw calls into Luau that mlua's safe face lacks, and the reading of frames behind the host's pointers.
#![expect(unsafe_code, reason = "this file is the border to Luau's C interface and to the host's raw frames")]

use super::budget::{self, Beat};
use mlua::{Function, Lua, ffi};
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;

thread_local! {
    /// The meter of the call that runs on this thread; null outside of calls.
    static METER: Cell<*const Beat> = const { Cell::new(ptr::null()) };
}

/// Puts the meter of a call back when the call ends, however it ends.
pub struct Metered<'a> {
    beat: &'a Beat,
    outer: *const Beat,
}

impl<'a> Metered<'a> {
    /// Starts to count the steps of a call; at most `steps` may be taken.
    pub fn start(beat: &'a Beat, steps: i64) -> Metered<'a> {
        beat.begin(steps);
        Metered { beat, outer: METER.replace(beat) }
    }
}

impl Drop for Metered<'_> {
    fn drop(&mut self) {
        METER.set(self.outer);
        self.beat.end();
    }
}

/// Runs `f`, host code that happens to be written in Luau, without counting its steps.
pub fn unmetered<R>(f: impl FnOnce() -> R) -> R {
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
    let beat = METER.get();
    if gc >= 0 || beat.is_null() {
        return;
    }
    // SAFETY: `Metered` borrows the meter for as long as it is set, and the pointer is of this thread.
    let beat = unsafe { &*beat };
    // Only this thread counts; the watchdog's store may get lost between the two halves, it repeats it.
    let left = beat.steps_left.load(Relaxed) - 1;
    beat.steps_left.store(left, Relaxed);
    if left < 0 {
        // SAFETY: Luau calls with a valid state; the error unwinds through this frame, which owns nothing to drop.
        unsafe { raise(state, left) }
    }
}

#[cold]
unsafe fn raise(state: *mut ffi::lua_State, left: i64) {
    let message = if budget::by_clock(left) { c"stopped by the clock" } else { c"out of steps" };
    // SAFETY: a valid state from Luau, which has room for the few values of an interrupt; level 0 is the function that runs,
    // where `luaL_error` would name its caller.
    unsafe {
        ffi::luaL_where(state, 0);
        ffi::lua_pushstring(state, message.as_ptr());
        ffi::lua_concat(state, 2);
        ffi::lua_error(state)
    }
}

/// Makes Luau count steps in `lua`. Calls without a [`Metered`] guard run free.
pub fn install_meter(lua: &Lua) -> mlua::Result<()> {
    // SAFETY: the state is valid within `exec_raw`; the callback is a plain function.
    unsafe {
        lua.exec_raw((), |state| {
            (*ffi::lua_callbacks(state)).interrupt = Some(safepoint);
        })
    }
}

/// A copy of the main chunk `chunk` whose globals are its own and fresh; it reads the shared ones through them, which
/// keeps the environment safe in Luau's sense and so compiled code fast.
pub fn with_fresh_globals(lua: &Lua, chunk: &Function) -> mlua::Result<Function> {
    // SAFETY: `chunk` is at index 1 of a protected frame with room for three more values. The new thread stays on the
    // stack, so alive, until its clone has moved over. mlua keeps no state for threads that it has not made.
    unsafe {
        lua.exec_raw(chunk, |state| {
            let thread = ffi::lua_newthread(state);
            ffi::luaL_sandboxthread(thread);
            ffi::lua_xpush(state, thread, 1);
            ffi::lua_clonefunction(thread, -1);
            ffi::lua_xmove(thread, state, 1);
            ffi::lua_replace(state, 1);
            ffi::lua_settop(state, 1);
        })
    }
}

/// The records behind a pointer of the host; none where there are none.
///
/// # Safety
/// `records` points to `bytes` readable bytes that outlive `'a`.
unsafe fn records<'a>(records: *const std::ffi::c_void, bytes: usize) -> &'a [u8] {
    if records.is_null() || bytes == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(records.cast(), bytes) }
}

/// A decision's view, history and actions as bytes.
pub fn frames(decision: &hattari_plugin::abi::Decision) -> Frames<'_> {
    let history = decision.history_count as usize * decision.history_stride as usize;
    let actions = decision.action_count as usize * decision.action_stride as usize;
    // SAFETY: the host's promise to agents: pointers and counts belong together and hold for the call.
    unsafe {
        Frames {
            view: records(decision.view, decision.view_size as usize),
            history: records(decision.history, history),
            actions: records(decision.actions, actions),
        }
    }
}

/// The first view of a deal, and what its history starts with.
pub fn start_frames(start: &hattari_plugin::abi::DealInfo) -> Frames<'_> {
    let history = start.history_count as usize * start.history_stride as usize;
    // SAFETY: the host's promise to agents: pointers and counts belong together and hold for the call.
    unsafe {
        Frames {
            view: records(start.view, start.view_size as usize),
            history: records(start.history, history),
            actions: &[],
        }
    }
}

/// The last view, the history and the payoffs of a deal.
pub fn result_frames(result: &hattari_plugin::abi::DealResult) -> (Frames<'_>, &[i64]) {
    let history = result.history_count as usize * result.history_stride as usize;
    // SAFETY: the host's promise to agents: pointers and counts belong together and hold for the call.
    unsafe {
        let frames = Frames {
            view: records(result.view, result.view_size as usize),
            history: records(result.history, history),
            actions: &[],
        };
        let payoffs: &[i64] = if result.payoffs.is_null() {
            &[]
        } else {
            std::slice::from_raw_parts(result.payoffs, result.payoff_count as usize)
        };
        (frames, payoffs)
    }
}

/// What a call shows, as bytes.
#[derive(Clone, Copy)]
pub struct Frames<'a> {
    /// The view.
    pub view: &'a [u8],
    /// The history, one event after the other.
    pub history: &'a [u8],
    /// The legal actions, one after the other.
    pub actions: &'a [u8],
}

/// Bytes lent for a call to somebody who cannot name the lifetime.
#[derive(Debug, Default)]
pub struct Loan(Cell<Option<ptr::NonNull<[u8]>>>);

/// Takes the loan back.
pub struct Lent<'a>(&'a Loan);

impl Loan {
    /// Lends `bytes` until the guard is dropped.
    pub fn lend<'a>(&'a self, bytes: &'a [u8]) -> Lent<'a> {
        self.0.set(Some(ptr::NonNull::from(bytes)));
        Lent(self)
    }

    /// Reads what is lent, nothing outside of a loan.
    pub fn read<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        match self.0.get() {
            // SAFETY: the guard borrows the bytes and takes the pointer back when it is dropped; it is not leaked here.
            Some(bytes) => f(unsafe { bytes.as_ref() }),
            None => f(&[]),
        }
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.0.0.set(None);
    }
}
