//! Tests of `hattari new`: every scaffold is written, built, tested and played as its README
//! describes.

use crate::support::{
    Ended, Folder, JsonPart, has, hattari, library, project, share_builds, shell,
};
use hattari_agents::games::GameInfo;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

/// Returns the names of all games.
fn games() -> impl Iterator<Item = &'static str> {
    hattari_agents::games::all().into_iter().map(GameInfo::name)
}

/// Checks the bot of a scaffold and plays a part of its league. Asserts that there are no problems.
/// `more` are further arguments of the commands.
fn play(folder: &Path, game: &str, bot: &str, more: &str) -> Ended {
    let mut check = format!("check {bot} --time 1 --blocks 1 {more}");
    if !more.is_empty() {
        check += &format!(" --game {game}");
    }
    let checked = hattari(folder, &check).code(0).says("no errors");
    let plays = checked.out.matches(&format!("), {game}/1\n")).count();
    assert_eq!(
        plays, 1,
        "it is checked in its own game alone\n{}",
        checked.out
    );
    hattari(folder, ("run league.yaml --blocks 1", more))
        .code(0)
        .complains("0 faults")
        .says("mine");
    let digest = digest_of_games(folder, game, more);
    assert_eq!(
        digest,
        lua_digest(game),
        "another language plays otherwise than Lua"
    );
    checked
}

/// Plays 1,000 games of the scaffold's league in few blocks and returns the digest of the records.
/// Two bots with the same moves have the same digest.
fn digest_of_games(folder: &Path, game: &str, more: &str) -> String {
    let league = fs::read_to_string(folder.join("league.yaml")).unwrap();
    let is_kept = |line: &&str| !line.starts_with("blocks:") && !line.starts_with("deals:");
    let kept: Vec<&str> = league.lines().filter(is_kept).collect();
    // Line-ups and rotations of duplicate deals multiply the number of games in a block.
    let deals = match game {
        "bridge" => 50,
        "holdem" | "stud" => 34,
        _ => 200,
    };
    fs::write(
        folder.join("games.yaml"),
        format!("{}\nblocks: 5\ndeals: {deals}\n", kept.join("\n")),
    )
    .unwrap();
    let played = hattari(folder, ("run games.yaml --json", more))
        .code(0)
        .json();
    assert!(
        played["faults"] == 0 && played["deals"].as_u64() >= Some(1000),
        "{played}"
    );
    played["digest"].text().to_owned()
}

/// Returns the digest of the games of a game's Lua scaffold. They are played only once.
fn lua_digest(game: &str) -> String {
    static PLAYED: LazyLock<Mutex<HashMap<String, String>>> = LazyLock::new(Mutex::default);
    let mut played = PLAYED.lock().unwrap();
    let play = || {
        let folder = Folder::new();
        folder.succeeds(format!("new lua {game} mine"));
        digest_of_games(&folder.path("mine"), game, "")
    };
    played.entry(game.to_owned()).or_insert_with(play).clone()
}

