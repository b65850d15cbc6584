//! Reports for people and programs. Whole reports are compared with files that a person has read,
//! and the command runs on leagues that it plays itself.
//! `UPDATE=1 cargo test -p hattari --test reports` writes the files again; read the difference.

use crate::support::page::{parse, text_of};
use crate::support::{Folder, JsonPart, project};
use hattari_agents::record::{DecisionTime, Fault, FaultKind, JobId, Record};
use hattari_play::samples::{SampleCollector, Samples};
use hattari_play::store::RunInfo;
use hattari_report::report::sections::{Audience, Detail, sections};
use hattari_report::report::terminal::Screen;
use hattari_report::report::{Report, csv, html, json, markdown, terminal};
use hattari_report::standings::{
    About, AboutEntrant, AboutLeague, PublishedTable, Standings, TestSettings, standings,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

fn data(name: &str) -> PathBuf {
    project().join("tests/data/report").join(name)
}

/// Compares a text with a file, or writes the file.
#[track_caller]
pub(crate) fn check(name: &str, text: &str) {
    let path = data(name);
    if env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if expected != text {
        let line = expected
            .lines()
            .zip(text.lines())
            .take_while(|(a, b)| a == b)
            .count()
            + 1;
        panic!(
            "{} differs from line {line} on (UPDATE=1 writes it anew):\n{text}",
            path.display()
        );
    }
}

/// A simple generator of numbers below `n`.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 40).unwrap() % n
    }
}

/// Returns a block of three bots. A better bot finishes first more often, and the first bot has an
/// advantage in the next deal.
fn block(line_up: u32, block: u32, skills: [i64; 3], deals: u32) -> Record {
    let mut chance = Chance(u64::from(1000 * line_up + block));
    let mut record = Record::new(JobId { line_up, block }, 3);
    let mut before: Option<[i64; 3]> = None;
    for _ in 0..deals {
        let form = [0, 1, 2]
            .map(|i| skills[i] + before.map_or(0, |before| 8 * before[i]) + chance.below(100));
        let payoffs = [0, 1, 2].map(|i| {
            1 + form
                .iter()
                .map(|&other| i64::from(other < form[i]))
                .sum::<i64>()
        });
        record.add_deal(&payoffs, before.as_ref().map(|before| &before[..]));
        before = Some(payoffs);
    }
    record
}

