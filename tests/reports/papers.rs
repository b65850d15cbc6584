//! Output for papers: tiers, LaTeX, figures as files, the paragraph on methods, and winnings.

use crate::support::{
    Arguments, Folder, JsonPart, column, ended, has, in_one_line, json_lines, same_pair,
};
use roxmltree::Document;
use serde_json::{Value, json};
use std::fs;

/// Returns scores of four bots: `a` and `b_1` differ by chance only, as do `c` and `d & e`.
fn scores() -> String {
    let mut text = "block,d & e,c,b_1,a\n".to_owned();
    for block in 0..24_i32 {
        let chance = |number: i32| (block * number * 7 + number) % 5;
        let row = [chance(1), chance(2), 20 + chance(3), 20 + chance(4)];
        text += &format!("{block},{},{},{},{}\n", row[0], row[1], row[2], row[3]);
    }
    text
}

#[test]
fn standings_begin_with_tiers_in_every_format() {
    let folder = Folder::new();
    folder.write("scores.csv", scores());
    let report = |more: &str| folder.succeeds(("report scores.csv", more));
    let json = report("--format json").json();
    let tiers = &json["tiers"]["tested"];
    let mut groups = tiers["groups"].clone();
    let groups = groups.as_array_mut().unwrap();
    for group in &mut *groups {
        let names = group.as_array_mut().unwrap();
        names.sort_by_key(Value::to_string);
    }
    assert_eq!(*groups, [json!(["a", "b_1"]), json!(["c", "d & e"])]);
    assert!((tiers["level"].float() - 0.05).abs() < 1e-12);
    assert_eq!(tiers["joint"], true);
    let text = report("").out;
    let (before, after) = text.split_once("\nStandings\n").unwrap();
    assert!(
        before.contains("Tiers\n") && !after.contains("Tiers\n"),
        "{text}"
    );
    has(before, "significance level 5 % for all boundaries together");
    let unadjusted = report("--correction none --confidence 0.9").out;
    has(
        &in_one_line(&unadjusted),
        "10 % for each pair alone, because p is not adjusted",
    );
    report("--format csv --output csv");
    let csv = folder.read("csv/standings.csv");
    assert_eq!(column(&csv, "tier"), ["1", "1", "2", "2"]);
    report("--format html --output page.html");
    let page = folder.read("page.html");
    has(&page, "Every bot of a tier is significantly ahead");
}

/// Returns the text of the LaTeX report.
fn latex(folder: &Folder, more: impl Arguments) -> String {
    folder
        .succeeds(("report scores.csv --format latex", more))
        .out
}

#[test]
fn latex_has_escaped_tables_with_tiers() {
    let folder = Folder::new();
    folder.write("scores.csv", scores());
    let text = latex(&folder, "");
    let begins = text.matches("\\begin{tabular}").count();
    assert_eq!(begins, 2, "{text}");
    for mark in ["\\end{tabular}", "\\toprule", "\\bottomrule"] {
        assert_eq!(text.matches(mark).count(), begins, "{mark}: {text}");
    }
    assert!(
        text.contains("b\\_1") && text.contains("d \\& e") && !text.contains("b_1"),
        "{text}"
    );
    // One rule below each header, and one between the tiers.
    assert_eq!(text.matches("\\midrule").count(), begins + 1, "{text}");
    has(&text, "tier & bot & points");
}

#[test]
fn the_methods_paragraph_describes_the_tests() {
    let folder = Folder::new();
    folder.write("scores.csv", scores());
    let methods = |more: &str| {
        let text = latex(&folder, more);
        text.split_once("\\paragraph{Methods}")
            .unwrap()
            .1
            .to_owned()
    };
    let plain = methods("");
    has(&plain, "paired t-tests on block means at level 5 \\%");
    has(&plain, "adjusted by max-T over 6 comparisons");
    assert!(
        !plain.contains("quivalence") && !plain.contains("luck"),
        "{plain}"
    );
    let other = methods("--correction none --confidence 0.99 --equal-within 9");
    has(&other, "at level 1 \\%; p values were not adjusted");
    assert!(
        other.contains("Equivalence within 9") && !other.contains("max-T"),
        "{other}"
    );
}

#[test]
#[ignore = "needs pdflatex (apt-get install texlive-latex-recommended)"]
fn nightly_latex_compiles() {
    let folder = played();
    folder.succeeds("report league.yaml --output table.tex");
    folder.write(
        "paper.tex",
        "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\\input{table}\\end{document}\n",
    );
    let mut pdflatex = std::process::Command::new("pdflatex");
    pdflatex.args(["-interaction=nonstopmode", "-halt-on-error", "paper.tex"]);
    ended(pdflatex.current_dir(folder.root())).code(0);
}

/// A league in which entrants differ in one numeric setting.
const SWEPT: &str = "game: holdem\nseed: 5\nentrants:\n  - {name: \"x_%{}\", bot: call}\n  \
                     - {bot: ./mine.lua, name: mine, sweep: {edge: [0.5, 0.1, 0.3]}}\n\
                     format: {kind: line-ups, size: 2}\nblocks: 12\ndeals: 4\n";

