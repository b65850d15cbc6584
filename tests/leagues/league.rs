//! Leagues through the program. Kills, signals, shards and threads do not change the records.
//! Leagues that cannot be played are rejected with a reason.

use crate::support::{
    Arguments, Folder, JsonPart, PROGRAM, Running, ended, has, signal, until, wait,
};
use hattari::store::Store;
use std::fs;
use std::process::{Child, Command};

/// Five styles without faults: small enough for tests, with many blocks.
const LEAGUE: &str = "\
game: daihinmin
seed: 2007
entrants: [base, all-k, single, default, random, plain]
format: {kind: line-ups, size: 5}
blocks: 40
deals: 25
";

/// Returns a folder with this league, in which a bot that logs its first decision plays instead of
/// `base`.
fn telling(league: &str) -> Folder {
    const TELLS: &str = "local begun = false
return { act = function() if not begun then begun = true print('it has begun') end return 1 end }
";
    let folder = Folder::of(&league.replace("[base,", "[{name: tells, bot: tells.lua},"));
    folder.write("tells.lua", TELLS);
    folder
}

/// Starts to play in the background.
fn start(folder: &Folder, store: &str, more: impl Arguments) -> Child {
    folder.start((format!("run x.yaml --no-report --store {store}"), more))
}

fn blocks(folder: &Folder, store: &str) -> u64 {
    Store::read(&folder.path(store))
        .and_then(|store| store.blocks_played())
        .unwrap_or(0)
}

/// Waits until the store has more than `before` blocks or the process has ended. Returns `true` if
/// it is still running.
fn wait_for_blocks(folder: &Folder, store: &str, child: &mut Child, before: u64) -> bool {
    until("another block", || {
        if child.try_wait().unwrap().is_some() {
            return Some(false);
        }
        (before < blocks(folder, store)).then_some(true)
    })
}

#[test]
fn a_killed_and_resumed_run_gives_the_same_records() {
    let folder = Folder::of(&LEAGUE.replace("blocks: 40", "blocks: 300"));
    folder.run("whole.sqlite", "").code(0);
    let mut kills = 0;
    loop {
        let before = blocks(&folder, "parts.sqlite");
        let mut child = start(&folder, "parts.sqlite", "");
        let plays = wait_for_blocks(&folder, "parts.sqlite", &mut child, before);
        if kills < 3 && plays {
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            assert!(
                before < blocks(&folder, "parts.sqlite"),
                "what was committed stays"
            );
        } else {
            wait(child).code(0);
            break;
        }
    }
    assert!(
        0 < kills,
        "the league must be long enough to be killed in its middle"
    );
    assert_eq!(
        folder.printed("parts.sqlite"),
        folder.printed("whole.sqlite")
    );
    assert_eq!(folder.printed("whole.sqlite").lines().count(), 1800);
    let runs = folder.store("parts.sqlite").runs().unwrap();
    // A killed run has no end time. The last one may have ended just before it was killed.
    let killed = runs.iter().filter(|run| run.ended.is_none()).count();
    assert!((1..=kills).contains(&killed), "{killed} of {kills}");
}

/// Threads and shards of any number are tested with mock bots in `arena/play/src/runner/tests.rs`.
#[test]
fn threads_and_merged_shards_do_not_change_the_records() {
    let folder = Folder::of(LEAGUE);
    for threads in ["1", "5"] {
        let run = folder.run(&format!("{threads}.sqlite"), ["--jobs", threads]);
        run.code(0).complains("0 faults");
    }
    let one = folder.printed("1.sqlite");
    assert_eq!(one.lines().count(), 240);
    assert_eq!(folder.printed("5.sqlite"), one);
    // The digest gives the same information in one line, at the end of a run and as a command.
    let digest = folder.succeeds("store digest 1.sqlite").out;
    let (digest, count) = digest.trim().split_once(' ').unwrap();
    assert_eq!(count, "240");
    folder
        .run("5.sqlite", "")
        .code(0)
        .complains("nothing is left to play")
        .complains(digest);
    for shard in ["1/3", "2/3", "3/3"] {
        folder
            .succeeds(format!("run x.yaml --no-report --shard {shard}"))
            .complains("80 of 240 blocks");
    }
    let merge =
        "cluster merge x.sqlite x.shard-1-of-3.sqlite x.shard-2-of-3.sqlite x.shard-3-of-3.sqlite";
    folder
        .succeeds(merge)
        .says("added 240 blocks, 0 already stored")
        .says("240 of 240 blocks");
    assert_eq!(folder.printed("x.sqlite"), one);
    folder
        .succeeds(merge)
        .says("added 0 blocks, 240 already stored");

    folder.write("x.yaml", LEAGUE.replace("seed: 2007", "seed: 2008"));
    folder.run("other.sqlite", "--blocks 1").code(0);
    folder.refuses(
        "cluster merge out.sqlite 1.sqlite other.sqlite",
        "seed: 2007 in `1.sqlite`, 2008 in `other.sqlite`",
    );
    assert!(!folder.path("out.sqlite").exists());
    folder.refuses(
        "cluster merge out.sqlite none.sqlite",
        "there is no store `none.sqlite`",
    );
    folder.refuses("run x.yaml --shard 4/3", "1/4");
}

