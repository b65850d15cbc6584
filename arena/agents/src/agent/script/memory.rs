//! The memory limit of a script, and control of the garbage collector.
//!
//! Luau schedules its collector by time, which differs between computers. Here this schedule is
//! disabled. The collector runs a whole cycle when the heap, including garbage, reaches a certain
//! size. The memory limit applies to the size after such a cycle. This file has the functions that
//! Luau calls at safepoints, allocations and steps of the collector.
#![expect(
    unsafe_code,
    reason = "controls Luau's collector through the C interface, in functions that Luau calls"
)]

use super::state::RawState;
use super::{arena, meter};
use mlua::ffi;
use std::ffi::{c_int, c_void};

/// Number of allocated bytes that count as one step.
const BYTES_PER_STEP: usize = 256;
/// Minimum growth of the heap in bytes between two cycles.
const GROWTH_MIN: usize = 1 << 20;
/// Granularity in bytes of the growth between two cycles.
const GROWTH_STEP: usize = 1 << 16;
/// Maximum number of cycles until the heap of a new machine stops shrinking.
const CYCLES_MAX: usize = 20;

/// The state of a collector cycle.
#[derive(PartialEq)]
enum GcCycle {
    None,
    /// Luau has been requested to start a cycle.
    Requested,
    /// Luau has reported that the first step of the cycle starts.
    Started,
}

/// The memory accounting of a machine, in the extra data of its arena so that snapshots contain it.
pub(super) struct ScriptMemory {
    /// Length in bytes of the longest text that was created before the limit was set.
    longest_text: usize,
    /// Heap size in bytes above which the collector must run.
    trigger: usize,
    /// Maximum heap size in bytes after a cycle.
    limit: usize,
    /// Maximum heap size in bytes at any time.
    cap: usize,
    /// Number of allocated bytes that have not been charged yet, because they are less than a step.
    rest: usize,
    cycle: GcCycle,
}

impl ScriptMemory {
    /// Requests a cycle of the collector if the heap is larger than `trigger`. If it is larger than
    /// `cap`, also ends the current call.
    unsafe fn check(&mut self, state: RawState) {
        // SAFETY: the caller's state is valid.
        let used = unsafe { used(state) };
        if used <= self.trigger {
            return;
        }
        if used > self.cap {
            meter::end_for_memory();
        }
        if self.cycle == GcCycle::None {
            self.cycle = GcCycle::Requested;
            // SAFETY: this only sets the collector's threshold; Luau starts a cycle at its next
            // safepoint.
            unsafe { ffi::lua_gc(state, ffi::LUA_GCRESTART, 0) };
        }
    }
}

/// Continues a cycle. Luau's collector calls this before and after each of its steps. After the
/// first step, the rest of the cycle is run at once.
///
/// # Safety
/// Must be called from the collector's callback of `state`.
unsafe fn continue_cycle(state: RawState) {
    // SAFETY: required from the caller; Luau itself may collect at this point. The collector
    // shrinks stacks, which calls `allocated`, so no reference to the memory may exist during the
    // call.
    unsafe {
        let memory: *mut ScriptMemory = arena::extra(state);
        match (*memory).cycle {
            GcCycle::None => {}
            GcCycle::Requested => (*memory).cycle = GcCycle::Started,
            GcCycle::Started => {
                let used = collect(state);
                (*memory).cycle = GcCycle::None;
                (*memory).trigger = next_trigger(used);
                if used > (*memory).limit {
                    meter::end_for_memory();
                }
            }
        }
    }
}

/// Returns the heap size in bytes at which the collector runs next, given the size after a cycle.
fn next_trigger(used: usize) -> usize {
    used.saturating_add(GROWTH_MIN.max(used / GROWTH_STEP * GROWTH_STEP))
}

/// Limits the heap of a machine after its set-up. From then on the heap may grow by `bytes`.
///
/// # Safety
/// `state` must be a machine with this memory that runs nothing.
pub(super) unsafe fn set_limit(state: RawState, bytes: usize) {
    let mut size = usize::MAX;
    // Collects until the heap stops shrinking.
    for _ in 0..CYCLES_MAX {
        // SAFETY: nothing runs, and no reference to the memory exists during the call.
        let now = unsafe { collect(state) };
        if now == size {
            break;
        }
        size = now;
    }
    // SAFETY: required from the caller.
    let memory = unsafe { of(state) };
    memory.limit = size.saturating_add(bytes);
    memory.trigger = next_trigger(size);
    memory.cap = memory
        .trigger
        .max(size.saturating_add(bytes.saturating_mul(2)))
        .saturating_add(GROWTH_MIN);
}

