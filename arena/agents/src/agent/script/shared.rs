//! The data that the agent and its host functions share.
#![expect(
    unsafe_code,
    reason = "writes records to a buffer of the machine, and lends the decision, through pointers"
)]

use super::decoder::BufferLayout;
use super::intern::Interner;
use super::limits::ScriptLimits;
use super::state::{LuaState, Slot};
use super::{decoder, memory, structs};
use crate::agent::Turn;
use crate::agent::services::BlockServices;
use crate::games::GameInfo;
use hattari_plugin::Rng;
use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::ptr::{self, NonNull};

/// The shared data of one machine.
pub(super) struct VmShared {
    /// Name of the script in messages.
    pub name: String,
    pub game: &'static GameInfo,
    pub layout: BufferLayout,
    /// Distinct actions of the block, with their numbers.
    pub moves: RefCell<Interner>,
    /// Number of actions for which the machine already has tables.
    cached_moves: Cell<usize>,
    /// Distinct sets of cards in the actions of the block, with their numbers.
    card_sets: RefCell<Interner>,
    /// Decision of the current call.
    pub turn: ScopedPtr,
    pub services: RefCell<BlockServices>,
    /// Number of lines that the script may still print in the block.
    pub lines_left: Cell<u32>,
    /// Seed of the block.
    seed: Cell<u64>,
    /// Random generator of the block for host functions. With the same seed, compiled bots draw
    /// the same numbers.
    pub rng: RefCell<Rng>,
    /// Address of the buffer for records, which has [`BufferLayout::size`] bytes.
    pub buffer: Cell<*mut u8>,
}

impl VmShared {
    pub(super) fn new(name: &str, game: &'static GameInfo) -> VmShared {
        VmShared {
            name: name.to_owned(),
            game,
            layout: BufferLayout::of(game),
            moves: RefCell::new(Interner::new(game.action.size)),
            cached_moves: Cell::new(0),
            card_sets: RefCell::new(Interner::new(size_of::<u64>())),
            turn: ScopedPtr::default(),
            services: RefCell::default(),
            lines_left: Cell::new(0),
            seed: Cell::new(0),
            rng: RefCell::new(Rng::new(0)),
            buffer: Cell::new(ptr::null_mut()),
        }
    }

    /// Begins a block and discards the state of the previous one.
    pub(super) fn reset(&self, seed: u64) {
        self.moves.borrow_mut().clear();
        self.cached_moves.set(0);
        self.card_sets.borrow_mut().clear();
        self.seed.set(seed);
        self.reseed(0);
        // The last line says that others are dropped.
        self.lines_left.set(ScriptLimits::LINES + 1);
    }

    /// Restarts the random generator from the block's seed combined with `number`.
    pub(super) fn reseed(&self, number: u64) {
        *self.rng.borrow_mut() = Rng::new(self.seed.get() ^ number);
    }

    /// Returns the address of `count` bytes at an offset of the buffer. The buffer does not move as
    /// long as the machine exists.
    ///
    /// # Panics
    /// Panics if the bytes are not within the buffer.
    fn place(&self, offset: usize, count: usize) -> *mut u8 {
        assert!(
            offset + count <= self.layout.size,
            "the bytes must be within the buffer"
        );
        self.buffer.get().wrapping_add(offset)
    }

    /// Writes bytes to the buffer.
    pub(super) fn write(&self, offset: usize, bytes: &[u8]) {
        let place = self.place(offset, bytes.len());
        // SAFETY: the bytes are within the buffer. Scripts run only when no reference to them
        // exists.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()) }
    }

    /// Reads a number that the decoder wrote to the buffer.
    pub(super) fn read_number(&self, offset: usize) -> f64 {
        let place = self.place(offset, size_of::<f64>());
        // SAFETY: as in `write`.
        unsafe { place.cast::<f64>().read_unaligned() }
    }

    /// Returns `true` if the machine has tables for all known actions.
    pub(super) fn has_cached_moves(&self) -> bool {
        self.cached_moves.get() == self.moves.borrow().len()
    }

