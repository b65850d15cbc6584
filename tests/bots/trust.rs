//! Tests that untrusted code does not run in the host, and that the commands of a league do not
//! run, before the user has confirmed it.
#![cfg(target_os = "linux")]

use crate::support::server::Server;
use crate::support::{Ended, Folder, PROGRAM, cc, ended, library, project, shell};
use hattari_agents::agent::{self, Isolation};
use hattari_play::catalogue::{AgentSpec, Catalogue, SearchPath};
use hattari_play::trust;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A league with a library that is configured to run in the host.
const INSIDE: &str = "\
game: daihinmin
seed: 3
entrants: [base, all-k, default, random, {name: loud, bot: LIBRARY, isolation: none}]
format: {kind: line-ups, size: 5}
blocks: 2
deals: 3
";

/// Builds a library that writes the file `loaded` when it is loaded and may write files. `version`
/// changes its contents.
fn loud(folder: &Folder, version: u32) -> PathBuf {
    let bot = project().join("bots/c/cautious.c");
    let note = format!(
        "#include {bot:?}\n#include <stdio.h>\nconst int version = {version};\n\
         __attribute__((constructor)) static void note(void) {{\n    FILE *file = fopen({:?}, \"a\");\n    \
         if (file) {{ fputs(\"loaded\\n\", file); fclose(file); }}\n}}\n",
        folder.path("loaded")
    );
    folder.write("loud.c", note);
    let output = folder.path(&library("loud"));
    // A mapped library must not be overwritten.
    _ = fs::remove_file(&output);
    cc(&folder.path("loud.c"), &output, &[]);
    output
}

fn inside() -> Folder {
    let folder = Folder::of(&INSIDE.replace("LIBRARY", &library("loud")));
    loud(&folder, 1);
    folder
}

impl Folder {
    fn has_run(&self, note: &str) -> bool {
        self.path(note).exists()
    }

    /// Returns the lines of the list of trusted code.
    fn trusted(&self) -> Vec<String> {
        let file = fs::read_to_string(self.path(".state/trusted")).unwrap_or_default();
        file.lines().map(str::to_owned).collect()
    }
}

#[test]
fn no_command_loads_a_library_into_the_host_without_confirmation() {
    let folder = inside();
    let file = library("loud");
    // Another user, who trusts the bot, plays the league.
    let mut elsewhere = folder.command("run x.yaml --no-report --trust");
    ended(elsewhere.env("HATTARI_STATE", folder.path(".theirs"))).code(0);
    fs::remove_file(folder.path("loaded")).unwrap();
    let path = format!("./{file}");
    let check = format!("check {path} --isolation none");
    let commands = [
        "run x.yaml",
        "run x.yaml --dry-run",
        "replay x.yaml",
        "export corpus x.yaml",
        "study sensitivity decisions x.yaml --output cns",
        &check,
        &format!("{check} --json"),
        &format!("check {file}#cautious --isolation none --deals 1"),
        "replay x.yaml --html",
    ];
    for arguments in commands {
        let refused = folder.hattari(arguments);
        assert_ne!(refused.code, 0, "{arguments:?}");
        refused.tells([
            "--trust",
            &file,
            "SHA-256",
            "in this process",
            "isolation: process",
        ]);
        assert!(!folder.has_run("loaded"), "{arguments:?}");
    }
    // A report is possible without the games that would need the library.
    folder
        .succeeds("report x.yaml --html")
        .complains(["the page contains no games: ", "--trust"]);
    // A server cannot ask the user, so its pages describe the remedy.
    let server = Server::start(folder.root(), "x.yaml");
    server.get("/league/0/game?game=0").gives(422, "--trust");
    server.join().gives(422, "--trust");
    assert!(!folder.has_run("loaded") && folder.trusted().is_empty());
    // In a separate process the library needs no trust.
    folder.succeeds(format!("check {path} --deals 1"));
    assert!(!folder.has_run("loaded"));
}

