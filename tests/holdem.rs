//! Hold'em end to end: a league with bots of every kind, its report, replays, hand histories written and read again.

mod support;

use std::fs;
use std::path::Path;
use support::{Ended, cc, hattari, library, project, project_bots};

const LEAGUE: &str = "game: holdem
seed: 7
options: {raises_max: 4}
entrants:
  - {name: honest, bot: honest, config: {samples: 50}}
  - {name: bluff, bot: small-bluff, config: {samples: 50, bluff: 0.1}}
  - {name: reader, bot: exploiter, config: {samples: 20, boards: 5}}
  - random
format: {kind: line-ups, size: 2}
blocks: 3
deals: 8
duplicate: true
";

/// A folder with a league, in which the project's bots are found.
fn league(text: &str) -> tempfile::TempDir {
    project_bots();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("l.yaml"), text).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Ended {
    hattari(folder, arguments)
}

#[test]
fn a_league_is_played_and_told_in_big_blinds() {
    let folder = league(LEAGUE);
    let told = run(folder.path(), &["run", "l.yaml", "--quiet"]).code(0);
    told.says("Winnings").says("big blinds / 100").says("mbb / deal").says("A big blind is 100 chips");
    run(folder.path(), &["report", "l.yaml"]).code(0).says("Winnings");
    // What one wins the other loses: with every pair alike, all winnings add up to nothing.
    let json = run(folder.path(), &["report", "l.yaml", "--format", "json"]).code(0).json();
    let means: Vec<f64> = json["bots"].as_array().unwrap().iter().map(|bot| bot["mean"].as_f64().unwrap()).collect();
    assert!(means.len() == 4 && means.iter().sum::<f64>().abs() < 1e-9, "{means:?}");
    assert_eq!(json["about"]["league"]["stake"], serde_json::json!({"name": "big blind", "points": 100}));
    run(folder.path(), &["replay", "l.yaml", "--line-up", "honest,random", "--game", "3"])
        .code(0)
        .says("holdem/1, l.yaml: line-up 2, block 0, game 3 of 16")
        .says("preflop")
        .says("button: ")
        .says("payoffs: ")
        .says("the block comes out as it is in the store");
    run(folder.path(), &["bots", "--game", "holdem"]).code(0).says("exploiter").says("small-bluff-published");
}

#[test]
fn six_seats_rotate_and_stacks_are_carried() {
    let text = "game: holdem
preset: serial
seed: 1
entrants: [random, call, fold, {name: honest, bot: honest, config: {samples: 20}}, {name: other, bot: random}, {name: last, bot: call}]
format: {kind: line-ups, size: 6}
blocks: 2
deals: 20
";
    let folder = league(&format!("{text}duplicate: true\n"));
    run(folder.path(), &["run", "l.yaml", "--quiet", "--no-report"]).code(0);
    let records = run(folder.path(), &["records", "l.yaml"]).code(0).out;
    let first: serde_json::Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
    // 20 deals, six rotations; new chips come for those who have none, so nobody's block ends.
    assert_eq!(first["deals"], 120);
    // Without them a block ends with the first player who is broke.
    let bust = text.replace("seed: 1", "seed: 1\noptions: {rebuy: 0, stack: 20}");
    let folder = league(&bust);
    run(folder.path(), &["run", "l.yaml", "--quiet", "--no-report"]).code(0);
    let records = run(folder.path(), &["records", "l.yaml"]).code(0).out;
    let first: serde_json::Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
    assert!(first["deals"].as_u64().unwrap() < 20, "{first}");
}

