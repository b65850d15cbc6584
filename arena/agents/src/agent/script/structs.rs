//! The fields of Luau's structs that its C interface does not show: the capacity of a table, the
//! values and the code of the function that runs, and the loop that it starts. They are those of
//! the vendored version; a test compares them with what Luau does.
#![expect(
    unsafe_code,
    reason = "reads Luau's structs behind the pointers that it gives"
)]

use super::weights;
use mlua::ffi;
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::ptr;
use std::slice;

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

/// `TValue` in `lobject.h`, a value of Luau's stack.
#[derive(Clone, Copy)]
#[repr(C)]
struct Value {
    value: usize,
    extra: c_int,
    kind: c_int,
}

/// The instruction of Luau's bytecode at the end of each turn of a `for` loop over a collection.
/// Its operands are the first of the loop's registers and, in the next word, the number of
/// variables; that is negative if the loop ends at the first empty place.
const FORGLOOP: u32 = 58;

/// `CallInfo` in `lstate.h`, likewise.
#[repr(C)]
struct CallInfo {
    base: *const Value,
    func: *const Value,
    top: *const Value,
    p: *const Proto,
    savedpc: *const u32,
}

/// `Proto` in `lobject.h`, likewise.
#[repr(C)]
struct Proto {
    header: [u8; 3],
    counts: [u8; 5],
    constants: *const c_void,
    code: *const u32,
    children: *const *mut Proto,
    pointers: [*const c_void; 11],
    /// Luau's own code does not use this field. Here it points to the weights of the instructions,
    /// or to nothing if none of them counts as a step more.
    userdata: *const u32,
    gclist: *const c_void,
    sizecode: c_int,
    sizechildren: c_int,
}

/// `Closure` in `lobject.h`, of a function in Luau.
#[repr(C)]
struct Closure {
    header: [u8; 3],
    counts: [u8; 4],
    pointers: [*const c_void; 2],
    p: *mut Proto,
}

/// Returns how many places the table at a place of the stack has, used or not; 0 where there is no
/// table.
pub(super) unsafe fn capacity(state: *mut ffi::lua_State, at: c_int) -> usize {
    // SAFETY: the caller's state and place are valid; Luau's pointer to a table is to its struct.
    unsafe {
        if ffi::lua_type(state, at) != ffi::LUA_TTABLE {
            return 0;
        }
        places(&*ffi::lua_topointer(state, at).cast::<Table>())
    }
}

/// Returns the table at a place of the stack; null if there is none.
pub(super) unsafe fn table(state: *mut ffi::lua_State, at: c_int) -> *mut Table {
    // SAFETY: the caller's state and place are valid.
    unsafe {
        if ffi::lua_type(state, at) == ffi::LUA_TTABLE {
            ffi::lua_topointer(state, at).cast::<Table>().cast_mut()
        } else {
            ptr::null_mut()
        }
    }
}

