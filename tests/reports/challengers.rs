//! Formats with challengers: only the challengers are ranked.

use crate::support::page::{parse, text_of};
use crate::support::{Folder, JsonPart, has};
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

/// Returns the names and roles of the bots of a report, in order.
fn roles(report: &Value) -> Vec<(&str, &str)> {
    let bots = report["bots"].list().iter();
    bots.map(|bot| (bot["name"].text(), bot["role"].text()))
        .collect()
}

#[test]
fn the_field_follows_the_challengers_and_has_no_tier() {
    let folder = Folder::of(LEAGUE);
    folder.run("x.sqlite", "--quiet").code(0);
    let report = folder.report("x.yaml");
    let expected = [
        ("boss", "challenger"),
        ("weak", "challenger"),
        ("saver", "field"),
        ("random", "field"),
    ];
    assert_eq!(roles(&report), expected);
    let mean = |bot: usize| report["bots"][bot]["mean"].float();
    assert!(mean(1) < mean(2), "the field is not below the challengers");
    assert_eq!(
        report["tiers"]["tested"]["groups"],
        serde_json::json!([["boss"], ["weak"]])
    );
    let pairs = report["pairs"].list().iter();
    let pairs: Vec<_> = pairs
        .map(|pair| (pair["a"].text(), pair["b"].text()))
        .collect();
    assert_eq!(pairs[0], ("boss", "weak"));
    assert_eq!(pairs[5], ("saver", "random"));

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
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<_> = csv.lines().map(cells).collect();
    let column = |name: &str| rows[0].iter().position(|other| other == name).unwrap();
    let (tier, role) = (column("tier"), column("role"));
    let found: Vec<_> = (rows[1..].iter())
        .map(|row| (row[tier].as_str(), row[role].as_str()))
        .collect();
    let (challenger, field) = ("challenger", "field");
    assert_eq!(
        found,
        [
            ("1", challenger),
            ("2", challenger),
            ("", field),
            ("", field)
        ]
    );

    let latex = folder.succeeds("report x.yaml --format latex").out;
    has(&latex, "\\caption{Field (not ranked). ");
    folder.succeeds("report x.yaml --html --replays 0");
    let page = folder.read("x.html");
    let captions: Vec<String> = parse(&page)
        .descendants()
        .filter(|node| node.has_tag_name("caption"))
        .map(text_of)
        .collect();
    let field = captions
        .iter()
        .position(|text| text == "Field (not ranked)");
    assert!(
        field.is_some_and(|at| captions[at - 1] == "Standings"),
        "{captions:?}"
    );
}

#[test]
fn one_challenger_has_no_tier_and_a_race_has_a_field() {
    let one = LEAGUE.replace("[weak, boss]", "[boss]");
    let folder = Folder::of(&one.replace(", {name: weak, bot: random}", ""));
    folder.run("x.sqlite", "--quiet").code(0);
    folder
        .succeeds("report x.yaml")
        .says("No tiers: there is only one challenger.");
    folder.write("x.yaml", LEAGUE.replace("challenge,", "race,"));
    folder.run("race.sqlite", "--quiet").code(0);
    let report = folder.report("race.sqlite");
    assert_eq!(
        roles(&report)
            .iter()
            .map(|(_, role)| *role)
            .collect::<Vec<_>>(),
        ["challenger", "challenger", "field", "field"]
    );
    folder
        .succeeds("report race.sqlite")
        .says("Field (not ranked)");
}

#[test]
fn a_challenger_in_the_field_is_ranked_with_a_note() {
    let league = LEAGUE.replace("saver, ", "");
    let folder = Folder::of(&league.replace("field: [random]", "field: [weak, random]"));
    folder.run("x.sqlite", "--quiet").code(0);
    let report = folder.report("x.yaml");
    assert!(roles(&report).contains(&("weak", "challenger")));
    folder
        .succeeds("report x.yaml")
        .says("weak is also in the field; its points include those at other tables.");
}
