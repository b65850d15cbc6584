//! Functions that make records strict: they are frozen, and reading an unknown field of an action,
//! an event or a set of flags is an error.
#![expect(
    unsafe_code,
    reason = "C functions, because every new action and every field that is nil needs them"
)]

use super::state::LuaState;
use mlua::ffi;
use std::ffi::c_int;

/// Pushes two functions for the decoder. The first creates an `__index` metamethod, given the set
/// of fields that may be nil and a function that is called for other fields. The second freezes a
/// table of the decoder.
pub(super) fn push(state: &LuaState) {
    // SAFETY: the functions access only their arguments and upvalues.
    unsafe {
        state.push_c_function(make, c"strict", 0);
        state.push_c_function(freeze, c"freeze", 0);
    }
}

/// `freeze(table)`: makes a table read-only like the library function, but does not check for
/// `__metatable`.
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

/// `__index(table, key)`: returns nil for fields that may be nil and for unfrozen tables, which are
/// copies made by the script. Raises an error for other fields.
unsafe extern "C-unwind" fn index(state: *mut ffi::lua_State) -> c_int {
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
