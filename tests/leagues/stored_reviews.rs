//! Reviews in stores: killed, resumed, extended and divided, and with bots of all backends.

use super::review::adds_up;
use crate::support::{Arguments, Folder, JsonPart, signal, until, wait};
use hattari_play::store::Store;
use serde_json::Value;
use std::fmt::Write;

/// A league in which two challengers meet the same field on the same deals, 20 deals a block.
const LEAGUE: &str = "\
game: daihinmin
seed: 39
entrants: [all, all-k, {name: other, bot: base}]
format: {kind: challenge, challengers: [all, all-k], field: [other, other, other, other]}
blocks: 400
deals: 20
same_deals: true
";

const REVIEW: &str = "review x.yaml --of all --by all-k";

/// Reviews a number of deals and returns the report.
#[track_caller]
fn review(folder: &Folder, deals: &str, more: impl Arguments) -> Value {
    let all = format!("{REVIEW} --deals {deals} --forks 0 --format json");
    folder.succeeds((all, more)).json()
}

/// Returns the number of reviewed blocks in a store.
fn reviewed(folder: &Folder, store: &str) -> Option<u64> {
    let store = Store::read(&folder.path(store)).ok()?;
    let pairs = store.reviewed().ok()?;
    Some(pairs.iter().map(|pair| pair.blocks).sum())
}

#[test]
fn a_league_that_was_never_run_can_be_reviewed_and_run_later() {
    let folder = Folder::of(LEAGUE);
    let first = review(&folder, "200", "");
    assert_eq!(reviewed(&folder, "x.sqlite"), Some(10));
    let list = folder.succeeds("store list x.yaml");
    list.says("10 blocks of the review of all by all-k");
    folder
        .succeeds("run x.yaml --blocks 3 --no-report")
        .complains("0 of 6 blocks are already stored");
    // The review is the same, and the league's own difference is new.
    let again = review(&folder, "200", "--jobs 1");
    assert_eq!(
        (&first["digest"], &first["classes"]),
        (&again["digest"], &again["classes"])
    );
    assert_eq!(first["identity"]["league"], Value::Null);
    assert_ne!(again["identity"]["league"], Value::Null);
    // More games: only the other blocks are played.
    review(&folder, "300", "");
    assert_eq!(reviewed(&folder, "x.sqlite"), Some(15));
    // A run that starts over discards the reviewed blocks, too.
    folder.succeeds("run x.yaml --blocks 3 --no-report --restart");
    assert_eq!(reviewed(&folder, "x.sqlite"), Some(0));
}

#[test]
fn a_killed_review_is_resumed_on_any_number_of_threads() {
    let folder = Folder::of(LEAGUE);
    let arguments = format!("{REVIEW} --deals 8000 --forks 0 --format json");
    let mut killed = folder.start((&arguments, "--jobs 1"));
    let more_than = |least| move |blocks: &u64| least < *blocks;
    let first = until("a reviewed block", || {
        reviewed(&folder, "x.sqlite").filter(more_than(0))
    });
    killed.kill().unwrap();
    wait(killed);
    // The second one is interrupted, and prints what it has.
    let interrupted = folder.start((&arguments, "--jobs 2"));
    until("more blocks", || {
        reviewed(&folder, "x.sqlite").filter(more_than(first))
    });
    signal(&interrupted, "INT");
    let part = wait(interrupted).code(130).json();
    assert!(part["blocks"].natural() < 400);
    let resumed = folder.succeeds((&arguments, "--jobs 4")).json();
    let whole = folder.succeeds((&arguments, "--store whole.sqlite")).json();
    assert_eq!(
        (&resumed["digest"], &resumed["classes"]),
        (&whole["digest"], &whole["classes"])
    );
    assert_eq!(resumed["blocks"], 400);
    assert_ne!(part["digest"], whole["digest"]);
}

#[test]
fn deals_that_the_league_does_not_have_and_impossible_precisions_are_told() {
    let folder = Folder::of(&LEAGUE.replace("blocks: 400", "blocks: 2"));
    let all = format!("{REVIEW} --forks 0");
    let told = "--deals 50: the league has only 40 deals for the review of all";
    folder.succeeds((&all, "--deals 50")).complains(told);
    for enough in ["--deals 40", ""] {
        folder
            .succeeds((&all, enough))
            .never_says("the league has only");
    }
    for precision in ["nan", "inf", "0", "-1"] {
        let option = format!("--precision={precision}");
        folder.refuses((&all, option), "give a number above 0");
    }
}

