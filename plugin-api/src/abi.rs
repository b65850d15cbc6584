//! The C interface in Rust. `include/hattari.h` is generated from this file, including the
//! comments.
//!
//! **Entry point.** A library exports one constant, [`ENTRY_SYMBOL`]; all other functions are
//! reached from it. The entry returns a factory. The factory describes the bots and creates them. A
//! bot is a table of functions. Ids of optional interfaces end with a revision (`hattari.log/1`).
//! The host offers them through [`Host::get_service`], the bot through
//! [`BotFunctions::get_extension`].
//!
//! **Lifetime of a library.** Order of calls: `load, init, (get_factory, count, descriptor,
//! create)*`. A library is never unloaded, so `init` has no counterpart. Several entrants of a
//! league can use the same library. Its global data must be safe to use from any thread and must
//! not influence play.
//!
//! **Lifetime of a bot.** Order of calls: `create, block_start, (deal_start, act*, deal_end)*,
//! destroy`. An instance plays one block, a fixed number of deals, so no state is carried from one
//! block to the next. The host can call `destroy` right after a failed call or any other fault. A
//! null function is skipped if its comment says that it may be null.
//!
//! **Threads.** A tag in the comment of each function states when and on which thread it can be
//! called. `[load]`: during the loading of the library, never at the same time as another call.
//! `[any]`: at any time and on any thread. `[instance]`: calls on one bot never overlap, but they
//! can come from different threads. Other bots of the same library can run at the same time.
//!
//! **Ownership.** The side that allocated memory frees it; ownership is never transferred. Pointers
//! from the host are valid during the call only, unless the comment states otherwise.
//!
//! **Compatibility.** Data structs start with their size, and later releases add fields at the end
//! only. Read a field that the first release did not have only if the size includes it. Tables of
//! functions never change; a changed interface gets a new id (`hattari.log/2`). Records of games
//! can also get new fields at the end. Arrays of records come with a stride, the distance between
//! two records in bytes. A bot built with an older header runs on a newer host without changes.
//!
//! **Errors.** A function that fails returns a negative status and writes no results, unless its
//! comment states otherwise. [`BotFunctions::last_error`] returns the error text. An exception or
//! panic must not leave the library. An error of a bot is recorded as a fault and does not affect
//! other bots. The league defines the cost of a fault.

use core::ffi::{CStr, c_char, c_void};

/// Major version. A host rejects a library with a different one.
pub const ABI_MAJOR: u32 = 1;
/// Minor version. Increased when optional ids or fields at the end are added.
pub const ABI_MINOR: u32 = 3;

/// Name of the only exported symbol, a constant [`Entry`].
pub const ENTRY_SYMBOL: &CStr = c"hattari_entry";
/// Id of the bot factory [`BotFactory`], for [`Entry::get_factory`].
pub const FACTORY_BOTS: &CStr = c"hattari.bot-factory/1";
/// Id of the log service [`LogService`], for [`Host::get_service`].
pub const SERVICE_LOG: &CStr = c"hattari.log/1";
/// Id of the decision clock [`ClockService`].
pub const SERVICE_CLOCK: &CStr = c"hattari.clock/1";
/// Id of the seeded random number generator [`RngService`].
pub const SERVICE_RNG: &CStr = c"hattari.rng/1";
/// Id of the service for numbers of decisions [`NumbersService`].
pub const SERVICE_NUMBERS: &CStr = c"hattari.numbers/1";
/// Id of look-ahead for daihinmin [`DaihinminSearchService`].
pub const SERVICE_DAIHINMIN_SEARCH: &CStr = c"hattari.daihinmin-search/1";
/// Id of the double-dummy solver for bridge [`BridgeDoubleDummyService`].
pub const SERVICE_BRIDGE_DOUBLE_DUMMY: &CStr = c"hattari.bridge-double-dummy/1";