#[test]
fn the_first_interrupt_stops_after_the_running_blocks() {
    let folder = Folder::of(&LEAGUE.replace("blocks: 40", "blocks: 100000"));
    for name in ["INT", "TERM"] {
        let before = blocks(&folder, "x.sqlite");
        let mut child = start(&folder, "x.sqlite", "");
        assert!(wait_for_blocks(&folder, "x.sqlite", &mut child, before));
        signal(&child, name);
        let ended = wait(child).code(130);
        let ended = ended
            .complains("finishing the running blocks")
            .complains("of 600,000 blocks, digest");
        assert!(before < blocks(&folder, "x.sqlite"), "{}", ended.err);
        assert!(!folder.path("x.sqlite.lock").exists() && !folder.path("x.sqlite-wal").exists());
    }
    let runs = folder.store("x.sqlite").runs().unwrap();
    assert!(
        runs.iter()
            .all(|run| run.outcome.as_deref() == Some("interrupted")),
        "{runs:?}"
    );
    // The stored records are a part of those of an uninterrupted run.
    let kept = folder.printed("x.sqlite");
    let blocks = 1 + kept.lines().count() / 6;
    folder
        .run("whole.sqlite", ["--blocks", &blocks.to_string()])
        .code(0);
    let whole = folder.printed("whole.sqlite");
    let whole: std::collections::HashSet<&str> = whole.lines().collect();
    assert!(kept.lines().all(|line| whole.contains(line)));
}

#[test]
fn the_second_interrupt_stops_at_once() {
    let folder = telling(&LEAGUE.replace("deals: 25", "deals: 10000000"));
    let arguments = "run x.yaml --no-report --store x.sqlite --jobs 1 -v";
    let mut host = Running::start(folder.root(), arguments);
    // The first block has ten million games.
    host.until_complains("it has begun");
    host.signal("INT");
    host.until_complains("finishing the running blocks");
    assert!(host.is_running(), "the block is played to its end");
    host.signal("INT");
    host.until_complains("stopped at once");
    assert_eq!(host.code(), 130);
    assert_eq!(blocks(&folder, "x.sqlite"), 0);
}

#[test]
fn an_interrupted_report_writes_no_page_of_a_review() {
    let folder = telling(&LEAGUE.replace("blocks: 40", "blocks: 400"));
    folder.run("x.sqlite", "--shard 1/200").code(0);
    // Without replays, the bot plays only in the review of 10,000 games.
    let arguments = "report x.yaml --html --replays 0 --review tells:all-k -v";
    let mut host = Running::start(folder.root(), arguments);
    host.until_complains("it has begun");
    host.signal("INT");
    host.until_complains("interrupted");
    assert_eq!(host.code(), 130);
    for page in ["x.html", "x.review.html"] {
        assert!(!folder.path(page).exists(), "{page}");
    }
}

#[test]
fn two_hosts_do_not_share_a_store() {
    let folder = Folder::of(&LEAGUE.replace("blocks: 40", "blocks: 100000"));
    let mut child = start(&folder, "x.sqlite", "--jobs 1");
    assert!(wait_for_blocks(&folder, "x.sqlite", &mut child, 0));
    let refused = folder.run("x.sqlite", "").code(2);
    refused
        .complains(&format!("in use by process {}", child.id()))
        .complains("--store");
    folder
        .run("x.sqlite", "--restart")
        .code(2)
        .complains("in use");
    // Reading the store is possible.
    assert!(0 < folder.printed("x.sqlite").lines().count());
    child.kill().unwrap();
    child.wait().unwrap();
    folder
        .run("x.sqlite", "--restart --blocks 2")
        .code(0)
        .complains("12 of 12 blocks");
}

