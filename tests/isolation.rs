//! Compiled bots in processes of their own, through the program: whatever a bot does, the league ends, the fault is its own, and
//! the others are dealt and play what they would have.
#![cfg(target_os = "linux")]

mod support;

use hattari::check::Verdict;
use hattari::check::self_test::{CASES, Expected, HEADERS, build};
use hattari::record::{FaultKind, Record};
use hattari::store::Store;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use support::{Ended, cc, hattari, library, project, project_bots};

/// A folder with leagues and libraries that are not the project's.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bots")).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Builds a source of the project into `bots/`.
    fn library(&self, source: &str, name: &str, flags: &[&str]) -> PathBuf {
        let output = self.path("bots").join(library(name));
        let shared = format!("-I{}", project().join("bots/faulty").display());
        cc(&project().join(source), &output, &[&["-pthread", &shared], flags].concat());
        output
    }

    /// Builds every faulty bot that can be loaded into `bots/`, and gives their names.
    fn faulty(&self) -> Vec<&'static str> {
        let sources = self.path("sources");
        fs::create_dir(&sources).unwrap();
        for (name, text) in HEADERS {
            fs::write(sources.join(name), text).unwrap();
        }
        let loads = CASES.iter().filter(|case| !matches!(case.outcome, Expected::NotLoaded(_)));
        loads
            .map(|case| {
                fs::rename(build(&sources, case).unwrap(), self.path("bots").join(library(case.name))).unwrap();
                case.name
            })
            .collect()
    }

    fn league(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn hattari(&self, arguments: &[&str]) -> Ended {
        hattari(self.0.path(), arguments)
    }

    /// Plays a league without report and gives its records.
    fn play(&self, league: &str) -> Vec<Record> {
        self.hattari(&["run", league, "--no-report"]).code(0);
        self.records(league)
    }

    fn records(&self, league: &str) -> Vec<Record> {
        Store::read(&self.path(league).with_extension("sqlite")).unwrap().records().unwrap()
    }
}

/// A record without what went wrong: what was dealt, played and scored.
fn played(record: &Record) -> Record {
    let fault_counts = vec![0; record.fault_counts.len()];
    Record { faults: Vec::new(), fault_counts, ..record.clone() }
}

#[test]
fn the_self_test_finds_that_this_machine_holds_all_faulty_bots() {
    let folder = Folder::new();
    let ended = folder.hattari(&["check", "--self-test", "--json"]).code(0);
    let outcomes = ended.json();
    let outcomes = outcomes.as_array().unwrap();
    assert_eq!(outcomes.len(), CASES.len());
    for (case, outcome) in CASES.iter().zip(outcomes) {
        assert_eq!(outcome["bot"], case.name);
        let verdict = &outcome["verdict"];
        // A machine without the limit in question is not asked.
        assert!(verdict == "ok" || (case.held_by.is_some() && verdict == "warning"), "{outcome}");
    }
    assert_eq!(serde_json::to_value(Verdict::Ok).unwrap(), "ok");
}

/// One honest bot and all faulty ones; `bot` says which program plays under a name.
fn honest_and_faulty(faulty: &[&str], bot: impl Fn(&str) -> String) -> String {
    let faulty: String = faulty.iter().map(|name| format!("  - {{name: {name}, bot: {}}}\n", bot(name))).collect();
    let names = CASES.iter().filter(|case| !matches!(case.outcome, Expected::NotLoaded(_)));
    let names = names.map(|case| case.name).collect::<Vec<_>>().join(", ");
    format!(
        "game: daihinmin\nseed: 77\nentrants:\n  - {{name: honest, bot: cautious}}\n{faulty}format:\n  kind: duel\n  a: [honest]\n  \
         b: [{names}]\n  field: [null-write, wild-index, exits]\nblocks: 2\ndeals: 3\nbudget: {{decision_ms: 250, memory_mb: 64}}\n"
    )
}

