//! Tests of a program that is installed without the project: its embedded files and its search
//! paths.

use crate::support::{Arguments, Ended, JsonPart, PROGRAM, Texts, ended, has, share_builds, shell};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A copy of the program in a folder outside of the project.
struct Installed {
    folder: tempfile::TempDir,
}

impl Installed {
    fn new() -> Installed {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("usr/bin")).unwrap();
        fs::create_dir_all(folder.path().join("work")).unwrap();
        let program = folder.path().join("usr/bin/hattari");
        // Copied by another process. If this process had the copy open for writing, processes that
        // other tests start could inherit the descriptor, and the copy could not be executed.
        ended(Command::new("cp").args([Path::new(PROGRAM), &program])).code(0);
        Installed { folder }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the program in `work`, with a separate home folder.
    fn run(&self, arguments: impl Arguments) -> Ended {
        let mut command = Command::new(self.path("usr/bin/hattari"));
        command
            .args(arguments.list())
            .current_dir(self.path("work"))
            .env("HOME", self.path("home"));
        for variable in [
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
            "XDG_STATE_HOME",
            "HATTARI_BOTS",
            "HATTARI_STATE",
        ] {
            command.env_remove(variable);
        }
        ended(command.env("XDG_DATA_DIRS", self.path("system")))
    }

    /// Runs it and asserts that it succeeds.
    #[track_caller]
    fn succeeds(&self, arguments: impl Arguments) -> Ended {
        self.run(arguments).code(0)
    }

    /// Runs it and asserts that it ends with code 2 and this error output.
    #[track_caller]
    fn refuses(&self, arguments: impl Arguments, complaints: impl Texts) -> Ended {
        self.run(arguments).code(2).complains(complaints)
    }
}

#[test]
fn the_demo_is_played_from_an_empty_folder() {
    let installed = Installed::new();
    installed
        .succeeds("run --demo --blocks 2 --quiet")
        .says(["tactician", "all-k"]);
    let league = fs::read_to_string(installed.path("work/hattari-demo/demo.yaml")).unwrap();
    has(&league, "hattari run hattari-demo/demo.yaml\n");
    // Files that the user has changed are not overwritten.
    let script = installed.path("work/hattari-demo/scripts/daihinmin/minimal.lua");
    let edited = format!("{}-- mine\n", fs::read_to_string(&script).unwrap());
    fs::write(&script, &edited).unwrap();
    installed
        .succeeds("run --demo --blocks 2 --quiet")
        .says("minimal");
    assert_eq!(fs::read_to_string(&script).unwrap(), edited);
    // The output shows the entrants and the next commands, and these work.
    let told = installed.succeeds("run --demo --blocks 2");
    told.says([
        "\n  base       ",
        "\n  tactician  ",
        "hattari replay hattari-demo/demo.yaml --block 3 --game 17",
        "hattari serve hattari-demo ",
        "hattari new lua daihinmin mine",
    ]);
    installed
        .succeeds("replay hattari-demo/demo.yaml --block 1 --game 17")
        .says("tactician");
    installed.refuses("run", "<LEAGUE");
    installed.refuses("run --demo x.yaml", "cannot be used with");
}

#[test]
fn missing_files_that_the_binary_contains_are_suggested() {
    let installed = Installed::new();
    for command in ["run", "report", "replay"] {
        installed.refuses(
            [command, "leagues/demo.yaml"],
            "`hattari run --demo` plays it in any folder",
        );
    }
    installed.refuses("run demo", "`hattari run --demo` plays it in any folder");
    installed.refuses(
        "run leagues/table1.yaml",
        "`hattari show paths --unpack` installs all built-in files",
    );
    installed.refuses(
        "check scripts/daihinmin/tactician.lua",
        "`hattari show paths --unpack`",
    );
    let other = installed.run("run nope.yaml").code(2);
    other
        .complains("cannot read the league")
        .never_says("is built into Hattari");
}

#[test]
fn unpacked_files_are_found_from_every_folder() {
    let installed = Installed::new();
    let version = env!("CARGO_PKG_VERSION");
    let data = format!("home/.local/share/hattari/{version}");
    installed.succeeds("show paths").says([
        "usr/share/hattari  (does not exist)",
        &format!("{data}  (does not exist)"),
    ]);
    assert!(!installed.succeeds("show bots").out.contains("tactician"));
    installed.succeeds("show paths --unpack").says("files in ");
    installed.refuses(
        "show paths --unpack",
        "exists already and is not overwritten",
    );
    let told = installed.succeeds("show paths --json").json();
    assert!(told["bots"][0].text().ends_with("bots"), "{told}");
    assert!(installed.succeeds("show bots").out.contains("tactician"));
    let league = installed.path(&data).join("leagues/demo.yaml");
    installed.succeeds(["run", league.to_str().unwrap(), "--dry-run"]);
    // The folder next to the program is one of the search paths.
    fs::create_dir_all(installed.path("usr/share")).unwrap();
    fs::rename(installed.path(&data), installed.path("usr/share/hattari")).unwrap();
    assert!(installed.succeeds("show bots").out.contains("tactician"));
}

#[test]
#[ignore = "long: compiles the SDK"]
fn nightly_a_rust_bot_builds_with_the_bundled_sdk() {
    let installed = Installed::new();
    installed
        .succeeds("new rust tanhinmin mine")
        .says("the SDK and its documentation");
    let mine = installed.path("work/mine");
    let _turn = share_builds(&mine);
    shell(&mine, "cargo build --release --offline")
        .code(0)
        .never_says("warning");
    let library = format!("mine/target/release/{}", crate::support::library("mine"));
    installed
        .succeeds("show bots --bots mine/target/release")
        .says("+src.");
    installed.succeeds(format!("check {library} --time 1 --blocks 1"));
}

#[test]
fn completions_and_man_pages_contain_every_command() {
    let installed = Installed::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        installed
            .succeeds(format!("show completions {shell}"))
            .says("unpack");
    }
    installed.succeeds("show man man1");
    let page = fs::read_to_string(installed.path("work/man1/hattari-run.1")).unwrap();
    assert!(
        page.starts_with(".ie") && page.contains("hattari run"),
        "{page}"
    );
    assert!(installed.path("work/man1/hattari.1").is_file());
}
