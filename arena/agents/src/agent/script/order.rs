//! Library functions in which a script could see where its objects lie: going through tables, and
//! names of objects.
//!
//! A table is gone through in an order that hangs on its keys alone: whole numbers from 1 on, other
//! numbers, texts, false and true, and then tables, functions, threads and buffers in the order in
//! which they were made.
#![expect(unsafe_code, reason = "these are C functions, called at every loop")]

use super::{charges, heap, raw};
use mlua::{Function, Lua, ffi};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::ffi::{CStr, c_int};
use std::slice;

/// Places of a table that count as one step: where their keys are compared, and where they are
/// counted before a loop.
const KEYS_PER_STEP: usize = 8;
const PLACES_PER_STEP: usize = 32;
/// Places without an element that are passed over in a loop and count as one step.
const HOLES_PER_STEP: c_int = 32;
/// Keys that are sorted at once without their list being given back afterwards.
const SORTED_KEPT: usize = 1024;
/// Lists up to this length find their iterators ready.
const ITERATORS: c_int = 255;

/// The functions for the prelude.
pub(super) struct Functions {
    pub next: Function,
    pub pairs: Function,
    pub tostring: Function,
    pub format: Function,
    /// Numbers an object that was there from the start.
    pub bear: Function,
    /// Takes steps.
    pub charge: Function,
}

/// Makes them; `format` is Luau's own.
pub(super) fn functions(lua: &Lua, format: Function) -> mlua::Result<Functions> {
    // SAFETY: within `exec_raw` the state is valid, protected, and has room for a few values; the
    // functions keep to their arguments and upvalues.
    let (next, pairs, tostring, format, bear, charge) = unsafe {
        lua.exec_raw(format, |state| {
            ffi::lua_pushcclosured(state, next, c"next".as_ptr(), 0);
            ffi::lua_pushvalue(state, -1);
            ffi::lua_pushcclosured(state, pairs, c"pairs".as_ptr(), 1);
            ffi::lua_pushcclosured(state, tostring, c"tostring".as_ptr(), 0);
            ffi::lua_pushvalue(state, 1);
            ffi::lua_pushcclosured(state, self::format, c"format".as_ptr(), 1);
            ffi::lua_pushcclosured(state, bear, c"bear".as_ptr(), 0);
            ffi::lua_pushcclosured(state, charge, c"charge".as_ptr(), 0);
            ffi::lua_remove(state, 1);
        })?
    };
    Ok(Functions {
        next,
        pairs,
        tostring,
        format,
        bear,
        charge,
    })
}

/// What loops are led through, [`super::loops`]; `next` is ours.
pub(super) fn each(lua: &Lua, next: &Function) -> mlua::Result<Function> {
    // SAFETY: as in `functions`.
    unsafe {
        lua.exec_raw(next, |state| {
            // Iterators over lists of so many elements, made once.
            ffi::lua_createtable(state, ITERATORS, 0);
            for length in 1..=ITERATORS {
                ffi::lua_pushinteger(state, length.into());
                ffi::lua_pushcclosured(state, element, c"for".as_ptr(), 1);
                ffi::lua_rawseti(state, -2, length.into());
            }
            ffi::lua_pushcclosured(state, each_, c"for".as_ptr(), 2);
        })
    }
}

/// A key, for comparisons. Texts lie in the machine: compared before it goes on.
#[derive(Clone, Copy)]
struct Key {
    rank: u8,
    number: f64,
    text: &'static [u8],
    object: u32,
}

impl Key {
    /// The key at a place of the stack.
    unsafe fn read(state: *mut ffi::lua_State, at: c_int) -> Key {
        let mut key = Key {
            rank: 0,
            number: 0.0,
            text: &[],
            object: 0,
        };
        // SAFETY: the caller's state and place are valid. The text is alive while its key is in the
        // table.
        unsafe {
            match ffi::lua_type(state, at) {
                ffi::LUA_TNUMBER => {
                    key.number = ffi::lua_tonumber(state, at);
                    key.rank = u8::from(!(key.number >= 1.0 && key.number.fract() == 0.0));
                }
                ffi::LUA_TSTRING => {
                    key.rank = 2;
                    let mut length = 0;
                    let text = ffi::lua_tolstring(state, at, &raw mut length);
                    key.text = slice::from_raw_parts(text.cast(), length);
                }
                ffi::LUA_TBOOLEAN => {
                    key.rank = 3;
                    key.number = f64::from(ffi::lua_toboolean(state, at));
                }
                _ => {
                    key.rank = 4;
                    key.object = heap::number(state, ffi::lua_topointer(state, at));
                }
            }
        }
        key
    }