/// Returns a league of four bots with every line-up of three. The last line-up is not finished, and
/// one bot has errors.
fn league() -> (Standings, Samples) {
    let names = ["ada", "bob", "cleo", "dan"];
    let skills = [12, 6, 6, 0];
    let line_ups = [vec![0, 1, 2], vec![0, 1, 3], vec![0, 2, 3], vec![1, 2, 3]];
    let mut collector = SampleCollector::new(names.map(str::to_owned).to_vec(), &line_ups);
    for (number, line_up) in (0_u32..).zip(&line_ups) {
        let blocks = if number == 3 { 9 } else { 12 };
        for played in 0..blocks {
            let mut record = block(
                number,
                played,
                [0, 1, 2].map(|seat| skills[line_up[seat]]),
                40,
            );
            if number == 2 && played == 5 {
                let message = "no card chosen: index 9 of 3".to_owned();
                record.add_fault(Fault {
                    entrant: 2,
                    kind: FaultKind::IllegalAction,
                    deal: 17,
                    decision: 3,
                    message,
                });
                record.forfeit(2, 1);
            }
            collector.add(&record).unwrap();
        }
    }
    let times = [
        (9000, 140, 42_000, 900),
        (9000, 140, 21_000, 800),
        (8000, 125, 250_000, 7_000),
        (500, 8, 4_000_000, 900_000),
    ];
    let timing = times.map(|(decisions, timed, nanos, worst_nanos)| DecisionTime {
        decisions,
        timed,
        nanos,
        worst_nanos,
    });
    let samples = collector.finish(&timing).unwrap();
    let published = PublishedTable::load(&data("published.json"), "small").unwrap();
    let settings = TestSettings {
        score_ratio: true,
        ..TestSettings::default()
    };
    let entrant = |name: &str| AboutEntrant {
        name: name.to_owned(),
        bot: format!("scripts/daihinmin/{name}.lua"),
        config: if name == "dan" {
            json!({"greed": 0.3})
        } else {
            json!({})
        },
        kind: "lua".to_owned(),
        version: "1.0".to_owned(),
        hash: "0123456789abcdef".to_owned(),
        budget: None,
    };
    let about = About {
        title: "small".to_owned(),
        command: "hattari report leagues/small.yaml".to_owned(),
        version: "0.1.0".to_owned(),
        unit: "deal",
        score: "points",
        league: Some(AboutLeague {
            file: "leagues/small.yaml".to_owned(),
            other_store: None,
            game: "daihinmin".to_owned(),
            preset: "uecda".to_owned(),
            options: json!({"eight_cut": true}),
            stake: None,
            seed: 2007,
            format: "every line-up of 3 of 4 entrants".to_owned(),
            sides: None,
            challengers: None,
            blocks: 12,
            deals: 40,
            duplicate: false,
            same_deals: false,
            faults: "the bot forfeits the block".to_owned(),
            entrants: names.map(entrant).to_vec(),
            excluded: Vec::new(),
            at: None,
            runs: vec![RunInfo {
                started: 100,
                ended: Some(104),
                outcome: Some("interrupted".to_owned()),
                threads: 2,
                shard: "1/1".to_owned(),
                blocks: 45,
                deals: 1800,
            }],
            source: "game: daihinmin\nseed: 2007\n".to_owned(),
        }),
    };
    (
        standings(&samples, about, settings, Some(12), Some(&published)).unwrap(),
        samples,
    )
}

fn report<'a>(standings: &'a Standings, samples: &'a Samples) -> Report<'a> {
    Report {
        standings,
        samples,
        replays: None,
    }
}

#[test]
fn the_terminal_report_matches_its_golden_file() {
    let (standings, samples) = league();
    let report = report(&standings, &samples);
    let shown = |per_line_up, width| {
        let detail = Detail {
            per_line_up,
            ..Detail::default()
        };
        let colour = false;
        terminal::render(&sections(&report, detail), Screen { width, colour })
    };
    check("terminal.txt", &shown(true, 110));
    let narrow = shown(false, 60);
    check("narrow.txt", &narrow);
    assert!(
        narrow.lines().all(|line| line.chars().count() <= 60),
        "no line is wider than the terminal"
    );
}

#[test]
fn markdown_matches_its_golden_file() {
    let (standings, samples) = league();
    let report = report(&standings, &samples);
    let text = markdown::render(&sections(
        &report,
        Detail {
            audience: Audience::File,
            ..Detail::default()
        },
    ));
    check("report.md", &text);
}

/// The words of a page: its parts, without drawings, scripts and the style sheet.
#[test]
fn the_text_of_the_page_matches_its_golden_file() {
    let (standings, samples) = league();
    let page = html::render(&report(&standings, &samples));
    let mut text = String::new();
    let lines = [
        "h1",
        "h2",
        "h3",
        "p",
        "li",
        "dt",
        "dd",
        "summary",
        "figcaption",
        "caption",
        "tr",
        "pre",
    ];
    for node in parse(&page)
        .descendants()
        .filter(|node| lines.contains(&node.tag_name().name()))
    {
        let words: Vec<String> = node
            .children()
            .map(text_of)
            .filter(|words| !words.is_empty())
            .collect();
        let between = if node.has_tag_name("tr") { " | " } else { "" };
        text += &format!(
            "{}: {}\n",
            node.tag_name().name(),
            words.join(between).trim()
        );
    }
    check("page.txt", &text);
}

