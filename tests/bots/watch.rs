//! `hattari watch`: a bot's file is saved, and what has changed is told.

use crate::support::{cc, command, hattari, library, project, project_bots};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Far longer than anything takes.
const LONG: Duration = Duration::from_secs(120);

/// A running `hattari watch`.
struct Watching {
    child: Child,
    out: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
    /// How much of the output has been looked at.
    read: usize,
}

impl Watching {
    fn start(folder: &Path, arguments: &[&str]) -> Watching {
        let mut all = vec!["watch"];
        all.extend(arguments);
        let mut child =
            command(folder, &all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let out = Arc::new(Mutex::new(String::new()));
        let (lines, sink) = (BufReader::new(child.stdout.take().unwrap()), Arc::clone(&out));
        let reader = thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                *sink.lock().unwrap() += &(line + "\n");
            }
        });
        Watching { child, out, reader: Some(reader), read: 0 }
    }

    /// Waits until the output after what was waited for last holds `text`, and gives the output up to the end of that line.
    #[track_caller]
    fn until(&mut self, text: &str) -> String {
        let began = Instant::now();
        loop {
            let out = self.out.lock().unwrap().clone();
            let fresh = &out[self.read..];
            if let Some(at) = fresh.find(text) {
                let end = fresh[at..].find('\n').map_or(fresh.len(), |end| at + end + 1);
                self.read += end;
                return fresh[..end].to_owned();
            }
            assert!(began.elapsed() < LONG, "no `{text}` in\n{fresh}\n-- all\n{out}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Everything that comes within so long.
    fn rest(&mut self, time: Duration) -> String {
        thread::sleep(time);
        let out = self.out.lock().unwrap();
        let fresh = out[self.read..].to_owned();
        self.read = out.len();
        fresh
    }

    /// Presses Ctrl-C and gives the exit code.
    fn interrupt(mut self) -> i32 {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let began = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(began.elapsed() < LONG, "it does not end"),
            }
            thread::sleep(Duration::from_millis(10));
        };
        self.reader.take().unwrap().join().unwrap();
        status.code().unwrap_or(-1)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// A scaffold's script, its path and its text.
fn scaffold(folder: &Path, game: &str) -> (PathBuf, String) {
    project_bots();
    hattari(folder, &["new", "lua", game, "mine"]).code(0);
    let path = folder.join("mine/mine.lua");
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

/// Saves a file in one go.
fn save(path: &Path, text: &str) {
    let other = path.with_extension("new");
    fs::write(&other, text).unwrap();
    fs::rename(&other, path).unwrap();
}

const SHORT: [&str; 4] = ["--blocks", "12", "--deals", "5"];

#[test]
fn each_save_plays_the_same_games_and_tells_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good) = scaffold(folder.path(), "daihinmin");
    let mut watching = Watching::start(folder.path(), &[&["mine/mine.lua"], &SHORT[..]].concat());
    watching.until("watching mine/mine.lua");
    let first = watching.until("score");
    assert!(first.contains("version 1") && first.contains("3 tests passed"), "{first}");
    assert!(first.contains("played      60 games against base, all-k, default, random"), "{first}");
    assert!(first.contains("points a deal, 95 % CI"), "{first}");

    // The strongest card first is a bad idea.
    let bad = good.replace(
        "cost(action, reversed) < cost(legal[best], reversed)",
        "cost(action, reversed) > cost(legal[best], reversed)",
    );
    assert_ne!(good, bad);
    fs::write(&path, &bad).unwrap();
    let second = watching.until("    now ");
    for text in [
        "version 2",
        "3 of 3 tests failed",
        "to version 1, 95 % CI",
        "worse",
        "of 60 games go otherwise",
        "before  mine, seat",
    ] {
        assert!(second.contains(text), "no `{text}` in\n{second}");
    }
    // Saved without a change: nothing to tell.
    fs::write(&path, &bad).unwrap();
    assert_eq!(watching.rest(Duration::from_millis(700)), "");

    // As many editors save: another file, renamed.
    fs::write(folder.path().join("mine/.mine.lua.swp"), &good).unwrap();
    fs::rename(folder.path().join("mine/.mine.lua.swp"), &path).unwrap();
    let third = watching.until("none to version 1: the same decisions in every game");
    for text in ["version 3", "to version 2, 95 % CI", "better"] {
        assert!(third.contains(text), "no `{text}` in\n{third}");
    }
    assert_eq!(watching.interrupt(), 0);
}

#[test]
fn a_syntax_error_is_told_with_its_line_and_the_repair_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good) = scaffold(folder.path(), "tanhinmin");
    // Broken to begin with.
    fs::write(&path, good.replace("local function act(", "local function act)")).unwrap();
    let line = 1 + good.lines().position(|line| line.contains("local function act(")).unwrap();
    let game = ["mine/mine.lua", "--game", "tanhinmin"];
    let mut watching = Watching::start(folder.path(), &[&game, &SHORT[..]].concat());
    let told = watching.until("waiting for the next save");
    assert!(told.contains(&format!("mine.lua:{line}:")), "{told}");
    save(&path, &good);
    watching.until("score");
    // Half a file, as an editor might leave it; the comparison is with what was played last.
    save(&path, &good[..good.len() / 2]);
    watching.until("waiting for the next save");
    save(&path, &good);
    let repaired = watching.until("difference");
    assert!(repaired.contains("version 4") && repaired.contains("none to version 2"), "{repaired}");
    fs::remove_file(&path).unwrap();
    watching.until("is gone; waiting for it");
    save(&path, &good.replace("return 1\nend", "return #legal\nend"));
    watching.until("score");
    assert_eq!(watching.interrupt(), 0);
}