    /// Creates the missing tables of the known actions. Neither the steps nor the memory for them
    /// are charged to the script.
    pub(super) fn cache_moves(&self, state: &LuaState) {
        let make = || {
            let size = self.game.action.size;
            let first = self.cached_moves.get() + 1;
            let mut records = self.moves.borrow().records_from(first).to_vec();
            for records in records.chunks_mut(decoder::LEARN_MAX * size) {
                let (cached, count) = (self.cached_moves.get(), records.len() / size);
                self.number_card_lists(state, records);
                self.write(self.layout.learn, records);
                let top = state.top();
                state.load(Slot::Learn);
                state.push_number((cached + 1) as f64);
                state.push_number(count as f64);
                state.call(2, 0);
                let moves = structs::load(state, Slot::Moves);
                // SAFETY: the decoder's list is alive because it is in its slot.
                unsafe { structs::freeze_elements(moves, cached..cached + count) }
                state.truncate(top);
                self.cached_moves.set(cached + count);
            }
        };
        if !self.has_cached_moves() {
            // SAFETY: the extra data of the state's machine is its memory.
            unsafe { memory::as_host(state.raw(), make) }
        }
    }

    /// Replaces the sets of cards in action records by the numbers of their lists, and creates
    /// missing lists. A list can be missing for a known set if an error ended an earlier call.
    fn number_card_lists(&self, state: &LuaState, records: &mut [u8]) {
        let top = state.top();
        let (lists, names) = (state.load(Slot::CardLists), state.load(Slot::Names));
        for record in records.chunks_exact_mut(self.game.action.size) {
            for &offset in &self.layout.action_cards {
                let set = record[offset..]
                    .first_chunk_mut()
                    .expect("a set has 8 bytes");
                let number = self.card_sets.borrow_mut().number_or_insert_any(set);
                let list = state.get_element(lists, number as usize);
                if state.is_nil(list) {
                    state.freeze(push_card_list(state, names, u64::from_le_bytes(*set)));
                    state.set_element(lists, number as usize);
                }
                state.truncate(names);
                set[..4].copy_from_slice(&number.to_le_bytes());
            }
        }
        state.truncate(top);
    }
}

/// Pushes a list of the names of the cards in a set. `names` is the stack index of
/// [`Slot::Names`].
pub(super) fn push_card_list(state: &LuaState, names: c_int, mut set: u64) -> c_int {
    let mut cards = [0; 64];
    let count = set.count_ones() as usize;
    for card in &mut cards[..count] {
        *card = set.trailing_zeros() + 1;
        set &= set - 1;
    }
    let list = state.push_table(count, 0);
    // SAFETY: both are tables of the host. The collector is not in the middle of a cycle, because
    // cycles run as a whole.
    let is_filled = unsafe {
        let (raw, most) = (state.raw(), cards.len());
        let (list, names) = (structs::table(raw, list), structs::table(raw, names));
        structs::fill(list, names, &cards[..count], most)
    };
    debug_assert!(is_filled, "a new list has room for its cards");
    list
}

/// A pointer to the decision of the current call.
#[derive(Default)]
pub(crate) struct ScopedPtr(Cell<Option<NonNull<Turn<'static>>>>);

impl ScopedPtr {
    /// Makes `turn` available until `call` returns or panics.
    pub(crate) fn lend<R>(&self, turn: &Turn<'_>, call: impl FnOnce() -> R) -> R {
        struct Back<'a>(&'a ScopedPtr, Option<NonNull<Turn<'static>>>);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                self.0.0.set(self.1);
            }
        }
        let _back = Back(self, self.0.replace(Some(NonNull::from(turn).cast())));
        call()
    }

    /// Calls `f` with the decision that a running [`ScopedPtr::lend`] makes available, or with
    /// `None` if there is none.
    pub(crate) fn read<R>(&self, f: impl FnOnce(Option<&Turn<'_>>) -> R) -> R {
        // SAFETY: the pointer is set only while `lend` borrows the decision and runs its `call`,
        // which includes this function, because a `Cell` belongs to one thread. `f` must accept any
        // lifetime, so it cannot keep the reference.
        f(self.0.get().map(|turn| unsafe { turn.as_ref() }))
    }
}