/// Writes, builds and plays the scaffold for programs in this language, for every game.
fn program_plays_every_game(language: &str, bot: &str, build: &str) {
    for game in games() {
        let folder = Folder::new();
        let told = folder.succeeds(format!("new {language} {game} mine"));
        told.says(["run league.yaml --trust", &format!("check {bot}")]);
        let mine = folder.path("mine");
        if !build.is_empty() {
            shell(&mine, build).code(0);
        }
        play(&mine, game, bot, "--trust");
        // A bot for one game rejects the others.
        let other = if game == "stud" { "holdem" } else { "stud" };
        let refused = hattari(
            &mine,
            ["check", bot, "--game", other, "--deals", "1", "--trust"],
        );
        assert_ne!(refused.code, 0, "{}", refused.out);
    }
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn python_bots_play_every_game() {
    program_plays_every_game("python", "mine.py", "");
}

#[test]
#[ignore = "needs Node.js (apt-get install nodejs)"]
fn javascript_bots_play_every_game() {
    program_plays_every_game("node", "mine.js", "");
}

#[test]
#[ignore = "needs Go (apt-get install golang-go)"]
fn go_bots_play_every_game() {
    program_plays_every_game("go", "./mine", "go vet && go build");
}

#[test]
#[ignore = "needs a JDK (apt-get install default-jdk-headless)"]
fn java_bots_play_every_game() {
    let build = "javac -Xlint:all -Werror Bot.java && jar cfe mine.jar Bot *.class";
    program_plays_every_game("java", "mine.jar", build);
}

#[test]
fn a_script_passes_its_tests_and_plays() {
    scripts_play(["holdem"].into_iter());
}

#[test]
#[ignore = "long: plays a thousand games of each game"]
fn nightly_scripts_pass_their_tests_and_play_every_game() {
    scripts_play(games());
}

/// Writes, tests and plays the scaffold in Lua for each of the games.
fn scripts_play(games: impl Iterator<Item = &'static str>) {
    for game in games {
        let folder = Folder::new();
        let told = folder.succeeds(format!("new lua {game} mine"));
        told.says([
            "mine/mine.lua",
            "check mine.lua",
            "watch mine.lua",
            "run league.yaml",
            "AGENTS.md",
        ]);
        let mine = folder.path("mine");
        play(&mine, game, "mine.lua", "").says(["own tests", "tests passed"]);
        let types = fs::read_to_string(mine.join(format!("types/{game}.d.luau"))).unwrap();
        has(&types, "export type View");
        for file in [".luaurc", ".vscode/settings.json"] {
            let text = fs::read_to_string(mine.join(file)).unwrap();
            assert!(
                serde_json::from_str::<serde_json::Value>(&text).is_ok(),
                "{file}: {text}"
            );
        }
    }
}

/// Writes, compiles, tests and plays the scaffold in C for every game. `bot` is its file.
fn c_bots_play(more: &str, says: &str, bot: &str) {
    for game in games() {
        let folder = Folder::new();
        let new = format!("new c {game} mine");
        folder.succeeds((new, more)).says(says);
        let mine = folder.path("mine");
        let flags = "CFLAGS='-O1 -Wall -Wextra -Wpedantic -Wconversion -Werror'";
        shell(&mine, &format!("make test {flags}\nmake {flags}"))
            .code(0)
            .says("ok ")
            .never_says("FAILED");
        play(&mine, game, bot, "");
    }
}

#[test]
#[ignore = "needs make (apt-get install make)"]
fn c_bots_compile_without_a_warning_pass_their_tests_and_play() {
    c_bots_play("", "make test", &format!("./{}", library("mine")));
}

#[test]
#[ignore = "needs make (apt-get install make)"]
fn a_failing_c_test_is_reported() {
    let folder = Folder::new();
    folder.succeeds("new c tanhinmin mine");
    let mine = folder.path("mine");
    let source = fs::read_to_string(mine.join("mine.c")).unwrap();
    let broken = source.replace("|| view->hand == weakest", "");
    assert_ne!(source, broken);
    fs::write(mine.join("mine.c"), broken).unwrap();
    let ended = shell(&mine, "make test").says("FAILED  the last card is played");
    assert_ne!(ended.code, 0);
}

/// Writes, builds and plays the scaffold in Rust for each of the games. `more` and `says` are further
/// arguments and a further text of `new`, `bot` is the library.
fn rust_bots_play<'a>(
    games: impl Iterator<Item = &'a str>,
    (more, says): (&str, &str),
    (build, built): (&str, &str),
    bot: &str,
) {
    for game in games {
        let folder = Folder::new();
        let told = folder.succeeds((format!("new rust {game} mine"), more));
        told.says(["cargo build --release", says]);
        let mine = folder.path("mine");
        let _turn = share_builds(&mine);
        let ended = shell(&mine, build).code(0);
        ended.says(built).never_says("warning");
        play(&mine, game, bot, "");
    }
}

