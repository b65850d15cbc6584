//! Tests of `hattari watch`: after a bot's file is saved, the changes are reported.

use crate::support::{Arguments, Folder, Running, cc, has, library, project, python, shell};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn watch(folder: &Folder, arguments: impl Arguments) -> Running {
    Running::start(folder.root(), ("watch", arguments))
}

/// Sends Ctrl-C and returns the exit code.
fn interrupt(mut watching: Running) -> i32 {
    watching.signal("INT");
    watching.code()
}

/// Creates a scaffold and returns the path and text of its script.
fn scaffold(folder: &Folder, game: &str) -> (PathBuf, String) {
    folder.succeeds(format!("new lua {game} mine"));
    (folder.path("mine/mine.lua"), folder.read("mine/mine.lua"))
}

/// Replaces a file atomically.
fn save(path: &Path, text: &str) {
    let other = path.with_extension("new");
    fs::write(&other, text).unwrap();
    fs::rename(&other, path).unwrap();
}

const SHORT: &str = "--blocks 20 --deals 3";

#[test]
fn each_save_replays_the_same_games_and_shows_the_difference() {
    let folder = Folder::new();
    let (path, good) = scaffold(&folder, "daihinmin");
    let mut watching = watch(&folder, ("mine/mine.lua", SHORT));
    watching.until_says("watching mine/mine.lua");
    let first = watching.until_says("score");
    has(&first, "version 1");
    has(&first, "3 tests passed");
    has(
        &first,
        "version 1   played 60 deals against base, all-k, default, random",
    );
    has(&first, "points per deal, 95 % CI");

    // Playing the strongest card first is a bad strategy.
    let bad = good.replace(
        "cost(action, reversed) < cost(legal[best], reversed)",
        "cost(action, reversed) > cost(legal[best], reversed)",
    );
    assert_ne!(good, bad);
    fs::write(&path, &bad).unwrap();
    let second = watching.until_says("    now ");
    for text in [
        "version 2 ",
        "3 of 3 tests failed",
        "compared with version 1, 95 % CI",
        "worse",
        "of 60 deals differ",
        "before  mine, seat",
    ] {
        has(&second, text);
    }
    // A review names the decisions.
    let review = watching.until_says("  review ");
    has(&review, "worse than the last version, -");
    // Printed text is shown with its location, at the moves where it was printed.
    fs::write(
        &path,
        bad.replace(
            "legal: { Action }): number\n",
            "legal: { Action }): number\n    print(view.hand)\n",
        ),
    )
    .unwrap();
    let printing = watching.until_says("none from version 2");
    for text in [
        "prints      mine in block 0, deal 0, after ",
        "lines in total",
    ] {
        has(&printing, text);
    }
    fs::write(&path, &bad).unwrap();
    watching.until_says("none from version 3");
    let same = watching.until_says("compared with version 1, 95 % CI");
    assert!(!same.contains("review"), "{same}");
    // Saving without changes reports nothing.
    fs::write(&path, &bad).unwrap();
    assert_eq!(watching.says_within(Duration::from_millis(700)), "");

    // Like many editors: write another file, then rename it.
    folder.write("mine/.mine.lua.swp", &good);
    fs::rename(folder.path("mine/.mine.lua.swp"), &path).unwrap();
    let third = watching.until_says("none from version 1: the same decisions in every deal");
    for text in ["version 5", "compared with version 4, 95 % CI", "better"] {
        has(&third, text);
    }
    let review = watching.until_says("  review ");
    has(&review, "better than the last version, +");
    assert_eq!(interrupt(watching), 0);
}

