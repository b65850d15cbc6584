//! The C interface, as Rust sees it. `include/hattari.h` is generated from this file, comments
//! included.
//!
//! **The way in.** A library exports one symbol, the constant [`ENTRY_SYMBOL`]. Everything else is
//! reached from it: the entry gives a factory, the factory describes bots and creates them, a bot
//! is a table of functions. Optional things have ids that end with a revision (`hattari.log/1`), on
//! the host's side ([`Host::get_service`]) and on the bot's ([`BotFunctions::get_extension`]).
//!
//! **Life of a library.** `load, init, (get_factory, count, descriptor, create)*`. It is never
//! unloaded, so there is no call to undo init. The same library may serve several entrants of a
//! league: what it keeps outside of its instances must be safe to use from any thread and must not
//! influence play.
//!
//! **Life of a bot.** `create, block_start, (deal_start, act*, deal_end)*, destroy`. One instance
//! plays one block, so nothing can leak from one block into the next. After a failed call, and
//! after a fault of any kind, destroy may come at once. A function that the table leaves null is
//! skipped where its comment allows that.
//!
//! **Threads.** Each function says who may call it when. `[load]`: while the library is loaded,
//! never at the same time as anything else. `[any]`: on any thread at any time. `[instance]`: calls
//! on one bot never overlap but may come from different threads, while other bots of the same
//! library are at work.
//!
//! **Ownership.** Whoever created it frees it, and nothing that the host passes in outlives the
//! call unless its comment says so. No memory is handed over to be freed by the other side.
//!
//! **Growth.** Data structs start with their size and grow at the end only: look at a field that
//! the first release did not have only where the size covers it. Tables of functions never change;
//! a changed interface gets a new id (`hattari.log/2`). Records of games grow at the end too; lists
//! of them come with the number of bytes from one to the next. A bot built with an old header runs
//! on a new host as it is.
//!
//! **Failure.** A function that fails returns a negative status and leaves its results alone; the
//! text behind [`BotFunctions::last_error`] says why. An exception or a panic must not cross the
//! border. What a bot does wrong is a fault in the league's record: it costs what the league says,
//! and stops nobody else.

use core::ffi::{CStr, c_char, c_void};

/// A host refuses a library with another major version.
pub const ABI_MAJOR: u32 = 1;
/// Grows when optional ids or trailing fields are added.
pub const ABI_MINOR: u32 = 2;

/// Name of the one exported symbol, a constant [`Entry`].
pub const ENTRY_SYMBOL: &CStr = c"hattari_entry";
/// Id of the factory of bots, for [`Entry::get_factory`]: [`BotFactory`].
pub const FACTORY_BOTS: &CStr = c"hattari.bot-factory/1";
/// Id of the host's log, for [`Host::get_service`]: [`LogService`].
pub const SERVICE_LOG: &CStr = c"hattari.log/1";
/// Id of the decision clock: [`ClockService`].
pub const SERVICE_CLOCK: &CStr = c"hattari.clock/1";
/// Id of the seeded random stream: [`RngService`].
pub const SERVICE_RNG: &CStr = c"hattari.rng/1";
/// Id of look-ahead in daihinmin: [`DaihinminSearchService`].
pub const SERVICE_DAIHINMIN_SEARCH: &CStr = c"hattari.daihinmin-search/1";
/// Id of bridge with open hands: [`BridgeDoubleDummyService`].
pub const SERVICE_BRIDGE_DOUBLE_DUMMY: &CStr = c"hattari.bridge-double-dummy/1";

/// What a call came to: 0 or more is success, less is failure. Unknown negatives count as
/// [`E_FAIL`].
pub type Status = i32;
/// Success.
pub const OK: Status = 0;
/// Failure without a name of its own.
pub const E_FAIL: Status = -1;
/// The config was not understood.
pub const E_CONFIG: Status = -2;
/// The bot does not play this game or these rules.
pub const E_UNSUPPORTED: Status = -3;
/// Out of memory.
pub const E_NOMEM: Status = -4;
/// A panic or exception stopped at the border; the instance is dead, only last_error and destroy
/// may follow.
pub const E_PANIC: Status = -5;
/// Gave up because the time for the decision ran out.
pub const E_STOPPED: Status = -6;

