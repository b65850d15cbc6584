//! Access to fields of Luau's structs that the C interface does not expose: the capacity of a
//! table, and the values, the code and the loop of the running function. The layouts match the
//! vendored version; a test compares them with Luau's behaviour.
#![expect(unsafe_code, reason = "reads Luau's structs through its pointers")]

use super::state::{LuaState, RawState, Slot};
use crate::agent::choice::to_integer;
use mlua::ffi;
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::ptr;

/// `LuaTable` in `lobject.h`, up to the last field that is read.
#[repr(C)]
pub(super) struct Table {
    header: [u8; 3],
    tmcache: u8,
    readonly: u8,
    safeenv: u8,
    lsizenode: u8,
    nodemask8: u8,
    sizearray: c_int,
    lastfree: c_int,
    metatable: *const c_void,
    array: *mut Value,
    node: *const c_void,
}

/// `lua_State` in `lstate.h`, up to the last field that is read.
#[repr(C)]
struct StateFields {
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

/// `TValue` in `lobject.h`, a value of Luau's stack.
#[derive(Clone, Copy)]
#[repr(C)]
struct Value {
    value: usize,
    extra: c_int,
    kind: c_int,
}

/// Opcode at the end of each iteration of a `for` loop over a collection. Its operands are the
/// first register of the loop and, in the next word, the number of variables. That number is
/// negative if the loop ends at the first empty slot.
const FORGLOOP: u32 = 58;

/// `CallInfo` in `lstate.h`, up to the last field that is read.
#[repr(C)]
struct CallInfo {
    base: *const Value,
    func: *const Value,
    top: *const Value,
    p: *const Proto,
    savedpc: *const u32,
}

/// `Proto` in `lobject.h`, up to the last field that is read.
#[repr(C)]
struct Proto {
    header: [u8; 3],
    counts: [u8; 5],
    pointers: [*const c_void; 16],
    sizecode: c_int,
}

/// Returns the table at a stack index; null if there is none.
pub(super) unsafe fn table(state: RawState, at: c_int) -> *mut Table {
    // SAFETY: the caller's state and index are valid.
    unsafe {
        if ffi::lua_type(state, at) == ffi::LUA_TTABLE {
            ffi::lua_topointer(state, at).cast::<Table>().cast_mut()
        } else {
            ptr::null_mut()
        }
    }
}

/// Returns the table in a slot of the registry, and leaves it on the stack; null if there is none.
pub(super) fn load(state: &LuaState, slot: Slot) -> *mut Table {
    // SAFETY: the state is valid, and a value is at that index.
    unsafe { table(state.raw(), state.load(slot)) }
}

/// Fills `list` with the elements of `from` at positions `numbers` (from 1), and clears the rest.
/// Returns `false` and changes nothing if `list` is not a plain list, if its room is too small or
/// exceeds `most`, or if `from` lacks an element.
///
/// # Safety
/// The tables must be alive, and the collector must not be in the middle of a cycle.
pub(super) unsafe fn fill(
    list: *mut Table,
    from: *const Table,
    numbers: &[u32],
    most: usize,
) -> bool {
    // SAFETY: required from the caller. Elements from 1 on are in the array. Between cycles of the
    // collector no table is marked, so no barrier is needed.
    unsafe {
        let (room, known) = ((*list).list_size(), (*from).list_size());
        // Neither the decoder's list nor the list to fill has other keys.
        let is_plain = (*list).readonly == 0
            && (*list).metatable.is_null()
            && ptr::eq((*list).node, (*from).node);
        if !is_plain
            || room > most
            || numbers.len() > room
            || !numbers
                .iter()
                .all(|&number| number > 0 && number as usize <= known)
        {
            return false;
        }
        for (at, &number) in numbers.iter().enumerate() {
            *(*list).array.add(at) = *(*from).array.add(number as usize - 1);
        }
        for at in numbers.len()..room {
            (*(*list).array.add(at)).kind = ffi::LUA_TNIL;
        }
        true
    }
}

/// Makes the tables at `indices` (from 0) of a list's array read-only. Other values are unchanged.
///
/// # Safety
/// The list must be alive.
pub(super) unsafe fn freeze_elements(list: *const Table, indices: Range<usize>) {
    // SAFETY: required from the caller; the array has `sizearray` elements, and a value of type
    // table points to a table.
    unsafe {
        for index in indices.start..indices.end.min((*list).list_size()) {
            let element = (*list).array.add(index);
            if (*element).kind == ffi::LUA_TTABLE {
                (*ptr::with_exposed_provenance_mut::<Table>((*element).value)).readonly = 1;
            }
        }
    }
}

impl Table {
    /// Returns the size of the list part, which an iteration scans element by element.
    fn list_size(&self) -> usize {
        usize::try_from(self.sizearray).unwrap_or(0)
    }

    /// Returns `true` if the list part has an element at `index`. Keys in the hash part do not
    /// count, because the search for the next one may be long.
    pub(super) fn has_listed(&self, index: f64) -> bool {
        let place = to_integer(index).and_then(|index| usize::try_from(index - 1).ok());
        place.is_some_and(|place| {
            // SAFETY: the array has this element.
            place < self.list_size() && unsafe { (*self.array.add(place)).kind != ffi::LUA_TNIL }
        })
    }