/// Makes elements of the list `from` the elements of `list`, and drops the others. `numbers` are
/// their places in `from`, at most `most`. Returns `false`, with nothing changed, if `list` is not a
/// plain list with room for so many (up to `most`), or `from` does not have them.
///
/// # Safety
/// The tables are alive, and the collector is not in the middle of a cycle.
pub(super) unsafe fn fill(
    list: *mut Table,
    from: *const Table,
    numbers: &[u32],
    most: usize,
) -> bool {
    // SAFETY: as required from the caller. Elements from 1 on lie in the array. Between cycles of
    // the collector no table has been marked, so no barrier is needed.
    unsafe {
        let [room, known] =
            [(*list).sizearray, (*from).sizearray].map(|size| usize::try_from(size).unwrap_or(0));
        // A list of the decoder's own has no other keys, nor has the one that is filled.
        let is_plain = (*list).readonly == 0
            && (*list).metatable.is_null()
            && ptr::eq((*list).node, (*from).node);
        let is_known = |&number: &u32| number > 0 && number as usize <= known;
        if !is_plain || room > most || numbers.len() > room || !numbers.iter().all(is_known) {
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

/// Makes the tables in the array of a list read-only that lie at `indices`, counted from 0. Other
/// values stay as they are.
///
/// # Safety
/// The list is alive.
pub(super) unsafe fn freeze_elements(list: *const Table, indices: Range<usize>) {
    // SAFETY: as required from the caller; the array has `sizearray` elements, and a value of the
    // kind of tables points to one.
    unsafe {
        let size = usize::try_from((*list).sizearray).unwrap_or(0);
        for index in indices.start..indices.end.min(size) {
            let element = (*list).array.add(index);
            if (*element).kind == ffi::LUA_TTABLE {
                (*ptr::with_exposed_provenance_mut::<Table>((*element).value)).readonly = 1;
            }
        }
    }
}

fn places(table: &Table) -> usize {
    usize::try_from(table.sizearray).unwrap_or(0) + (1 << table.lsizenode)
}

/// Returns how many places the table has over which the running function starts a loop; `None` if
/// it does not start one. The state is at a safepoint.
#[inline(always)]
pub(super) unsafe fn places_of_loop(state: *mut ffi::lua_State) -> Option<usize> {
    // SAFETY: the caller's state is valid and runs a call. At a safepoint of a function in Luau the
    // saved counter is one past the instruction that runs, which has a second word if it is
    // FORGLOOP. The registers of the loop lie on the stack of the call; Luau itself takes the
    // second one for a table if the first one is nil.
    unsafe {
        let state = &*state.cast::<State>();
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
        is_start.then(|| places(&*ptr::with_exposed_provenance(table.value)))
    }
}

/// Returns whether the call that runs has more values on the stack than `values`, or its function
/// has weights.
#[inline(always)]
pub(super) unsafe fn exceeds(state: *mut ffi::lua_State, values: usize) -> bool {
    // SAFETY: the caller's state is valid and runs a call.
    unsafe {
        let state = &*state.cast::<State>();
        let call = &*state.ci;
        // Bytes are compared, so that nothing has to be divided at every step.
        state.top.addr().wrapping_sub(call.func.addr()) > values * size_of::<Value>()
            || !call.p.is_null() && !(*call.p).userdata.is_null()
    }
}

/// Returns how many values the call that runs has on the stack, and the weight of its code up to the
/// safepoint at which it is (0 if it has none).
pub(super) unsafe fn running(state: *mut ffi::lua_State) -> (usize, u32) {
    // SAFETY: the caller's state is valid and at a safepoint. In Luau the saved counter is one past
    // the instruction that runs. There are as many weights as words of the code.
    unsafe {
        let state = &*state.cast::<State>();
        let call = &*state.ci;
        let values = state.top.addr().wrapping_sub(call.func.addr()) / size_of::<Value>();
        if call.p.is_null() || (*call.p).userdata.is_null() {
            return (values, 0);
        }
        let proto = &*call.p;
        let at = call.savedpc.addr().wrapping_sub(proto.code.addr()) / size_of::<u32>();
        let is_in_code = (1..=usize::try_from(proto.sizecode).unwrap_or(0)).contains(&at);
        (
            values,
            if is_in_code {
                *proto.userdata.add(at - 1)
            } else {
                0
            },
        )
    }
}

/// Sets the weights of the function at a place of the stack and of those that it contains. They are
/// added to `weights`, which must live as long as the function.
///
/// # Safety
/// The state is valid, and a function in Luau is at that place.
pub(super) unsafe fn weigh(state: *mut ffi::lua_State, at: c_int, weights: &mut Vec<Box<[u32]>>) {
    // SAFETY: as required from the caller.
    let mut open = vec![unsafe { (*ffi::lua_topointer(state, at).cast::<Closure>()).p }];
    while let Some(proto) = open.pop() {
        // SAFETY: functions have so many instructions and functions of their own.
        unsafe {
            let count = |size: c_int| usize::try_from(size).unwrap_or(0);
            let code = slice::from_raw_parts((*proto).code, count((*proto).sizecode));
            if let Some(own) = weights::of_code(code) {
                (*proto).userdata = own.as_ptr();
                weights.push(own);
            }
            for child in 0..count((*proto).sizechildren) {
                open.push(*(*proto).children.add(child));
            }
        }
    }
}

/// Returns the list of all texts of a machine.
pub(super) unsafe fn texts(state: *mut ffi::lua_State) -> *const c_void {
    // SAFETY: the caller's state is valid. The list is the first field of `global_State`.
    unsafe { *(*state.cast::<State>()).global.cast() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::script::state::{State, compile, protect};
    use std::cell::Cell;

    unsafe extern "C-unwind" fn measure(state: *mut ffi::lua_State) -> c_int {
        // SAFETY: Luau calls with a valid state that has room for some values.
        unsafe {
            let (values, code) = running(state);
            ffi::lua_pushnumber(state, capacity(state, 1) as f64);
            ffi::lua_pushnumber(state, values as f64);
            ffi::lua_pushnumber(state, f64::from(code));
            3
        }
    }

    thread_local! {
        /// Most values and the largest weight at a safepoint, and places of loops.
        static SEEN: Cell<(usize, u32, usize)> = const { Cell::new((0, 0, 0)) };
    }

    unsafe extern "C-unwind" fn interrupt(state: *mut ffi::lua_State, gc: c_int) {
        if gc < 0 {
            let seen = SEEN.get();
            // SAFETY: as in `measure`.
            let ((values, code), places) = unsafe { (running(state), places_of_loop(state)) };
            let places = seen.2 + places.unwrap_or(0);
            SEEN.set((seen.0.max(values), seen.1.max(code), places));
        }
    }

    /// Runs a chunk with `measure` as its argument, compiled to native code or not, and returns its
    /// results and what its safepoints have seen.
    fn run(source: &str) -> ([f64; 3], (usize, u32, usize)) {
        let run = |is_native: bool| {
            SEEN.set((0, 0, 0));
            // SAFETY: a new state, closed at the end; the functions are plain ones.
            unsafe {
                let raw = ffi::luaL_newstate();
                if is_native && ffi::luau_codegen_supported() != 0 {
                    ffi::luau_codegen_create(raw);
                }
                let mut weights = Vec::new();
                let results = protect(raw, |state: &State<'_>| {
                    ffi::luaL_openlibs(state.raw());
                    ffi::luaL_sandbox(state.raw(), 1);
                    state.push_chunk("test", &compile(source, &[])?)?;
                    weigh(state.raw(), state.top(), &mut weights);
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
    fn luau_has_these_fields_where_they_are_read() {
        // The function itself and its arguments lie on the stack; a function in C has no code.
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
        let seen = of_safepoints(
            "local function f(...) for i = 1, 9 do end end f(table.unpack(table.create(500, 1)))",
        );
        assert!((500..550).contains(&seen.0) && seen.1 == 0, "{seen:?}");
    }

    #[test]
    fn a_step_weighs_as_much_as_the_longest_way_to_it() {
        let work = "x = x * 3 ".repeat(50);
        for (source, weight) in [
            ("{work}", 200),
            ("for i = 1, 9 do {work} end", 200),
            ("for i = 1, 9 do {work} f() {work} end", 200),
            // A call is a step only where it is made.
            (
                "for i = 1, 9 do {work} if x == 7 then f() end {work} end",
                400,
            ),
            (
                "for i = 1, 9 do {work} if x == 7 then {work} else {work} end end",
                400,
            ),
            // Functions of Luau's own are no steps.
            ("for i = 1, 9 do {work} x = math.abs(x) {work} end", 400),
            ("local function g() for i = 1, 9 do {work} end end g()", 200),
            ("for i = 1, 9 do x = x * 3 f() end", 0),
        ] {
            let source = source.replace("{work}", &work);
            let source = format!("local x, f = 1, function() end {source} f()");
            let (_, seen, _) = of_safepoints(&source);
            assert!(
                (weight..weight + 30).contains(&seen),
                "{seen}: {source:.200}"
            );
        }
    }

    fn of_safepoints(source: &str) -> (usize, u32, usize) {
        run(source).1
    }

    #[test]
    fn places_of_a_table_are_seen_once_when_a_loop_over_it_starts() {
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