/// The bot keeps what it learns from deal to deal within a block.
pub const BOT_LEARNS: u32 = 1;
/// The same seed may play differently (own threads, own clock); `hattari check` does not hold that
/// against it.
pub const BOT_NONDETERMINISTIC: u32 = 2;
/// The bot starts threads. It joins them in destroy.
pub const BOT_THREADS: u32 = 4;

/// For whoever writes the bot, level of [`LogService::write`].
pub const LOG_DEBUG: i32 = 0;
/// For whoever runs the league.
pub const LOG_INFO: i32 = 1;
/// Something looks wrong.
pub const LOG_WARNING: i32 = 2;
/// Something is wrong.
pub const LOG_ERROR: i32 = 3;

/// Playouts of [`DaihinminSearchService::playouts`] by chance: any legal action as likely as any
/// other, but nobody who leads passes.
pub const PLAYOUT_UNIFORM: u32 = 0;
/// Playouts by a policy that was fitted to games of stronger players: slower, and nearer to real
/// play.
pub const PLAYOUT_FITTED: u32 = 1;

/// UTF-8 text, not ended by a zero. `ptr` may be null only where `len` is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// First byte.
    pub ptr: *const c_char,
    /// Bytes.
    pub len: u64,
}

/// What the host offers to one instance. Lives until the instance is destroyed.
#[repr(C)]
#[derive(Debug)]
pub struct Host {
    /// Size of this struct.
    pub struct_size: u32,
    /// Highest minor version that the host knows.
    pub abi_minor: u32,
    /// The host's own.
    pub host_data: *mut c_void,
    /// Name of the host program, ended by a zero.
    pub name: *const c_char,
    /// Its version, ended by a zero.
    pub version: *const c_char,
    /// A table of functions by id, null where the host has none such. It lives as long as this
    /// struct. `[any]`
    pub get_service:
        Option<unsafe extern "C" fn(host: *const Host, service_id: *const c_char) -> *const c_void>,
}

/// Service [`SERVICE_LOG`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LogService {
    /// Writes a message of a level from [`LOG_DEBUG`] to [`LOG_ERROR`]. The host may drop or
    /// shorten messages. `[any]`
    pub write: Option<unsafe extern "C" fn(host: *const Host, level: i32, message: Text)>,
}

/// Service [`SERVICE_CLOCK`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ClockService {
    /// Microseconds left for the current decision; negative once overdrawn, the largest number
    /// where there is no limit. `[instance]`
    pub time_left_us: Option<unsafe extern "C" fn(host: *const Host) -> i64>,
}

/// Service [`SERVICE_RNG`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RngService {
    /// Fills `out` with `count` numbers of the instance's stream, which the block's seed decides:
    /// a replay gets the same. From block_start on. `[instance]`
    pub fill: Option<unsafe extern "C" fn(host: *const Host, out: *mut u64, count: u32)>,
}

/// What a block starts with.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BlockInfo {
    /// Size of this struct.
    pub struct_size: u32,
    /// Players of the table.
    pub players: u32,
    /// Your number among them, from 0; kept for the block.
    pub player: u32,
    /// Deals planned.
    pub deals: u32,
    /// A seed of your own; the same block gives the same seed.
    pub seed: u64,
    /// Game and revision, as in `daihinmin/1`.
    pub game: Text,
    /// The options of the rules, as JSON. Skip keys that you do not know.
    pub options_json: Text,
}

/// How a deal starts. The records that it points to are those of the game's header; pointers hold
/// for the call and are aligned to 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DealInfo {
    /// Size of this struct.
    pub struct_size: u32,
    /// Bytes of the view. May be more than your header knows; never less than its first release.
    pub view_size: u32,
    /// All that you may know now: the game's view record.
    pub view: *const c_void,
    /// What the public record starts with, where a game has something before its first decision:
    /// event records.
    pub history: *const c_void,
    /// Number of events.
    pub history_count: u32,
    /// Bytes from one event to the next.
    pub history_stride: u32,
}

