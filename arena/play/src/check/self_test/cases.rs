//! The faulty bots and their expected outcomes.

use hattari_agents::record::FaultKind;

/// A bot that misbehaves, with its source.
pub struct FaultyBot {
    /// Name of the bot.
    pub name: &'static str,
    /// Name of the bot as a WebAssembly module.
    pub module: &'static str,
    /// Expected outcome as a module, which fails at the same decision on every machine. `None` if
    /// WebAssembly has no such feature, so that compiling or linking fails.
    pub as_module: Option<ExpectedOutcome>,
    /// C source of the bot.
    pub source: &'static str,
    /// Expected outcome as a library.
    pub outcome: ExpectedOutcome,
    /// Number of additional threads that the bot may start.
    pub threads: u32,
    /// Name of the sandbox measure that stops the bot; `None` if no measure is necessary.
    pub stopped_by: Option<&'static str>,
}

/// The expected outcome of a faulty bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedOutcome {
    /// A fault of this kind, whose message contains one of these texts.
    Fault(FaultKind, &'static [&'static str]),
    /// No fault: the forbidden operation is refused, and the bot continues to play.
    PlaysOn,
    /// Loading fails with a message that contains this text.
    NotLoaded(&'static str),
}

use ExpectedOutcome::{Fault, NotLoaded, PlaysOn};
use FaultKind::{Crash, Error, IllegalAction, Memory, Panic, Time};

const CALLS: Option<&str> = Some(hattari_agents::agent::SYSTEM_CALLS);
const MEMORY: Option<&str> = Some("memory");
/// The expected outcome of a module that does not stop: its fuel is used up.
const FUEL: Option<ExpectedOutcome> =
    Some(Fault(Time, &["more than 100000000 units of fuel, in "]));

/// Creates a case from its file in `bots/faulty`.
macro_rules! case {
    ($name:literal, $outcome:expr, $stopped_by:expr, $as_module:expr) => {
        case!($name, $outcome, $stopped_by, $as_module, 0)
    };
    ($name:literal, $outcome:expr, $stopped_by:expr, $as_module:expr, $threads:literal) => {
        FaultyBot {
            name: $name,
            module: concat!($name, ".wasm"),
            as_module: $as_module,
            source: include_str!(concat!("../../../../../bots/faulty/", $name, ".c")),
            outcome: $outcome,
            threads: $threads,
            stopped_by: $stopped_by,
        }
    };
}

/// The headers that all faulty bots include.
pub const HEADERS: [(&str, &str); 4] = [
    (
        "tries.h",
        include_str!("../../../../../bots/faulty/tries.h"),
    ),
    (
        "faulty.h",
        include_str!("../../../../../bots/faulty/faulty.h"),
    ),
    (
        "hattari.h",
        include_str!("../../../../../plugin-api/include/hattari.h"),
    ),
    (
        "hattari_daihinmin.h",
        include_str!("../../../../../plugin-api/include/hattari_daihinmin.h"),
    ),
];

