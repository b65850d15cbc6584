//! Bots from `hattari new` of earlier versions. The sources, with their headers, are in
//! `tests/v0.2/scaffolds-*.tar.gz`.

use crate::bots::GAMES;
use crate::support::{Folder, JsonPart, hattari, library, link, project, share_builds, shell};
use crate::{copy, corpus_text, unpacked};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the digest of a bot's league from `tests/v0.2/tables/digests.txt`. `kind` is its
/// language, `name` its game or its own name.
#[track_caller]
fn expected(kind: &str, name: &str) -> String {
    let (text, start) = (corpus_text("tables/digests.txt"), format!("{kind} {name} "));
    let digest = text.lines().find_map(|line| line.strip_prefix(&start));
    digest
        .unwrap_or_else(|| panic!("no line {start}"))
        .to_owned()
}

/// Plays the league of a game in `tests/v0.2/tables` with this bot as `mine`. Asserts that it has
/// no faults, and returns the digest.
#[track_caller]
fn plays(folder: &Folder, game: &str, bot: &str, more: &str) -> String {
    copy(folder, "bots", "bots");
    folder.write(
        "table.yaml",
        corpus_text(&format!("tables/{game}.yaml")).replace("bot: BOT", bot),
    );
    let played = folder
        .succeeds(("run table.yaml --json --restart", more))
        .json();
    assert_eq!(played["faults"], 0, "{game}: {played}");
    played["digest"].text().to_owned()
}

/// Asserts that a bot still plays the same games in every game. `bot` puts it into a folder and
/// returns its entry for a league.
pub(crate) fn every_game_is_the_same(
    kind: &str,
    more: &str,
    bot: impl Fn(&Folder, &str) -> String,
) {
    for game in GAMES {
        let folder = Folder::new();
        let bot = bot(&folder, game);
        let digest = plays(&folder, game, &bot, more);
        assert_eq!(digest, expected(kind, game), "{game}");
    }
}

/// Plays a block of the league of a scaffold.
fn play_own_league(mine: &Path, more: &str) {
    hattari(mine, ("run league.yaml --blocks 1 --no-report", more))
        .code(0)
        .complains("0 faults");
}

/// Unpacks the scaffold of a language and game into `mine` and returns its folder.
pub(crate) fn unpack(folder: &Folder, archive: &str, language: &str, game: &str) -> PathBuf {
    let bytes = unpacked(&crate::corpus(archive));
    let mut archive = tar::Archive::new(&bytes[..]);
    let prefix = format!("{language}-{game}");
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().into_owned();
        let path = path.strip_prefix(".").unwrap_or(&path);
        let Ok(inner) = path.strip_prefix(&prefix) else {
            continue;
        };
        if entry.header().entry_type().is_file() {
            let to = folder.path("mine").join(inner);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            entry.unpack(to).unwrap();
        }
    }
    let mine = folder.path("mine");
    assert!(
        mine.join("league.yaml").is_file(),
        "{prefix} is not in the archive"
    );
    mine
}

/// Builds the library of a C scaffold with its own headers, after running its own tests. Returns
/// the bot for a league.
#[cfg(unix)]
fn build_c(mine: &Path) -> String {
    let output = library("mine");
    let lines = format!(
        "cc -std=c11 -Wall -Wextra -Iinclude -o run-tests test.c\n./run-tests\n\
         cc -std=c11 -O1 -Wall -Wextra -Wpedantic -Werror -fPIC -shared -fvisibility=hidden -Iinclude -o {output} mine.c"
    );
    shell(mine, &lines).code(0).says("ok ").never_says("FAILED");
    format!("bot: mine/{output}")
}

#[test]
fn scripts_pass_their_tests_and_still_play_the_same_games() {
    every_game_is_the_same("lua", "", |folder, game| {
        let mine = unpack(folder, "scaffolds-0.2.0.tar.gz", "lua", game);
        hattari(&mine, "check mine.lua --time 0.2 --blocks 1")
            .code(0)
            .says(["no errors", "tests passed"]);
        play_own_league(&mine, "");
        "bot: mine/mine.lua".to_owned()
    });
}

#[cfg(unix)]
#[test]
fn c_bots_build_with_their_headers_and_still_play_the_same_games() {
    every_game_is_the_same("c", "", |folder, game| {
        let mine = unpack(folder, "scaffolds-0.2.0.tar.gz", "c", game);
        let bot = build_c(&mine);
        play_own_league(&mine, "");
        bot
    });
}

#[cfg(unix)]
#[test]
fn c_bots_still_get_the_same_results_from_host_services() {
    for (bot, game) in [("lookahead", "daihinmin"), ("opendeals", "bridge")] {
        let folder = Folder::new();
        let mine = unpack(&folder, "scaffolds-0.2.0.tar.gz", "c", game);
        copy(&folder, &format!("services/{bot}.c"), "mine/service.c");
        let flags =
            "-std=c11 -O1 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden -Iinclude";
        let library = library("service");
        shell(&mine, &format!("cc {flags} -o {library} service.c")).code(0);
        let played = plays(&folder, game, &format!("bot: mine/{library}"), "");
        assert_eq!(played, expected("service", bot), "{bot}");
    }
}

/// Builds five packages, each as large as a complete program.
#[test]
#[ignore = "needs a minute of builds and every crate of the lock file (cargo fetch)"]
fn nightly_rust_bots_build_with_the_present_sdk_and_play() {
    for game in GAMES {
        let folder = Folder::new();
        let mine = unpack(&folder, "scaffolds-0.2.0.tar.gz", "rust", game);
        // The scaffold was written next to a clone of the project.
        link(project(), &folder.path("hattari"));
        let _turn = share_builds(&mine);
        // Names that this version renamed are deprecated; nothing else may cause a warning.
        shell(
            &mine,
            "export RUSTFLAGS=-Adeprecated\ncargo test --release\ncargo build --release",
        )
        .code(0)
        .says("test result: ok. ")
        .never_says("warning");
        let bot = format!("bot: mine/target/release/{}", library("mine"));
        plays(&folder, game, &bot, "");
    }
}

/// Plays the scaffolds for programs in a language, each started by `command` after `build`.
fn programs_play(language: &str, build: &str, command: &str) {
    every_game_is_the_same("program", "--trust", |folder, game| {
        let mine = unpack(folder, "scaffolds-programs.tar.gz", language, game);
        if !build.is_empty() {
            shell(&mine, build).code(0);
        }
        play_own_league(&mine, "--trust");
        format!("command: [{command}], folder: mine")
    });
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn programs_in_python_still_play_the_same_games() {
    programs_play("python", "", "python3, mine.py");
}

#[test]
#[ignore = "needs Node.js (apt-get install nodejs)"]
fn programs_in_javascript_still_play_the_same_games() {
    programs_play("node", "", "node, mine.js");
}

#[test]
#[ignore = "needs Go (apt-get install golang-go)"]
fn programs_in_go_still_play_the_same_games() {
    programs_play("go", "go build", "./mine");
}

#[test]
#[ignore = "needs a JDK (apt-get install default-jdk-headless)"]
fn programs_in_java_still_play_the_same_games() {
    programs_play(
        "java",
        "javac Bot.java && jar cfe mine.jar Bot *.class",
        "java, -jar, mine.jar",
    );
}