#[test]
fn faults_are_told_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good) = scaffold(folder.path(), "tanhinmin");
    let trap = "  local weakest = math.huge\n";
    let faulty = good
        .replace(trap, "  local none\n  if #view.hand < 4 then return none.card end\n  local weakest = math.huge\n");
    assert_ne!(good, faulty);
    let line = 1 + faulty.lines().position(|line| line.contains("none.card")).unwrap();
    fs::write(&path, faulty).unwrap();
    let mut watching = Watching::start(folder.path(), &[&["mine/mine.lua"], &SHORT[..]].concat());
    let told = watching.until("  faults ");
    let place = format!("error: mine.lua:{line}: attempt to index nil");
    assert!(told.contains("  fault       mine in block ") && told.contains(&place), "no `{place}` in\n{told}");
    assert_eq!(watching.interrupt(), 0);
}

#[test]
fn a_slow_version_gives_way_to_the_next_save() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good) = scaffold(folder.path(), "tanhinmin");
    // Some hundred thousand steps a decision: hours for all of it.
    let slow =
        good.replace("  local weakest = math.huge\n", "  for _ = 1, 900000 do end\n  local weakest = math.huge\n");
    assert_ne!(good, slow);
    fs::write(&path, slow).unwrap();
    let mut watching = Watching::start(folder.path(), &["mine/mine.lua", "--blocks", "1000", "--deals", "100"]);
    watching.until("version 1");
    watching.until("tests passed");
    fs::write(&path, &good).unwrap();
    watching.until("stopped before the end");
    assert_eq!(watching.interrupt(), 0, "Ctrl-C does not wait for the games");
}

#[test]
fn a_library_is_watched_too() {
    let folder = tempfile::tempdir().unwrap();
    project_bots();
    let source = fs::read_to_string(project().join("bots/c/template.c")).unwrap();
    let (file, code) = (folder.path().join(library("mine")), folder.path().join("mine.c"));
    fs::write(&code, &source).unwrap();
    cc(&code, &file, &[]);
    let name = library("mine");
    let mut watching = Watching::start(folder.path(), &[&[name.as_str()], &SHORT[..]].concat());
    watching.until("score");
    let other = source.replace("for (i = 0; i <", "for (i = decision->action_count / 2; i <");
    assert_ne!(source, other);
    fs::write(&code, other).unwrap();
    cc(&code, &file, &[]);
    let told = watching.until("    now ");
    assert!(told.contains("version 2") && told.contains("before  template, seat"), "{told}");
    assert_eq!(watching.interrupt(), 0);
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    scaffold(folder.path(), "daihinmin");
    let refused = |arguments: &[&str], why: &str| {
        let mut all = vec!["watch"];
        all.extend(arguments);
        hattari(folder.path(), &all).code(2).complains(why);
    };
    refused(&["mine/nothing.lua"], "no such file");
    refused(&["bsae"], "no bot `bsae` for any game; did you mean `base`");
    refused(&["mine/mine.lua", "--game", "stud"], "does not play stud/1; it plays daihinmin");
    refused(&["mine/mine.lua", "--game", "daihinmni"], "did you mean `daihinmin`?");
    refused(&["mine/mine.lua", "--against", "bsae"], "did you mean `base`");
    refused(&["mine/mine.lua", "--against", "base", "all"], "a table of daihinmin has 5 players");
    refused(&["mine/mine.lua", "--config", "7"], "a mapping is needed");
    refused(&["mine/mine.lua", "--preset", "none-such"], "has no preset `none-such`");
    fs::write(folder.path().join("plain.lua"), "return { act = function() return 1 end }").unwrap();
    refused(&["plain.lua"], "say which with --game, or in the script, as `bot = { games = { … } }`");
}
