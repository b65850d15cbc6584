//! Tests that faulty bots do not affect an honest bot in the same league.

use crate::script::table::played;
use crate::support::{Folder, JsonPart, library, no_faults};
use hattari_agents::record::{JobId, Record};
use hattari_play::check::Grade;
use hattari_play::check::self_test::{CASES, ExpectedOutcome, FaultyBot, HEADERS, SCRIPTS, build};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn the_self_test_confirms_that_all_faulty_bots_are_contained() {
    let folder = Folder::new();
    let ended = folder.succeeds("check --self-test --json");
    let outcomes = ended.json();
    let outcomes = outcomes.list();
    let (compiled, others) = outcomes.split_at(CASES.len());
    let (scripts, modules) = others.split_at(SCRIPTS.len());
    for (case, outcome) in CASES.iter().zip(compiled) {
        assert_eq!(outcome["bot"], case.name);
        let verdict = &outcome["verdict"];
        // On a machine that lacks the required limit, the case is skipped.
        assert!(
            verdict == "ok" || (case.stopped_by.is_some() && verdict == "warning"),
            "{outcome}"
        );
    }
    // Cases without source code are skipped. Without a WebAssembly compiler, there is one line for
    // all of them.
    let built = CASES
        .iter()
        .filter(|case| case.as_module.is_some())
        .map(|case| (case.module, "ok"));
    let built: Vec<_> = if modules.len() == 1 {
        vec![("*.wasm", "warning")]
    } else {
        built.collect()
    };
    assert_eq!((scripts.len(), modules.len()), (SCRIPTS.len(), built.len()));
    let expected = SCRIPTS.iter().map(|case| (case.name, "ok")).chain(built);
    for ((name, verdict), outcome) in expected.zip(scripts.iter().chain(modules)) {
        assert_eq!(
            (&outcome["bot"], &outcome["verdict"]),
            (&Value::from(name), &Value::from(verdict)),
            "{outcome}"
        );
    }
    assert_eq!(serde_json::to_value(Grade::Ok).unwrap(), "ok");
}

/// Builds every faulty bot that can be loaded into `bots/`, and returns them.
fn faulty_bots(folder: &Folder) -> Vec<&'static FaultyBot> {
    for (name, text) in HEADERS {
        folder.write(&format!("sources/{name}"), text);
    }
    fs::create_dir_all(folder.path("bots")).unwrap();
    let is_loaded = |case: &&FaultyBot| !matches!(case.outcome, ExpectedOutcome::NotLoaded(_));
    let cases: Vec<_> = CASES.iter().filter(is_loaded).collect();
    for case in &cases {
        let built = build(&folder.path("sources"), case).unwrap();
        fs::rename(built, folder.path("bots").join(library(case.name))).unwrap();
    }
    cases
}

/// Bots in every line-up, in addition to the two that are tested.
const FIELD: [&str; 3] = ["null-write", "wild-index", "exits"];

/// Returns a league with one honest bot and each faulty bot in turn, or a bot in place of each
/// faulty one. Time limits are generous, so that no bot is late on a busy machine.
fn league(faulty: &[&FaultyBot], size: &str, replacement: Option<&str>) -> String {
    let entrant = |faulty: &&FaultyBot| {
        let (name, threads) = (faulty.name, faulty.threads);
        let bot = replacement.unwrap_or(name);
        format!("  - {{name: {name}, bot: {bot}, threads: {threads}}}\n")
    };
    let entrants: String = faulty.iter().map(entrant).collect();
    let names: Vec<&str> = faulty.iter().map(|faulty| faulty.name).collect();
    format!(
        "game: daihinmin\nseed: 77\nentrants:\n  - {{name: honest, bot: cautious}}\n{entrants}format:\n  kind: duel\n  \
         a: [honest]\n  b: [{}]\n  field: [{}]\n{size}\nrestarts: 1\nbudget: \
         {{decision_ms: 1000, memory_mb: 64}}\n",
        names.join(", "),
        FIELD.join(", ")
    )
}

/// Place of a fault, its bot, and its kind as in reports.
type Place = (String, [u32; 4], String);

/// Returns all faults in the records of a league.
fn places(records: &[Record], faulty: &[&FaultyBot]) -> BTreeSet<Place> {
    let all = records
        .iter()
        .flat_map(|record| record.faults.iter().map(move |fault| (record, fault)));
    all.map(|(record, fault)| {
        let JobId { line_up, block } = record.job;
        let opponent = faulty[line_up as usize].name;
        let table = ["honest", opponent, FIELD[0], FIELD[1], FIELD[2]];
        (
            table[usize::from(fault.entrant)].to_owned(),
            [line_up, block, fault.deal, fault.decision],
            fault.kind.name().to_owned(),
        )
    })
    .collect()
}