    fn compare(&self, other: &Key) -> Ordering {
        (self.rank.cmp(&other.rank))
            .then_with(|| self.number.total_cmp(&other.number))
            .then_with(|| self.text.cmp(other.text))
            .then_with(|| self.object.cmp(&other.object))
    }
}

/// `next(table, key)`.
unsafe extern "C-unwind" fn next(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: Luau calls with a valid state that has room for some values; nothing here has to be
    // dropped when an error unwinds.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        ffi::lua_settop(state, 2);
        let from = (ffi::lua_isnil(state, 2) == 0).then(|| Key::read(state, 2));
        // The usual case: the next element of a list.
        let index = from.map_or(1.0, |from| {
            if from.rank == 0 {
                from.number + 1.0
            } else {
                0.0
            }
        });
        if index > 0.0 && index < 1e9 {
            ffi::lua_pushnumber(state, index);
            ffi::lua_pushvalue(state, -1);
            if ffi::lua_rawget(state, 1) != ffi::LUA_TNIL {
                return 2;
            }
            ffi::lua_settop(state, 2);
        }
        raw::demand(state, charges::of_places(state, 1, KEYS_PER_STEP));
        let mut at = 0;
        let mut best: Option<Key> = None;
        // The best key so far is at 3, its value at 4.
        ffi::lua_settop(state, 4);
        loop {
            at = ffi::lua_rawiter(state, 1, at);
            if at < 0 {
                break;
            }
            let key = Key::read(state, -2);
            let is_beyond = from.is_none_or(|from| key.compare(&from) == Ordering::Greater);
            if is_beyond && best.is_none_or(|best| key.compare(&best) == Ordering::Less) {
                best = Some(key);
                ffi::lua_replace(state, 4);
                ffi::lua_replace(state, 3);
            } else {
                ffi::lua_settop(state, 4);
            }
        }
        if best.is_none() {
            ffi::lua_pushnil(state);
            return 1;
        }
        2
    }
}

/// `pairs(table)`; `next` is its upvalue.
unsafe extern "C-unwind" fn pairs(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `next`.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
        ffi::lua_pushvalue(state, 1);
        ffi::lua_pushnil(state);
        3
    }
}

thread_local! {
    /// Keys that are being sorted, with their places.
    static SORTED: RefCell<Vec<(Key, c_int)>> = const { RefCell::new(Vec::new()) };
}