#[test]
fn a_syntax_error_is_reported_with_its_line_and_the_fix_is_played() {
    let folder = Folder::new();
    let (path, good) = scaffold(&folder, "tanhinmin");
    // The script has an error from the start.
    fs::write(
        &path,
        good.replace("local function act(", "local function act)"),
    )
    .unwrap();
    let line = 1 + good
        .lines()
        .position(|line| line.contains("local function act("))
        .unwrap();
    let game = "mine/mine.lua --game tanhinmin";
    let mut watching = watch(&folder, (game, SHORT));
    let told = watching.until_says("waiting for the next save");
    has(&told, &format!("mine.lua:{line}:"));
    save(&path, &good);
    watching.until_says("score");
    // An incomplete file, as an editor might leave it. The comparison is with the last version that
    // played.
    save(&path, &good[..good.len() / 2]);
    watching.until_says("waiting for the next save");
    save(&path, &good);
    let repaired = watching.until_says("difference");
    // A version that was not played completely has no number.
    has(&repaired, "version 2 ");
    has(&repaired, "none from version 1");
    fs::remove_file(&path).unwrap();
    watching.until_says("does not exist any more; waiting for it");
    save(&path, &good.replace("return 1\nend", "return #legal\nend"));
    watching.until_says("score");
    assert_eq!(interrupt(watching), 0);
}

#[test]
fn faults_are_reported_with_file_and_line() {
    let folder = Folder::new();
    let (path, good) = scaffold(&folder, "tanhinmin");
    let trap = "  local weakest = math.huge\n";
    let faulty = good
        .replace(trap, "  local none\n  if #view.hand < 4 then return none.card end\n  local weakest = math.huge\n");
    assert_ne!(good, faulty);
    let line = 1 + faulty
        .lines()
        .position(|line| line.contains("none.card"))
        .unwrap();
    fs::write(&path, faulty).unwrap();
    let mut watching = watch(&folder, ("mine/mine.lua", SHORT));
    let told = watching.until_says("  faults ");
    let place = format!("error: mine.lua:{line}: attempt to index nil");
    assert!(
        told.contains("  fault       mine in block ") && told.contains(&place),
        "no `{place}` in\n{told}"
    );
    assert_eq!(interrupt(watching), 0);
}

#[test]
fn a_version_for_another_game_starts_the_comparison_again() {
    let folder = Folder::new();
    let script = |game: &str| {
        format!("return {{ act = function() return 1 end, bot = {{ games = {{ '{game}' }} }} }}")
    };
    let path = folder.path("mine.lua");
    folder.write("mine.lua", script("tanhinmin"));
    let mut watching = watch(&folder, ("mine.lua", SHORT));
    watching.until_says("score");
    save(&path, &script("stud"));
    let other = watching.until_says("score");
    has(
        &other,
        "the bot now plays stud; the comparison starts again at version 1",
    );
    has(&other, "version 1 ");
    save(&path, &(script("stud") + "\n"));
    has(&watching.until_says("difference"), "none from version 1");
    assert_eq!(interrupt(watching), 0);
}

#[test]
fn other_opponents_start_the_comparison_again() {
    let folder = Folder::new();
    let script = |choice: u32| {
        format!(
            "return {{ act = function() return {choice} end, bot = {{ games = {{ 'tanhinmin' }} }} }}"
        )
    };
    let path = folder.path("mine.lua");
    folder.write("mine.lua", script(1));
    folder.write("other.lua", script(1));
    let mut watching = watch(&folder, ("mine.lua --against other.lua", SHORT));
    watching.until_says("score");
    folder.write("other.lua", script(1) + "\n");
    save(&path, &(script(1) + "\n"));
    has(
        &watching.until_says("score"),
        "the opponents have changed; the comparison starts again at version 1",
    );
    assert_eq!(interrupt(watching), 0);
}

/// A pipe or a huge file in its place does not block the watch.
#[test]
fn ctrl_c_ends_the_watch_of_a_file_that_became_a_pipe() {
    let folder = Folder::new();
    let (path, good) = scaffold(&folder, "tanhinmin");
    let mut watching = watch(&folder, ("mine/mine.lua", SHORT));
    watching.until_says("score");
    shell(folder.root(), "mkfifo pipe && mv pipe mine/mine.lua").code(0);
    watching.until_says("does not exist any more; waiting for it");
    fs::remove_file(&path).unwrap();
    fs::File::create(&path).unwrap().set_len(300 << 20).unwrap();
    watching.until_says("mine.lua: more than 256 KiB of source");
    save(&path, &good);
    watching.until_says("score");
    shell(folder.root(), "rm mine/mine.lua && mkfifo mine/mine.lua").code(0);
    assert_eq!(interrupt(watching), 0);
}

