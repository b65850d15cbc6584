//! `hattari export parquet`: the same rows as in the CSV files, read by an independent reader, and
//! input that is rejected.

use crate::support::{Folder, JsonPart, ended, python};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

const LEAGUE: &str = "\
game: tanhinmin
options: {cards: 3}
entrants: [eager, boss, random, {name: \"=odd, 'name'\", bot: saver}]
format: {kind: line-ups, size: 3}
blocks: 12
deals: 5
";
/// Script that compares a table with a CSV file, cell by cell. Missing cells are empty, numbers are
/// equal, and texts are equal except for the mark before formulas.
const COMPARE: &str = r#"
import csv, sys
from pyarrow import parquet
for name in ("standings", "pairs", "samples"):
    rows = list(csv.DictReader(open(f"csv/{name}.csv", newline="")))
    table = parquet.read_table(f"tables/{name}.parquet")
    assert table.column_names == list(rows[0]) and table.num_rows == len(rows), name
    for row, typed in zip(rows, table.to_pylist()):
        for column, text in row.items():
            value = typed[column]
            same = {
                type(None): lambda: text == "",
                bool: lambda: text == str(int(value)),
                int: lambda: int(text) == value,
                float: lambda: float(text) == value,
                str: lambda: text in (value, "'" + value),
            }[type(value)]()
            assert same, f"{name}, {column}: {text!r} and {value!r}"
    print(name, len(rows))
"#;

#[test]
fn an_export_writes_a_file_for_each_table() {
    let folder = Folder::of(LEAGUE);
    folder.run("x.sqlite", "--quiet");
    let told = folder.succeeds("export parquet x.yaml --output tables");
    told.complains(["standings.parquet: 4 rows", "blocks.parquet: 144 rows"]);
    let mut names: Vec<_> = fs::read_dir(folder.path("tables"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "blocks.parquet",
            "pairs.parquet",
            "samples.parquet",
            "standings.parquet"
        ]
    );
}

#[test]
#[ignore = "needs pyarrow (pip install pyarrow)"]
fn exported_tables_equal_the_csv_files_when_read_with_pyarrow() {
    let folder = Folder::of(LEAGUE);
    folder.run("x.sqlite", "--quiet");
    folder.succeeds("report x.yaml --format csv --output csv");
    folder.succeeds("export parquet x.yaml --output tables");
    let python = python::with("pyarrow");
    let compared = ended(
        Command::new(python)
            .args(["-c", COMPARE])
            .current_dir(folder.root()),
    );
    compared.code(0).says("standings 4\npairs 6\nsamples 144\n");
}

#[test]
fn the_same_league_gives_the_same_bytes() {
    let bytes = [1, 2].map(|_| {
        let folder = Folder::of(LEAGUE);
        folder.run("x.sqlite", "--quiet");
        let export =
            "export parquet x.yaml --output tables --tables samples,blocks,deals,decisions";
        folder
            .succeeds(export)
            .complains(["deals.parquet: 720 rows", "decisions.parquet: "]);
        ["samples", "blocks", "deals", "decisions"]
            .map(|name| folder.bytes(&format!("tables/{name}.parquet")))
    });
    assert!(bytes[0] == bytes[1], "they differ");
    assert!(
        bytes[0]
            .iter()
            .all(|file| file.starts_with(b"PAR1") && file.ends_with(b"PAR1"))
    );
}

/// Returns the columns of a CSV file of the folder `csv`, by row.
fn cells(folder: &Folder, file: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let text = folder.read(&format!("csv/{file}"));
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let place = |name: &&str| head.iter().position(|column| column == name).unwrap();
    let places: Vec<usize> = columns.iter().map(place).collect();
    let row = |line: Vec<&str>| places.iter().map(|&place| line[place].to_owned()).collect();
    lines.map(row).collect()
}

#[test]
fn pairs_without_a_test_have_a_difference() {
    let league = "game: tanhinmin\noptions: {cards: 3}\nentrants: [eager, boss, random]\nformat: {kind: line-ups, size: 3}\nblocks: 1\ndeals: 5\n";
    let folder = Folder::of(league);
    folder.run("x.sqlite", "--quiet");
    folder.succeeds("report x.yaml --format csv --output csv");
    let pairs = cells(&folder, "pairs.csv", &["a", "b", "difference", "p"]);
    let line_ups = cells(
        &folder,
        "lineups.csv",
        &["a", "b", "difference", "p", "mean_a", "mean_b"],
    );
    assert_eq!((pairs.len(), line_ups.len()), (3, 3));
    for (pair, line_up) in pairs.iter().zip(&line_ups) {
        assert_eq!(pair[3], "", "one block has no test");
        let number = |cell: &str| cell.parse::<f64>().unwrap();
        let difference = number(&line_up[4]) - number(&line_up[5]);
        for row in [pair, line_up] {
            assert!((number(&row[2]) - difference).abs() < 1e-12, "{row:?}");
        }
    }
}

/// An entrant with copies at a table plays each deal once.
#[test]
fn the_effective_sample_size_counts_deals_not_copies() {
    let league = "game: tanhinmin\noptions: {cards: 3}\nentrants: [eager, boss, random]\nformat: {kind: challenge, challengers: [eager], field: [random, random]}\nblocks: 12\ndeals: 10\n";
    let folder = Folder::of(league);
    folder.run("x.sqlite", "--quiet");
    let report = folder.report("x.yaml");
    let mut compared = 0;
    for bot in report["bots"].list() {
        let Some(tested) = bot["dependence"].get("tested") else {
            continue;
        };
        let lag1 = tested["lag1"].float();
        let expected = bot["deals"].float() * (1.0 - lag1) / (1.0 + lag1);
        assert!(
            (tested["effective_deals"].float() - expected).abs() < 1e-6,
            "{bot}"
        );
        compared += 1;
    }
    assert_eq!(compared, 2, "{report}");
}

const POKER: &str = "\
game: holdem
seed: 5
entrants: [honest, call, random]
format: {kind: line-ups, size: 2}
blocks: 8
deals: 10
duplicate: true
";
/// Script that computes statistics of play from the table of decisions, and compares them with
/// those of the report.
const PLAY: &str = r#"
import collections, json
from pyarrow import parquet
decisions = parquet.read_table("tables/decisions.parquet").to_pylist()
expected = collections.defaultdict(lambda: [0, 0])
deals = collections.defaultdict(list)
for d in decisions:
    deals[d["bot"], d["line_up"], d["block"], d["deal"], d["player"]].append(d)
    if d["street"] == "flop":
        flop = expected[d["bot"], "bets or raises: flop"]
        flop[0] += 1
        flop[1] += d["action"] in ("bet", "raise")
for (bot, *_), made in deals.items():
    preflop = [d["action"] for d in made if d["street"] == "preflop"]
    if preflop:
        vpip = expected[bot, "VPIP"]
        vpip[0] += 1
        vpip[1] += any(action in ("call", "bet", "raise") for action in preflop)
    if any(d["action"] == "fold" for d in made):
        folds = expected[bot, "points when it folds"]
        folds[0] += 1
        folds[1] += made[0]["payoff"]
for d in parquet.read_table("tables/deals.parquet").to_pylist():
    for name, is_won in (("at", d["showdown"] == "yes"), ("without", d["showdown"] == "no")):
        won = expected[d["bot"], f"winnings {name} showdown"]
        won[0] += 1
        won[1] += is_won * d["payoff"]  # The big blind is 100 chips.
    if d["sees_the_flop"] == "yes":
        shown = expected[d["bot"], "goes to showdown"]
        shown[0] += 1
        shown[1] += d["showdown"] == "yes"
compared = 0
for row in json.load(open("x.json"))["play"]:
    count, total = expected[row["bot"], row["statistic"]]
    if count:
        assert row["count"] == count and abs(row["value"] - total / count) < 1e-12, row
        compared += 1
print("compared", compared)
"#;

#[test]
#[ignore = "needs the Python package pyarrow (pip install pyarrow)"]
fn statistics_of_play_equal_those_of_the_decisions_table() {
    let folder = Folder::of(POKER);
    folder.run("x.sqlite", "--quiet");
    folder.succeeds("report x.yaml --play --output x.json");
    folder.succeeds("export parquet x.yaml --output tables --tables decisions,deals");
    let mut script = Command::new(python::with("pyarrow"));
    let compared = ended(script.args(["-c", PLAY]).current_dir(folder.root()));
    compared.code(0).says("compared 17\n");
}

#[test]
fn a_table_of_scores_has_no_options_of_leagues() {
    let folder = Folder::of(POKER);
    folder.write("x.csv", "block,a,b\n1,3,1\n2,2,1\n");
    for option in [
        "--store x.sqlite",
        "--at 2026-11-20",
        "--without-luck",
        "--per-line-up",
        "--pairs a,b",
        "--versions a",
        "--play",
        "--review a:b",
    ] {
        let name = option.split(' ').next().unwrap_or(option);
        folder.refuses(
            format!("report x.csv {option}"),
            &format!("{name} needs a league"),
        );
    }
    folder.refuses("report x.csv y.csv", "another file needs a league");
    folder.refuses("report x.csv --html", "--html needs --output FILE");
}

#[test]
fn a_report_has_statistics_of_play_on_request() {
    let folder = Folder::of(POKER);
    folder.run("x.sqlite", "--quiet");
    let plain = folder.succeeds("report x.yaml");
    assert!(!plain.out.contains("VPIP"));
    let text = folder.succeeds("report x.yaml --play").out;
    let lines: Vec<Vec<&str>> = (text.lines())
        .map(|line| line.split_whitespace().collect())
        .collect();
    let row = |statistic: &str| {
        let starts = |line: &Vec<&str>| line.starts_with(&[statistic, "honest"]);
        lines
            .iter()
            .position(starts)
            .unwrap_or_else(|| panic!("{text}"))
    };
    folder
        .succeeds("report x.yaml --play --format markdown")
        .says("The table of winnings weights line-ups equally");
    // The bot `call` never raises. Its row does not repeat the name of the statistic.
    assert_eq!(lines[row("PFR") + 1][..3], ["call", "0.0", "%"], "{text}");
    let share: f64 = lines[row("VPIP")][2].parse().unwrap();
    assert!(0.0 < share && share < 100.0, "{text}");
    let report = folder.report("x.yaml --play");
    let rows = report["play"].texts("statistic");
    let names: BTreeSet<_> = rows.iter().collect();
    assert_eq!(rows.len(), 3 * names.len(), "each bot has each statistic");
    assert!(!text.contains("intervals are not reliable"), "{text}");
    folder.write("few.yaml", POKER.replace("blocks: 8", "blocks: 2"));
    folder.succeeds("run few.yaml --no-report");
    folder
        .succeeds("report few.yaml --play")
        .says("Some bots have 4 blocks only: these intervals are not reliable");
}

#[test]
fn winnings_at_showdown_and_without_add_up_to_all_winnings() {
    let folder = Folder::of(POKER);
    folder.run("x.sqlite", "--quiet");
    let report = folder.report("x.yaml --play");
    let stake = report["about"]["league"]["stake"]["points"].float();
    // Returns the points that a statistic of winnings adds up to.
    let points = |bot: &str, statistic: &str| {
        let mut rows = report["play"].list().iter();
        let row = rows.find(|row| row["bot"] == bot && row["statistic"] == statistic);
        let row = row.unwrap_or_else(|| panic!("{bot}: {statistic}"));
        assert_eq!(row["measure"], "winnings");
        assert_eq!(row["count"], 320);
        (row["value"].float() * row["count"].float() * stake / 100.0).round()
    };
    let mut sums = [0.0; 2];
    for (entrant, bot) in ["honest", "call", "random"].into_iter().enumerate() {
        let found = ["winnings at showdown", "winnings without showdown"];
        let found = found.map(|statistic| points(bot, statistic));
        let mut played = 0.0;
        for line_up in report["samples"]["line_ups"].list() {
            let mut bots = line_up["bots"].list().iter();
            let Some(own) = bots.find(|own| own["entrant"] == entrant) else {
                continue;
            };
            let blocks = own["means"].list().iter().zip(line_up["blocks"].list());
            let points = blocks.map(|(mean, block)| mean.float() * block["deals"].float());
            played += points.sum::<f64>();
        }
        assert_eq!(found[0] + found[1], played.round(), "{bot}");
        assert_ne!(found, [0.0; 2], "{bot}");
        sums = [sums[0] + found[0], sums[1] + found[1]];
    }
    // With two players, both go to showdown or neither.
    assert_eq!(sums, [0.0; 2]);
}

#[test]
fn invalid_exports_are_refused_with_the_reason() {
    let folder = Folder::of(LEAGUE);
    folder.refuses("export parquet x.yaml --output tables", "x.sqlite");
    folder.run("x.sqlite", "--quiet");
    let deals = "export parquet x.yaml --output tables --tables deals";
    folder.refuses((&deals, "--line-up eager,boss,bozz"), "no entrant `bozz`");
    folder.refuses((&deals, "--block 12"), "there is no block 12");
    for option in ["--line-up 0", "--line-up 99", "--block 99"] {
        folder.refuses(
            format!("export parquet x.yaml --output tables {option}"),
            "select only for the tables deals, decisions and numbers",
        );
    }
    folder.edit("x.yaml", "cards: 3", "cards: 4");
    folder.refuses(deals, ["the store belongs to another league: ", "cards"]);
    folder.refuses(
        "export parquet x.yaml --output x.yaml/tables",
        "x.yaml/tables",
    );
}