#[test]
fn examples_end_with_the_first_signal() {
    let folder = Folder::of(LEAGUE);
    let more = "--deals 200 --forks 1 --samples 1000000 --format json";
    let review = folder.start((REVIEW, more));
    until("all blocks", || {
        reviewed(&folder, "x.sqlite").filter(|&blocks| blocks == 10)
    });
    signal(&review, "INT");
    let report = wait(review).code(130).json();
    assert_eq!(report["forks"].list().len(), 0);
}

#[test]
fn an_interrupted_summary_leaves_out_the_reviews_without_a_block() {
    let folder = Folder::of(LEAGUE);
    // An entrant is called `all`, so the summary has no --by.
    let review = folder.start("review x.yaml --of all --deals 8000 --format json");
    until("a reviewed block", || {
        reviewed(&folder, "x.sqlite").filter(|&blocks| 0 < blocks)
    });
    signal(&review, "INT");
    let summary = wait(review).code(130).json();
    assert_eq!(summary["reviews"].list().len(), 1);
    let missing = "1 of 2 reviews: interrupted before the first block";
    assert_eq!(summary["skipped"][0], missing);
}

/// The merged result is tested in `arena/play/src/review/stored_tests.rs`.
#[test]
fn a_review_is_divided_into_units() {
    let folder = Folder::of(LEAGUE);
    let unit = |part: &str| folder.hattari(format!("{REVIEW} --deals 200 {part}"));
    let told = unit("--unit 0-3 --store 1.sqlite").code(0);
    told.complains([
        "1.sqlite: 4 blocks of the part, 4 played now",
        "hattari cluster merge x.sqlite 1.sqlite",
    ]);
    unit("--unit 4,7-8 --store 2.sqlite --jobs 1").code(0);
    unit("--unit 5-6,9 --store 3.sqlite").code(0);
    folder
        .succeeds("cluster merge x.sqlite 3.sqlite 1.sqlite 2.sqlite")
        .says("added 10 reviewed blocks");
    assert_eq!(reviewed(&folder, "x.sqlite"), Some(10));
    // Without a name, every part has a store of its own.
    unit("--shard 2/3")
        .code(0)
        .complains("x.shard-2-of-3.sqlite: 3 blocks");
    unit("--unit 10-12")
        .code(2)
        .complains("contains none of the blocks");
    unit("--unit 1-0").code(2).complains("is not a unit");
    // A part prints no review.
    for option in [
        "--format json",
        "--output x.html",
        "--forks 0",
        "--samples 5",
    ] {
        for part in ["--unit 0-3", "--shard 1/3"] {
            unit(&format!("{part} {option}"))
                .code(2)
                .complains("cannot be used with");
        }
    }
}

#[test]
fn a_review_of_an_edited_league_is_not_compared_with_the_store() {
    let folder = Folder::of(LEAGUE);
    folder.succeeds("run x.yaml --blocks 3 --no-report");
    folder.edit("x.yaml", "deals: 20", "deals: 10");
    let arguments = format!("{REVIEW} --deals 20 --forks 0 --format json");
    let edited = folder.succeeds(&arguments).complains([
        "the store belongs to another league: deals: 10 in the league, 20 in the store",
        "`hattari run x.yaml` plays the league as it is now",
    ]);
    assert_eq!(edited.json()["identity"]["league"], Value::Null);
    // The blocks of both leagues are kept.
    let new = folder.succeeds((&arguments, "--store new.sqlite"));
    assert_eq!(edited.json(), new.json());
    folder.write("x.yaml", LEAGUE);
    let before = folder.succeeds(&arguments);
    assert_ne!(before.json()["identity"]["league"], Value::Null);
}

#[test]
fn a_review_tells_that_a_bot_has_changed_since_the_league_was_played() {
    let folder = Folder::of(&LEAGUE.replace("all-k, {", "{name: all-k, bot: ./mine.lua}, {"));
    folder.copy("scripts/daihinmin/minimal.lua", "mine.lua");
    folder.succeeds("run x.yaml --blocks 3 --no-report");
    let arguments = format!("{REVIEW} --deals 20 --forks 0");
    let warning = "changed since the league was last played: `all-k`; the difference in the games \
                   of the league is of version 1 of all-k";
    folder.succeeds(&arguments).never_says("changed since");
    folder.write("mine.lua", folder.read("mine.lua") + "-- edited\n");
    folder.succeeds(&arguments).complains(warning);
}

