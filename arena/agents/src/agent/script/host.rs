//! Host functions that scripts call, and functions that make records strict: they are frozen, and
//! reading an unknown field of an action, an event or a set of flags is an error.
#![expect(
    unsafe_code,
    reason = "host functions and their shared data are reached through pointers stored in the machine"
)]

use super::shared::VmShared;
use super::state::{LuaState, RawState};
use crate::agent::choice::to_integer;
use mlua::ffi;
use std::ffi::{CStr, c_int};
use std::ptr;

/// A host function. It pushes its results.
pub(super) type Function = fn(&LuaState, &VmShared) -> HostResult;
/// The number of results of a host function, or the error message for the script.
pub(super) type HostResult = Result<c_int, String>;

/// Pushes a host function. While it runs, it can read `number` with [`own_number`].
fn push(state: &LuaState, name: &'static CStr, function: &'static Function, number: usize) {
    state.push_pointer(ptr::from_ref(function).cast());
    state.push_number(number as f64);
    // SAFETY: `call` finds the function in its first upvalue.
    unsafe { state.push_c_function(call, name, 2) }
}

/// Returns the `number` with which the running host function was pushed.
pub(super) fn own_number(state: &LuaState) -> usize {
    // SAFETY: a host function is running; this neither creates values nor raises errors.
    let number = unsafe { ffi::lua_tointeger(state.raw(), ffi::lua_upvalueindex(2)) };
    usize::try_from(number).unwrap_or_default()
}

/// Pushes host functions in order.
pub(super) fn push_functions(state: &LuaState, functions: &'static [(&'static CStr, Function)]) {
    for (name, function) in functions {
        push(state, name, function, 0);
    }
}

/// Pushes a read-only table of host functions. The number of a function is its place.
pub(super) fn push_library(
    state: &LuaState,
    functions: impl ExactSizeIterator<Item = (&'static CStr, &'static Function)>,
) {
    let table = state.push_table(0, functions.len());
    for (number, (name, function)) in functions.enumerate() {
        push(state, name, function, number);
        state.set(table, name.to_bytes());
    }
    state.freeze(table);
}

unsafe extern "C-unwind" fn call(raw: RawState) -> c_int {
    // SAFETY: Luau calls with a valid state, within a protected call; the upvalue was set by
    // `push`, and the shared data was set before the machine ran anything.
    unsafe {
        let function = ffi::lua_tolightuserdata(raw, ffi::lua_upvalueindex(1)).cast::<Function>();
        let shared = (*ffi::lua_callbacks(raw)).userdata.cast::<VmShared>();
        let state = LuaState::new(raw);
        match (*function)(&state, &*shared) {
            Ok(results) => results,
            Err(message) => {
                state.push_text(&message);
                drop(message);
                ffi::lua_error(raw)
            }
        }
    }
}

/// Returns a numeric argument.
///
/// # Errors
/// Returns a message if the argument is nil or has another type.
pub(super) fn number(state: &LuaState, at: c_int) -> Result<f64, String> {
    state.number(at).ok_or_else(|| wrong(state, at, "number"))
}

/// Returns the argument at an index as an integer from 0 to 2^53.
///
/// # Errors
/// Returns a message if the argument is anything else.
pub(super) fn count(state: &LuaState, at: c_int) -> Result<u64, String> {
    let number = number(state, at)?;
    to_integer(number)
        .and_then(|count| u64::try_from(count).ok())
        .ok_or_else(|| format!("bad argument #{at}: non-negative integer expected, got {number}"))
}

/// Returns an argument that `read` reads; `None` if it is nil.
///
/// # Errors
/// Returns the error of `read`.
pub(super) fn optional<T>(
    state: &LuaState,
    at: c_int,
    read: fn(&LuaState, c_int) -> Result<T, String>,
) -> Result<Option<T>, String> {
    if state.is_nil(at) {
        return Ok(None);
    }
    read(state, at).map(Some)
}

/// Checks that an argument or element is a table.
///
/// # Errors
/// Returns a message if the value is not a table.
pub(super) fn table(state: &LuaState, at: c_int) -> Result<(), String> {
    if state.kind(at) == ffi::LUA_TTABLE {
        Ok(())
    } else {
        Err(wrong(state, at, "table"))
    }
}

/// Returns the error message for an argument of the wrong type.
pub(super) fn wrong(state: &LuaState, at: c_int, expected: &str) -> String {
    format!(
        "bad argument #{at}: {expected} expected, got {}",
        state.type_name(at)
    )
}

/// Pushes two functions for the decoder. The first creates an `__index` metamethod, given the set
/// of fields that may be nil and a function that is called for other fields. The second freezes a
/// table of the decoder or makes it writable.
pub(super) fn push_strict(state: &LuaState) {
    // SAFETY: the functions access only their arguments and upvalues.
    unsafe {
        state.push_c_function(make, c"strict", 0);
        state.push_c_function(freeze, c"freeze", 0);
    }
}

/// `freeze(table, is_writable)`: makes a table read-only like the library function, or writable
/// again. Does not check for `__metatable`.
unsafe extern "C-unwind" fn freeze(state: RawState) -> c_int {
    // SAFETY: Luau calls with a valid state.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        let is_writable = ffi::lua_toboolean(state, 2) != 0;
        ffi::lua_settop(state, 1);
        ffi::lua_setreadonly(state, 1, c_int::from(!is_writable));
        1
    }
}

unsafe extern "C-unwind" fn make(state: RawState) -> c_int {
    // SAFETY: Luau calls with a valid state that has room for some values.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        ffi::luaL_checktype(state, 2, ffi::LUA_TFUNCTION);
        ffi::lua_settop(state, 2);
        ffi::lua_pushcclosured(state, index, c"index".as_ptr(), 2);
        1
    }
}

/// `__index(table, key)`: returns nil for fields that may be nil and for unfrozen tables, which are
/// copies made by the script. Raises an error for other fields.
unsafe extern "C-unwind" fn index(state: RawState) -> c_int {
    // SAFETY: as in `make`; the arguments are a table and a key, and nothing must be dropped when
    // an error unwinds.
    unsafe {
        ffi::lua_settop(state, 2);
        ffi::lua_pushvalue(state, 2);
        let may_be_nil = ffi::lua_rawget(state, ffi::lua_upvalueindex(1)) != ffi::LUA_TNIL;
        if may_be_nil
            || ffi::lua_type(state, 1) != ffi::LUA_TTABLE
            || ffi::lua_getreadonly(state, 1) == 0
        {
            ffi::lua_pushnil(state);
            return 1;
        }
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(2));
        ffi::lua_pushvalue(state, 1);
        ffi::lua_pushvalue(state, 2);
        ffi::lua_call(state, 2, 0);
        0
    }
}
