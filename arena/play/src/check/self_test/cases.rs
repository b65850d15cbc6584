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
#[derive(Clone, Copy, Debug)]
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

/// Creates a case for each line, from its file in `bots/faulty`: name, outcome as a library,
/// sandbox measure, outcome as a module, and number of threads if it is not 0.
macro_rules! cases {
    ($(
        $name:literal: $outcome:expr, $stopped_by:expr, $as_module:expr $(, $threads:literal)?;
    )*) => {
        &[$(FaultyBot {
            name: $name,
            module: concat!($name, ".wasm"),
            as_module: $as_module,
            source: include_str!(concat!("../../../../../bots/faulty/", $name, ".c")),
            outcome: $outcome,
            threads: 0 $(+ $threads)?,
            stopped_by: $stopped_by,
        }),*]
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
pub const CASES: &[FaultyBot] = cases! {
    // Address 0 is ordinary memory of the module.
    "null-write": Fault(Crash, &["signal 11"]), None, Some(PlaysOn);
    "aborts": Fault(Crash, &["signal 6"]), None, Some(Fault(Crash, &["act: it aborted, in abort"]));
    "divides-by-zero": Fault(Crash, &["signal 8"]), None, None;
    // The guard page of the stack ends the bot, either through the handler of this program or
    // directly.
    "recursion":
        Fault(Crash, &["signal 6", "signal 11"]),
        None,
        Some(Fault(Crash, &["act: it accesses an address outside its memory, in deeper"]));
    "exits":
        Fault(Crash, &["exit code 0"]),
        None,
        Some(Fault(Crash, &["act: it exited with exit code 0, in "]));
    "endless-loop": Fault(Time, &["no answer within"]), None, FUEL;
    "deaf-loop": Fault(Time, &["no answer within"]), None, None;
    "loops-at-the-end":
        Fault(Time, &["deal_end: no answer within"]),
        None,
        Some(Fault(Time, &["deal_end: more than 100000000 units of fuel, in deal_end"]));
    // The module waits for a clock that stands still, until its fuel is used up.
    "answers-late": Fault(Time, &["are allowed"]), None, FUEL;
    "memory-bomb":
        Fault(Memory, &["no memory is left"]),
        MEMORY,
        Some(Fault(Memory, &["no memory is left"]));
    // `malloc` returns null at the memory limit, and a module may write to address 0.
    "heedless-hog": Fault(Crash, &["signal 11"]), MEMORY, Some(PlaysOn);
    "crashes-in-destroy":
        Fault(Crash, &["destroy: its process was terminated by signal 11"]),
        None,
        Some(PlaysOn);
    "crashes-when-loaded": NotLoaded("signal 11"), None, Some(PlaysOn);
    "wild-index":
        Fault(IllegalAction, &["action 100000 does not exist"]),
        None,
        Some(Fault(IllegalAction, &["action 100000 does not exist"]));
    "wild-amount": PlaysOn, None, Some(PlaysOn);
    "error-status":
        Fault(Error, &["at a loss"]),
        None,
        Some(Fault(Error, &["act: at a loss (HATTARI_E_FAIL)"]));
    "panic-status":
        Fault(Panic, &["index out of bounds"]),
        None,
        Some(Fault(Panic, &["index out of bounds"]));
    "talks-nonsense": Fault(Crash, &["an invalid answer"]), None, Some(PlaysOn);
    "babbles": PlaysOn, Some("output"), Some(PlaysOn);
    "floods-numbers": PlaysOn, None, Some(PlaysOn);
    "leaves-a-thread": Fault(Error, &["destroy: ", "of its threads still run"]), None, None, 64;
    "threads": PlaysOn, CALLS, None;
    "forks": PlaysOn, CALLS, None;
    "kills-the-host": PlaysOn, CALLS, None;
    "kills-itself": PlaysOn, CALLS, None;
    "closes-everything": PlaysOn, CALLS, Some(PlaysOn);
    "sleeps": PlaysOn, CALLS, Some(PlaysOn);
    "phones-home": PlaysOn, CALLS, None;
    "reads-files": PlaysOn, CALLS, None;
    "writes-files": PlaysOn, CALLS, Some(PlaysOn);
    "reads-while-loading": PlaysOn, CALLS, None;
    "reads-clocks": PlaysOn, CALLS, None;
    "reaches-for-the-kernel": PlaysOn, CALLS, None;
    "kills-by-descriptor": PlaysOn, CALLS, None;
    "kills-by-timer": PlaysOn, CALLS, None;
    "lies-about-filters": PlaysOn, CALLS, None;
    "outlives-the-host": PlaysOn, CALLS, None;
    "grants-itself-threads": PlaysOn, CALLS, None;
    "swaps-the-pipe": PlaysOn, CALLS, None;
    "leaves-marks": PlaysOn, CALLS, None;
    "remembers": PlaysOn, None, Some(PlaysOn);
    "half-an-answer":
        Fault(Crash, &["an invalid answer"]),
        None,
        Some(Fault(Error, &["act: HATTARI_E_FAIL"]));
    // The module has no descriptor to which it could write its greeting.
    "forges-its-greeting": NotLoaded("an invalid answer"), None, Some(PlaysOn);
    "paints-the-terminal":
        NotLoaded("a control character"),
        None,
        Some(NotLoaded("`description` contains a control character"));
};