/// The file is replaced between inspection and loading. Nothing of it runs.
#[test]
fn a_library_that_changes_before_loading_does_not_run() {
    agent::use_program(Path::new(PROGRAM));
    trust::set_policy(trust::TrustPolicy::Grant);
    let folder = inside();
    let mut search = SearchPath::default();
    let inside = AgentSpec {
        isolation: Some(Isolation::None),
        ..AgentSpec::default()
    };
    let found = |search: &SearchPath| {
        let catalogue = Catalogue::discover(search);
        let bot = catalogue
            .bots()
            .iter()
            .find(|bot| bot.path.starts_with(folder.root()))
            .cloned();
        bot.expect("the library is found")
    };
    search.add_bots(folder.root());
    let bot = found(&search);
    loud(&folder, 2);
    let refused = bot.agent_factory_with(&inside).map(|_| ()).unwrap_err();
    assert!(
        refused
            .message
            .contains("has changed while it was being loaded"),
        "{}",
        refused.message
    );
    assert!(!folder.has_run("loaded"));
    loud(&folder, 1);
    bot.agent_factory_with(&inside).unwrap();
    assert!(folder.has_run("loaded"));
    // The loaded code is the content that was inspected, not the file that the path refers to
    // later.
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    assert!(
        !maps.contains(&folder.path(&library("loud")).display().to_string()),
        "{maps}"
    );
}

#[test]
fn trust_depends_on_content_and_location() {
    let folder = inside();
    folder.hattari("run x.yaml --no-report").code(2);
    folder.succeeds("run x.yaml --no-report --trust");
    assert!(folder.has_run("loaded"));
    let trusted = folder.trusted();
    assert!(
        trusted.len() == 1 && trusted[0].contains(&library("loud")),
        "{trusted:?}"
    );
    assert_eq!(
        fs::metadata(folder.path(".state/trusted"))
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o600
    );
    // One confirmation is enough for all commands.
    folder.succeeds("run x.yaml --blocks 3 --no-report");
    folder.succeeds("replay x.yaml");
    assert_eq!(folder.trusted(), trusted);
    // Changed content or another location needs a new confirmation.
    loud(&folder, 2);
    folder.refuses("run x.yaml --restart --no-report", "--trust");
    loud(&folder, 1);
    folder.succeeds("run x.yaml --restart --no-report");
    fs::create_dir(folder.path("other")).unwrap();
    let moved = folder.path("other").join(library("loud"));
    fs::copy(folder.path(&library("loud")), &moved).unwrap();
    let check = |more: &str| {
        let check = format!("check {} --isolation none --deals 1", moved.display());
        folder.hattari((check, more))
    };
    check("").code(2).complains("--trust");
    check("--trust").code(0);
    assert_eq!(folder.trusted().len(), 2);
}

#[test]
fn an_unwritable_trust_list_is_reported_and_the_league_is_played() {
    let folder = inside();
    let run = |arguments: &str| {
        let mut command = folder.command(("run x.yaml --no-report --restart", arguments));
        ended(command.env("HATTARI_STATE", folder.path("x.yaml/no-folder")))
    };
    run("--trust")
        .code(0)
        .complains(["cannot save the list of trusted code (", "asked again"]);
    run("").code(2).complains("--trust");
    // The default folders, if the variable is not set.
    let mut command = folder.command("run x.yaml --no-report --restart --trust");
    let home = folder.path("home");
    ended(
        command
            .env_remove("HATTARI_STATE")
            .env_remove("XDG_STATE_HOME")
            .env("HOME", &home),
    )
    .code(0);
    assert!(home.join(".local/state/hattari/trusted").exists());
    let mut command = folder.command("run x.yaml --no-report --restart --trust");
    ended(
        command
            .env_remove("HATTARI_STATE")
            .env("XDG_STATE_HOME", folder.path("state")),
    )
    .code(0);
    assert!(folder.path("state/hattari/trusted").exists());
}

/// Returns a folder with a league and a program that writes the file `started` when it is started.
fn started() -> Folder {
    let league = INSIDE.replace(
        "{name: loud, bot: LIBRARY, isolation: none}",
        "{name: guest, kind: uecda, command: [./guest, \"{port}\"], start_s: 1}",
    );
    let folder = Folder::of(&league);
    guest(&folder, "exit 3");
    folder
}