#[test]
fn a_changed_league_keeps_valid_blocks_and_a_longer_one_continues() {
    let folder = Folder::of(LEAGUE);
    folder
        .run("x.sqlite", "--blocks 2")
        .code(0)
        .complains("12 of 12 blocks");
    folder
        .run("x.sqlite", "--blocks 3")
        .code(0)
        .complains("12 of 18 blocks are already stored")
        .complains("18 of 18 blocks");
    let before = folder.printed("x.sqlite");
    folder
        .run("x.sqlite", "--blocks 1")
        .code(0)
        .complains("12 blocks are stored but not used: not in the schedule");
    folder.write(
        "x.yaml",
        LEAGUE.replace(
            "game: daihinmin",
            "game: daihinmin\noptions: {eight_cut: false}",
        ),
    );
    let dry = folder.run("x.sqlite", "--dry-run").code(0);
    dry.says("18 blocks are stored but not used: options.eight_cut: true before, false now");
    folder
        .run("x.sqlite", "--blocks 2")
        .code(0)
        .complains("not used: options.eight_cut: true before, false now");
    folder.write("x.yaml", LEAGUE);
    folder
        .run("x.sqlite", "--blocks 3")
        .code(0)
        .complains("nothing is left to play");
    assert_eq!(
        folder.printed("x.sqlite"),
        before,
        "all of it has been kept"
    );
    folder
        .run("x.sqlite", "--restart --blocks 1")
        .code(0)
        .complains("6 of 6 blocks");
    // A file that is not a store is never discarded.
    folder.write("diary.txt", "dear diary");
    folder
        .run("diary.txt", "--restart")
        .code(2)
        .complains("not a store of Hattari");
    assert_eq!(folder.read("diary.txt"), "dear diary");
}

#[test]
fn a_dry_run_prints_the_plan_and_plays_nothing() {
    let folder = Folder::of(LEAGUE);
    let plan = folder.succeeds("run x.yaml --dry-run --shard 1/4");
    let plan = plan
        .says("line-ups  6\n")
        .says("blocks    40 per line-up, 25 deals per block\n")
        .says("every line-up of 5 of 6 entrants\n");
    plan.says("shard     1/4: 60 blocks\n")
        .says("to play   60 blocks, 1,500 deals\n")
        .says("x.shard-1-of-4.sqlite (new)");
    assert_eq!(
        fs::read_dir(folder.path("")).unwrap().count(),
        1,
        "no store is made"
    );
    folder.run("x.sqlite", "--blocks 10").code(0);
    let plan = folder.run("x.sqlite", "--dry-run --shard 2/2").code(0);
    plan.says("to play   90 blocks, 2,250 deals\n")
        .says("contains 60 blocks");
}

#[test]
fn bad_leagues_and_bots_are_refused_before_anything_is_played() {
    let folder = Folder::of(
        &LEAGUE
            .replace("default", "defualt")
            .replace("blocks", "blcoks"),
    );
    let refused = folder.hattari("run x.yaml").code(2);
    let refused = refused
        .complains("2 problems")
        .complains("x.yaml:3:33: no bot `defualt` for daihinmin/1");
    refused
        .complains("x.yaml:5:1: the league has no key `blcoks`")
        .complains("did you mean `blocks`?");
    folder
        .refuses("run y.yaml", "there is no such file")
        .complains("x.yaml");
    folder.refuses("run x.yaml --bots nowhere", "there is no such folder");

    folder.write(
        "x.yaml",
        LEAGUE.replace("plain]", "{name: p, bot: plain, config: {greed: 1}}]"),
    );
    folder.refuses("run x.yaml", "entrant `p` does not start: ");
    folder.write("mine.lua", "return {");
    folder.write(
        "x.yaml",
        LEAGUE.replace("plain]", "{name: mine, bot: mine.lua}]"),
    );
    folder.refuses("run x.yaml", "mine.lua: line 1: Expected identifier");
    assert!(!folder.path("x.sqlite").exists());
}

#[test]
fn a_bot_error_is_a_fault_or_stops_the_league_as_configured() {
    let folder = Folder::of(&LEAGUE.replace("plain]", "{name: err, bot: err.lua}]"));
    folder.write(
        "err.lua",
        "return { act = function() error('no idea') end }",
    );
    let played = folder.run("x.sqlite", "--blocks 2").code(0);
    assert!(!played.err.contains(" 0 faults"), "{}", played.err);
    has(&folder.printed("x.sqlite"), "no idea");

    let stop = folder.read("x.yaml") + "faults: stop\n";
    folder.write("x.yaml", stop);
    let stopped = folder.run("y.sqlite", "--jobs 1").code(2);
    let stopped = stopped
        .complains("stopped by a fault")
        .complains("err in line-up 1, block 0, deal 0 (error): ");
    let stored = "The block is stored with its fault";
    stopped.complains("no idea").complains(stored);
    let kept = folder.printed("y.sqlite");
    has(&kept, "no idea");
    folder.succeeds("report y.sqlite").says("no idea");
    let again = folder.run("y.sqlite", "--jobs 1").code(2);
    again.complains(stored);
    let more = folder.printed("y.sqlite");
    assert!(
        kept.lines().all(|line| more.contains(line)) && kept.lines().count() < more.lines().count(),
        "{more}"
    );
}