/// What a loop goes over instead of its expressions' values, which are the arguments.
unsafe extern "C-unwind" fn each_(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `next`; the list of keys is borrowed only where nothing raises errors.
    unsafe {
        ffi::lua_settop(state, 3);
        let is_table = |at| ffi::lua_type(state, at) == ffi::LUA_TTABLE;
        let has_own_way = |at| {
            let has = ffi::luaL_getmetafield(state, at, c"__iter".as_ptr()) != ffi::LUA_TNIL;
            ffi::lua_settop(state, 3);
            has
        };
        let table = if is_table(1) && !has_own_way(1) {
            1
        } else if ffi::lua_rawequal(state, 1, ffi::lua_upvalueindex(1)) != 0
            && is_table(2)
            && ffi::lua_isnil(state, 3) != 0
        {
            2
        } else {
            return 3;
        };
        raw::demand(state, charges::of_places(state, table, PLACES_PER_STEP));
        // Elements are the keys from 1 to the length. Wherever Luau has put them, they are gone
        // through first.
        let length = c_int::try_from(ffi::lua_objlen(state, table)).unwrap_or(c_int::MAX);
        let (mut at, mut others, mut last, mut is_in_order) = (0, 0, 0.0, true);
        loop {
            at = ffi::lua_rawiter(state, table, at);
            if at < 0 {
                break;
            }
            match element_at(state, -2, length) {
                Some(key) => {
                    is_in_order &= key > last;
                    last = key;
                }
                None => others += 1,
            }
            ffi::lua_settop(state, 3);
        }
        if others == 0 {
            // What nobody can change is left to Luau's own loop, which goes the same way.
            let is_fixed =
                ffi::lua_getreadonly(state, table) != 0 && ffi::lua_getmetatable(state, table) == 0;
            ffi::lua_settop(state, 3);
            if is_fixed && is_in_order {
                ffi::lua_pushvalue(state, table);
                return 1;
            }
            if (1..=ITERATORS).contains(&length) {
                ffi::lua_rawgeti(state, ffi::lua_upvalueindex(2), length.into());
            } else {
                ffi::lua_pushinteger(state, length.into());
                ffi::lua_pushcclosured(state, element, c"for".as_ptr(), 1);
            }
            ffi::lua_pushvalue(state, table);
            return 2;
        }
        let count = usize::try_from(others).unwrap_or(0);
        raw::demand(state, count as u64 + charges::of_sort(count));
        // Keys as they come are at 4, in order at 5.
        ffi::lua_createtable(state, others, 0);
        ffi::lua_createtable(state, others, 0);
        let (mut at, mut place) = (0, 0);
        loop {
            at = ffi::lua_rawiter(state, table, at);
            if at < 0 {
                break;
            }
            if element_at(state, -2, length).is_some() {
                ffi::lua_settop(state, 5);
            } else {
                place += 1;
                ffi::lua_settop(state, 6);
                ffi::lua_rawseti(state, 4, place.into());
            }
        }
        SORTED.with_borrow_mut(|sorted| {
            sorted.clear();
            for place in 1..=others {
                ffi::lua_rawgeti(state, 4, place.into());
                sorted.push((Key::read(state, -1), place));
                ffi::lua_settop(state, 5);
            }
            sorted.sort_by(|(one, _), (other, _)| one.compare(other));
            for (place, &(_, from)) in (1..=others).zip(&*sorted) {
                ffi::lua_rawgeti(state, 4, from.into());
                ffi::lua_rawseti(state, 5, place.into());
            }
            sorted.clear();
            sorted.shrink_to(SORTED_KEPT);
        });
        ffi::lua_pushinteger(state, length.into());
        ffi::lua_pushvalue(state, 5);
        ffi::lua_pushinteger(state, 0);
        ffi::lua_pushcclosured(state, entry, c"for".as_ptr(), 3);
        ffi::lua_pushvalue(state, table);
        2
    }
}

/// The key at a place of the stack where it is one of the elements, 1 to `length`.
unsafe fn element_at(state: *mut ffi::lua_State, at: c_int, length: c_int) -> Option<f64> {
    // SAFETY: the caller's state and place are valid.
    let key = unsafe {
        (ffi::lua_type(state, at) == ffi::LUA_TNUMBER).then(|| ffi::lua_tonumber(state, at))
    }?;
    (key >= 1.0 && key <= f64::from(length) && key.fract() == 0.0).then_some(key)
}

/// A place in a list, at a place of the stack: 0 for nil.
#[expect(
    clippy::cast_possible_truncation,
    reason = "places are written by these functions alone"
)]
unsafe fn place(state: *mut ffi::lua_State, at: c_int) -> c_int {
    // SAFETY: the caller's state and place are valid.
    unsafe { ffi::lua_tonumber(state, at) as c_int }
}

/// Puts the next element of the table at 1 after the one at `from` on the stack, key and value;
/// whether there is one up to `length`.
unsafe fn push_element(state: *mut ffi::lua_State, from: c_int, length: c_int) -> bool {
    for key in from + 1..=length {
        // SAFETY: the caller's state is valid, and has room for two values.
        unsafe {
            ffi::lua_pushinteger(state, key.into());
            if ffi::lua_rawgeti(state, 1, key.into()) != ffi::LUA_TNIL {
                return true;
            }
            ffi::lua_pop(state, 2);
            pass_over(state, key);
        }
    }
    false
}

/// Takes a step for every few places without an element, of which this is one.
unsafe fn pass_over(state: *mut ffi::lua_State, key: c_int) {
    if key % HOLES_PER_STEP == 0 {
        // SAFETY: the caller's state is valid.
        unsafe { raw::demand(state, 1) }
    }
}