    /// Returns the number of slots, used or not.
    pub(super) fn places(&self) -> usize {
        self.list_size() + (1 << self.lsizenode)
    }
}

/// Returns the number of slots of the table over which the running function starts a loop; `None`
/// if no loop starts here. The running function must be at a safepoint.
#[inline(always)]
pub(super) unsafe fn slots_of_loop(state: RawState) -> Option<usize> {
    // SAFETY: the caller's state is valid and running a call. At a safepoint of a Luau function the
    // saved counter is one past the current instruction, and FORGLOOP has a second word. The loop's
    // registers are on the stack of the call; if the first is nil, Luau itself treats the second as
    // a table.
    unsafe {
        let state = &*state.cast::<StateFields>();
        let call = &*state.ci;
        if call.p.is_null() {
            return None;
        }
        let instruction = *call.savedpc.sub(1);
        if instruction & 0xff != FORGLOOP || (*call.savedpc).cast_signed() < 0 {
            return None;
        }
        let first = call.base.add((instruction >> 8 & 0xff) as usize);
        let [function, table, index] = [&*first, &*first.add(1), &*first.add(2)];
        let is_start =
            function.kind == ffi::LUA_TNIL && table.kind == ffi::LUA_TTABLE && index.value == 0;
        is_start.then(|| (*ptr::with_exposed_provenance::<Table>(table.value)).places())
    }
}

/// Returns the number of values of the current call on the stack, and the number of instructions of
/// its function (0 for a C function).
#[inline(always)]
pub(super) unsafe fn running(state: RawState) -> (usize, c_int) {
    // SAFETY: the caller's state is valid and running a call.
    unsafe {
        let state = &*state.cast::<StateFields>();
        let call = &*state.ci;
        let values = state.top.addr().wrapping_sub(call.func.addr()) / size_of::<Value>();
        (
            values,
            call.p.as_ref().map_or(0, |function| function.sizecode),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::script::state::{compile, protect};
    use std::cell::Cell;
    use std::fmt::Write;

    unsafe extern "C-unwind" fn measure(state: RawState) -> c_int {
        // SAFETY: Luau calls with a valid state that has room for some values.
        unsafe {
            let (values, code) = running(state);
            ffi::lua_pushnumber(state, (*table(state, 1)).places() as f64);
            ffi::lua_pushnumber(state, values as f64);
            ffi::lua_pushnumber(state, code.into());
            3
        }
    }

    thread_local! {
        /// Maximum number of values and of instructions at safepoints, and total places of loops.
        static SEEN: Cell<(usize, c_int, usize)> = const { Cell::new((0, 0, 0)) };
    }

    unsafe extern "C-unwind" fn interrupt(state: RawState, gc: c_int) {
        if gc < 0 {
            let seen = SEEN.get();
            // SAFETY: as in `measure`.
            let ((values, code), places) = unsafe { (running(state), slots_of_loop(state)) };
            let places = seen.2 + places.unwrap_or(0);
            SEEN.set((seen.0.max(values), seen.1.max(code), places));
        }
    }

    /// Runs a chunk with `measure` as its argument, interpreted and as native code. Returns its
    /// results and the maxima at its safepoints.
    fn run(source: &str) -> ([f64; 3], (usize, c_int, usize)) {
        let run = |is_native: bool| {
            SEEN.set((0, 0, 0));
            // SAFETY: a new state, closed at the end; the functions are plain ones.
            unsafe {
                let raw = ffi::luaL_newstate();
                if is_native && ffi::luau_codegen_supported() != 0 {
                    ffi::luau_codegen_create(raw);
                }
                let results = protect(raw, |state: &LuaState| {
                    ffi::luaL_openlibs(state.raw());
                    ffi::luaL_sandbox(state.raw(), 1);
                    state.push_chunk("test", &compile(source, &[])?)?;
                    state.push_c_function(measure, c"measure", 0);
                    (*ffi::lua_callbacks(state.raw())).interrupt = Some(interrupt);
                    state.call(1, 3);
                    Ok([1, 2, 3].map(|at| state.number(at).unwrap_or(0.0)))
                });
                ffi::lua_close(raw);
                (results.unwrap(), SEEN.get())
            }
        };
        let outcome = run(true);
        assert_eq!(outcome, run(false), "{source:.80}");
        outcome
    }

    #[test]
    fn luau_struct_fields_are_read_at_the_correct_offsets() {
        // The function and its arguments are on the stack; a C function has no code.
        let of = |source: &str| run(source).0;
        assert_eq!(
            of("return (...)(table.create(1000), 2, 3)"),
            [1001.0, 4.0, 0.0]
        );
        assert_eq!(
            of("local t = {} for i = 1, 100 do t['x' .. i] = i end return (...)(t)"),
            [128.0, 2.0, 0.0]
        );
        assert_eq!(
            of(
                "local t = table.create(64) for i = 1, 64 do t[i] = i end table.clear(t) return (...)(t)"
            )[0],
            65.0
        );
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
            let seen = run(source).1;
            assert!((values..values + 50).contains(&seen.0), "{seen:?}");
            assert!((code..code * 4).contains(&seen.1), "{seen:?}");
        }
    }

    #[test]
    fn slots_of_a_table_are_counted_once_at_the_start_of_a_loop() {
        let hash = "local t = {} for i = 1, 100 do t['x' .. i] = i end";
        for (source, places) in [
            ("local t = table.create(1000) for _ in t do end", 1001),
            ("local t = table.create(1000, 1) for _ in t do end", 1001),
            (
                "local t = table.create(1000, 1) for _ in pairs(t) do end",
                1001,
            ),
            (
                "local t = table.create(1000, 1) for _ in next, t do end",
                1001,
            ),
            (
                "local t = table.create(1000, 1) for _ in ipairs(t) do end",
                0,
            ),
            (&format!("{hash} for _ in t do end"), 128),
            (&format!("{hash} for key, value in t do break end"), 128),
            (
                &format!("{hash} for i = 1, 3 do for _ in t do end end"),
                3 * 128,
            ),
            ("for _ in (function() return nil end) do end", 0),
        ] {
            assert_eq!(run(source).1.2, places, "{source}");
        }
    }
}