fn guest(folder: &Folder, then: &str) {
    folder.write(
        "guest",
        format!("#!/bin/sh\necho started >> started\n{then}\n"),
    );
    fs::set_permissions(folder.path("guest"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_program_of_a_league_is_not_started_without_confirmation() {
    let folder = started();
    let run = |more: &str| folder.hattari(("run x.yaml --no-report", more)).code(2);
    run("").tells(["--trust", "./guest", "as a program", "SHA-256"]);
    folder.refuses("study sensitivity decisions x.yaml --output cns", "--trust");
    // Commands that start no code need no confirmation.
    folder.succeeds("run x.yaml --dry-run");
    let server = Server::start(folder.root(), "x.yaml");
    server.join().gives(400, "This page starts no programs");
    assert!(!folder.has_run("started"));
    run("--trust").complains("exit status: 3 before it connected");
    assert!(folder.has_run("started") && folder.trusted().len() == 1);
    run("").complains("exit status: 3 before it connected");
    // A changed file or command is a different program.
    guest(&folder, "exit 4");
    run("").complains("--trust");
    guest(&folder, "exit 3");
    run("").complains("exit status: 3");
    folder.edit("x.yaml", "\"{port}\"", "\"{port}\", -x");
    run("").complains("--trust");
    // The same holds for its file in the working directory.
    folder.edit(
        "x.yaml",
        "[./guest, \"{port}\", -x]",
        "[sh, own.sh, log], folder: sub",
    );
    folder.write("sub/log", "first");
    folder.write("sub/own.sh", "exit 5");
    run("--trust").complains("exit status: 5");
    folder.write("sub/log", "The program may write this file.");
    run("").complains("exit status: 5");
    folder.write("sub/own.sh", "exit 6");
    run("").complains("--trust");
}

/// Runs a league at a terminal with this typed input.
fn at_a_terminal(folder: &Folder, typed: &str) -> Ended {
    let line =
        format!("printf '{typed}\\n' | script -qec 'hattari run x.yaml --no-report' /dev/null");
    shell(folder.root(), &line)
}

#[test]
#[ignore = "needs `script` (apt-get install bsdutils)"]
fn a_user_at_a_terminal_is_asked_once() {
    let folder = started();
    let no = at_a_terminal(&folder, "n");
    no.tells(["./guest", "Do you trust it?"]);
    assert!(!folder.has_run("started") && folder.trusted().is_empty());
    at_a_terminal(&folder, "yes").tells(["Do you trust it?", "exit status: 3"]);
    assert!(folder.has_run("started") && folder.trusted().len() == 1);
    let again = at_a_terminal(&folder, "n");
    again.never_says("Do you trust it?");
}

#[test]
fn folders_with_names_that_are_not_utf8_work_like_others() {
    let outer = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"odd \xff\xfe name");
    let folder = outer.root().join(name);
    fs::create_dir_all(folder.join("bots")).unwrap();
    cc(
        &project().join("bots/c/cautious.c"),
        &folder.join("bots").join(library("cautious")),
        &[],
    );
    fs::write(
        folder.join("mine.lua"),
        "return { act = function() return 1 end }",
    )
    .unwrap();
    let entrants = "cautious, base, all-k, default, {name: mine, bot: mine.lua}";
    let league = INSIDE.replace(
        "base, all-k, default, random, {name: loud, bot: LIBRARY, isolation: none}",
        entrants,
    );
    for file in [
        "x.yaml".as_ref(),
        std::ffi::OsStr::from_bytes(b"l\xff.yaml"),
    ] {
        let path = folder.join(file);
        fs::write(&path, &league).unwrap();
        let run = |from: &Path, arguments: &str, file: &Path| {
            let mut command = outer.command(arguments);
            let ended = ended(command.arg(file).current_dir(from));
            assert!(
                !ended.err.contains("panicked"),
                "{arguments:?}: {}",
                ended.err
            );
            ended
        };
        run(outer.root(), "run --quiet", &path).code(0);
        run(&folder, "run --quiet --restart", file.as_ref()).code(0);
        for arguments in [
            "report --html",
            "report --format json",
            "report --format csv --output tables",
            "report --format markdown",
            "replay",
            "replay --html",
            "replay --json",
            "store records",
            "export corpus",
            "run --dry-run",
        ] {
            run(outer.root(), arguments, &path).code(0);
            run(&folder, arguments, file.as_ref()).code(0);
        }
        let server = Server::start_with(outer.root(), "", Some(path.as_os_str()));
        assert_eq!(server.get("/league/0").status, 200);
    }
    // The program itself may be in this folder.
    let program = folder.join("hattari");
    std::os::unix::fs::symlink(PROGRAM, &program).unwrap();
    let mut called = Command::new(&program);
    called
        .args(["new", "lua", "daihinmin", "called"])
        .current_dir(&folder);
    ended(&mut called).code(0).never_says("panicked");
    let inside = |arguments: &str| ended(outer.command(arguments).current_dir(&folder));
    for arguments in [
        "show bots",
        "show bots --json",
        "check cautious --deals 1",
        "check cautious --deals 1 --json",
        "check mine.lua --game daihinmin --deals 1",
        "check cautious --deals 1 --isolation none --trust",
        "new lua daihinmin fresh",
        "run fresh/league.yaml --quiet --blocks 1",
        "new c daihinmin compiled",
    ] {
        inside(arguments).code(0).never_says("panicked");
    }
}
