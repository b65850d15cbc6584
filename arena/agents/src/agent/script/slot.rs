//! Slots of a machine's registry in which the host stores values.

use std::ffi::c_int;

/// A slot of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(super) enum Slot {
    /// Error handler that adds tracebacks.
    Handler = 1,
    /// Luau's `math.randomseed`.
    RandomSeed,
    /// Chunk of the script, and its config.
    Chunk,
    Config,
    /// Function `require`. It keeps the chunks of helper files alive even if the script drops it.
    Require,
    /// Functions of the decoder: creation of action tables, and of instances.
    Learn,
    Instance,
    /// Tables of actions by number, and lists of their cards.
    Moves,
    CardLists,
    /// Names of cards, by their number plus one.
    Names,
    /// Buffer for records.
    Buffer,
    /// Table that the chunk returned. This and the following slots belong to the current block.
    Bot,
    /// Functions of the instance; nil if the bot does not define them.
    Decide,
    BlockStart,
    DealStart,
    DealEnd,
    /// List of legal actions.
    Legal,
    /// Argument of `block_start`.
    Info,
    /// Test in the script.
    Test,
}

impl Slot {
    /// Number of slots.
    pub(super) const COUNT: c_int = Slot::Test as c_int;
}

impl From<Slot> for c_int {
    fn from(slot: Slot) -> c_int {
        slot as c_int
    }
}