/// Result of a call: 0 or more is success, negative is an error. Unknown negative values are
/// treated as [`E_FAIL`].
pub type Status = i32;
/// Success.
pub const OK: Status = 0;
/// Success of `deal_start` or `deal_end`, if the bot does not need this call. The host need not
/// make it again in this block.
pub const UNUSED: Status = 1;
/// Unspecified error.
pub const E_FAIL: Status = -1;
/// The config is not valid.
pub const E_CONFIG: Status = -2;
/// The game, its options or the kind of decision is not supported.
pub const E_UNSUPPORTED: Status = -3;
/// Out of memory.
pub const E_NOMEM: Status = -4;
/// A panic or exception was caught inside the library. Only `last_error` and `destroy` can be
/// called on this instance afterwards.
pub const E_PANIC: Status = -5;
/// The time limit of the decision was reached.
pub const E_STOPPED: Status = -6;

/// The bot uses information from earlier deals of the block.
pub const BOT_LEARNS: u32 = 1;
/// The bot can play differently with the same seed, for example because of threads or a clock.
/// `hattari check` accepts such differences.
pub const BOT_NONDETERMINISTIC: u32 = 2;
/// The bot starts threads and joins them in `destroy`.
pub const BOT_THREADS: u32 = 4;

/// Log level for [`LogService::write`]: details for the author of the bot.
pub const LOG_DEBUG: i32 = 0;
/// Log level: information for the operator of the league.
pub const LOG_INFO: i32 = 1;
/// Log level: a possible error.
pub const LOG_WARNING: i32 = 2;
/// Log level: an error.
pub const LOG_ERROR: i32 = 3;

/// Policy of [`DaihinminSearchService::playouts`]: legal actions are drawn uniformly, except that a
/// seat that leads never passes.
pub const PLAYOUT_UNIFORM: u32 = 0;
/// Policy that was fitted to games of stronger players: slower, but closer to real play.
pub const PLAYOUT_FITTED: u32 = 1;

/// UTF-8 text without a terminating zero byte. `ptr` may be null only if `len` is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// Pointer to the first byte.
    pub ptr: *const c_char,
    /// Length in bytes.
    pub len: u64,
}

/// Data and services of the host for one instance. Valid until the instance is destroyed.
#[repr(C)]
#[derive(Debug)]
pub struct Host {
    /// Size of this struct in bytes.
    pub struct_size: u32,
    /// Highest minor version that the host supports.
    pub abi_minor: u32,
    /// Reserved for the host.
    pub host_data: *mut c_void,
    /// Name of the host program, zero-terminated.
    pub name: *const c_char,
    /// Version of the host program, zero-terminated.
    pub version: *const c_char,
    /// Returns the function table of the service with this id, or null if the host does not offer
    /// it. The table is valid as long as this struct. `[any]`
    pub get_service:
        Option<unsafe extern "C" fn(host: *const Host, service_id: *const c_char) -> *const c_void>,
}

/// Functions of the service [`SERVICE_LOG`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LogService {
    /// Writes a log message. `level` is [`LOG_DEBUG`] to [`LOG_ERROR`]. The host may drop or
    /// shorten messages. `[any]`
    pub write: Option<unsafe extern "C" fn(host: *const Host, level: i32, message: Text)>,
}

/// Functions of the service [`SERVICE_CLOCK`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ClockService {
    /// Returns the time left for the current decision in microseconds. The result is negative if
    /// the time limit is exceeded, and the largest number of its type if there is no limit.
    /// `[instance]`
    pub time_left_us: Option<unsafe extern "C" fn(host: *const Host) -> i64>,
}

/// Functions of the service [`SERVICE_RNG`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RngService {
    /// Writes `count` random numbers of the instance's stream to `out`. The seed of the block
    /// determines the stream, so a replay gets the same numbers. Available from `block_start` on.
    /// `[instance]`
    pub fill: Option<unsafe extern "C" fn(host: *const Host, out: *mut u64, count: u32)>,
}