/// All faulty bots: name, outcome as a library, sandbox measure, outcome as a module, and number of
/// threads.
pub const CASES: &[FaultyBot] = &[
    // Address 0 is ordinary memory of the module.
    case!(
        "null-write",
        Fault(Crash, &["signal 11"]),
        None,
        Some(PlaysOn)
    ),
    case!(
        "aborts",
        Fault(Crash, &["signal 6"]),
        None,
        Some(Fault(Crash, &["act: it aborted, in abort"]))
    ),
    case!("divides-by-zero", Fault(Crash, &["signal 8"]), None, None),
    // The guard page of the stack ends the bot, either through the handler of this program or
    // directly.
    case!(
        "recursion",
        Fault(Crash, &["signal 6", "signal 11"]),
        None,
        Some(Fault(
            Crash,
            &["act: it accesses an address outside its memory, in deeper"]
        ))
    ),
    case!(
        "exits",
        Fault(Crash, &["exit code 0"]),
        None,
        Some(Fault(Crash, &["act: it exited with exit code 0, in "]))
    ),
    case!(
        "endless-loop",
        Fault(Time, &["no answer within"]),
        None,
        FUEL
    ),
    case!("deaf-loop", Fault(Time, &["no answer within"]), None, None),
    case!(
        "loops-at-the-end",
        Fault(Time, &["deal_end: no answer within"]),
        None,
        Some(Fault(
            Time,
            &["deal_end: more than 100000000 units of fuel, in deal_end"]
        ))
    ),
    // The module waits for a clock that stands still, until its fuel is used up.
    case!("answers-late", Fault(Time, &["are allowed"]), None, FUEL),
    case!(
        "memory-bomb",
        Fault(Memory, &["no memory is left"]),
        MEMORY,
        Some(Fault(Memory, &["no memory is left"]))
    ),
    // `malloc` returns null at the memory limit, and a module may write to address 0.
    case!(
        "heedless-hog",
        Fault(Crash, &["signal 11"]),
        MEMORY,
        Some(PlaysOn)
    ),
    case!(
        "crashes-in-destroy",
        Fault(Crash, &["destroy: its process was terminated by signal 11"]),
        None,
        Some(PlaysOn)
    ),
    case!(
        "crashes-when-loaded",
        NotLoaded("signal 11"),
        None,
        Some(PlaysOn)
    ),
    case!(
        "wild-index",
        Fault(IllegalAction, &["action 100000 does not exist"]),
        None,
        Some(Fault(IllegalAction, &["action 100000 does not exist"]))
    ),
    case!("wild-amount", PlaysOn, None, Some(PlaysOn)),
    case!(
        "error-status",
        Fault(Error, &["at a loss"]),
        None,
        Some(Fault(Error, &["act: at a loss (HATTARI_E_FAIL)"]))
    ),
    case!(
        "panic-status",
        Fault(Panic, &["index out of bounds"]),
        None,
        Some(Fault(Panic, &["index out of bounds"]))
    ),
    case!(
        "talks-nonsense",
        Fault(Crash, &["an invalid answer"]),
        None,
        Some(PlaysOn)
    ),
    case!("babbles", PlaysOn, Some("output"), Some(PlaysOn)),
    case!("floods-numbers", PlaysOn, None, Some(PlaysOn)),
    case!(
        "leaves-a-thread",
        Fault(Error, &["destroy: ", "of its threads still run"]),
        None,
        None,
        64
    ),
    case!("threads", PlaysOn, CALLS, None),
    case!("forks", PlaysOn, CALLS, None),
    case!("kills-the-host", PlaysOn, CALLS, None),
    case!("kills-itself", PlaysOn, CALLS, None),
    case!("closes-everything", PlaysOn, CALLS, Some(PlaysOn)),
    case!("sleeps", PlaysOn, CALLS, Some(PlaysOn)),
    case!("phones-home", PlaysOn, CALLS, None),
    case!("reads-files", PlaysOn, CALLS, None),
    case!("writes-files", PlaysOn, CALLS, Some(PlaysOn)),
    case!("reads-while-loading", PlaysOn, CALLS, None),
    case!("reads-clocks", PlaysOn, CALLS, None),
    case!("reaches-for-the-kernel", PlaysOn, CALLS, None),
    case!("kills-by-descriptor", PlaysOn, CALLS, None),
    case!("kills-by-timer", PlaysOn, CALLS, None),
    case!("lies-about-filters", PlaysOn, CALLS, None),
    case!("outlives-the-host", PlaysOn, CALLS, None),
    case!("grants-itself-threads", PlaysOn, CALLS, None),
    case!("swaps-the-pipe", PlaysOn, CALLS, None),
    case!("leaves-marks", PlaysOn, CALLS, None),
    case!("remembers", PlaysOn, None, Some(PlaysOn)),
    case!(
        "half-an-answer",
        Fault(Crash, &["an invalid answer"]),
        None,
        Some(Fault(Error, &["act: HATTARI_E_FAIL"]))
    ),
    // The module has no descriptor to which it could write its greeting.
    case!(
        "forges-its-greeting",
        NotLoaded("an invalid answer"),
        None,
        Some(PlaysOn)
    ),
    case!(
        "paints-the-terminal",
        NotLoaded("a control character"),
        None,
        Some(NotLoaded("`description` contains a control character"))
    ),
];
