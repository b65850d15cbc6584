//! Data that the functions of the host share with the agent.
#![expect(
    unsafe_code,
    reason = "records are written into a buffer of the machine, through the address of its bytes"
)]

use super::decoder::Layout;
use super::intern::Interner;
use super::limits::Limits;
use super::loan::Loan;
use super::slot::Slot;
use super::state::State;
use super::{arena, memory, meter, structs};
use crate::agent::lookahead::Lookahead;
use crate::agent::open_hands::OpenHands;
use crate::games::Facts;
use hattari_plugin::Rng;
use std::cell::{Cell, RefCell};
use std::ptr;

/// Data of one machine.
#[derive(Debug)]
pub(super) struct Shared {
    /// Name of the script in messages.
    pub name: String,
    pub game: &'static Facts,
    pub layout: Layout,
    /// Distinct actions of the block.
    pub moves: RefCell<Interner>,
    /// Number of actions that have tables in the machine.
    cached_moves: Cell<usize>,
    /// The decision that the script is called with.
    pub turn: Loan,
    pub lookahead: RefCell<Lookahead>,
    pub open_hands: RefCell<OpenHands>,
    /// Lines that the script may still print in the block.
    pub lines_left: Cell<u32>,
    pub chance: Chance,
    /// Bytes of the buffer through which records go, [`Layout::size`] of them.
    pub buffer: Cell<*mut u8>,
}

impl Shared {
    pub(super) fn new(name: &str, game: &'static Facts) -> Shared {
        Shared {
            name: name.to_owned(),
            game,
            layout: Layout::of(game),
            moves: RefCell::new(Interner::new(game.action.size)),
            cached_moves: Cell::new(0),
            turn: Loan::default(),
            lookahead: RefCell::default(),
            open_hands: RefCell::default(),
            lines_left: Cell::new(0),
            chance: Chance::default(),
            buffer: Cell::new(ptr::null_mut()),
        }
    }

    /// Begins a block: forgets everything of the one before.
    pub(super) fn reset(&self, seed: u64) {
        self.moves.borrow_mut().clear();
        self.cached_moves.set(0);
        self.chance.start(seed);
        self.lines_left.set(Limits::LINES);
    }

    /// Writes bytes to the buffer.
    ///
    /// # Panics
    /// If they do not fit.
    pub(super) fn write(&self, offset: usize, bytes: &[u8]) {
        assert!(
            offset + bytes.len() <= self.layout.size,
            "bytes of the buffer"
        );
        // SAFETY: the buffer has so many bytes, and lies where it is as long as the machine exists.
        // Scripts run only when no reference to its bytes exists.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.buffer.get().add(offset), bytes.len());
        }
    }

    /// Reads a number that the decoder has written to the buffer.
    pub(super) fn read_number(&self, offset: usize) -> f64 {
        let mut bytes = [0; 8];
        assert!(
            offset + bytes.len() <= self.layout.size,
            "bytes of the buffer"
        );
        // SAFETY: as in `write`.
        unsafe {
            ptr::copy_nonoverlapping(
                self.buffer.get().add(offset),
                bytes.as_mut_ptr(),
                bytes.len(),
            );
        }
        f64::from_le_bytes(bytes)
    }

    /// Returns whether all actions up to number `known` have tables.
    pub(super) fn has_cached(&self, known: usize) -> bool {
        self.cached_moves.get() == known
    }

    /// Makes tables of the actions that are new, up to number `known`. They are the host's: they
    /// count neither as the script's steps nor as its memory.
    pub(super) fn cache_moves(&self, state: &State<'_>, known: usize) {
        let make = || {
            while self.cached_moves.get() < known {
                let cached = self.cached_moves.get();
                let count = (known - cached).min(Layout::LEARN_MAX);
                {
                    let moves = self.moves.borrow();
                    let records = &moves.since(cached + 1)[..count * self.game.action.size];
                    self.write(self.layout.learn, records);
                }
                let top = state.top();
                state.load(Slot::Learn);
                state.push_number(count as f64);
                state.call(1, 0);
                let moves = state.load(Slot::Moves);
                // SAFETY: the decoder has just made the tables with these numbers.
                unsafe {
                    let moves = structs::table(state.raw(), moves);
                    structs::freeze_elements(moves, cached + 1..cached + count + 1);
                }
                state.truncate(top);
                self.cached_moves.set(cached + count);
            }
        };
        if !self.has_cached(known) {
            // SAFETY: the machine of the state, whose extra data is its memory.
            unsafe {
                let memory = arena::extra(state.raw());
                memory::as_host(memory, state.raw(), || meter::unmetered(make));
            }
        }
    }
}

/// The generator of a block that the functions of the host draw from. A compiled bot has the same
/// one from the same seed.
#[derive(Debug)]
pub(super) struct Chance {
    seed: Cell<u64>,
    pub rng: RefCell<Rng>,
}

impl Default for Chance {
    fn default() -> Chance {
        Chance {
            seed: Cell::new(0),
            rng: RefCell::new(Rng::new(0)),
        }
    }
}

impl Chance {
    fn start(&self, seed: u64) {
        self.seed.set(seed);
        self.reseed(0);
    }

    /// Restarts the generator from the block's seed and a number.
    pub(super) fn reseed(&self, number: u64) {
        *self.rng.borrow_mut() = Rng::new(self.seed.get() ^ number);
    }
}