/// A decision. The records that it points to are those of the game's header; pointers hold for the
/// call and are aligned to 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// Size of this struct.
    pub struct_size: u32,
    /// Bytes of the view. May be more than your header knows; never less than its first release.
    pub view_size: u32,
    /// All that you may know now: the game's view record.
    pub view: *const c_void,
    /// The deal's public record from its start: event records.
    pub history: *const c_void,
    /// What you may do: action records. At least two; a forced action is carried out without a
    /// call.
    pub actions: *const c_void,
    /// Number of events.
    pub history_count: u32,
    /// Bytes from one event to the next.
    pub history_stride: u32,
    /// Number of actions.
    pub action_count: u32,
    /// Bytes from one action to the next.
    pub action_stride: u32,
    /// Microseconds for this decision; 0 or less is no limit.
    pub budget_us: i64,
}

/// The answer to a decision.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Size of this struct, set by the host: write no field that lies beyond it.
    pub struct_size: u32,
    /// Index into the actions.
    pub action: u32,
    /// The amount, where the action is a range of amounts; ignored elsewhere.
    pub amount: i64,
}

/// How a deal ended. Pointers hold for the call and are aligned to 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DealResult {
    /// Size of this struct.
    pub struct_size: u32,
    /// Bytes of the view.
    pub view_size: u32,
    /// Your last view of the deal.
    pub view: *const c_void,
    /// The deal's whole public record.
    pub history: *const c_void,
    /// Number of events.
    pub history_count: u32,
    /// Bytes from one event to the next.
    pub history_stride: u32,
    /// Payoff of each player, by player number.
    pub payoffs: *const i64,
    /// Number of payoffs.
    pub payoff_count: u32,
    /// Zero.
    pub reserved: u32,
}

/// Host service [`SERVICE_DAIHINMIN_SEARCH`]: deals that fit what the seat to decide knows, and
/// what its actions bring in them. For bots that play `daihinmin/1`, while they decide; [`E_FAIL`]
/// for anything else than the decision that the bot was handed, and where `count` or `playouts` is
/// 0. Chance comes from a stream of the instance's own, which the block decides. `[instance]`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DaihinminSearchService {
    /// Draws `count` deals, each as likely as the exchange and everything public make it, and
    /// writes the cards of every seat: `hands` has room for 5 sets a deal. What others may
    /// have meant by a play or a pass is not weighed.
    pub sample: Option<
        unsafe extern "C" fn(
            host: *const Host,
            decision: *const Decision,
            count: u32,
            hands: *mut u64,
        ) -> Status,
    >,
    /// Plays on from each of `count` deals after each action of the decision, `playouts` times,
    /// and writes the mean points of the seat: `points` has room for a number an action and
    /// deal, the actions of a deal side by side. `policy` is [`PLAYOUT_UNIFORM`] or
    /// [`PLAYOUT_FITTED`]. The deals are such as `sample` gives, 5 sets each.
    /// [`E_UNSUPPORTED`] in the exchange; [`E_FAIL`] for a deal that does not fit; [`E_STOPPED`]
    /// where the time for the decision ran out, `points` is half written then.
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

/// Host service [`SERVICE_BRIDGE_DOUBLE_DUMMY`]: what the cards of a decision are worth with all
/// hands open. For bots that play `bridge/1`, while they decide; [`E_FAIL`] for anything else than
/// the decision that the bot was handed, and where `count` is 0. `[instance]`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BridgeDoubleDummyService {
    /// Solves each of `count` deals and writes, for every action of the decision, the tricks that
    /// declarer's side takes in the whole deal if that card is played and everybody plays
    /// perfectly from there: `tricks` has room for a number an action and deal, the actions of
    /// a deal side by side. `hands` are the cards that each seat still holds, 4 sets a
    /// deal, North's first: the cards that are left, the own hand and dummy's as they are, of the
    /// others' hands as many cards as they hold, none of the suit led where they did not
    /// follow it in the trick under way. [`E_FAIL`] for hands that are not so; [`E_STOPPED`]
    /// where the time for the decision ran out, `tricks` is half written then. A deal takes
    /// some hundred milliseconds at the first trick, less than one at the sixth.
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