/// Plays the league of [`SWEPT`] in a new folder.
fn played() -> Folder {
    let folder = Folder::new();
    folder.write("league.yaml", SWEPT);
    let script = "local edge = config.edge or 0\nreturn { act = function(view, legal)\n\
                  if math.random() < edge then return 1 end\nreturn #legal > 1 and 2 or 1 end }";
    folder.write("mine.lua", script);
    folder.succeeds("run league.yaml --quiet --no-report");
    folder
}

#[test]
fn a_league_report_has_winnings_swept_settings_and_figure_files() {
    let folder = played();
    let report = |more: &str| folder.succeeds(("report league.yaml", more));
    let json = report("--format json").json();
    winnings_are_points_in_big_blinds(&json);
    let swept = &json["swept"];
    assert_eq!(swept.list().len(), 1, "{swept}");
    assert_eq!(swept[0]["setting"], "edge");
    assert_eq!(swept[0]["fixed"], json!({}));
    let points = swept[0]["points"].list();
    let values: Vec<f64> = points.iter().map(|point| point["value"].float()).collect();
    assert_eq!(values, [0.1, 0.3, 0.5]);
    for point in points {
        let bot = json["bots"].item("name", point["name"].text());
        assert_eq!(bot["estimate"]["tested"], point["estimate"]);
        assert_eq!(point["name"], format!("mine edge={}", point["value"]));
    }
    report("").says(["Score by edge of ./mine.lua", "bb/100"]);
    let written = report("--html --replays 0 --figures figures");
    let page = folder.read("league.html");
    let count = fs::read_dir(folder.path("figures")).unwrap().count();
    has(&written.err, &format!("{count} figures written"));
    // Figures for wide screens, without their copies for narrow screens.
    let narrow = page.matches("<div class=\"narrow\">").count();
    assert_eq!(count, page.matches("<svg ").count() - narrow);
    for name in ["standings", "swept"] {
        Document::parse(&folder.read(&format!("figures/{name}.svg"))).unwrap();
    }
}

/// Checks the winnings in a report against its points.
#[track_caller]
fn winnings_are_points_in_big_blinds(json: &Value) {
    let points = json["about"]["league"]["stake"]["points"].float();
    let per_hundred = |value: &Value| value.float() * 100.0 / points;
    let is_close = |winnings: &Value, expected: &Value| {
        let (winnings, expected) = (winnings.float(), per_hundred(expected));
        (winnings - expected).abs() <= 1e-9 * expected.abs().max(1.0)
    };
    let mut tested = 0;
    for pair in json["pairs"].list() {
        let test = &pair["pooled"]["tested"];
        assert!(
            is_close(&pair["winnings"]["value"], &test["difference"]),
            "{pair}"
        );
        for key in ["se", "low", "high"] {
            assert!(
                is_close(&pair["winnings"][key], &test[key]),
                "{key}: {pair}"
            );
        }
        has(pair["verdict"]["text"].text(), " bb/100 (");
        tested += 1;
    }
    assert_eq!(tested, 6);
    for bot in json["bots"].list() {
        assert!(
            is_close(
                &bot["winnings"]["value"],
                &bot["estimate"]["tested"]["value"]
            ),
            "{bot}"
        );
    }
}

#[test]
fn methods_of_a_league_name_its_versions_and_seed() {
    let folder = played();
    let markdown = folder.succeeds("report league.yaml --format markdown").out;
    let methods = markdown.split_once("## Methods\n").unwrap().1;
    let version = env!("CARGO_PKG_VERSION");
    has(methods, &format!("Hattari {version} and seed 5."));
    has(methods, "72 of 72 blocks");
    for name in ["mine edge=0.1 (./mine.lua", "(call, version"] {
        assert!(methods.contains(name), "{name}: {methods}");
    }
    assert!(
        !methods.contains("stopping rule") && !methods.contains("luck by"),
        "{methods}"
    );
    let adjusted = folder.succeeds("report league.yaml --format latex --without-luck");
    let is_adjusted = adjusted.out.contains("adjusted for luck by a regression");
    let json = folder.report("league.yaml --without-luck");
    assert_eq!(json["luck"]["is_removed"], is_adjusted);
}

#[test]
fn a_run_with_a_time_limit_can_be_resumed() {
    let folder = Folder::new();
    folder.write("league.yaml", SWEPT);
    folder.write("mine.lua", "return { act = function() return 1 end }");
    let run = |more: &str| folder.succeeds(("run league.yaml --json", more)).json();
    folder.refuses("run league.yaml --hours 0", "a number of hours above 0");
    // The limit is over before the first block.
    let limited = run("--until 2001-01-01T00:00");
    assert_eq!(limited["finished"], false);
    assert_eq!(limited["played"], 0);
    let whole = run("--hours 1000");
    assert_eq!(whole["finished"], true);
    assert_eq!(whole["played"], 72);
}

