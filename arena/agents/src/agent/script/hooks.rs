//! The functions that Luau calls at safepoints, allocations and steps of the collector.
#![expect(
    unsafe_code,
    reason = "C functions that Luau calls with its own pointers"
)]

use super::memory::{self, ScriptMemory};
use super::{arena, meter};
use mlua::ffi;
use std::ffi::{c_int, c_void};

/// Sets the callbacks of a machine whose extra data is its [`ScriptMemory`].
///
/// # Safety
/// `state` must be valid.
pub(super) unsafe fn install(state: *mut ffi::lua_State) {
    // SAFETY: required from the caller; the callbacks are plain functions.
    unsafe {
        let callbacks = ffi::lua_callbacks(state);
        (*callbacks).interrupt = Some(safepoint);
        (*callbacks).onallocate = Some(allocated);
    }
}

unsafe extern "C-unwind" fn safepoint(state: *mut ffi::lua_State, collector: c_int) {
    // SAFETY: Luau calls with a valid state of a machine with this memory.
    unsafe {
        if collector >= 0 {
            memory::continue_cycle(arena::extra(state), state);
        } else {
            meter::count(state);
        }
    }
}

unsafe extern "C-unwind" fn allocated(
    state: *mut ffi::lua_State,
    _: *mut c_void,
    _: usize,
    bytes: usize,
    _: u8,
    kind: c_int,
    _: c_int,
) {
    // SAFETY: as in `safepoint`; no other reference to the memory exists during the call.
    unsafe {
        (*arena::extra::<ScriptMemory>(state)).allocated(state, bytes, kind == ffi::LUA_TSTRING);
    }
}
