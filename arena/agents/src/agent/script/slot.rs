//! Values of a machine that the host finds again: slots of its registry.

use std::ffi::c_int;

/// A slot of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(super) enum Slot {
    /// The handler that adds tracebacks to errors.
    Handler = 1,
    /// Luau's own `math.randomseed`.
    RandomSeed,
    /// The script's chunk, and its config.
    Chunk,
    Config,
    /// The function `require`, which the script can drop. The chunks of its helper files are alive
    /// as long as it is.
    Require,
    /// Functions of the decoder: one makes tables of actions, one makes instances.
    Learn,
    Instance,
    /// The tables of actions by number, and the lists of their cards.
    Moves,
    CardLists,
    /// The names of cards, by their numbers and one.
    Names,
    /// The buffer through which records go.
    Buffer,
    /// The table that the chunk has returned. It and what follows are of the block that is played.
    Bot,
    /// Functions of the instance; nil if the bot has none.
    Decide,
    BlockStart,
    DealStart,
    DealEnd,
    /// The list of legal actions.
    Legal,
    /// The argument of `block_start`.
    Info,
    /// A test of the bot's own.
    Test,
}

impl Slot {
    /// The number of slots.
    pub(super) const COUNT: c_int = Slot::Test as c_int;
}

impl From<Slot> for c_int {
    fn from(slot: Slot) -> c_int {
        slot as c_int
    }
}