#[test]
fn piped_progress_is_plain_text_and_quiet_prints_nothing() {
    let folder = Folder::of(LEAGUE);
    let run = folder.run("x.sqlite", "").code(0);
    assert!(
        !run.err.contains('\x1b') && !run.err.contains('\r'),
        "{:?}",
        run.err
    );
    has(&run.err, "played 240 blocks (6,000 deals) in ");
    has(&run.err, " deals/s on ");
    let quiet = folder.run("y.sqlite", "--quiet").code(0);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    // If the reader closes the pipe, the program ends without an error message.
    let mut pipe = Command::new("sh");
    pipe.arg("-c")
        .arg(format!("'{PROGRAM}' store records y.sqlite | head -1"))
        .current_dir(folder.root());
    let ended = ended(&mut pipe).code(0);
    assert_eq!((ended.out.lines().count(), ended.err.as_str()), (1, ""));
}

/// The loop of a cluster's scheduler, done by the program.
#[test]
fn a_league_is_planned_played_in_units_and_merged() {
    let folder = Folder::new();
    folder.write("x.yaml", LEAGUE);
    folder.succeeds("run x.yaml --quiet --no-report --store whole.sqlite");
    let whole = folder.succeeds("store digest whole.sqlite").out;
    let plan = |units: &str| {
        folder
            .succeeds(format!("cluster plan x.yaml --units {units} --json"))
            .json()
    };
    let first = plan("4");
    assert_eq!(
        (first["open"].natural(), first["units"].list().len()),
        (240, 4)
    );
    assert!(first["seconds"].is_null(), "nothing is known yet");
    let mut played = 0;
    for (number, unit) in first["units"].list().iter().enumerate().skip(1) {
        let store = format!("part-{number}.sqlite");
        let unit_text = unit["unit"].text();
        let run = format!("run x.yaml --unit {unit_text} --store {store} --json");
        let told = folder.succeeds(run).json();
        assert_eq!(
            (&told["finished"], &told["planned"]),
            (&true.into(), &240.into()),
            "{told}"
        );
        assert_eq!(told["played"], unit["blocks"]);
        played += unit["blocks"].natural();
        folder.succeeds(format!("cluster merge x.sqlite {store}"));
    }
    let rest = plan("2");
    assert_eq!(rest["open"], 240 - played);
    assert!(0.0 < rest["seconds"].float(), "{rest}");
    folder.succeeds("run x.yaml --no-report --quiet");
    assert_eq!(folder.succeeds("store digest x.sqlite").out, whole);
    assert_eq!(plan("3")["units"].list().len(), 0);
    folder.refuses(
        "run x.yaml --unit 1/4",
        "is not a unit: give a unit from `hattari cluster plan`",
    );
    folder.write("x.yaml", LEAGUE.replace("seed: ", "seed: 1"));
    folder
        .succeeds("cluster plan x.yaml")
        .says("played: 0, remaining: 240 blocks");
}

#[test]
fn the_rules_of_every_game_can_be_printed() {
    let folder = Folder::new();
    for (game, word) in [
        ("daihinmin", "Revolution"),
        ("holdem", "river"),
        ("bridge", "dummy"),
    ] {
        folder.succeeds(format!("show rules {game}")).says(word);
    }
    folder.refuses("show rules whist", "no game `whist`");
}

#[test]
fn the_schema_for_editors_is_printed() {
    let schema = Folder::new().succeeds("show schema").json();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert!(
        schema["properties"]["entrants"]["description"].is_string(),
        "{schema}"
    );
}

#[test]
fn a_sweep_is_played_and_errors_of_its_settings_name_their_line() {
    let folder = Folder::of(
        "game: daihinmin\nseed: 5\nentrants:\n  - base\n  - {bot: ./mine.lua, name: mine, sweep: {greed: [0.1, 0.2], fast: [true, false]}}\n\
         format: {kind: line-ups, size: 5}\nblocks: 1\ndeals: 2\n",
    );
    let script = "assert((config.greed or 0) < LIMIT)\nreturn { act = function() return 1 end }";
    folder.write("mine.lua", script.replace("LIMIT", "1"));
    let told = folder.succeeds("run x.yaml");
    told.says("mine greed=0.1 fast=true")
        .says("mine greed=0.2 fast=false");
    folder.write("mine.lua", script.replace("LIMIT", "0.15"));
    folder
        .refuses("run x.yaml --dry-run", "x.yaml:5:")
        .complains("mine greed=0.2");
}