/// Goes through the elements that a list had when the loop began; their number is the upvalue.
unsafe extern "C-unwind" fn element(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `next`; only loops call this, with the table and the key before, which is one
    // that this has given.
    unsafe {
        let length = place(state, ffi::lua_upvalueindex(1));
        if push_element(state, place(state, 2), length) {
            return 2;
        }
        ffi::lua_pushnil(state);
        1
    }
}

/// Goes through elements and then other keys. Upvalues are the number of elements, the keys, and
/// how many of both are behind.
unsafe extern "C-unwind" fn entry(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `element`.
    unsafe {
        ffi::lua_settop(state, 1);
        let upvalue = |number| place(state, ffi::lua_upvalueindex(number));
        let (length, mut at) = (upvalue(1), upvalue(3));
        let set = |at: c_int| {
            ffi::lua_pushinteger(state, at.into());
            ffi::lua_replace(state, ffi::lua_upvalueindex(3));
        };
        if at < length {
            if push_element(state, at, length) {
                set(place(state, 2));
                return 2;
            }
            at = length;
        }
        loop {
            at += 1;
            if ffi::lua_rawgeti(state, ffi::lua_upvalueindex(2), (at - length).into())
                == ffi::LUA_TNIL
            {
                return 1;
            }
            ffi::lua_pushvalue(state, -1);
            if ffi::lua_rawget(state, 1) != ffi::LUA_TNIL {
                set(at);
                return 2;
            }
            ffi::lua_settop(state, 1);
            pass_over(state, at);
        }
    }
}

/// Puts the text of the value at `at` on top of the stack: a name where it is an object without
/// words of its own.
unsafe fn push_text(state: *mut ffi::lua_State, at: c_int) {
    // SAFETY: the caller's state and place are valid.
    unsafe {
        let kind = ffi::lua_type(state, at);
        let is_object = matches!(
            kind,
            ffi::LUA_TTABLE | ffi::LUA_TFUNCTION | ffi::LUA_TTHREAD | ffi::LUA_TBUFFER
        );
        if is_object {
            if ffi::luaL_getmetafield(state, at, c"__tostring".as_ptr()) == ffi::LUA_TNIL {
                let name = heap::name(state, ffi::lua_topointer(state, at));
                let mut text = [0u8; 32];
                let kind = CStr::from_ptr(ffi::lua_typename(state, kind)).to_bytes();
                let length = write(&mut text, kind, name);
                ffi::lua_pushlstring(state, text.as_ptr().cast(), length);
                return;
            }
            ffi::lua_pop(state, 1);
        }
        ffi::luaL_tolstring(state, at, std::ptr::null_mut());
    }
}

/// Writes `table: 12`; the length.
fn write(text: &mut [u8], kind: &[u8], number: u32) -> usize {
    use std::io::Write;
    let room = text.len();
    let mut rest = &mut *text;
    _ = rest.write_all(kind);
    _ = write!(rest, ": {number}");
    let left = rest.len();
    room - left
}

/// `tostring(value)`.
unsafe extern "C-unwind" fn tostring(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `next`.
    unsafe {
        ffi::luaL_checkany(state, 1);
        push_text(state, 1);
        1
    }
}

/// `string.format(format, …)`: objects among the arguments are given as text to Luau's own, its
/// upvalue.
unsafe extern "C-unwind" fn format(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `next`.
    unsafe {
        raw::demand(state, charges::of_format(state));
        let count = ffi::lua_gettop(state);
        for at in 2..=count {
            if ffi::lua_type(state, at) >= ffi::LUA_TTABLE {
                push_text(state, at);
                ffi::lua_replace(state, at);
            }
        }
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, count, 1);
        1
    }
}

unsafe extern "C-unwind" fn bear(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `next`.
    unsafe {
        heap::bear(state, ffi::lua_topointer(state, 1));
        0
    }
}

unsafe extern "C-unwind" fn charge(state: *mut ffi::lua_State) -> c_int {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "what is no number of steps is none or all"
    )]
    // SAFETY: as in `next`.
    unsafe {
        raw::charge(ffi::lua_tonumber(state, 1) as u64);
        0
    }
}
