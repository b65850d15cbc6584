//! Tests of where bots run, and that this does not affect results.

use crate::support::{Folder, JsonPart, PROGRAM, ended, has, library};
use std::fs;
use std::process::Command;

#[test]
fn bots_play_the_same_in_a_process_and_in_the_host() {
    let folder = Folder::new();
    let league = |isolation: &str| {
        format!(
            "game: daihinmin\nseed: 5\nentrants: [base, all-k, default, random, {{name: odd, bot: single, isolation: none}}]\n\
             format: {{kind: line-ups, size: 5}}\nblocks: 6\ndeals: 40\nduplicate: true\n{isolation}"
        )
    };
    folder.write("inside.yaml", league(""));
    folder.write("apart.yaml", league("isolation: process\n"));
    let inside = folder.succeeds("run inside.yaml --no-report");
    inside.never_says("in separate processes");
    let apart = folder.succeeds("run apart.yaml --no-report");
    apart.complains("in separate processes: `base`, `all-k`, `default`, `random`");
    assert_eq!(folder.records("inside.yaml"), folder.records("apart.yaml"));
    // A league can be continued with the other isolation setting.
    let longer = league("isolation: process\n").replace("blocks: 6", "blocks: 7");
    folder.write("inside.yaml", &longer);
    folder.succeeds("run inside.yaml --no-report");
    let report = folder.hattari("report apart.yaml --format json");
    has(&report.out, "own process");
}

#[test]
fn built_in_bots_run_in_the_host_and_all_others_in_separate_processes() {
    // A copy of the program in an otherwise empty folder, next to a library with the name and bots
    // of one of the project's libraries.
    let (folder, empty) = (Folder::new(), Folder::new());
    let program = folder.path("program/hattari");
    fs::create_dir(folder.path("program")).unwrap();
    // Copied by another process, so that processes of other tests do not inherit a descriptor that
    // is open for writing.
    ended(Command::new("cp").args([PROGRAM.as_ref(), program.as_os_str()])).code(0);
    let cautious = folder.library("bots/c/cautious.c", "cautious", &[]);
    fs::copy(
        &cautious,
        program.with_file_name(library("hattari_bots_daihinmin")),
    )
    .unwrap();
    let run = |arguments: &str| {
        ended(
            Command::new(&program)
                .args(arguments.split(' '))
                .current_dir(empty.root())
                .env_remove("HATTARI_BOTS"),
        )
    };
    let listed = run("show bots --json").code(0).json();
    let bots = listed["bots"].list();
    for game in [
        "bridge/1",
        "daihinmin/1",
        "holdem/1",
        "stud/1",
        "tanhinmin/1",
    ] {
        assert!(
            bots.iter().any(|bot| bot["games"][0] == game),
            "no bot for {game}"
        );
    }
    // Scripts may be found in a parent folder.
    for bot in bots.iter().filter(|bot| bot["kind"] == "compiled") {
        assert_eq!(
            [&bot["path"], &bot["isolation"]],
            ["built in", "none"],
            "{bot}"
        );
    }
    run("check base --deals 2")
        .code(0)
        .says(["runs in Hattari's own process", "built into this program"]);
    run("check base --deals 2 --isolation process")
        .code(0)
        .says("in a separate process");
    // A bot from a named library runs in a separate process, wherever the library is.
    let path = program.with_file_name(library("hattari_bots_daihinmin"));
    run(&format!("check {} --deals 2", path.display()))
        .code(0)
        .says(["in a separate process", "memory"]);
}

#[test]
fn process_isolation_is_refused_for_scripts() {
    let folder = Folder::new();
    folder.write("mine.lua", "return { act = function() return 1 end }");
    let entrants = "entrants: [{name: mine, bot: mine.lua, isolation: process}]";
    let league = |more: &str| {
        let format =
            "format: {kind: challenge, challengers: [mine], field: [mine, mine, mine, mine]}";
        format!("game: daihinmin\n{more}{format}\nblocks: 1\n")
    };
    folder.write("x.yaml", league(&format!("{entrants}\n")));
    folder.refuses(
        "run x.yaml",
        "entrant `mine`: `isolation: process` is available for compiled bots",
    );
    folder.write(
        "x.yaml",
        league("entrants: [{name: mine, bot: mine.lua}]\nisolation: process\n"),
    );
    folder.succeeds("run x.yaml --no-report");
}

#[test]
fn a_worker_started_by_hand_exits_with_an_explanation() {
    let folder = Folder::new();
    let ended = folder.hattari("worker x.so");
    assert_ne!(ended.code, 0);
    ended.complains("a worker can only be started by `hattari`");
}
