//! What the faulty bots do as modules: the same fault at the same decision, on every machine and any number of threads.

use crate::support::{Folder, has_wasm_cc, project};
use hattari::record::{Fault, FaultKind, Record};
use std::fs;

/// What must come of a faulty bot in WebAssembly.
enum Expected {
    /// This fault at its fourth decision, with these words.
    Fault(FaultKind, &'static str),
    /// Nothing: what it does stays inside, or is refused, and it plays on.
    PlaysOn,
    /// What it says of itself is refused with these words, before anything is played.
    NotLoaded(&'static str),
    /// There is no such thing in WebAssembly: the compiler or the linker refuses it.
    NotBuilt,
}

use Expected::{Fault as Faults, NotBuilt, NotLoaded, PlaysOn};
use FaultKind::{Crash, Error, IllegalAction, Memory, Panic, Time};

const CASES: [(&str, Expected); 43] = [
    ("aborts", Faults(Crash, "act: it has aborted, in abort")),
    // It waits for a clock that stands still, up to the time for a decision: the fuel is gone before.
    ("answers-late", Faults(Time, "act: more than 100000000 of fuel, in ")),
    ("babbles", PlaysOn),
    ("closes-everything", PlaysOn),
    // Address 0 is memory like any other: what is written there stays inside.
    ("crashes-in-destroy", PlaysOn),
    ("crashes-when-loaded", PlaysOn),
    ("deaf-loop", NotBuilt),
    ("divides-by-zero", NotBuilt),
    ("endless-loop", Faults(Time, "act: more than 100000000 of fuel, in act")),
    ("error-status", Faults(Error, "act: at a loss (HATTARI_E_FAIL)")),
    ("exits", Faults(Crash, "act: it has ended itself with exit code 0, in ")),
    // It has written its greeting to nobody, and takes it for heard.
    ("forges-its-greeting", Faults(Error, "act: ESCAPED: under a forged name")),
    ("forks", NotBuilt),
    ("grants-itself-threads", NotBuilt),
    ("half-an-answer", Faults(Error, "act: HATTARI_E_FAIL")),
    // malloc has given null in time; to write there is no fault, so it believes that it has all it asked for.
    ("heedless-hog", Faults(Error, "act: ESCAPED: 16 GiB of memory")),
    ("kills-by-descriptor", NotBuilt),
    ("kills-by-timer", NotBuilt),
    ("kills-itself", NotBuilt),
    ("kills-the-host", NotBuilt),
    ("leaves-a-thread", NotBuilt),
    ("leaves-marks", NotBuilt),
    ("lies-about-filters", NotBuilt),
    ("loops-at-the-end", Faults(Time, "deal_end: more than 100000000 of fuel, in deal_end")),
    ("memory-bomb", Faults(Memory, "no memory is left")),
    ("null-write", PlaysOn),
    ("outlives-the-host", NotBuilt),
    ("paints-the-terminal", NotLoaded("`description` holds a control character")),
    ("panic-status", Faults(Panic, "index out of bounds")),
    ("phones-home", NotBuilt),
    ("reaches-for-the-kernel", NotBuilt),
    ("reads-clocks", NotBuilt),
    ("reads-files", NotBuilt),
    ("reads-while-loading", NotBuilt),
    ("recursion", Faults(Crash, "act: it reaches beyond its memory, in deeper")),
    ("remembers", PlaysOn),
    ("sleeps", PlaysOn),
    ("swaps-the-pipe", NotBuilt),
    ("talks-nonsense", PlaysOn),
    ("threads", NotBuilt),
    ("wild-amount", PlaysOn),
    ("wild-index", Faults(IllegalAction, "action 100000 of")),
    ("writes-files", PlaysOn),
];

fn league(bot: &str) -> String {
    format!(
        "game: daihinmin\nseed: 3\nentrants:\n  - {{name: faulty, bot: {bot}}}\n  - {{name: a, bot: random}}\n  - \
         {{name: b, bot: random}}\n  - {{name: c, bot: random}}\n  - {{name: d, bot: random}}\nformat: {{kind: line-ups, \
         size: 5}}\nblocks: 3\ndeals: 4\nrestarts: 3\nbudget: {{wasm_fuel: 100000000, memory_mb: 16, decision_ms: 60000}}\n"
    )
}

/// Plays the league in that many threads.
fn play(folder: &Folder, threads: &str) -> Vec<Record> {
    let store = format!("{threads}.sqlite");
    folder.hattari(&["run", "x.yaml", "--no-report", "--jobs", threads, "--store", &store]).code(0);
    folder.records(&store)
}

#[track_caller]
fn check(name: &str, expected: &Expected) {
    let folder = Folder::new();
    let shared = format!("-I{}", project().join("bots/faulty").display());
    let output = folder.path("faulty.wasm");
    let source = project().join(format!("bots/faulty/{name}.c"));
    let built =
        crate::support::wasm_cc(&source, &output, &["-O1", "-fno-builtin", "-D_POSIX_C_SOURCE=200809L", &shared]);
    if matches!(expected, NotBuilt) {
        assert_ne!(built.code, 0, "{name} is built");
        return;
    }
    built.code(0);
    folder.write("x.yaml", league("faulty.wasm"));
    if let NotLoaded(words) = expected {
        return drop(folder.hattari(&["run", "x.yaml"]).code(2).complains(words));
    }
    let records = play(&folder, "2");
    assert_eq!(records, play(&folder, "1"), "{name}: faults hang on nothing but the bot");
    let faults: Vec<&Fault> = records.iter().flat_map(|record| &record.faults).collect();
    let told: Vec<_> = faults.iter().map(|fault| (fault.kind, fault.deal, fault.decision, &fault.message)).collect();
    match expected {
        PlaysOn | NotBuilt | NotLoaded(_) => assert!(faults.is_empty(), "{name}: {told:?}"),
        Faults(kind, words) => {
            let first = faults.first().unwrap_or_else(|| panic!("{name} commits no fault"));
            assert!(first.kind == *kind && first.message.contains(words), "{name}: {told:?}");
            // By name it sits behind the other four.
            assert!(faults.iter().all(|fault| fault.entrant == 4), "{name}: {told:?}");
        }
    }
}

#[test]
fn every_faulty_bot_ends_as_it_must_again_and_again() {
    if !has_wasm_cc() {
        return;
    }
    let sources = fs::read_dir(project().join("bots/faulty")).unwrap().map(|entry| entry.unwrap().path());
    let count = sources.filter(|path| path.extension().is_some_and(|extension| extension == "c")).count();
    assert_eq!(count, CASES.len(), "the list above is that of bots/faulty");
    for (name, expected) in &CASES {
        check(name, expected);
    }
}
