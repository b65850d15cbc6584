//! The faulty bots as modules: the same fault at the same decision, on every machine and with any
//! number of threads.

use crate::support::Folder;
use hattari_agents::record::{Fault, Record};
use hattari_play::check::self_test::{
    BUDGET, CASES, ExpectedOutcome, FaultyBot, HEADERS, build_module,
};

fn league(bot: &str) -> String {
    let (fuel, megabytes) = (BUDGET.wasm_fuel.unwrap(), BUDGET.memory_mb.unwrap());
    format!(
        "game: daihinmin\nseed: 3\nentrants:\n  - {{name: faulty, bot: {bot}}}\n  - {{name: a, bot: random}}\n  - \
         {{name: b, bot: random}}\n  - {{name: c, bot: random}}\n  - {{name: d, bot: random}}\nformat: {{kind: line-ups, \
         size: 5}}\nblocks: 3\ndeals: 4\nrestarts: 3\nbudget: {{wasm_fuel: {fuel}, memory_mb: {megabytes}, decision_ms: 60000}}\n"
    )
}

/// Plays the league with this number of threads.
fn play(folder: &Folder, threads: &str) -> Vec<Record> {
    let store = format!("{threads}.sqlite");
    folder.run(&store, ["--jobs", threads]);
    folder.records(&store)
}

#[track_caller]
fn check(case: &FaultyBot) {
    let (name, folder) = (case.module, Folder::new());
    for (header, text) in HEADERS {
        folder.write(header, text);
    }
    let built = build_module(folder.root(), case).unwrap();
    let Some(expected) = case.as_module else {
        return assert!(built.is_err(), "{name} is built");
    };
    built.unwrap();
    folder.write("x.yaml", league(name));
    if let ExpectedOutcome::NotLoaded(words) = expected {
        return drop(folder.refuses("run x.yaml", words));
    }
    let records = play(&folder, "2");
    assert_eq!(
        records,
        play(&folder, "1"),
        "{name}: faults hang on nothing but the bot"
    );
    let faults: Vec<&Fault> = records.iter().flat_map(|record| &record.faults).collect();
    let told: Vec<_> = faults
        .iter()
        .map(|fault| (fault.kind, fault.deal, fault.decision, &fault.message))
        .collect();
    let ExpectedOutcome::Fault(kind, words) = expected else {
        return assert!(faults.is_empty(), "{name}: {told:?}");
    };
    let first = faults
        .first()
        .unwrap_or_else(|| panic!("{name} commits no fault"));
    let fits = words.iter().any(|words| first.message.contains(words));
    assert!(first.kind == kind && fits, "{name}: {told:?}");
    // In alphabetical order it comes after the other four.
    assert!(
        faults.iter().all(|fault| fault.entrant == 4),
        "{name}: {told:?}"
    );
}

#[test]
#[ignore = "needs clang for WebAssembly (apt-get install clang lld wasi-libc libclang-rt-dev-wasm32)"]
fn every_faulty_module_ends_as_expected_every_time() {
    CASES.iter().for_each(check);
}