#[test]
fn hands_are_exported_and_imported() {
    let folder = league(LEAGUE);
    run(folder.path(), &["run", "l.yaml", "--quiet", "--no-report"]).code(0);
    run(folder.path(), &["export", "phh", "l.yaml", "-o", "all.phhs"]).code(0).complains("all.phhs: 288 hands");
    let text = fs::read_to_string(folder.path().join("all.phhs")).unwrap();
    for field in ["[288]\n", "variant = 'NT'", "_seed = 7\n", "_league = 'l'\n", "_block = 2\n", "players = ['"] {
        assert!(text.contains(field), "no {field}");
    }
    let told = run(folder.path(), &["import", "phh", "all.phhs", "--scores", "scores.csv"]).code(0);
    told.says("288 hands, ").says(", 0 differences");
    // The scores are those of the league.
    let league = run(folder.path(), &["report", "l.yaml", "--format", "json"]).code(0).json();
    let scores = run(folder.path(), &["stats", "scores.csv", "--json"]).code(0).json();
    let mean = |of: &serde_json::Value, name: &str| {
        let bots = of["bots"].as_array().unwrap();
        bots.iter().find(|bot| bot["name"] == name).unwrap()["mean"].as_f64().unwrap()
    };
    for name in ["honest", "bluff", "reader", "random"] {
        assert!((mean(&league, name) - mean(&scores, name)).abs() < 1e-9, "{name}");
    }
    // One hand is a document of its own, and the same as among the others.
    let arguments = ["export", "phh", "l.yaml", "--line-up", "0", "--block", "0", "--game", "5"];
    let one = run(folder.path(), &arguments).code(0).out;
    assert!(one.starts_with("variant = 'NT'\n") && one.contains("_deal = 5\n") && text.contains(&one));
    fs::write(folder.path().join("one.phh"), &one).unwrap();
    run(folder.path(), &["import", "phh", "one.phh"]).code(0).says("1 hand, ");
}

#[test]
fn damaged_hands_are_told() {
    let folder = league(LEAGUE);
    let arguments = ["export", "phh", "l.yaml", "--line-up", "0", "--block", "0", "--game", "5"];
    let one = run(folder.path(), &arguments).code(0).out;
    let import = |text: &str| {
        fs::write(folder.path().join("one.phh"), text).unwrap();
        run(folder.path(), &["import", "phh", "one.phh"])
    };
    import(&one.replace("finishing_stacks = [", "finishing_stacks = [1")).code(1).says("hand 1: stacks come out as");
    import(&one.replace("variant = 'NT'", "variant = 'PO'")).code(1).says("`PO` is not played here; NT, FT, F7S are");
    import(&one.replace("p2 ", "p1 ")).code(1).says("hand 1: action ");
    import("variant = ").code(1).says("not TOML");
    import("").code(2).complains("it holds no hands");
    run(folder.path(), &["import", "phh", "none.phh"]).code(2).complains("none.phh");
    run(folder.path(), &["export", "phh", "l.yaml", "--block", "9"]).code(2).complains("there is no block 9");
    fs::write(
        folder.path().join("d.yaml"),
        "game: daihinmin\nentrants: [base, plain, single, pair, all]\nformat: {kind: line-ups, size: 5}\nblocks: 1\n",
    )
    .unwrap();
    run(folder.path(), &["export", "phh", "d.yaml"]).code(2).complains("PHH is a format for poker");
    fs::write(folder.path().join("p.yaml"), LEAGUE.replace("{raises_max: 4}", "{limit: pot-limit}")).unwrap();
    run(folder.path(), &["export", "phh", "p.yaml"]).code(2).complains("no code for pot-limit hold'em");
}

#[test]
fn a_bot_in_c_plays_hold_em() {
    let folder = league(&LEAGUE.replace("- random", "- pairs"));
    fs::create_dir(folder.path().join("bots")).unwrap();
    cc(&project().join("bots/c/pairs.c"), &folder.path().join("bots").join(library("pairs")), &[]);
    run(folder.path(), &["check", "pairs", "--deals", "30"]).code(0).says("holdem/1").says("identical records");
    run(folder.path(), &["run", "l.yaml", "--no-report"]).code(0).complains("0 faults");
}
