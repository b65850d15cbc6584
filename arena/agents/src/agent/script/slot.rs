//! The slots of a machine's registry in which the host stores values.

use std::ffi::c_int;

/// A slot of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(super) enum Slot {
    /// Error handler that adds tracebacks.
    Handler = 1,
    /// Luau's `math.randomseed`.
    RandomSeed,
    /// Chunk of the script.
    Chunk,
    /// Config of the script.
    Config,
    /// Function `require`, which must stay alive even if the script drops it, because it holds the
    /// chunks of helper files.
    Require,
    /// Decoder's function that creates the tables of actions.
    Learn,
    /// Decoder's function that creates an instance of a bot.
    Instance,
    /// Tables of actions by number.
    Moves,
    /// Lists of the cards of actions, by number.
    CardLists,
    /// Names of cards; the index is the card's number plus 1.
    Names,
    /// Buffer for records.
    Buffer,
    /// Table that the script's chunk has returned. This slot and the following ones belong to the
    /// current block.
    Bot,
    /// Function that calls `act` of the instance.
    Decide,
    /// Function `block_start`; nil if the bot does not define it.
    BlockStart,
    /// Function that calls `deal_start`; nil if the bot does not define it.
    DealStart,
    /// Function that calls `deal_end`; nil if the bot does not define it.
    DealEnd,
    /// List of legal actions.
    Legal,
    /// Argument of `block_start`.
    Info,
    /// Function of a test in the script.
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