/// Returns the names and contents of the CSV files of a report.
pub(crate) fn csv_files(standings: &Standings, samples: &Samples) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    csv::write(folder.path(), standings, samples).unwrap();
    let files = fs::read_dir(folder.path()).unwrap();
    files
        .map(|file| {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            (name, fs::read_to_string(file.path()).unwrap())
        })
        .collect()
}

#[test]
fn csv_files_match_their_golden_files() {
    let (standings, samples) = league();
    for (name, text) in csv_files(&standings, &samples) {
        check(&format!("csv/{name}"), &text);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        assert!(
            reader.records().all(|row| row.is_ok()),
            "{name} is as wide as its header in every row"
        );
    }
}

#[test]
fn every_key_and_column_is_documented() {
    fn keys(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, value)| {
                found.insert(key.clone());
                // These values are from the game and the bot.
                if key != "options" && key != "config" {
                    keys(value, found);
                }
            }),
            Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
            _ => {}
        }
    }
    let (standings, samples) = league();
    let mut text = Vec::new();
    json::write(&mut text, &standings, &samples).unwrap();
    let document: Value = serde_json::from_slice(&text).unwrap();
    let mut names = BTreeSet::new();
    keys(&document, &mut names);
    for (_, text) in csv_files(&standings, &samples) {
        let header = text.lines().next().unwrap();
        names.extend(
            header
                .split(',')
                .filter(|column| !column.starts_with("place_"))
                .map(str::to_owned),
        );
    }
    let guide = fs::read_to_string(project().join("arena/REPORTS.md")).unwrap();
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !guide.contains(&format!("`{name}`")))
        .collect();
    assert!(
        missing.is_empty(),
        "arena/REPORTS.md does not tell of {missing:?}"
    );
}

#[test]
fn a_league_is_reported_from_its_file_or_store_even_if_unfinished() {
    let league = "game: daihinmin\nseed: 7\nentrants: [base, random, plain, default, all]\n\
                  format: {kind: line-ups, size: 5}\nblocks: 12\ndeals: 10\n";
    let folder = Folder::of(league);
    folder.refuses("report x.yaml", ["there is no store", "hattari run"]);

    // The run ends with a summary.
    folder
        .succeeds("run x.yaml")
        .says(["every line-up of 5 of 5 entrants", "Verdicts"])
        .never_says("Unfinished");
    let from_file = folder.succeeds("report x.yaml");
    let from_store = folder.succeeds("report x.sqlite");
    assert_eq!(from_file.out, from_store.out);
    assert!(!from_file.out.contains('\u{1b}'), "no colours into a pipe");

    let json = folder.report("x.yaml");
    assert_eq!(json["format"], "hattari.report/2");
    assert_eq!(
        json["progress"],
        json!({"line_ups": 1, "line_ups_missing": 0, "blocks": 12, "blocks_played": 12, "deals_played": 120})
    );
    assert_eq!(json["family"], 10);
    assert_eq!(
        json["about"]["command"],
        "hattari report x.yaml --format json"
    );
    let random = json["bots"].list().last().unwrap();
    assert_eq!(random["name"], "random", "random is the weakest");

    // The file asks for more blocks than there are.
    folder.edit("x.yaml", "blocks: 12", "blocks: 20");
    folder
        .succeeds("report x.yaml")
        .says("Unfinished: 8 of 20 blocks are missing");
    // The file describes another league than the one played.
    folder.write("x.yaml", league.replace("seed: 7", "seed: 8"));
    folder
        .succeeds("report x.yaml")
        .says("has changed since these games were played: seed: 7 as played, 8 in the file now");
}