#[test]
fn an_honest_bot_among_faulty_ones_is_not_touched_by_them() {
    let folder = Folder::new();
    folder.library("bots/c/cautious.c", "cautious", &[]);
    let faulty = folder.faulty();
    folder.library("tests/plugins/first.c", "first", &[]);
    folder.league("faulty.yaml", &honest_and_faulty(&faulty, str::to_owned));
    folder.league("fallback.yaml", &honest_and_faulty(&faulty, |_| "first".to_owned()));
    let (with, without) = (folder.play("faulty.yaml"), folder.play("fallback.yaml"));
    assert_eq!(with.len(), faulty.len() * 2);
    assert!(without.iter().all(|record| record.faults.is_empty()));
    // All that was dealt, played and scored, by everybody, in every deal: the digest covers it.
    let same = |records: &[Record]| records.iter().map(played).collect::<Vec<_>>();
    assert_eq!(same(&with), same(&without));

    // Every fault is its bot's, of the kind that it should be; the honest bot and those that were refused have none.
    let report = folder.hattari(&["report", "faulty.yaml"]).code(0).out;
    for (line_up, case) in CASES.iter().filter(|case| faulty.contains(&case.name)).enumerate() {
        let records: Vec<_> = with.iter().filter(|record| record.job.line_up as usize == line_up).collect();
        assert!(records.iter().all(|record| record.fault_counts[0] == 0), "{}: the honest bot: {records:?}", case.name);
        for record in records {
            let own: Vec<_> = record.faults.iter().filter(|fault| fault.entrant == 1).collect();
            match case.outcome {
                Expected::Fault(kind, words) => {
                    assert!(!own.is_empty(), "{}", case.name);
                    for fault in own {
                        assert_eq!(fault.kind, kind, "{}: {}", case.name, fault.message);
                        assert!(words.iter().any(|words| fault.message.contains(words)), "{}", fault.message);
                    }
                }
                _ if case.held_by.is_none() => assert!(own.is_empty(), "{}: {own:?}", case.name),
                _ => assert!(own.iter().all(|fault| !fault.message.contains("ESCAPED")), "{}: {own:?}", case.name),
            }
        }
        if matches!(case.outcome, Expected::Fault(..)) {
            let (_, faults) = report.split_once("\nFaults").unwrap();
            assert!(faults.contains(case.name), "{} in\n{faults}", case.name);
        }
    }
    let whole = folder.hattari(&["report", "faulty.yaml", "--format", "json"]).code(0).out;
    assert!(whole.contains("signal 11 (SIGSEGV, memory that is not its own); it wrote: about to write to address 0"));
}

#[test]
fn what_plays_in_a_process_plays_as_it_does_in_the_host() {
    project_bots();
    let folder = Folder::new();
    let league = |isolation: &str| {
        format!(
            "game: daihinmin\nseed: 5\nentrants: [base, all-k, default, random, {{name: odd, bot: single, isolation: none}}]\n\
             format: {{kind: line-ups, size: 5}}\nblocks: 6\ndeals: 40\nduplicate: true\n{isolation}"
        )
    };
    folder.league("inside.yaml", &league(""));
    folder.league("apart.yaml", &league("isolation: process\n"));
    let inside = folder.hattari(&["run", "inside.yaml", "--no-report"]).code(0);
    assert!(!inside.err.contains("in processes of their own"), "{}", inside.err);
    let apart = folder.hattari(&["run", "apart.yaml", "--no-report"]).code(0);
    apart.complains("in processes of their own: `base`, `all-k`, `default`, `random`");
    assert_eq!(folder.records("inside.yaml"), folder.records("apart.yaml"));
    // A league may go on in the other way.
    let longer = league("isolation: process\n").replace("blocks: 6", "blocks: 7");
    folder.league("inside.yaml", &longer);
    folder.hattari(&["run", "inside.yaml", "--no-report"]).code(0);
    let report = folder.hattari(&["report", "apart.yaml", "--format", "json"]);
    assert!(report.out.contains("own process"), "{}", report.out);
}

#[test]
fn limits_of_a_league_are_kept() {
    let folder = Folder::new();
    folder.library("tests/plugins/hungry.c", "hungry", &["-D_POSIX_C_SOURCE=200809L"]);
    folder.library("bots/c/cautious.c", "cautious", &[]);
    let league = |budget: &str| {
        format!(
            "game: daihinmin\nseed: 3\nentrants: [cautious, hungry]\nformat: {{kind: duel, a: [cautious], b: [hungry], field: \
             [cautious, cautious, cautious]}}\nblocks: 2\ndeals: 8\nbudget: {{{budget}}}\n"
        )
    };
    let play = |name: &str, budget: &str| {
        folder.league(name, &league(budget));
        folder.play(name)
    };
    assert!(play("free.yaml", "").iter().all(|record| record.faults.is_empty()));
    for record in play("memory.yaml", "memory_mb: 48") {
        assert!(record.fault_counts[1] > 1 && record.fault_counts[0] == 0, "it is started anew: {record:?}");
        let fault = &record.faults[0];
        assert_eq!((fault.kind, fault.entrant), (FaultKind::Memory, 1));
        assert!(fault.message.contains("100 MiB were not to be had"), "{}", fault.message);
    }
    for record in play("block.yaml", "block_ms: 30") {
        // The block's time is used up once; then it sits out.
        assert_eq!(record.fault_counts[1], 1, "{record:?}");
        let fault = &record.faults[0];
        assert_eq!((fault.kind, fault.entrant), (FaultKind::Time, 1));
        assert!(fault.message.contains("sits out the rest of the block"), "{}", fault.message);
    }
    for record in play("decision.yaml", "decision_ms: 6") {
        let fault = record.faults.iter().find(|fault| fault.entrant == 1).expect("it is too slow");
        assert_eq!(fault.kind, FaultKind::Time, "{}", fault.message);
    }
}