/// Returns the faults in `faults.csv`.
fn places_of_csv(text: &str) -> BTreeSet<Place> {
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let read = |row: csv::StringRecord| {
        let number = |at: usize| row[at].parse().unwrap();
        (
            row[0].to_owned(),
            [1, 2, 3, 4].map(number),
            row[5].to_owned(),
        )
    };
    rows.records().map(|row| read(row.unwrap())).collect()
}

#[test]
fn faulty_compiled_bots_do_not_affect_an_honest_bot() {
    play_with_faulty_bots(1, 2);
}

#[test]
#[ignore = "long: every faulty bot is started anew in a second block"]
fn nightly_faulty_compiled_bots_do_not_affect_an_honest_bot_in_later_blocks() {
    play_with_faulty_bots(2, 3);
}

/// Plays a league of an honest bot with every faulty bot, and again with replacements that act like
/// the fault rule. Both must give the same games. Tests the faults in all reports.
fn play_with_faulty_bots(blocks: usize, deals: usize) {
    let folder = Folder::new();
    let faulty = faulty_bots(&folder);
    folder.library("bots/c/cautious.c", "cautious", &[]);
    folder.library("tests/plugins/first.c", "first", &[]);
    let size = format!("blocks: {blocks}\ndeals: {deals}");
    let play = |(file, replacement): (&str, Option<&str>)| {
        folder.write(file, league(&faulty, &size, replacement));
        folder.play(file)
    };
    let [with, without] = [("faulty.yaml", None), ("fallback.yaml", Some("first"))].map(play);
    assert_eq!(with.len(), faulty.len() * blocks);
    no_faults(&without);
    // Compares the deals, actions and scores of all players in all deals, through the digest.
    let same = |records: &[Record]| records.iter().map(played).collect::<Vec<_>>();
    assert_eq!(same(&with), same(&without));

    // Every fault belongs to its bot and has the expected kind. The honest bot and rejected bots
    // have none.
    for (line_up, bot) in faulty.iter().enumerate() {
        let records: Vec<_> = with
            .iter()
            .filter(|record| record.job.line_up as usize == line_up)
            .collect();
        assert!(
            records.iter().all(|record| record.fault_counts[0] == 0),
            "{}: the honest bot: {records:?}",
            bot.name
        );
        for record in records {
            let own: Vec<_> = record
                .faults
                .iter()
                .filter(|fault| fault.entrant == 1)
                .collect();
            match bot.outcome {
                ExpectedOutcome::Fault(kind, words) => {
                    assert!(!own.is_empty(), "{}", bot.name);
                    for fault in own {
                        assert_eq!(fault.kind, kind, "{}: {}", bot.name, fault.message);
                        assert!(
                            words.iter().any(|words| fault.message.contains(words)),
                            "{}",
                            fault.message
                        );
                    }
                }
                _ if bot.stopped_by.is_none() => {
                    assert!(own.is_empty(), "{}: {own:?}", bot.name)
                }
                _ => assert!(
                    own.iter().all(|fault| !fault.message.contains("ESCAPED")),
                    "{}: {own:?}",
                    bot.name
                ),
            }
        }
    }
    every_report_lists_the_faults(&folder, &places(&with, &faulty));
}

/// Asserts that every report format lists each kind of fault of every faulty bot, and that CSV
/// contains all faults.
fn every_report_lists_the_faults(folder: &Folder, places: &BTreeSet<Place>) {
    let report = |format: &str| {
        folder
            .succeeds(format!("report faulty.yaml --format {format}"))
            .out
    };
    assert!(places.len() > 20, "{places:?}");
    folder.succeeds("report faulty.yaml --format csv --output csv");
    let listed = folder.read("csv/faults.csv");
    assert_eq!(places_of_csv(&listed), *places);
    let json = folder.report("faulty.yaml");
    let line_ups = json["samples"]["line_ups"].list().iter();
    let bots = line_ups.flat_map(|line_up| line_up["bots"].list());
    let notes: usize = bots.map(|bot| bot["fault_notes"].list().len()).sum();
    assert!(places.len() <= notes, "{notes}");
    let kinds: BTreeSet<(&str, &str)> = places
        .iter()
        .map(|(bot, _, kind)| (bot.as_str(), kind.as_str()))
        .collect();
    for (format, heading) in [("terminal", "\nFaults"), ("markdown", "\n## Faults")] {
        let text = report(format);
        let (_, faults) = text.split_once(heading).unwrap();
        for (bot, kind) in &kinds {
            let row = faults
                .lines()
                .any(|line| line.contains(bot) && line.contains(kind));
            assert!(row, "{format}: {kind} of {bot} in\n{faults}");
        }
    }
    // The message contains the signal and the last output of the bot.
    let words = "signal 11 (SIGSEGV, invalid memory access); it wrote: about to write to address 0";
    assert!(
        listed.contains(words) && json.to_string().contains(words),
        "{listed}"
    );
}
