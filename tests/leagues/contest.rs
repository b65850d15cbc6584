//! Leagues of a folder with submitted bots, some of which do not work.

use crate::support::{Folder, JsonPart};

const GOOD: &str = "return { act = function(_, legal) return 1 end }\n";

/// Returns a league of every script in `entries`. `more` contains further lines of the league file.
fn contest(more: &str) -> Folder {
    let folder = Folder::of(&format!(
        "game: tanhinmin\nseed: 3\noptions: {{cards: 3}}\nentrants: [{{bot: \"entries/*.lua\", budget: {{lua_steps: 20000}}}}, eager]\n\
         format: {{kind: round-robin, size: 2}}\nblocks: 2\ndeals: 5\n{more}\n"
    ));
    folder.write("entries/ada.lua", GOOD);
    folder.write("entries/bob.lua", GOOD);
    folder.write("entries/mallory.lua", "retrun { act = 1 }\n");
    folder.write("entries/trudy.lua", "error('at the start')\n");
    folder
}

#[test]
fn bots_that_fail_are_excluded_and_reported() {
    let stopped = contest("");
    stopped.refuses(
        "run x.yaml --quiet",
        ["entries/mallory.lua", "add `on_error: exclude`"],
    );
    assert!(!stopped.path("x.sqlite").exists());

    let folder = contest("on_error: exclude");
    let dry = folder.succeeds("run x.yaml --dry-run");
    dry.says([
        "excluded  `mallory`: entries/mallory.lua: ",
        "excluded  `trudy`: entries/trudy.lua: ",
        "budget    ada: lua_steps 20000",
        "to play   6 blocks",
    ]);
    let run = folder.succeeds("run x.yaml --json");
    assert_eq!(run.json()["blocks"], 6);
    folder
        .succeeds("run x.yaml --quiet")
        .complains("excluded: `mallory`: entries/mallory.lua: ");
    let report = folder.succeeds("report x.yaml");
    let report = report.says([
        "Entrant excluded because of an error in its bot: `trudy`: \
         entries/trudy.lua: ",
        "Entrants with their own budgets: ada (lua_steps 20000), bob \
         (lua_steps 20000).",
    ]);
    report.never_says("has changed since");
    let json = folder.report("x.yaml");
    let about = &json["about"]["league"];
    assert_eq!(about["excluded"][0]["name"], "mallory");
    assert_eq!(about["entrants"][0]["budget"]["lua_steps"], 20000);
    assert_eq!(json["bots"].list().len(), 3);

    // A repaired bot joins the league, and existing results are kept.
    folder.write("entries/mallory.lua", GOOD);
    let run = folder.succeeds("run x.yaml --json").json();
    assert_eq!(run["blocks"], 12);
    assert_eq!(run["played"], 6);
}

#[test]
fn a_pack_contains_every_file_that_matches_a_pattern() {
    let folder = contest("on_error: exclude");
    folder.succeeds("cluster pack x.yaml");
    std::fs::remove_dir_all(folder.path("entries")).unwrap();
    folder
        .succeeds("run x.hattari --dry-run")
        .says(["excluded  `mallory`", "to play   6 blocks"]);
    // The message about an excluded bot contains another path in the pack than in the folder.
    folder.succeeds("run x.hattari --no-report");
    let merge = "cluster merge x.sqlite --league x.yaml";
    folder.write("entries/mallory.lua", "retrun { act = 1 }\n");
    folder.write("entries/trudy.lua", "error('at the start')\n");
    for name in ["ada", "bob"] {
        folder.write(&format!("entries/{name}.lua"), GOOD);
    }
    folder.succeeds(merge).never_says("is not stored");
    folder.write("entries/trudy.lua", GOOD);
    folder
        .succeeds(merge)
        .complains("the league of the file is not stored");
}

#[test]
fn a_dry_run_of_rounds_that_depend_on_results_prints_lower_bounds() {
    let folder = Folder::of(
        "game: tanhinmin\nseed: 3\noptions: {cards: 3}\nentrants: [eager, boss, random, {name: two, bot: eager}]\n\
         format: {kind: swiss, rounds: 3, size: 2}\nblocks: 2\ndeals: 5\n",
    );
    let dry = || folder.succeeds("run x.yaml --dry-run");
    dry().says([
        "line-ups  at least 2",
        "to play   at least 4 blocks, 20 deals",
        "at least about",
    ]);
    folder.succeeds("run x.yaml --quiet --no-report");
    assert!(!dry().says("to play   0 blocks").out.contains("at least"));
}