#[test]
fn who_works_while_others_think_is_told() {
    let folder = Folder::new();
    folder.library("tests/plugins/ponders.c", "ponders", &[]);
    folder.library("tests/plugins/first.c", "first", &[]);
    folder.league(
        "x.yaml",
        "game: daihinmin\nseed: 3\nentrants: [first, ponders]\nformat: {kind: duel, a: [first], b: [ponders], field: [first, \
         first, first]}\nblocks: 1\ndeals: 1000\n",
    );
    let records = folder.play("x.yaml");
    assert_eq!(records[0].fault_counts, [0, 1, 0, 0, 0], "{records:?}");
    let fault = &records[0].faults[0];
    assert_eq!((fault.kind, fault.deal), (FaultKind::Time, 999));
    assert!(fault.message.contains("it works while others think"), "{}", fault.message);
}

#[test]
fn a_library_that_crashes_when_it_is_looked_at_harms_nobody() {
    let folder = Folder::new();
    let sources = folder.path("sources");
    fs::create_dir(&sources).unwrap();
    for (name, text) in HEADERS {
        fs::write(sources.join(name), text).unwrap();
    }
    let case = CASES.iter().find(|case| case.name == "crashes-when-loaded").unwrap();
    fs::rename(build(&sources, case).unwrap(), folder.path("bots").join(library("crash"))).unwrap();
    folder.library("bots/c/cautious.c", "cautious", &[]);
    let listed = folder.hattari(&["bots", "--json"]).code(1).json();
    let ours: Vec<&Value> = listed["bots"].as_array().unwrap().iter().filter(|bot| bot["name"] == "cautious").collect();
    assert_eq!(ours[0]["isolation"], "process");
    let broken = listed["broken"][0]["cause"].as_str().unwrap();
    assert!(broken.starts_with("while it was loaded: its process died of signal 11"), "{broken}");
}

#[test]
fn the_project_s_own_bots_are_trusted_and_no_others() {
    project_bots();
    let folder = Folder::new();
    let copy = folder.path("bots").join(library("copy"));
    fs::copy(project_bots(), copy).unwrap();
    let bots = folder.hattari(&["bots", "--json"]).code(0).json();
    let bots = bots["bots"].as_array().unwrap();
    let own = |bot: &Value| Path::new(bot["path"].as_str().unwrap()).starts_with(support::target());
    let compiled = || bots.iter().filter(|bot| bot["kind"] == "compiled");
    assert!(compiled().any(own) && !compiled().all(own));
    for bot in compiled() {
        assert_eq!(bot["isolation"], if own(bot) { "none" } else { "process" }, "{bot}");
    }
    // A link does not make a stranger's library the project's, nor the other way round.
    let link = folder.path("bots").join(library("link"));
    std::os::unix::fs::symlink(project_bots(), &link).unwrap();
    let path = format!("bots/{}#base", library("link"));
    folder.hattari(&["check", &path, "--deals", "2"]).code(0).says("in the host's process");
    let path = format!("bots/{}#base", library("copy"));
    folder.hattari(&["check", &path, "--deals", "2"]).code(0).says("in a process of its own").says("memory");
    folder.hattari(&["check", &path, "--deals", "2", "--isolation", "none"]).code(0).says("in the host's process");
}

#[test]
fn isolation_is_for_compiled_bots() {
    let folder = Folder::new();
    fs::write(folder.path("mine.lua"), "return { act = function() return 1 end }").unwrap();
    let entrants = "entrants: [{name: mine, bot: mine.lua, isolation: process}]";
    let league = |more: &str| {
        let format = "format: {kind: challenge, challengers: [mine], field: [mine, mine, mine, mine]}";
        format!("game: daihinmin\n{more}{format}\nblocks: 1\n")
    };
    folder.league("x.yaml", &league(&format!("{entrants}\n")));
    folder.hattari(&["run", "x.yaml"]).code(2).complains("entrant `mine`: `isolation: process` is for compiled bots");
    folder.league("x.yaml", &league("entrants: [{name: mine, bot: mine.lua}]\nisolation: process\n"));
    folder.hattari(&["run", "x.yaml", "--no-report"]).code(0);
}

#[test]
fn a_worker_by_itself_says_what_it_is() {
    let folder = Folder::new();
    let ended = folder.hattari(&["worker", "x.so"]);
    assert_ne!(ended.code, 0);
    ended.complains("a worker is started by `hattari` itself");
}