#[test]
fn an_option_is_swept_and_the_joint_report_tests_its_interaction() {
    let folder = played();
    let run = |option: &str| folder.hattari(format!("run league.yaml --option {option}"));
    run("stak=1000,5000")
        .code(2)
        .complains("did you mean `stack`?");
    run("stack=1000,1000").code(2);
    run("stack=-5,1000").code(2);
    let values = ["1000", "3000", "10000"];
    run("stack=1000,3000,10000")
        .code(0)
        .says("Differences by stack");
    let stores: Vec<String> = values
        .map(|value| format!("league.stack={value}.sqlite"))
        .to_vec();
    let report = |format: &str| folder.succeeds((("report", &stores), format));
    let json = report("--format json").json();
    let across = &json["across"];
    assert_eq!(across["options"], json!(["stack"]));
    let seeds: Vec<&Value> = (0..3).map(|at| &across["leagues"][at]["seed"]).collect();
    assert_eq!(seeds, [5, 6, 7]);
    assert_eq!(across["leagues"][2]["values"], json!([10000]));
    assert_eq!(across["pairs"].list().len(), 6);
    for pair in across["pairs"].list() {
        let found = &pair["interaction"]["tested"];
        assert_eq!(found["df1"].float(), 2.0);
        assert!(found["p_adjusted"].float() >= found["p"].float(), "{found}");
    }
    // Each difference is that of the league alone.
    let alone = folder.report(&stores[1]);
    let first = &across["pairs"][0];
    let pair = same_pair(&alone, first);
    let difference = pair["pooled"]["tested"]["difference"].float();
    let shown = first["differences"][1]["tested"]["value"].float();
    assert!((difference.abs() - shown.abs()).abs() < 1e-12, "{first}");
    let page = folder.read("league.stack.html");
    has(&page, "id=\"across\"");
    has(&page, "Joint report on 3 leagues");
    report("--format latex").says("over 3 leagues (stack = 1000, seed 5; stack = 3000, seed 6;");
    // The same deals are no independent evidence.
    let same = folder.succeeds(["report", &stores[0], &stores[0]]);
    same.says("No test of interaction: leagues have the same seed");
}

#[test]
fn a_sweep_in_the_league_file_equals_the_option() {
    let folder = played();
    let digests = |run: &str| -> Vec<Value> {
        let played = json_lines(&folder.succeeds(format!("{run} --json")).out);
        played
            .iter()
            .map(|league| league["digest"].clone())
            .collect()
    };
    let of_option = digests("run league.yaml --option stack=1000,3000");
    folder.write(
        "swept.yaml",
        format!("{SWEPT}sweep: {{stack: [1000, 3000]}}\n"),
    );
    folder.refuses(
        "report swept.yaml",
        "there is no store `swept.stack=1000.sqlite`: `hattari run swept.yaml` plays its league",
    );
    folder
        .succeeds("run swept.yaml --dry-run")
        .says("sweep     stack=3000\nstore     swept.stack=3000.sqlite (new)");
    folder
        .succeeds("run swept.yaml --blocks 4")
        .says("Differences by stack");
    assert_eq!(digests("run swept.yaml"), of_option);
    has(&folder.read("swept.stack.html"), "id=\"across\"");
    // A page names the store whose games it shows.
    folder.succeeds("report swept.stack=3000.sqlite --html --output one.html");
    let page = folder.read("one.html");
    for command in ["verify", "replay"] {
        has(
            &page,
            &format!("hattari {command} swept.stack=3000.sqlite "),
        );
        assert!(!page.contains(&format!("hattari {command} swept.yaml")));
    }
    let stores = ["swept.stack=1000.sqlite", "swept.stack=3000.sqlite"];
    let json = |files: &[&str]| folder.report(files)["across"].clone();
    assert_eq!(json(&["swept.yaml"]), json(&stores));
    // Other commands, and options for one league, refuse the file and name the stores.
    for command in [
        "replay swept.yaml",
        "verify swept.yaml",
        "review swept.yaml --of call --by call",
        "export phh swept.yaml",
        "export parquet swept.yaml --output tables",
        "export acpc-game swept.yaml",
        "store digest swept.yaml",
        "cluster plan swept.yaml",
        "cluster pack swept.yaml",
        "calc luck swept.yaml",
        "study sensitivity budget swept.yaml",
        "serve swept.yaml",
        "report swept.yaml --store league.sqlite",
    ] {
        folder.refuses(command, ["`sweep` makes 2 leagues", stores[1]]);
    }
    for (option, why) in [
        ("--option ante=0,5", "has a `sweep` over `stack`"),
        ("--store x.sqlite", "has a `sweep`; remove --store"),
        ("--shard 1/2", "has a `sweep`; remove --shard"),
        ("--unit 0-3", "has a `sweep`; remove --unit"),
    ] {
        folder.refuses(format!("run swept.yaml {option}"), why);
    }
    // The option on the command line replaces the values. A time limit is no error.
    let limited = "run swept.yaml --option stack=2000,4000 --until 2001-01-01T00:00";
    assert_eq!(digests(limited).len(), 2);
    assert!(folder.path("swept.stack=4000.sqlite").exists());
}
