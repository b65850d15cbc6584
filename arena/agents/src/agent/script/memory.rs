//! The memory limit of a script, and the collector.
//!
//! Luau starts its collector by a clock. Here the collector is stopped, and runs whole cycles when
//! the bytes of living and dead objects reach a bound. A script may use so much memory as is alive
//! after such a cycle.
#![expect(
    unsafe_code,
    reason = "Luau's collector is driven through its C interface"
)]

use super::{arena, collisions, meter};
use mlua::ffi;
use std::ffi::{c_int, c_void};
use std::ptr;

/// Bytes that count as one step when they are allocated.
const BYTES_PER_STEP: usize = 256;
/// The collector runs when the heap has grown by this much at least.
const GROWTH_MIN: usize = 1 << 20;
const GROWTH_STEP: usize = 1 << 16;
/// Cycles until the heap of a new machine is surely as small as it gets.
const CYCLES_MAX: usize = 20;

/// A cycle of the collector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cycle {
    None,
    /// Luau has been asked for one.
    Requested,
    /// Luau has reported the start of its first step.
    Started,
}

/// The memory of a machine: extra data of its arena, so that snapshots contain it.
#[derive(Debug)]
pub(super) struct Memory {
    /// Bytes of the longest text that was made before the limit was set: the longest in the
    /// script's source.
    longest_text: usize,
    /// Bytes in use from which on the collector has to run.
    trigger: usize,
    /// Bytes that may be alive after a cycle, and bytes that may be in use at any time.
    limit: usize,
    cap: usize,
    /// Bytes allocated that are not yet a step.
    rest: usize,
    cycle: Cycle,
    /// A large table has been made.
    pub has_tables: bool,
    /// The last text, and the number of texts.
    last_text: *const c_void,
    texts: u64,
}

impl Memory {
    /// Returns the memory of a new machine, without limits.
    pub(super) fn unlimited() -> Memory {
        Memory {
            longest_text: 0,
            trigger: usize::MAX,
            limit: usize::MAX,
            cap: usize::MAX,
            rest: 0,
            cycle: Cycle::None,
            has_tables: false,
            last_text: ptr::null(),
            texts: 0,
        }
    }

    /// Returns the bytes of the longest text in the script's source.
    pub(super) fn longest_text(&self) -> usize {
        self.longest_text
    }

    /// Counts an allocation of the machine: its bytes are steps of the call that runs. `kind` is the
    /// type of the object, or beyond the types of values.
    ///
    /// # Safety
    /// `state` is a valid state of the machine, and `block` is the allocated memory.
    pub(super) unsafe fn allocated(
        &mut self,
        state: *mut ffi::lua_State,
        block: *const c_void,
        bytes: usize,
        kind: c_int,
    ) {
        let is_text = kind == ffi::LUA_TSTRING;
        if self.trigger != usize::MAX {
            // SAFETY: as required from the caller.
            unsafe { self.check(state) };
        }
        if meter::is_metered() {
            if is_text {
                meter::has_text(bytes);
                self.texts += 1;
                // SAFETY: as required from the caller, now and when the last text was made.
                let price =
                    unsafe { collisions::price_of_texts(state, self.last_text, self.texts) };
                self.last_text = block;
                price.map(meter::raise_price);
            } else if kind > ffi::LUA_TBUFFER {
                // SAFETY: as above; nothing else refers to the tables of the arena.
                self.has_tables |= unsafe { (*arena::tables(state)).add(block, bytes) };
            }
            let bytes = self.rest + bytes;
            self.rest = bytes % BYTES_PER_STEP;
            if bytes >= BYTES_PER_STEP {
                meter::charge((bytes / BYTES_PER_STEP) as u64);
            }
        } else if is_text && self.limit == usize::MAX {
            self.longest_text = self.longest_text.max(bytes);
        }
    }

    /// Ends the call that runs, or asks for a cycle of the collector, if too much is in use.
    unsafe fn check(&mut self, state: *mut ffi::lua_State) {
        // SAFETY: the caller's state is valid.
        let used = unsafe { used(state) };
        if used <= self.trigger {
            return;
        }
        if used > self.cap {
            meter::end_for_memory();
        }
        if self.cycle == Cycle::None {
            self.cycle = Cycle::Requested;
            // SAFETY: this sets the collector's threshold and nothing else; Luau starts a cycle at
            // its next safe place.
            unsafe { ffi::lua_gc(state, ffi::LUA_GCRESTART, 0) };
        }
    }
}