/// Functions of the service [`SERVICE_NUMBERS`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NumbersService {
    /// Logs a finite number of the current decision, for reports and replays. A name has 1 to 32
    /// letters, digits and `_` and begins with a letter. A decision has at most 16 names, and the
    /// last number of a name counts. Returns [`E_FAIL`] for other names and numbers; the log says
    /// why. Has no effect outside of `act` and on other threads than that of `act`. `[instance]`
    pub log: Option<unsafe extern "C" fn(host: *const Host, name: Text, number: f64) -> Status>,
}

/// Description of a block at its start.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BlockInfo {
    /// Size of this struct in bytes.
    pub struct_size: u32,
    /// Number of players at the table.
    pub players: u32,
    /// Your player number, from 0; constant during the block.
    pub player: u32,
    /// Planned number of deals.
    pub deals: u32,
    /// Random seed for this bot; a replay of the block has the same seed.
    pub seed: u64,
    /// Name and revision of the game, for example `daihinmin/1`.
    pub game: Text,
    /// Options of the rules as JSON. Ignore unknown keys.
    pub options_json: Text,
}

/// Description of a deal at its start. The header of the game defines the records. Pointers are
/// valid during the call and aligned to 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DealInfo {
    /// Size of this struct in bytes.
    pub struct_size: u32,
    /// Size of the view in bytes: at least that of the first release. A newer host can pass more
    /// than your header declares.
    pub view_size: u32,
    /// View record: all information that your seat has now.
    pub view: *const c_void,
    /// Event records before the first decision, if the game has any.
    pub history: *const c_void,
    /// Number of events.
    pub history_count: u32,
    /// Distance between two events in bytes.
    pub history_stride: u32,
}

/// Input of a decision. The header of the game defines the records. Pointers are valid during the
/// call and aligned to 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// Size of this struct in bytes.
    pub struct_size: u32,
    /// Size of the view in bytes: at least that of the first release. A newer host can pass more
    /// than your header declares.
    pub view_size: u32,
    /// View record: all information that your seat has now.
    pub view: *const c_void,
    /// Event records: the public history of the deal from its start.
    pub history: *const c_void,
    /// Action records: the legal actions, at least two. The host carries out a forced action
    /// without a call of `act`.
    pub actions: *const c_void,
    /// Number of events.
    pub history_count: u32,
    /// Distance between two events in bytes.
    pub history_stride: u32,
    /// Number of actions.
    pub action_count: u32,
    /// Distance between two actions in bytes.
    pub action_stride: u32,
    /// Time limit of this decision in microseconds; 0 or less for no limit.
    pub budget_us: i64,
}

/// Output of a decision.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Size of this struct in bytes, set by the host. Do not write fields beyond it.
    pub struct_size: u32,
    /// Index of the chosen action, from 0.
    pub action: u32,
    /// Amount, if the action has a range of amounts; otherwise ignored.
    pub amount: i64,
}

/// Result of a deal. Pointers are valid during the call and aligned to 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DealResult {
    /// Size of this struct in bytes.
    pub struct_size: u32,
    /// Size of the view in bytes.
    pub view_size: u32,
    /// View record: your last view of the deal.
    pub view: *const c_void,
    /// Event records: the complete public history of the deal.
    pub history: *const c_void,
    /// Number of events.
    pub history_count: u32,
    /// Distance between two events in bytes.
    pub history_stride: u32,
    /// Payoff of each player, indexed by player number.
    pub payoffs: *const i64,
    /// Number of payoffs.
    pub payoff_count: u32,
    /// Reserved; always 0.
    pub reserved: u32,
}

