//! Tests of the limits that a league sets, and of machines that provide less.

use crate::support::{
    Ended, Folder, JsonPart, PROGRAM, ended, has, in_one_line, library, no_faults, project, shell,
};
use hattari_agents::record::FaultKind;
use std::process::Command;

#[test]
fn limits_of_a_league_are_enforced() {
    let folder = Folder::new();
    let league = duel(&folder, "hungry", "tests/plugins/hungry.c", "deals: 8\n");
    let play = |name: &str, budget: &str| {
        folder.write(name, format!("{league}budget: {{{budget}}}\n"));
        folder.play(name)
    };
    no_faults(&play("free.yaml", ""));
    for record in play("memory.yaml", "memory_mb: 48") {
        assert!(
            record.fault_counts[1] > 1 && record.fault_counts[0] == 0,
            "it is started anew: {record:?}"
        );
        let fault = &record.faults[0];
        assert_eq!((fault.kind, fault.entrant), (FaultKind::Memory, 1));
        has(&fault.message, "100 MiB were not to be had");
    }
    for record in play("block.yaml", "block_ms: 30") {
        // The time of the block is exceeded once; then the bot sits out.
        assert_eq!(record.fault_counts[1], 1, "{record:?}");
        let fault = &record.faults[0];
        assert_eq!((fault.kind, fault.entrant), (FaultKind::Time, 1));
        has(&fault.message, "gets no more calls in this block");
    }
    for record in play("decision.yaml", "decision_ms: 6") {
        let fault = record
            .faults
            .iter()
            .find(|fault| fault.entrant == 1)
            .expect("it is too slow");
        assert_eq!(fault.kind, FaultKind::Time, "{}", fault.message);
    }
}

#[test]
fn a_bot_that_works_during_other_turns_is_stopped() {
    let folder = Folder::new();
    folder.library("tests/plugins/waits.c", "waits", &[]);
    let others = (1..5)
        .map(|number| format!("{{name: w{number}, bot: waits}}"))
        .collect::<Vec<_>>()
        .join(", ");
    for (bot, threads) in [("ponders", 1), ("works-after-answers", 0)] {
        folder.library(&format!("tests/plugins/{bot}.c"), bot, &[]);
        folder.write(
            "x.yaml",
            format!(
                "game: daihinmin\nseed: 3\nentrants: [{{name: cheat, bot: {bot}, threads: {threads}}}, {others}]\n\
                 format: {{kind: line-ups, size: 5}}\nblocks: 1\ndeals: 4\n"
            ),
        );
        folder.succeeds("run x.yaml --no-report --restart");
        let record = folder.records("x.yaml").remove(0);
        assert_eq!(record.fault_counts, [1, 0, 0, 0, 0], "{bot}: {record:?}");
        let fault = &record.faults[0];
        assert_eq!(fault.kind, FaultKind::Time, "{bot}: {}", fault.message);
        has(&fault.message, "it uses the CPU while other bots decide");
        has(&fault.message, "gets no more calls in this block");
    }
}

#[test]
fn the_league_sets_how_often_a_dead_process_is_restarted() {
    let folder = Folder::new();
    let league = duel(&folder, "exits", "bots/faulty/exits.c", "deals: 30\n");
    let league = |more: &str| format!("{league}{more}");
    for (name, more, faults) in [
        ("0", "restarts: 0\n", 1),
        ("3", "restarts: 3\n", 4),
        ("default", "", 9),
    ] {
        let name = format!("{name}.yaml");
        folder.write(&name, league(more));
        for record in folder.play(&name) {
            assert_eq!(
                (record.fault_counts[1], record.deals),
                (faults, 30),
                "{record:?}"
            );
        }
    }
    // The setting is part of the league's identity, because it affects results.
    folder.write("3.yaml", league("restarts: 4\n"));
    folder
        .succeeds("run 3.yaml --no-report")
        .complains("not used: restarts: 3 before, 4 now");
}