#[test]
fn options_of_the_report_are_validated_and_applied() {
    let league = "game: daihinmin\nseed: 7\nentrants: [base, random, plain, default, all]\n\
                  format: {kind: line-ups, size: 5}\nblocks: 3\ndeals: 5\n\
                  report: {confidence: 0.9, correction: holm, score_ratio: true}\n";
    let folder = Folder::of(league);
    folder.succeeds("run x.yaml --no-report");

    folder.succeeds("report x.yaml").says([
        "90 % CI",
        "Holm",
        "Score ratios",
        "All 10 pairs have fewer than 10 blocks: the report shows numbers, but no verdict.",
    ]);
    folder.refuses("report x.yaml --confidence 95", "give 95 % as 0.95");
    folder.refuses(
        "report x.yaml --pairs bse",
        ["there is no bot `bse`", "`base`"],
    );
    let one = folder.report("x.yaml --pairs base,random");
    assert_eq!(one["pairs"].list().len(), 1);
    assert_eq!(one["family"], 10, "a pair picked from many is not alone");
    folder
        .succeeds("report x.yaml --per-line-up")
        .says("Pairs by line-up");

    for (arguments, complaint) in [
        ("--pairs base,base", "--pairs: `base` is given twice"),
        (
            "--play --format csv --output csv",
            "--play is not part of a report in csv; formats that have it: terminal, json",
        ),
        ("--score-ratio --format latex", "--score-ratio is not part"),
        (
            "--per-line-up --html",
            "--per-line-up is not part of a report in html; formats that have it: terminal, mark",
        ),
        (
            "x.yaml --format csv --output csv",
            "several leagues is not part of a report in csv",
        ),
        ("--versions base --without-luck", "cannot be used with"),
        ("--versions base --per-line-up", "cannot be used with"),
    ] {
        folder.refuses(format!("report x.yaml {arguments}"), complaint);
    }
    // The page on two leagues does not replace the page on the first one.
    folder
        .succeeds("report x.yaml x.sqlite --html --replays 0")
        .complains("x+x.html: written");
    assert!(folder.path("x+x.html").is_file() && !folder.path("x.html").exists());

    folder.refuses("report x.yaml --format csv", "--output FOLDER");
    folder.succeeds("report x.yaml --format csv --output csv");
    for name in ["standings", "pairs", "lineups", "samples", "congeniality"] {
        assert!(folder.path(&format!("csv/{name}.csv")).is_file(), "{name}");
    }
    folder.succeeds("report x.yaml --format markdown --output x.md");
    let markdown = folder.read("x.md");
    assert!(
        markdown.starts_with("# x\n") && markdown.contains("hattari run x.yaml"),
        "{markdown}"
    );
    folder.refuses(
        "report x.yaml --format json --output no/such/folder.json",
        "cannot be written",
    );
    folder.write("bad.sqlite", "no database");
    folder.hattari("report bad.sqlite").code(2);
}

#[test]
fn leagues_with_many_entrants_show_the_verdicts_of_their_format() {
    let others = ["one", "two", "three", "four", "five", "six"];
    let bots = ["call", "fold", "random"].iter().cycle();
    let entrants: Vec<String> = others
        .iter()
        .zip(bots)
        .map(|(name, bot)| format!("{{name: {name}, bot: {bot}}}"))
        .collect();
    let folder = Folder::of(&format!(
        "game: holdem\nseed: 1\nentrants: [honest, {}]\nformat: {{kind: duel, a: [honest], b: [{}]}}\nblocks: 6\ndeals: 4\n",
        entrants.join(", "),
        others.join(", ")
    ));
    let run = folder.succeeds("run x.yaml");
    let report = folder.succeeds("report x.yaml");
    for out in [&run.out, &report.out] {
        for other in others {
            let names = [
                format!("honest beats {other} by"),
                format!("{other} beats honest by"),
                format!("honest and {other}: "),
            ];
            assert!(
                out.lines()
                    .any(|line| names.iter().any(|names| line.contains(names))),
                "{other} in\n{out}"
            );
        }
        // The verdicts on the others are listed by name.
        assert!(
            out.lines()
                .any(|line| line.contains("one: ") && line.contains("four")),
            "{out}"
        );
    }
}