/// Continues a cycle: Luau's collector reports twice for each of its steps, before and after. The
/// first step becomes a whole cycle.
///
/// # Safety
/// The callback of the collector of `state`, to which `memory` belongs.
pub(super) unsafe fn collecting(memory: *mut Memory, state: *mut ffi::lua_State) {
    // SAFETY: as required from the caller, and a place where Luau itself collects. The collector
    // shrinks stacks, which calls `allocated`: no reference to the memory exists meanwhile.
    unsafe {
        match (*memory).cycle {
            Cycle::None => {}
            Cycle::Requested => (*memory).cycle = Cycle::Started,
            Cycle::Started => {
                let used = collect(state);
                (*memory).cycle = Cycle::None;
                (*memory).trigger = grown(used);
                if used > (*memory).limit {
                    meter::end_for_memory();
                }
            }
        }
    }
}

/// Returns the bytes in use from which on the collector runs next, after it has left `used` bytes.
fn grown(used: usize) -> usize {
    used.saturating_add(GROWTH_MIN.max(used / GROWTH_STEP * GROWTH_STEP))
}

/// Sets the limit of a machine that is ready: `bytes` more than now may be alive.
///
/// # Safety
/// `memory` and `state` belong to the same machine, which runs nothing.
pub(super) unsafe fn set_limit(memory: *mut Memory, state: *mut ffi::lua_State, bytes: usize) {
    let mut size = usize::MAX;
    // Cycles until nothing shrinks any more.
    for _ in 0..CYCLES_MAX {
        // SAFETY: nothing runs, and no reference to the memory exists meanwhile.
        let now = unsafe { collect(state) };
        if now == size {
            break;
        }
        size = now;
    }
    // SAFETY: as required from the caller.
    let memory = unsafe { &mut *memory };
    memory.limit = size.saturating_add(bytes);
    memory.trigger = grown(size);
    memory.cap = memory
        .trigger
        .max(size.saturating_add(bytes.saturating_mul(2)))
        .saturating_add(GROWTH_MIN);
}

/// Runs `make`, in which the host makes objects of its own: they do not count as the script's
/// memory.
///
/// # Safety
/// `memory` and `state` belong to the same machine.
pub(super) unsafe fn as_host<R>(
    memory: *mut Memory,
    state: *mut ffi::lua_State,
    make: impl FnOnce() -> R,
) -> R {
    /// Restores the bounds, also if `make` ends with an error of the machine.
    struct Restore {
        memory: *mut Memory,
        state: *mut ffi::lua_State,
        before: usize,
        trigger: usize,
        cap: usize,
    }
    impl Drop for Restore {
        fn drop(&mut self) {
            // SAFETY: the machine outlives the call, and no other reference to its memory exists
            // meanwhile.
            unsafe {
                let more = used(self.state).saturating_sub(self.before);
                let memory = &mut *self.memory;
                memory.trigger = self.trigger.saturating_add(more);
                memory.cap = self.cap.saturating_add(more);
                memory.limit = memory.limit.saturating_add(more);
            }
        }
    }
    // SAFETY: as required from the caller; the reference ends before `make` runs.
    let _restore = unsafe {
        let bounds = &mut *memory;
        Restore {
            memory,
            state,
            before: used(state),
            trigger: std::mem::replace(&mut bounds.trigger, usize::MAX),
            cap: std::mem::replace(&mut bounds.cap, usize::MAX),
        }
    };
    make()
}

/// Returns the bytes in use.
unsafe fn used(state: *mut ffi::lua_State) -> usize {
    // SAFETY: the caller's state is valid. Below 0 stands for all categories.
    unsafe { ffi::lua_totalbytes(state, -1) }
}

/// Runs a whole cycle and returns the bytes in use after it.
unsafe fn collect(state: *mut ffi::lua_State) -> usize {
    // SAFETY: the caller's state is at a place where the collector may run.
    unsafe {
        ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
        ffi::lua_gc(state, ffi::LUA_GCSTOP, 0);
        used(state)
    }
}