/// Builds, tests and plays the scaffold in Rust as a library for each of the games.
fn rust_libraries_play(games: impl Iterator<Item = &'static str>) {
    rust_bots_play(
        games,
        ("", "the first build takes about"),
        (
            "cargo test --release\ncargo build --release",
            "test result: ok. 2 passed",
        ),
        &format!("target/release/{}", library("mine")),
    );
}

#[test]
fn a_rust_bot_builds_passes_its_tests_and_plays() {
    rust_libraries_play(["tanhinmin"].into_iter());
}

#[test]
#[ignore = "long: builds five packages"]
fn nightly_rust_bots_build_pass_their_tests_and_play_every_game() {
    rust_libraries_play(games());
}

#[test]
#[ignore = "needs clang for WebAssembly (apt-get install clang lld wasi-libc libclang-rt-dev-wasm32)"]
fn c_bots_compile_to_modules() {
    c_bots_play("--wasm", "check mine.wasm", "./mine.wasm");
    let folder = Folder::new();
    folder.refuses(
        "new lua stud mine --wasm",
        "--wasm is for bots in C and Rust",
    );
}

#[test]
#[ignore = "needs the Rust target wasm32-wasip1 (rustup target add wasm32-wasip1)"]
fn wasip1_rust_bots_compile_to_modules() {
    rust_bots_play(
        ["daihinmin", "holdem", "bridge"].into_iter(),
        ("--wasm", "--target wasm32-wasip1"),
        ("cargo build --release --target wasm32-wasip1", ""),
        "target/wasm32-wasip1/release/mine.wasm",
    );
}

#[test]
fn failing_tests_of_a_script_are_reported_by_name_and_line() {
    let folder = Folder::new();
    folder.succeeds("new lua tanhinmin mine");
    let script = folder.path("mine/mine.lua");
    let source = fs::read_to_string(&script).unwrap();
    let broken = source.replace("or #view.hand == 1", "");
    assert_ne!(source, broken);
    let line = 1 + broken
        .lines()
        .position(|line| line.contains("{ hand = { \"3\" } }"))
        .unwrap();
    fs::write(&script, broken).unwrap();
    let checked = folder
        .hattari("check mine/mine.lua --time 1 --blocks 1")
        .code(1);
    checked.says([
        "1 of 2 tests failed",
        &format!("plays_its_last_card: mine.lua:{line}: assertion failed!"),
    ]);
    fs::write(
        &script,
        "return { act = function() return 1 end, tests = { 7 } }",
    )
    .unwrap();
    let checked = folder
        .hattari("check mine/mine.lua --game tanhinmin --time 1")
        .code(1);
    checked.says("`tests` must be a table of named functions");
}

#[test]
fn invalid_scaffolds_are_refused_and_leave_no_files() {
    let folder = Folder::new();
    // Words of a command are separated by `, `.
    for (words, why) in [
        ("lua, chess, mine", "chess"),
        ("lua, daihinmni, mine", "did you mean `daihinmin`?"),
        ("cobol, daihinmin, mine", "possible values: lua, rust, c"),
        ("lua, daihinmin, My Bot", "for example `my-bot`"),
        ("lua, daihinmin, bots/My Bot", "for example `my-bot`"),
        ("lua, daihinmin, bots/..", "the name of a bot must"),
        ("rust, daihinmin, match", "choose another name"),
        ("lua, daihinmin, stud", "this is the name of a game"),
        (
            "c, daihinmin, mine, --sdk, somewhere",
            "--sdk is for bots in Rust",
        ),
        (
            "rust, daihinmin, mine, --sdk, nowhere",
            "the folder does not contain the package `hattari-plugin`",
        ),
        ("lua, daihinmin, base", "daihinmin already has a bot `base`"),
    ] {
        let arguments: Vec<&str> = ["new"].into_iter().chain(words.split(", ")).collect();
        folder.refuses(&arguments, why);
        assert_eq!(fs::read_dir(folder.root()).unwrap().count(), 0, "{words}");
    }
}

