//! Formats with challengers: only the challengers are ranked.

use crate::support::{Folder, JsonPart, column, has};
use serde_json::Value;

/// A league in which both bots of the field have more points than the weakest challenger.
const LEAGUE: &str = "\
game: tanhinmin
seed: 5
options: {cards: 4}
entrants: [random, saver, boss, {name: weak, bot: random}]
format: {kind: challenge, challengers: [weak, boss], field: [saver, random]}
blocks: 30
deals: 20
";

/// The roles of two challengers and two bots of the field.
const ROLES: [&str; 4] = ["challenger", "challenger", "field", "field"];

/// Returns the roles of the bots of a report, in order.
fn roles(report: &Value) -> Vec<&str> {
    report["bots"].texts("role")
}

#[test]
fn the_field_follows_the_challengers_and_has_no_tier() {
    let folder = Folder::of(LEAGUE);
    folder.run("x.sqlite", "--quiet");
    let report = folder.report("x.yaml");
    assert_eq!(roles(&report), ROLES);
    assert_eq!(
        report["bots"].texts("name"),
        ["boss", "weak", "saver", "random"]
    );
    let mean = |bot: usize| report["bots"][bot]["mean"].float();
    assert!(mean(1) < mean(2), "the field is not below the challengers");
    assert_eq!(
        report["tiers"]["tested"]["groups"],
        serde_json::json!([["boss"], ["weak"]])
    );
    for (at, a, b) in [(0, "boss", "weak"), (5, "saver", "random")] {
        let pair = &report["pairs"][at];
        assert_eq!(pair["a"], a);
        assert_eq!(pair["b"], b);
    }

    let text = folder.succeeds("report x.yaml").out;
    let (ranked, field) = text.split_once("\nField (not ranked)\n").unwrap();
    let (_, ranked) = ranked.split_once("\nStandings\n").unwrap();
    for (table, names) in [(ranked, ["boss", "weak"]), (field, ["saver", "random"])] {
        let rows: Vec<&str> = table.lines().skip(2).take(2).collect();
        let are_named = rows
            .iter()
            .zip(names)
            .all(|(row, name)| row.starts_with(name));
        assert!(are_named, "{text}");
    }
    has(&text, "Every challenger of a tier is significantly ahead");

    folder.succeeds("report x.yaml --format csv --output csv");
    let csv = folder.read("csv/standings.csv");
    assert_eq!(column(&csv, "tier"), ["1", "2", "", ""]);
    assert_eq!(column(&csv, "role"), ROLES);

    let latex = folder.succeeds("report x.yaml --format latex").out;
    has(&latex, "\\caption{Field (not ranked). ");
    folder.succeeds("report x.yaml --html --replays 0");
    has(&folder.read("x.html"), "Field (not ranked)</caption>");
}

#[test]
fn one_challenger_has_no_tier_and_a_race_has_a_field() {
    let one = LEAGUE.replace("[weak, boss]", "[boss]");
    let folder = Folder::of(&one.replace(", {name: weak, bot: random}", ""));
    folder.run("x.sqlite", "--quiet");
    folder
        .succeeds("report x.yaml")
        .says("No tiers: there is only one challenger.");
    folder.write("x.yaml", LEAGUE.replace("challenge,", "race,"));
    folder.run("race.sqlite", "--quiet");
    let report = folder.report("race.sqlite");
    assert_eq!(roles(&report), ROLES);
    folder
        .succeeds("report race.sqlite")
        .says("Field (not ranked)");
}

#[test]
fn a_challenger_in_the_field_is_ranked_with_a_note() {
    let league = LEAGUE.replace("saver, ", "");
    let folder = Folder::of(&league.replace("field: [random]", "field: [weak, random]"));
    folder.run("x.sqlite", "--quiet");
    let report = folder.report("x.yaml");
    assert_eq!(report["bots"].item("name", "weak")["role"], "challenger");
    folder
        .succeeds("report x.yaml")
        .says("weak is also in the field; its points include those at other tables.");
}
