//! The faulty bots and their expected outcomes.

use hattari_agents::record::FaultKind;

/// A bot that misbehaves, with its source.
pub struct FaultyBot {
    /// Name of the bot.
    pub name: &'static str,
    /// C source of the bot.
    pub source: &'static str,
    /// Expected outcome.
    pub outcome: Expected,
    /// Number of additional threads that the bot may start.
    pub threads: u32,
    /// Name of the sandbox measure that stops the bot; `None` if no measure is necessary.
    pub stopped_by: Option<&'static str>,
}

/// The expected outcome of a faulty bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A fault of this kind, whose message contains one of these texts.
    Fault(FaultKind, &'static [&'static str]),
    /// No fault: the forbidden operation is refused, and the bot continues to play.
    PlaysOn,
    /// Loading fails with a message that contains this text.
    NotLoaded(&'static str),
}

use Expected::{Fault, NotLoaded, PlaysOn};
use FaultKind::{Crash, Error, IllegalAction, Memory, Panic, Time};

const CALLS: Option<&str> = Some(hattari_agents::agent::SYSTEM_CALLS);
const MEMORY: Option<&str> = Some("memory");

/// Creates a case from its file in `bots/faulty`.
macro_rules! case {
    ($name:literal, $outcome:expr, $stopped_by:expr) => {
        case!($name, $outcome, $stopped_by, 0)
    };
    ($name:literal, $outcome:expr, $stopped_by:expr, $threads:literal) => {
        FaultyBot {
            name: $name,
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

/// All faulty bots.
pub const CASES: &[FaultyBot] = &[
    case!("null-write", Fault(Crash, &["signal 11"]), None),
    case!("aborts", Fault(Crash, &["signal 6"]), None),
    case!("divides-by-zero", Fault(Crash, &["signal 8"]), None),
    // The guard page of the stack ends the bot, either through the handler of this program or
    // directly.
    case!("recursion", Fault(Crash, &["signal 6", "signal 11"]), None),
    case!("exits", Fault(Crash, &["exit code 0"]), None),
    case!("endless-loop", Fault(Time, &["no answer within"]), None),
    case!("deaf-loop", Fault(Time, &["no answer within"]), None),
    case!(
        "loops-at-the-end",
        Fault(Time, &["deal_end: no answer within"]),
        None
    ),
    case!("answers-late", Fault(Time, &["are allowed"]), None),
    case!("memory-bomb", Fault(Memory, &["no memory is left"]), MEMORY),
    case!("heedless-hog", Fault(Crash, &["signal 11"]), MEMORY),
    case!(
        "crashes-in-destroy",
        Fault(Crash, &["destroy: its process was terminated by signal 11"]),
        None
    ),
    case!("crashes-when-loaded", NotLoaded("signal 11"), None),
    case!(
        "wild-index",
        Fault(IllegalAction, &["action 100000 does not exist"]),
        None
    ),
    case!("wild-amount", PlaysOn, None),
    case!("error-status", Fault(Error, &["at a loss"]), None),
    case!("panic-status", Fault(Panic, &["index out of bounds"]), None),
    case!("talks-nonsense", Fault(Crash, &["an invalid answer"]), None),
    case!("babbles", PlaysOn, Some("output")),
    case!(
        "leaves-a-thread",
        Fault(Error, &["destroy: ", "of its threads still run"]),
        None,
        64
    ),
    case!("threads", PlaysOn, CALLS),
    case!("forks", PlaysOn, CALLS),
    case!("kills-the-host", PlaysOn, CALLS),
    case!("kills-itself", PlaysOn, CALLS),
    case!("closes-everything", PlaysOn, CALLS),
    case!("sleeps", PlaysOn, CALLS),
    case!("phones-home", PlaysOn, CALLS),
    case!("reads-files", PlaysOn, CALLS),
    case!("writes-files", PlaysOn, CALLS),
    case!("reads-while-loading", PlaysOn, CALLS),
    case!("reads-clocks", PlaysOn, CALLS),
    case!("reaches-for-the-kernel", PlaysOn, CALLS),
    case!("kills-by-descriptor", PlaysOn, CALLS),
    case!("kills-by-timer", PlaysOn, CALLS),
    case!("lies-about-filters", PlaysOn, CALLS),
    case!("outlives-the-host", PlaysOn, CALLS),
    case!("grants-itself-threads", PlaysOn, CALLS),
    case!("swaps-the-pipe", PlaysOn, CALLS),
    case!("leaves-marks", PlaysOn, CALLS),
    case!("remembers", PlaysOn, None),
    case!("half-an-answer", Fault(Crash, &["an invalid answer"]), None),
    case!("forges-its-greeting", NotLoaded("an invalid answer"), None),
    case!(
        "paints-the-terminal",
        NotLoaded("a control character"),
        None
    ),
];
