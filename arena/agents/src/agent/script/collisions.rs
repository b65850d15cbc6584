//! Chains of keys that collide.
//!
//! Anybody can compute the hashes of Luau's keys and texts, so a script can make tables in which
//! every access passes over thousands of keys. No access can be seen, but the chains can: at every
//! few steps one key of all large tables is looked at, and at every few new texts one of them. The
//! longer a chain is, the sooner it is found. From then on each step counts as many steps as the
//! chain is long, so that a script that goes on ends soon. Keys that are not chosen to collide have
//! no long chains.
#![expect(
    unsafe_code,
    reason = "reads the keys of Luau's tables in the memory of the machine"
)]

use super::memory::Memory;
use super::{arena, structs};
use mlua::ffi;
use std::ffi::c_void;

/// Keys of a chain that is no accident.
const LONG: usize = 64;
/// Most keys of a chain that are counted.
const COUNTED: usize = 1 << 16;
/// Steps, or texts, of which one looks at a chain.
const INTERVAL: u64 = 16;
/// Keys of a page: smaller tables cannot have chains that take long.
const PAGE: usize = 128;

/// `LuaNode` in `lobject.h`: a key of a table and its value.
#[repr(C)]
struct Node {
    value: [u64; 2],
    key: u64,
    extra: u32,
    /// The type of the key, and above it the distance to the next one of the chain; 0 at its end.
    kind_and_next: i32,
}

/// `TString` in `lobject.h`, up to the next text with the same hash.
#[repr(C)]
struct Text {
    kind: u8,
    header: [u8; 7],
    next: *const Text,
}

/// A part of a table's keys.
#[derive(Debug)]
struct Page {
    keys: *const Node,
    /// Number of keys of the table, and of the first one of the page.
    count: usize,
    first: usize,
}

/// The large tables of a block.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pages: Vec<Page>,
    /// Steps up to the next look, and the state of the generator that chooses where to look.
    steps: u64,
    random: u64,
}

impl Tables {
    /// Forgets all tables.
    pub(super) fn clear(&mut self) {
        *self = Tables {
            pages: std::mem::take(&mut self.pages),
            ..Tables::default()
        };
        self.pages.clear();
    }

    /// Adds a new block of memory if it can be the keys of a large table. Returns whether it can.
    /// Lists have no chains, so it does no harm to take them for keys.
    pub(super) fn add(&mut self, block: *const c_void, bytes: usize) -> bool {
        let count = bytes / size_of::<Node>();
        let is_large = bytes.is_power_of_two() && count >= PAGE;
        if is_large {
            let keys = block.cast::<Node>();
            let pages = (0..count).step_by(PAGE);
            self.pages
                .extend(pages.map(|first| Page { keys, count, first }));
        }
        is_large
    }

    /// Forgets a block that is freed.
    pub(super) fn remove(&mut self, block: *const c_void) {
        self.pages.retain(|page| page.keys.cast() != block);
    }

    /// Returns the length of a chain, from a key on that is chosen by chance; 0 if it is no time to
    /// look. `texts` is the list of all texts, which looks like a table.
    ///
    /// # Safety
    /// The blocks that have been added and not been removed are valid.
    unsafe fn chain(&mut self, texts: *const c_void) -> usize {
        self.steps += 1;
        if !self.steps.is_multiple_of(INTERVAL) || self.pages.is_empty() {
            return 0;
        }
        self.random = self
            .random
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(1);
        let choice = (self.random >> 33) as usize;
        let page = &self.pages[choice % self.pages.len()];
        if page.keys.cast() == texts {
            return 0;
        }
        let mut at = page.first + choice / self.pages.len() % PAGE;
        let mut length = 0;
        while length < COUNTED {
            // SAFETY: as required from the caller; the index is below the number of keys.
            let next = unsafe { (*page.keys.add(at)).kind_and_next } >> 4;
            match at.checked_add_signed(next as isize) {
                Some(other) if next != 0 && other < page.count => at = other,
                _ => break,
            }
            length += 1;
        }
        length
    }
}

/// Looks at chains of tables, once for every few of `steps`. Returns the number of steps that each
/// step has to count as at least, if a chain is too long.
///
/// # Safety
/// `state` is a valid state of a machine with a [`Memory`].
#[inline(always)]
pub(super) unsafe fn price(state: *mut ffi::lua_State, steps: u64) -> Option<usize> {
    // SAFETY: as required from the caller.
    unsafe {
        if (*arena::extra::<Memory>(state)).has_tables {
            look(state, steps)
        } else {
            None
        }
    }
}

#[cold]
unsafe fn look(state: *mut ffi::lua_State, steps: u64) -> Option<usize> {
    // SAFETY: the caller's state is valid; nothing else refers to the tables of its arena.
    let longest = unsafe {
        let (tables, texts) = (arena::tables(state), structs::texts(state));
        let looks = 0..steps.min(COUNTED as u64);
        looks.map(|_| (*tables).chain(texts)).max()
    };
    longest.filter(|&length| length >= LONG)
}

/// Returns the number of steps that each step has to count as at least because of texts with the
/// hash of `text`, the last one of `count` new ones. It looks at one for every few.
///
/// # Safety
/// `text` is null or lies in the arena of `state`, also if it has been freed.
pub(super) unsafe fn price_of_texts(
    state: *mut ffi::lua_State,
    text: *const c_void,
    count: u64,
) -> Option<usize> {
    if !count.is_multiple_of(INTERVAL) {
        return None;
    }
    let mut text = text.cast::<Text>();
    let mut length = 0;
    // SAFETY: memory of the arena can be read, whatever it is used for.
    unsafe {
        while length < COUNTED
            && arena::contains(state, text)
            && i32::from((*text).kind) == ffi::LUA_TSTRING
        {
            text = (*text).next;
            length += 1;
        }
    }
    (length >= LONG).then_some(length)
}