/// A script that loops forever once another bot has chosen for it: then a card that it chose is
/// still in its hand.
const STUBBORN: &str = "\
local chosen, count = nil, 0
return {
  act = function(view, legal)
    if chosen and #view.hand < count and table.find(view.hand, chosen) then
      while true do end
    end
    local last = legal[#legal]
    chosen, count = last.card, #view.hand
    return #legal
  end,
}
";

#[test]
fn a_bot_that_does_not_finish_in_a_fork_has_a_fault() {
    let folder = Folder::of(
        "game: tanhinmin\nseed: 1\nentrants: [boss, {name: stubborn, bot: ./stubborn.lua}, {name: other, bot: saver}]\n\
         format: {kind: challenge, challengers: [boss, stubborn], field: [other, other]}\nblocks: 2\ndeals: 2\nbudget: {lua_steps: 20000}\n\
         same_deals: true\n",
    );
    folder.write("stubborn.lua", STUBBORN);
    folder
        .succeeds("run x.yaml --no-report")
        .complains("0 faults");
    for (of, by) in [("boss", "stubborn"), ("stubborn", "boss")] {
        let arguments = format!("review x.yaml --of {of} --by {by} --forks 1");
        let report = folder.succeeds((&arguments, "--format json")).json();
        let faults = report["faults"].list();
        assert_eq!(faults.len(), 1, "{faults:?}");
        let fault = faults[0].text();
        assert!(
            fault.starts_with("stubborn: ") && fault.contains("line-up"),
            "{fault}"
        );
        let told = folder.succeeds(arguments);
        told.says(["Faults in these games", fault]);
        adds_up(&report);
    }
}

/// Reviews each of these bots by the next one, on a few deals with all checks.
#[track_caller]
fn reviews_in_a_circle(folder: &Folder, game: &str, field: usize, bots: &[&str]) {
    let mut entrants = String::new();
    for (number, bot) in bots.iter().enumerate() {
        write!(entrants, "{{name: b{number}, bot: {bot:?}}}, ").unwrap();
    }
    let names: Vec<String> = (0..bots.len()).map(|number| format!("b{number}")).collect();
    let league = format!(
        "game: {game}\nseed: 5\nentrants: [{entrants}{{name: other, bot: {:?}}}]\nblocks: 3\ndeals: 4\n\
         same_deals: true\nformat: {{kind: challenge, challengers: [{}], field: [{}]}}\n",
        bots[0],
        names.join(", "),
        vec!["other"; field].join(", ")
    );
    folder.write("x.yaml", league);
    folder.succeeds("run x.yaml --no-report --restart");
    for (number, of) in names.iter().enumerate() {
        let by = &names[(number + 1) % names.len()];
        let arguments = format!("review x.yaml --of {of} --by {by}");
        let more = "--check-all --forks 1 --format json";
        adds_up(&folder.succeeds((&arguments, more)).json());
    }
}

/// Returns the path of a script of the project.
fn script(name: &str) -> String {
    let path = crate::support::project().join("scripts").join(name);
    path.display().to_string()
}

#[test]
#[ignore = "needs clang for WebAssembly (apt-get install clang lld wasi-libc libclang-rt-dev-wasm32)"]
fn fork_values_of_modules_processes_scripts_and_built_in_bots_add_up() {
    let folder = Folder::new();
    for (game, field, own, source, script_of) in [
        ("daihinmin", 4, "base", "cautious", "daihinmin/minimal.lua"),
        ("holdem", 1, "call", "pairs", "holdem/honest-lua.lua"),
    ] {
        let file = format!("bots/c/{source}.c");
        let module = folder.module(&file, &format!("{source}-module"), &[]);
        let library = folder.library(&file, &format!("{source}-process"), &["-O2"]);
        let [module, library] = [module, library].map(|path| path.display().to_string());
        let lua = script(script_of);
        reviews_in_a_circle(&folder, game, field, &[own, &module, &lua, &library]);
    }
}