/// Host service [`SERVICE_DAIHINMIN_SEARCH`]: deals that are consistent with the seat's
/// information, and the mean points of each action in them. Available during `act` to bots that
/// play `daihinmin/1`. The functions return [`E_FAIL`] if `decision` is not the current decision,
/// or if `count` or `playouts` is 0. Random numbers come from a separate stream of the instance,
/// which the block determines. `[instance]`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DaihinminSearchService {
    /// Draws `count` deals and writes the cards of all seats to `hands`, 5 sets per deal, in the
    /// order of seats. The probability of a deal takes the exchange and all public information into
    /// account. It does not take into account the intentions behind the plays and passes of other
    /// seats.
    pub sample: Option<
        unsafe extern "C" fn(
            host: *const Host,
            decision: *const Decision,
            count: u32,
            hands: *mut u64,
        ) -> Status,
    >,
    /// Plays each of `count` deals to its end, `playouts` times after each action of the decision.
    /// Writes the mean points of the seat to `points`, one number per deal and action; the numbers
    /// of a deal are adjacent. `hands` has the format of `sample`. `policy` is [`PLAYOUT_UNIFORM`]
    /// or [`PLAYOUT_FITTED`].
    ///
    /// Returns [`E_UNSUPPORTED`] in the exchange. Returns [`E_FAIL`] if a deal is not consistent
    /// with the seat's information. Returns [`E_STOPPED`] if the time limit of the decision is
    /// reached; `points` is then incomplete.
    pub playouts: Option<
        unsafe extern "C" fn(
            host: *const Host,
            decision: *const Decision,
            hands: *const u64,
            count: u32,
            playouts: u32,
            policy: u32,
            points: *mut f64,
        ) -> Status,
    >,
}

/// Host service [`SERVICE_BRIDGE_DOUBLE_DUMMY`]: tricks after each card of a decision, if all
/// players see all hands and play perfectly. Available during `act` to bots that play `bridge/1`.
/// The function returns [`E_FAIL`] if `decision` is not the current decision, or if `count` is 0.
/// `[instance]`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BridgeDoubleDummyService {
    /// Solves each of `count` deals for every action of the decision. Writes the tricks of
    /// declarer's side in the whole deal (0 to 13) to `tricks`, one number per deal and action; the
    /// numbers of a deal are adjacent.
    ///
    /// `hands` contains the cards that the seats still hold:
    ///
    /// - 4 sets per deal, North first;
    ///
    /// - your own hand and dummy's hand, if it is shown, unchanged;
    ///
    /// - all cards that have not been played, with the actual number of cards for each seat;
    ///
    /// - no card of the suit led for a seat that did not follow suit in the current trick.
    ///
    /// Returns [`E_FAIL`] if `hands` does not satisfy these conditions. Returns [`E_STOPPED`] if
    /// the time limit of the decision is reached; `tricks` is then incomplete. A deal takes a few
    /// hundred milliseconds at the first trick, and less than one millisecond at the sixth.
    pub tricks: Option<
        unsafe extern "C" fn(
            host: *const Host,
            decision: *const Decision,
            hands: *const u64,
            count: u32,
            tricks: *mut u8,
        ) -> Status,
    >,
}

/// Functions of a bot. Order of calls: `block_start, (deal_start, act*, deal_end)*, destroy`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BotFunctions {
    /// Starts a block. Returns [`E_UNSUPPORTED`] to refuse a game or its options. `[instance]`
    pub block_start: Option<unsafe extern "C" fn(bot: *mut Bot, info: *const BlockInfo) -> Status>,
    /// Starts a deal, after the cards are dealt. May be null; may return [`UNUSED`]. `[instance]`
    pub deal_start: Option<unsafe extern "C" fn(bot: *mut Bot, info: *const DealInfo) -> Status>,
    /// Makes a decision: writes `choice` and returns [`OK`], or returns an error. `[instance]`
    pub act: Option<
        unsafe extern "C" fn(
            bot: *mut Bot,
            decision: *const Decision,
            choice: *mut Choice,
        ) -> Status,
    >,
    /// Ends a deal. May be null; may return [`UNUSED`]. `[instance]`
    pub deal_end: Option<unsafe extern "C" fn(bot: *mut Bot, result: *const DealResult) -> Status>,
    /// Returns the function table of the extension with this id, or null if the bot does not have
    /// it. The table is valid until `destroy`. The function itself may be null. `[any]`
    pub get_extension:
        Option<unsafe extern "C" fn(bot: *const Bot, extension_id: *const c_char) -> *const c_void>,
    /// Returns the text of the last error, valid until the next call on the bot. The function
    /// itself may be null. `[instance]`
    pub last_error: Option<unsafe extern "C" fn(bot: *const Bot) -> Text>,
    /// Frees the bot. `[instance]`
    pub destroy: Option<unsafe extern "C" fn(bot: *mut Bot)>,
}