/// Runs `make`, which creates objects for the host. Neither their memory nor the steps count
/// against the script's limits.
///
/// # Safety
/// `state` must be a state of a machine with this memory.
pub(super) unsafe fn as_host(state: RawState, make: impl FnOnce()) {
    /// Restores the trigger and raises the bounds, also if `make` raises an error.
    struct Restore {
        state: RawState,
        before: usize,
        trigger: usize,
        _metered: meter::OuterMeter,
    }
    impl Drop for Restore {
        fn drop(&mut self) {
            // SAFETY: the machine outlives the call, and no other reference to its memory exists.
            unsafe {
                let more = used(self.state).saturating_sub(self.before);
                let memory = of(self.state);
                memory.trigger = self.trigger.saturating_add(more);
                memory.cap = memory.cap.saturating_add(more);
                memory.limit = memory.limit.saturating_add(more);
            }
        }
    }
    // SAFETY: required from the caller; the reference ends before `make` runs.
    let _restore = unsafe {
        Restore {
            state,
            before: used(state),
            trigger: std::mem::replace(&mut of(state).trigger, usize::MAX),
            _metered: meter::pause(),
        }
    };
    make();
}

/// Returns the length in bytes of the longest text in the script's source.
///
/// # Safety
/// `state` must be a state of a machine with this memory.
pub(super) unsafe fn longest_text(state: RawState) -> usize {
    // SAFETY: required from the caller.
    unsafe { of(state).longest_text }
}

/// Returns the memory accounting of a machine.
///
/// # Safety
/// `state` must be a state of a machine with this memory, to which no other reference exists.
unsafe fn of<'a>(state: RawState) -> &'a mut ScriptMemory {
    // SAFETY: required from the caller.
    unsafe { &mut *arena::extra(state) }
}

/// Returns the heap size in bytes.
unsafe fn used(state: RawState) -> usize {
    // SAFETY: the caller's state is valid. A negative category means all.
    unsafe { ffi::lua_totalbytes(state, -1) }
}

/// Runs a whole cycle and returns the heap size in bytes after it.
unsafe fn collect(state: RawState) -> usize {
    // SAFETY: the caller's state is at a point where the collector may run.
    unsafe {
        ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
        ffi::lua_gc(state, ffi::LUA_GCSTOP, 0);
        used(state)
    }
}

/// Sets up the memory accounting of a new machine, without limits, and its callbacks.
///
/// # Safety
/// `state` must be valid and in an arena.
pub(super) unsafe fn install(state: RawState) {
    // SAFETY: required from the caller; the callbacks are plain functions.
    unsafe {
        arena::extra::<ScriptMemory>(state).write(ScriptMemory {
            longest_text: 0,
            trigger: usize::MAX,
            limit: usize::MAX,
            cap: usize::MAX,
            rest: 0,
            cycle: GcCycle::None,
        });
        let callbacks = ffi::lua_callbacks(state);
        (*callbacks).interrupt = Some(safepoint);
        (*callbacks).onallocate = Some(allocated);
    }
}

unsafe extern "C-unwind" fn safepoint(state: RawState, collector: c_int) {
    // SAFETY: Luau calls with a valid state of a machine with this memory.
    unsafe {
        if collector >= 0 {
            continue_cycle(state);
        } else {
            meter::count(state);
        }
    }
}

/// Records an allocation of a machine and charges its bytes as steps of the current call.
unsafe extern "C-unwind" fn allocated(
    state: RawState,
    _: *mut c_void,
    _: usize,
    bytes: usize,
    _: u8,
    kind: c_int,
    _: c_int,
) {
    // SAFETY: as in `safepoint`; no other reference to the memory exists during the call.
    let memory = unsafe { of(state) };
    if memory.trigger != usize::MAX {
        // SAFETY: as in `safepoint`.
        unsafe { memory.check(state) };
    }
    let is_text = kind == ffi::LUA_TSTRING;
    if meter::is_metered() {
        if is_text {
            meter::raise_price_for_text(bytes);
        }
        let bytes = memory.rest + bytes;
        memory.rest = bytes % BYTES_PER_STEP;
        if bytes >= BYTES_PER_STEP {
            meter::charge((bytes / BYTES_PER_STEP) as u64);
        }
    } else if is_text && memory.limit == usize::MAX {
        memory.longest_text = memory.longest_text.max(bytes);
    }
}