#[test]
fn a_slow_version_is_stopped_at_the_next_save() {
    let folder = Folder::new();
    let (path, good) = scaffold(&folder, "tanhinmin");
    // Some hundred thousand steps per decision: the whole run would take hours.
    let slow = good.replace(
        "  local weakest = math.huge\n",
        "  for _ = 1, 900000 do end\n  local weakest = math.huge\n",
    );
    assert_ne!(good, slow);
    fs::write(&path, slow).unwrap();
    let mut watching = watch(&folder, "mine/mine.lua --blocks 1000 --deals 100");
    watching.until_says("tests passed");
    watching.until_complains("playing: 0 of 100,000 deals");
    fs::write(&path, &good).unwrap();
    let stopped = watching.until_says("interrupted before all deals were played");
    assert!(!stopped.contains("version"), "{stopped}");
    assert_eq!(interrupt(watching), 0, "Ctrl-C does not wait for the games");
}

#[test]
fn a_library_can_be_watched() {
    let folder = Folder::new();
    let source = fs::read_to_string(project().join("bots/c/template.c")).unwrap();
    let (file, code) = (folder.path(&library("mine")), folder.path("mine.c"));
    fs::write(&code, &source).unwrap();
    cc(&code, &file, &[]);
    let name = library("mine");
    let mut watching = watch(&folder, (&name, SHORT));
    watching.until_says("score");
    let other = source.replace(
        "for (i = 0; i <",
        "for (i = decision->action_count / 2; i <",
    );
    assert_ne!(source, other);
    fs::write(&code, other).unwrap();
    cc(&code, &file, &[]);
    let told = watching.until_says("    now ");
    has(&told, "version 2");
    has(&told, "before  template, seat");
    assert_eq!(interrupt(watching), 0);
}

#[test]
fn invalid_watch_arguments_are_refused() {
    let folder = Folder::new();
    scaffold(&folder, "daihinmin");
    for (arguments, why) in [
        ("mine/nothing.lua", "no such file"),
        ("bsae", "no bot `bsae` for any game; did you mean `base`"),
        (
            "base",
            "`base` is built into this program, so there is no file to watch",
        ),
        (
            "mine/mine.lua --game stud",
            "does not play stud/1; it plays daihinmin",
        ),
        (
            "mine/mine.lua --game daihinmni",
            "did you mean `daihinmin`?",
        ),
        ("mine/mine.lua --against bsae", "did you mean `base`"),
        (
            "mine/mine.lua --against base all",
            "a table of daihinmin has 5 players",
        ),
        ("mine/mine.lua --config 7", "must be a JSON object"),
        (
            "mine/mine.lua --preset none-such",
            "has no preset `none-such`",
        ),
    ] {
        folder.refuses(("watch", arguments), why);
    }
    folder.write("plain.lua", "return { act = function() return 1 end }");
    folder.refuses(
        "watch plain.lua",
        "give the game with --game, or in the script, as in `bot = { games = { \"daihinmin\" } }`",
    );
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn the_first_different_decision_of_a_program_is_shown_from_its_answers() {
    python::with("json");
    let folder = Folder::new();
    folder.succeeds("new python daihinmin mine");
    let (path, good) = (folder.path("mine/mine.py"), folder.read("mine/mine.py"));
    let mut watching = watch(&folder, ("mine/mine.py --trust", SHORT));
    watching.until_says("score");
    let bad = good.replace(
        "20 * strength - action[\"count\"]",
        "strength - 20 * action[\"count\"]",
    );
    assert_ne!(good, bad);
    save(&path, &bad);
    let second = watching.until_says("    now ");
    for text in ["compared with version 1, 95 % CI", "before  mine, seat"] {
        has(&second, text);
    }
    assert_eq!(interrupt(watching), 0);
}