/// A bot instance. The library can store more data after this struct.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bot {
    /// Functions of the bot.
    pub functions: *const BotFunctions,
    /// Reserved for the bot.
    pub bot_data: *mut c_void,
}

/// Description of a bot. Texts are zero-terminated and valid as long as the library.
#[repr(C)]
#[derive(Debug)]
pub struct BotDescriptor {
    /// Size of this struct in bytes.
    pub struct_size: u32,
    /// Combination of [`BOT_LEARNS`] and the flags that follow it, or 0.
    pub flags: u32,
    /// Name of the bot in leagues, unique in the library: lower-case letters, digits and `-`, with
    /// a letter first.
    pub id: *const c_char,
    /// Version of the bot.
    pub version: *const c_char,
    /// Author of the bot. May be null.
    pub author: *const c_char,
    /// Licence of the bot, as an SPDX expression. May be null.
    pub license: *const c_char,
    /// Description of the bot in one line.
    pub description: *const c_char,
    /// Games that the bot plays, for example `daihinmin/1`. A null pointer ends the list.
    pub games: *const *const c_char,
    /// JSON Schema of the config; null if the bot has no config.
    pub config_schema_json: *const c_char,
}

/// Functions of the factory [`FACTORY_BOTS`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BotFactory {
    /// Returns the number of bots. `[any]`
    pub count: Option<unsafe extern "C" fn() -> u32>,
    /// Returns the descriptor of the bot with this index, from 0; null if there is no such bot.
    /// `[any]`
    pub descriptor: Option<unsafe extern "C" fn(index: u32) -> *const BotDescriptor>,
    /// Creates the bot with this id. `config_json` is JSON, or empty if the league sets no config.
    /// `host` is valid as long as the instance. Services can be requested here and used from
    /// `block_start` on. On failure, the function returns the status and leaves `*out` null. It may
    /// then write a zero-terminated text to `error`, which has room for `error_capacity` bytes.
    /// `[any]`
    pub create: Option<
        unsafe extern "C" fn(
            bot_id: *const c_char,
            host: *const Host,
            config_json: Text,
            error: *mut c_char,
            error_capacity: u32,
            out: *mut *mut Bot,
        ) -> Status,
    >,
}

/// The exported constant. The host can read the versions before any code of the library's authors
/// runs.
#[repr(C)]
#[derive(Debug)]
pub struct Entry {
    /// Size of this struct in bytes.
    pub struct_size: u32,
    /// [`ABI_MAJOR`] of the header that the library was built with.
    pub abi_major: u32,
    /// [`ABI_MINOR`] of the header that the library was built with.
    pub abi_minor: u32,
    /// Reserved; always 0.
    pub reserved: u32,
    /// Initializes the library. Called after loading, before all other functions, possibly more
    /// than once. May be null. `[load]`
    pub init: Option<unsafe extern "C" fn(library_path: *const c_char) -> Status>,
    /// Returns the factory with this id, or null if the library does not have it. The factory is
    /// valid as long as the library. `[any]`
    pub get_factory: Option<unsafe extern "C" fn(factory_id: *const c_char) -> *const c_void>,
}

/// Returns the value of the field `struct_size` for a struct `T`.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    reason = "structs of this interface are a few dozen bytes"
)]
pub const fn struct_size<T>() -> u32 {
    size_of::<T>() as u32
}
