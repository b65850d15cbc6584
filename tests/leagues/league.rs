//! Leagues through the program. Signals and shards do not change the records.
//! Leagues that cannot be played are rejected with a reason.

use crate::support::{Arguments, Folder, JsonPart, Running, has, shell, signal, until, wait};
use hattari_play::store::Store;
use std::fs;
use std::process::Child;

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
fn the_first_interrupt_stops_after_the_running_blocks() {
    let folder = Folder::of(&LEAGUE.replace("blocks: 40", "blocks: 100000"));
    for name in ["INT", "TERM"] {
        let before = blocks(&folder, "x.sqlite");
        let mut child = start(&folder, "x.sqlite", "");
        assert!(wait_for_blocks(&folder, "x.sqlite", &mut child, before));
        folder
            .try_run("x.sqlite", "--restart")
            .code(2)
            .complains(&format!("in use by process {}", child.id()));
        signal(&child, name);
        let ended = wait(child).code(130);
        let ended = ended.complains(["finishing the running blocks", "of 600,000 blocks, digest"]);
        assert!(before < blocks(&folder, "x.sqlite"), "{}", ended.err);
        assert!(!folder.path("x.sqlite.lock").exists() && !folder.path("x.sqlite-wal").exists());
    }
    let runs = folder.store("x.sqlite").runs().unwrap();
    assert!(
        runs.iter()
            .all(|run| run.outcome.as_deref() == Some("interrupted")),
        "{runs:?}"
    );
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
fn an_interrupted_export_leaves_no_file() {
    let folder = telling(&LEAGUE.replace("blocks: 40", "blocks: 100000"));
    let count = || fs::read_dir(folder.root()).unwrap().count();
    let files = count();
    let mut host = Running::start(folder.root(), "export corpus x.yaml -o games.jsonl -v");
    host.until_complains("it has begun");
    host.signal("INT");
    host.until_complains("interrupted");
    assert_eq!((host.code(), count()), (130, files));
}

#[test]
fn an_interrupted_report_writes_no_page_of_a_review() {
    let folder = telling(&LEAGUE.replace("blocks: 40", "blocks: 400"));
    folder.run("x.sqlite", "--shard 1/200");
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
fn a_dry_run_prints_the_plan_and_plays_nothing() {
    let folder = Folder::of(LEAGUE);
    let plan = folder.succeeds("run x.yaml --dry-run --shard 1/4");
    plan.says([
        "line-ups  6\n",
        "blocks    40 per line-up, 25 deals per block\n",
        "every line-up of 5 of 6 entrants\n",
        "shard     1/4: 60 blocks\n",
        "to play   60 blocks, 1,500 deals\n",
        "x.shard-1-of-4.sqlite (new)",
    ]);
    assert_eq!(
        fs::read_dir(folder.path("")).unwrap().count(),
        1,
        "no store is made"
    );
    folder.run("x.sqlite", "--blocks 10");
    let plan = folder.run("x.sqlite", "--dry-run --shard 2/2");
    plan.says(["to play   90 blocks, 2,250 deals\n", "contains 60 blocks"]);
}

#[test]
fn bad_leagues_and_bots_are_refused_before_anything_is_played() {
    let folder = Folder::of(
        &LEAGUE
            .replace("default", "defualt")
            .replace("blocks", "blcoks"),
    );
    let refused = folder.hattari("run x.yaml").code(2);
    refused.complains([
        "2 problems",
        "x.yaml:3:33: no bot `defualt` for daihinmin/1",
        "x.yaml:5:1: the league has no key `blcoks`",
        "did you mean `blocks`?",
    ]);
    folder.refuses("run y.yaml", ["there is no such file", "x.yaml"]);
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
    let played = folder.run("x.sqlite", "--blocks 2");
    played.never_says(" 0 faults");
    has(&folder.printed("x.sqlite"), "no idea");

    let stop = folder.read("x.yaml") + "faults: stop\n";
    folder.write("x.yaml", stop);
    let stopped = folder.try_run("y.sqlite", "--jobs 1").code(2);
    let stopped = stopped.complains([
        "stopped by a fault",
        "err in line-up 1, block 0, deal 0 (error): ",
    ]);
    let stored = "The block is stored with its fault";
    stopped.complains(["no idea", stored]);
    has(&folder.printed("y.sqlite"), "no idea");
    folder.succeeds("report y.sqlite").says("no idea");
}

#[test]
fn piped_progress_is_plain_text_and_quiet_prints_nothing() {
    let folder = Folder::of(LEAGUE);
    let run = folder.run("x.sqlite", "");
    assert!(
        !run.err.contains('\x1b') && !run.err.contains('\r'),
        "{:?}",
        run.err
    );
    has(&run.err, "played 240 blocks (6,000 deals) in ");
    has(&run.err, " deals/s on ");
    let quiet = folder.run("y.sqlite", "--quiet");
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    // If the reader closes the pipe, the program ends without an error message.
    let ended = shell(folder.root(), "hattari store records y.sqlite | head -1").code(0);
    assert_eq!((ended.out.lines().count(), ended.err.as_str()), (1, ""));
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

/// Threads and shards of any number are tested with mock bots in `arena/play/src/runner/tests.rs`.
#[test]
fn shards_are_merged_and_other_leagues_are_refused() {
    let folder = Folder::of(LEAGUE);
    let digest = folder.run("1.sqlite", "--json").json()["digest"].clone();
    let again = folder.run("1.sqlite", "");
    again.complains(["nothing is left to play", digest.text()]);
    for shard in ["1/3", "2/3", "3/3"] {
        folder
            .succeeds(format!("run x.yaml --no-report --shard {shard}"))
            .complains("80 of 240 blocks");
    }
    let merge =
        "cluster merge x.sqlite x.shard-1-of-3.sqlite x.shard-2-of-3.sqlite x.shard-3-of-3.sqlite";
    folder
        .succeeds(merge)
        .says(["added 240 blocks, 0 already stored", "240 of 240 blocks"]);
    assert_eq!(folder.printed("x.sqlite"), folder.printed("1.sqlite"));
    folder.succeeds(format!("{merge} x.sqlite")).says([
        "skipped x.sqlite: it is the output",
        "added 0 blocks, 240 already stored",
    ]);
    assert!(!folder.path("x.sqlite-shm").exists());

    folder.edit("x.yaml", "seed: 2007", "seed: 2008");
    folder.run("other.sqlite", "--blocks 1");
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

/// Which blocks are valid is tested in `arena/play/src/store/tests.rs`.
#[test]
fn a_run_says_which_stored_blocks_it_does_not_use() {
    let folder = Folder::of(LEAGUE);
    folder.run("x.sqlite", "--blocks 2");
    folder
        .run("x.sqlite", "--blocks 3")
        .complains(["12 of 18 blocks are already stored", "18 of 18 blocks"]);
    folder
        .run("x.sqlite", "--blocks 1")
        .complains("12 blocks are stored but not used: not in the schedule");
    folder.write("x.yaml", format!("{LEAGUE}options: {{eight_cut: false}}\n"));
    folder
        .run("x.sqlite", "--dry-run")
        .says("18 blocks are stored but not used: options.eight_cut: true before, false now");
    folder
        .run("x.sqlite", "--restart --blocks 1")
        .complains("6 of 6 blocks");
}

/// The JSON for a cluster's scheduler. Merged units are tested in
/// `arena/play/src/runner/work_unit_tests.rs`.
#[test]
fn units_are_planned_and_played_with_json() {
    let folder = Folder::of(LEAGUE);
    let plan = |units: &str| {
        folder
            .succeeds(format!("cluster plan x.yaml --units {units} --json"))
            .json()
    };
    let first = plan("4");
    let units = first["units"].list();
    assert_eq!((first["open"].natural(), units.len()), (240, 4));
    assert!(first["seconds"].is_null(), "nothing is known yet");
    let unit = units[1]["unit"].text();
    let told = folder.succeeds(format!("run x.yaml --unit {unit} --store 1.sqlite --json"));
    let told = told.json();
    assert_eq!(told["finished"], true, "{told}");
    assert_eq!(told["planned"], 240, "{told}");
    assert_eq!(told["played"], units[1]["blocks"]);
    folder.succeeds("cluster merge x.sqlite 1.sqlite");
    let rest = plan("2");
    assert_eq!(rest["open"].natural(), 240 - told["played"].natural());
    assert!(0.0 < rest["seconds"].float(), "{rest}");
    folder.refuses(
        "run x.yaml --unit 1/4",
        "is not a unit: give a unit from `hattari cluster plan`",
    );
    folder.refuses(
        "run x.yaml --unit 200-240",
        "the league has no block 240; its blocks have the numbers 0 to 239",
    );
}

#[test]
fn an_error_of_a_swept_setting_names_its_line() {
    let folder = Folder::of(
        "game: daihinmin\nseed: 5\nentrants:\n  - base\n  - {bot: ./mine.lua, name: mine, sweep: {greed: [0.1, 0.2], fast: [true, false]}}\n\
         format: {kind: line-ups, size: 5}\nblocks: 1\ndeals: 2\n",
    );
    let script = "assert((config.greed or 0) < 0.15)\nreturn { act = function() return 1 end }";
    folder.write("mine.lua", script);
    folder.refuses("run x.yaml --dry-run", ["x.yaml:5:", "mine greed=0.2"]);
}

#[test]
fn values_on_the_command_line_are_checked_like_those_of_the_file() {
    let folder = Folder::of(LEAGUE);
    folder.refuses(
        "run x.yaml --dry-run --blocks 20000000",
        "--blocks: 20,000,000 blocks are too many",
    );
    folder.write(
        "bridge.yaml",
        "game: bridge\nentrants: [cheap, random]\nformat: {kind: pairs, a: [cheap], b: [random]}\n\
         blocks: 10\nduplicate: true\n",
    );
    folder.refuses(
        "run bridge.yaml --dry-run --option luck=none,double-dummy",
        "--option luck=double-dummy: `luck`: with duplicate deals luck sums to zero",
    );
}