#[test]
fn existing_folders_are_not_overwritten() {
    let folder = Folder::new();
    let script = folder.path("mine/mine.lua");
    folder.succeeds("new lua daihinmin mine");
    fs::write(&script, "-- My work.").unwrap();
    folder.refuses(
        "new c holdem mine",
        "mine exists already and is not overwritten",
    );
    assert_eq!(fs::read_to_string(&script).unwrap(), "-- My work.");
    assert!(!folder.path("mine/Makefile").exists());
    folder.succeeds("new c holdem mine --into else/where");
    assert!(folder.path("else/where/mine/mine.c").is_file());
    // The name may be a path.
    folder
        .succeeds("new lua daihinmin my/bots/mine")
        .says(["my/bots/mine/mine.lua", "cd my/bots/mine"]);
    folder.refuses(
        "new lua daihinmin my/bots/mine",
        "my/bots/mine exists already",
    );
    let absolute = folder.path("other/");
    folder.succeeds(["new", "lua", "daihinmin", absolute.to_str().unwrap()]);
    assert!(folder.path("other/other.lua").is_file());
}

#[test]
fn a_missing_compiler_is_named_with_its_packages() {
    for (language, more, words) in [
        (
            "c",
            &[][..],
            "Not found on this machine: cc, make. Debian and Ubuntu: apt-get install gcc make\n",
        ),
        (
            "c",
            &["--wasm"],
            "clang, wasm-ld, cc, make. Debian and Ubuntu: apt-get install clang lld wasi-libc",
        ),
        (
            "rust",
            &[],
            "cargo. Debian and Ubuntu: apt-get install rustup",
        ),
        (
            "java",
            &[],
            "java, javac, jar. Debian and Ubuntu: apt-get install default-jdk",
        ),
    ] {
        let folder = Folder::new();
        let arguments = [&["new", language, "daihinmin", "mine"], more].concat();
        let mut command = folder.command(&arguments);
        crate::support::ended(command.env("PATH", folder.root()))
            .code(0)
            .says(words);
    }
    let folder = Folder::new();
    let mut command = folder.command("new lua daihinmin mine");
    crate::support::ended(command.env("PATH", folder.root()))
        .code(0)
        .never_says("Not found");
}

#[test]
fn a_rust_scaffold_refers_to_the_sdk_by_its_path() {
    let folder = Folder::new();
    let manifest = |name: &str| folder.read(&format!("{name}/Cargo.toml"));
    let new = |name: &str, more: &str| {
        folder.succeeds(format!("new rust stud {name} {more}"));
    };
    // The clone is in a neighbouring folder. The path is relative, so that both can be moved.
    folder.copy("plugin-api/Cargo.toml", "hattari/plugin-api/Cargo.toml");
    new("a", "--sdk hattari");
    has(
        &manifest("a"),
        "hattari-plugin = { path = \"../hattari/plugin-api\" }",
    );
    new("b", "--sdk hattari/plugin-api --into hattari/bots");
    let inside = manifest("hattari/bots/b");
    has(&inside, "hattari-plugin = { path = \"../../plugin-api\" }");
    new("d", "");
    // The built-in path of the project, which must be valid from the new folder or from anywhere.
    let text = manifest("d");
    let path = text
        .split("hattari-plugin = { path = ")
        .nth(1)
        .and_then(|rest| rest.split(['"', '\'']).nth(1));
    let path = folder
        .root()
        .join("d")
        .join(path.unwrap_or_else(|| panic!("{text}")));
    assert_eq!(
        fs::canonicalize(path).unwrap(),
        fs::canonicalize(project().join("plugin-api")).unwrap(),
        "{text}"
    );
}