#[test]
fn a_low_limit_on_open_files_causes_no_faults() {
    let folder = Folder::new();
    folder.library("bots/c/cautious.c", "cautious", &[]);
    let entrants: String = (0..30)
        .map(|i| format!("{{name: b{i}, bot: cautious}}, "))
        .collect();
    folder.write(
        "x.yaml",
        format!(
            "game: daihinmin\nseed: 3\nentrants: [{entrants}]\nformat: {{kind: line-ups, size: 5, sample: 30}}\nblocks: 2\ndeals: 2\n"
        ),
    );
    let whole = folder.play("x.yaml");
    no_faults(&whole);
    // Three files for each of the five bots in a line-up and a few for the host, but not for all
    // thirty bots.
    let run = "ulimit -n 48; exec hattari run x.yaml --no-report --jobs 1 --store short.sqlite";
    shell(folder.root(), run)
        .code(0)
        .complains("no worker process could be started");
    assert_eq!(folder.records("short.sqlite"), whole);
}

/// With hardly any open files, no game can be played, and no bot is blamed.
#[test]
fn a_run_without_open_files_fails_without_a_fault() {
    let folder = Folder::of(
        "game: daihinmin\nseed: 3\nentrants: [cautious, base, all-k, default, random]\n\
         format: {kind: line-ups, size: 5}\nblocks: 2\ndeals: 4\n",
    );
    folder.library("bots/c/cautious.c", "cautious", &[]);
    let run = "ulimit -n 12; exec hattari run x.yaml --no-report";
    shell(folder.root(), run).code(2).complains([
        "no worker process could be started",
        "open files are available (`ulimit -a`)",
    ]);
    assert!(!folder.path("x.sqlite").exists(), "nothing is claimed");
}

/// Returns a league of four honest bots and a bot with this source. Builds both in the folder.
fn duel(folder: &Folder, bot: &str, source: &str, more: &str) -> String {
    folder.library(source, bot, &[]);
    folder.library("bots/c/cautious.c", "cautious", &[]);
    format!(
        "game: daihinmin\nseed: 3\nentrants: [cautious, {bot}]\nformat: {{kind: duel, a: [cautious], b: [{bot}], field: \
         [cautious, cautious, cautious]}}\nblocks: 2\n{more}"
    )
}

/// Runs the program on a kernel without Landlock and seccomp, or without what the flags name.
pub(crate) fn on_old_kernel(folder: &Folder, flags: &[&str], arguments: &str) -> Ended {
    let old = folder.path("old-kernel");
    let mut compiler = Command::new("cc");
    let source = project().join("tests/plugins/old-kernel.c");
    ended(compiler.args(flags).arg(source).arg("-o").arg(&old)).code(0);
    let mut program = Command::new(&old);
    ended(
        program
            .arg(PROGRAM)
            .args(arguments.split(' '))
            .current_dir(folder.root()),
    )
}

#[test]
fn missing_kernel_features_are_reported_and_the_league_is_played() {
    let folder = Folder::new();
    let league = duel(
        &folder,
        "null-write",
        "bots/faulty/null-write.c",
        "deals: 4\n",
    );
    folder.write("x.yaml", league);
    let whole = folder.play("x.yaml");
    let run = on_old_kernel(&folder, &[], "run x.yaml --store old.sqlite").code(0);
    for missing in ["files and network (Landlock)", "system calls (seccomp)"] {
        let warning = format!(
            "isolation of `cautious`, `null-write`: the restriction `{missing}` \
            cannot be enforced ("
        );
        has(&run.err, &warning);
        // The report says it too.
        has(&in_one_line(&run.out), missing);
    }
    assert!(!run.err.contains("all limits are enforced"));
    // Faults are still reported and handled.
    assert_eq!(folder.records("old.sqlite"), whole);
    assert!(
        whole
            .iter()
            .all(|record| record.fault_counts[1] > 0 && record.fault_counts[0] == 0)
    );
    let check = format!("check bots/{} --deals 2", library("cautious"));
    let check = on_old_kernel(&folder, &[], &check).code(0);
    check.says([
        "without limits for files and network (Landlock), system calls (seccomp)",
        "NOT ENFORCED: ",
    ]);
}

#[test]
#[ignore = "long: the self test on a kernel without seccomp and Landlock"]
fn nightly_the_self_test_skips_bots_that_an_old_kernel_cannot_stop() {
    let folder = Folder::new();
    let test = on_old_kernel(&folder, &[], "check --self-test --json");
    let test = test.code(0).json();
    let forks = test.item("bot", "forks");
    assert_eq!(forks["verdict"], "warning", "{forks}");
}
