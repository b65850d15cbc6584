//! Functions that make records strict: reading a field that an action, an event or a set of flags
//! does not have is an error, and records are frozen.
#![expect(
    unsafe_code,
    reason = "C functions, called for every action that is met and every field that is nil"
)]

use super::state::State;
use mlua::ffi;
use std::ffi::c_int;

/// Pushes the two functions for the decoder: one that makes an `__index`, of the set of fields that
/// may be nil and of a function that is called with the table and the key if no other field may be
/// read; and one that freezes a table of the decoder's own.
pub(super) fn push(state: &State<'_>) {
    // SAFETY: the functions keep to their arguments and upvalues.
    unsafe {
        state.push_c_function(make, c"strict", 0);
        state.push_c_function(freeze, c"freeze", 0);
    }
}

/// `freeze(table)`: as the library's, which looks for a `__metatable` first.
unsafe extern "C-unwind" fn freeze(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: Luau calls with a valid state.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        ffi::lua_settop(state, 1);
        ffi::lua_setreadonly(state, 1, 1);
        1
    }
}

unsafe extern "C-unwind" fn make(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: Luau calls with a valid state that has room for some values.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        ffi::luaL_checktype(state, 2, ffi::LUA_TFUNCTION);
        ffi::lua_settop(state, 2);
        ffi::lua_pushcclosured(state, index, c"index".as_ptr(), 2);
        1
    }
}

/// `__index(table, key)`: nil for what may be nil, and of a copy, which is the script's own; an
/// error for what does not exist.
unsafe extern "C-unwind" fn index(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `make`; an index is called with a table and a key, and nothing here has to be
    // dropped when an error unwinds.
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
