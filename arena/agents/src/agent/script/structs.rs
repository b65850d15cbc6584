//! The fields of Luau's structs that its C interface does not show: the capacity of a table, and
//! the values and the code of the function that runs. They are those of the vendored version; a
//! test compares them with what Luau does.
#![expect(
    unsafe_code,
    reason = "reads Luau's structs behind the pointers that it gives"
)]

use mlua::ffi;
use std::ffi::{c_int, c_void};

/// `LuaTable` in `lobject.h`, up to the last field that is read.
#[repr(C)]
struct Table {
    header: [u8; 3],
    tmcache: u8,
    readonly: u8,
    safeenv: u8,
    lsizenode: u8,
    nodemask8: u8,
    sizearray: c_int,
}

/// `lua_State` in `lstate.h`, likewise.
#[repr(C)]
struct State {
    header: [u8; 3],
    status: u8,
    activememcat: u8,
    isactive: u8,
    singlestep: u8,
    top: *const Value,
    base: *const Value,
    global: *const c_void,
    ci: *const CallInfo,
}

/// A value of Luau's stack.
#[repr(C)]
struct Value([u64; 2]);

/// `CallInfo` in `lstate.h`, likewise.
#[repr(C)]
struct CallInfo {
    base: *const Value,
    func: *const Value,
    top: *const Value,
    p: *const Proto,
}

/// `Proto` in `lobject.h`, likewise.
#[repr(C)]
struct Proto {
    header: [u8; 3],
    counts: [u8; 5],
    pointers: [*const c_void; 16],
    sizecode: c_int,
}

/// Returns how many places the table at a place of the stack has, used or not; 0 where there is no
/// table.
pub(super) unsafe fn capacity(state: *mut ffi::lua_State, at: c_int) -> usize {
    // SAFETY: the caller's state and place are valid; Luau's pointer to a table is to its struct.
    unsafe {
        if ffi::lua_type(state, at) != ffi::LUA_TTABLE {
            return 0;
        }
        let table = &*ffi::lua_topointer(state, at).cast::<Table>();
        usize::try_from(table.sizearray).unwrap_or(0) + (1 << table.lsizenode)
    }
}

/// Returns whether the call that runs has more values on the stack than `values`, or its function
/// more instructions than `code`.
#[inline(always)]
pub(super) unsafe fn exceeds(state: *mut ffi::lua_State, values: usize, code: c_int) -> bool {
    // SAFETY: the caller's state is valid and runs a call.
    unsafe {
        let state = &*state.cast::<State>();
        let call = &*state.ci;
        // Bytes are compared, so that nothing has to be divided at every step.
        state.top.addr().wrapping_sub(call.func.addr()) > values * size_of::<Value>()
            || !call.p.is_null() && (*call.p).sizecode > code
    }
}

/// Returns how many values the call that runs has on the stack, and how many instructions its
/// function has (0 for one in C).
pub(super) unsafe fn running(state: *mut ffi::lua_State) -> (usize, usize) {
    // SAFETY: the caller's state is valid and runs a call.
    unsafe {
        let state = &*state.cast::<State>();
        let call = &*state.ci;
        let values = state.top.addr().wrapping_sub(call.func.addr()) / size_of::<Value>();
        let code = if call.p.is_null() {
            0
        } else {
            (*call.p).sizecode
        };
        (values, usize::try_from(code).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlua::{Function, Lua};
    use std::fmt::Write;

    unsafe extern "C-unwind" fn measure(state: *mut ffi::lua_State) -> c_int {
        // SAFETY: Luau calls with a valid state that has room for some values.
        unsafe {
            let (values, code) = running(state);
            ffi::lua_pushnumber(state, capacity(state, 1) as f64);
            ffi::lua_pushnumber(state, values as f64);
            ffi::lua_pushnumber(state, code as f64);
            3
        }
    }

    thread_local! {
        static SEEN: std::cell::Cell<(usize, usize)> = const { std::cell::Cell::new((0, 0)) };
    }

    unsafe extern "C-unwind" fn interrupt(state: *mut ffi::lua_State, gc: c_int) {
        if gc < 0 {
            // SAFETY: as in `measure`.
            let (values, code) = unsafe { running(state) };
            SEEN.set((SEEN.get().0.max(values), SEEN.get().1.max(code)));
        }
    }

    #[test]
    fn luau_has_these_fields_where_they_are_read() {
        let lua = Lua::new();
        // SAFETY: the state is valid within `exec_raw`; the function is a plain one.
        let measure: Function = unsafe {
            lua.exec_raw((), |state| {
                ffi::lua_pushcclosured(state, measure, c"measure".as_ptr(), 0);
                (*ffi::lua_callbacks(state)).interrupt = Some(interrupt);
            })
        }
        .unwrap();
        let of = |source: &str| {
            let call: Function = lua.load(source).into_function().unwrap();
            call.call::<(usize, usize, usize)>(&measure).unwrap()
        };
        // The function itself and its arguments lie on the stack; a function in C has no code.
        assert_eq!(of("return (...)(table.create(1000), 2, 3)"), (1001, 4, 0));
        assert_eq!(
            of("local t = {} for i = 1, 100 do t['x' .. i] = i end return (...)(t)"),
            (128, 2, 0)
        );
        assert_eq!(of("local t = table.create(64) for i = 1, 64 do t[i] = i end table.clear(t) return (...)(t)").0, 65);
        let mut long = "local x = ... for i = 1, 3 do\n".to_owned();
        for _ in 0..1000 {
            writeln!(long, "x = i + x[1]").unwrap();
        }
        long.push_str("end");
        for (source, values, code) in [
            (
                "local function f(...) for i = 1, 9 do end end f(table.unpack(table.create(500, 1)))",
                500,
                10,
            ),
            (&*long.replace("x[1]", "i"), 3, 1000),
        ] {
            SEEN.set((0, 0));
            lua.load(source).exec().unwrap();
            let seen = SEEN.get();
            assert!((values..values + 50).contains(&seen.0), "{seen:?}");
            assert!((code..code * 4).contains(&seen.1), "{seen:?}");
        }
    }
}