/// A bot's functions. Order of calls: `block_start, (deal_start, act*, deal_end)*, destroy`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BotFunctions {
    /// The block starts. [`E_UNSUPPORTED`] refuses a game or its options. `[instance]`
    pub block_start: Option<unsafe extern "C" fn(bot: *mut Bot, info: *const BlockInfo) -> Status>,
    /// Cards have been dealt. May be null. `[instance]`
    pub deal_start: Option<unsafe extern "C" fn(bot: *mut Bot, info: *const DealInfo) -> Status>,
    /// Decides: writes the choice and returns [`OK`], or fails. `[instance]`
    pub act: Option<
        unsafe extern "C" fn(
            bot: *mut Bot,
            decision: *const Decision,
            choice: *mut Choice,
        ) -> Status,
    >,
    /// The deal is over. May be null. `[instance]`
    pub deal_end: Option<unsafe extern "C" fn(bot: *mut Bot, result: *const DealResult) -> Status>,
    /// A table of functions by id, null where the bot has none such; it lives until destroy. May
    /// be null. `[any]`
    pub get_extension:
        Option<unsafe extern "C" fn(bot: *const Bot, extension_id: *const c_char) -> *const c_void>,
    /// Text of the last failure, valid until the next call on the bot. May be null. `[instance]`
    pub last_error: Option<unsafe extern "C" fn(bot: *const Bot) -> Text>,
    /// Frees the bot. `[instance]`
    pub destroy: Option<unsafe extern "C" fn(bot: *mut Bot)>,
}

/// A bot. The library may put more behind it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bot {
    /// Its functions.
    pub functions: *const BotFunctions,
    /// The bot's own.
    pub bot_data: *mut c_void,
}

/// What a bot says of itself. Texts end with a zero and live as long as the library.
#[repr(C)]
#[derive(Debug)]
pub struct BotDescriptor {
    /// Size of this struct.
    pub struct_size: u32,
    /// [`BOT_LEARNS`] and its like, or 0.
    pub flags: u32,
    /// Name by which leagues call it, unique in the library: lower case letters, digits, `-`, a
    /// letter first.
    pub id: *const c_char,
    /// Its version.
    pub version: *const c_char,
    /// Who wrote it. May be null.
    pub author: *const c_char,
    /// Its licence, as an SPDX expression. May be null.
    pub license: *const c_char,
    /// What it does, in a line.
    pub description: *const c_char,
    /// Games that it plays, as in `daihinmin/1`; a null ends the list.
    pub games: *const *const c_char,
    /// JSON Schema of its config; null if it takes none.
    pub config_schema_json: *const c_char,
}

/// Factory [`FACTORY_BOTS`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BotFactory {
    /// How many bots there are. `[any]`
    pub count: Option<unsafe extern "C" fn() -> u32>,
    /// The descriptor of bot number `index`, null past the last. `[any]`
    pub descriptor: Option<unsafe extern "C" fn(index: u32) -> *const BotDescriptor>,
    /// Creates the bot of that id. The config is JSON, or empty where the league sets nothing. The
    /// host's struct outlives the instance; services may be asked for here and used from
    /// block_start on. On failure returns the status, leaves `*out` null and may write a text
    /// ended by a zero to `error`, which has room for `error_capacity` bytes. `[any]`
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

/// The exported constant. The version can be read before any code of the library's authors runs.
#[repr(C)]
#[derive(Debug)]
pub struct Entry {
    /// Size of this struct.
    pub struct_size: u32,
    /// [`ABI_MAJOR`] that the library was built with.
    pub abi_major: u32,
    /// [`ABI_MINOR`] that the library was built with.
    pub abi_minor: u32,
    /// Zero.
    pub reserved: u32,
    /// Called after loading, before anything else; may be called again. May be null. `[load]`
    pub init: Option<unsafe extern "C" fn(library_path: *const c_char) -> Status>,
    /// A factory by id, null where the library has none such. It lives as long as the library.
    /// `[any]`
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
