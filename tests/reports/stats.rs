//! The statistical tests on scores from other sources: known results, and every error in a table.

use crate::report::check;
use crate::support::{Arguments, Ended, Folder, JsonPart, project, with_input};
use serde_json::Value;
use std::fs;

/// Returns the scores of two bots in 96 games of 12 sessions, with SciPy's results for them.
fn golden() -> Value {
    let text = fs::read_to_string(project().join("tests/data/statistics.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.list().iter().map(JsonPart::float).collect()
}

/// Returns the JSON report of a table.
fn json(text: &str, more: impl Arguments) -> Value {
    stats(text.as_bytes(), ("--format json", more))
        .code(0)
        .json()
}

/// Runs `hattari report` with `text` on standard input.
fn stats(text: &[u8], more: impl Arguments) -> Ended {
    let folder = Folder::new();
    with_input(&mut folder.command(("report --scores -", more)), text)
}

#[track_caller]
fn close(ours: &Value, expected: &Value, what: &str) {
    let (ours, expected) = (ours.float(), expected.float());
    assert!(
        (ours - expected).abs() <= 1e-11 * expected.abs().max(1e-3),
        "{what}: {ours} is not {expected}"
    );
}

/// Each way to write the golden scores as a table gives a test of SciPy: sessions as blocks, every
/// row as a block, every row as a block with the deal of its session, and rows of one bot each.
#[test]
fn the_tests_of_tables_equal_those_of_scipy() {
    let golden = golden();
    let [a, b, cluster] = ["a", "b", "cluster"].map(|name| numbers(&golden["data"][name]));
    let report = |header: &str, row: &dyn Fn(usize) -> String| {
        let rows: String = (0..a.len()).map(row).collect();
        json(&format!("block,{header}\n{rows}"), "")
    };
    let session = |i: usize| format!("{},{},{}\n", cluster[i], a[i], b[i]);
    let sessions = report("a,b", &session);
    let rows = report("a,b", &|i| format!("row {i},{},{}\n", a[i], b[i]));
    let clusters = report("cluster,a,b", &|i| format!("{i},{}", session(i)));
    let apart = report("a,b", &|i| format!("a{i},{},\nb{i},,{}\n", a[i], b[i]));
    for (report, method, n, expected) in [
        (&sessions, "paired-blocks", 12, "session_mean_t"),
        (&rows, "paired-blocks", 96, "paired_t"),
        (&clusters, "clustered-blocks", 12, "session_mean_t"),
        (&apart, "welch-blocks", 192, "welch_t"),
    ] {
        let test = &report["pairs"][0]["pooled"]["tested"];
        assert_eq!(test["method"], method, "{expected}");
        assert_eq!(test["n"], n, "{expected}");
        for key in ["t", "df", "p"] {
            close(&test[key], &golden[expected][key], key);
        }
    }
    let interval = &golden["paired_t"]["ci95"];
    let test = &rows["pairs"][0]["pooled"]["tested"];
    close(&test["low"], &interval[0], "low");
    close(&test["high"], &interval[1], "high");
    // In addition, the test on single rows.
    let pair = &sessions["pairs"][0];
    assert_eq!(pair["verdict"]["kind"], "ahead");
    let by_deal = &pair["line_ups"][0]["by_deal"]["tested"];
    for key in ["t", "df", "p"] {
        close(&by_deal[key], &golden["paired_t"][key], key);
    }
    // The variance over sessions divided by that over single rows.
    let ratio = golden["cluster_robust_CR1"]["se"].float() / by_deal["se"].float();
    close(&pair["design_effect"], &(ratio * ratio).into(), "effect");
    assert!(rows["pairs"][0]["design_effect"].is_null());
}

/// `a` and `e` meet only `c`; `b` and `d` meet each other too.
#[test]
fn bots_without_common_blocks_are_compared_only_over_the_same_opponents() {
    let row = |i: i64| {
        let x = i * 7 % 5;
        format!(
            "{i},{x},,9,,\nb{i},,{x},5,{},\ne{i},,,{x},,{}\n",
            i % 2,
            i % 3
        )
    };
    let text = "block,a,b,c,d,e\n".to_owned() + &(0..20).map(row).collect::<String>();
    let report = json(&text, "");
    let pairs = report["pairs"].list().iter();
    let untested = pairs.filter(|pair| pair["pooled"]["tested"].is_null());
    let names: Vec<String> = untested
        .map(|pair| pair["a"].text().to_owned() + pair["b"].text())
        .collect();
    assert_eq!(names, ["ab", "ad", "be", "ed"]);
}

#[test]
fn options_of_the_tests_are_applied_and_checked() {
    // Every block has another result, so sign flips are not counted.
    let row = |i: i64| {
        let more = (i as f64).sqrt() / 100.0;
        let (b, c) = ((i * 7 % 5) as f64 + more, (i * 3 % 4) as f64 - more);
        format!("{i},{},{b},{c}\n", i % 5 + 2)
    };
    let text = "block,a,b,c\n".to_owned() + &(0..24).map(row).collect::<String>();
    // The smallest adjusted p over the three pairs.
    let smallest = |more: &str| {
        let report = json(&text, more);
        let tests = report["pairs"].list().iter();
        let p = tests.map(|pair| pair["pooled"]["tested"]["p_adjusted"].float());
        p.fold(1.0, f64::min)
    };
    let raw = smallest("--correction none");
    assert!((smallest("--correction holm") - 3.0 * raw).abs() < 1e-15);
    // The default takes the dependence of three differences on two into account.
    let together = smallest("");
    assert_eq!(together, smallest("--correction max-t"));
    assert!(raw < together && together < 3.0 * raw + 0.01, "{together}");
    let row = |i: i64| format!("{i},{},{}\n", i % 5, (i * 3 + 1) % 5);
    let text = "block,a,b\n".to_owned() + &(0..40).map(row).collect::<String>();
    let text = text.as_bytes();
    stats(text, "").code(0).never_says("equal within");
    stats(text, "--equal-within 2")
        .code(0)
        .says("a and b: equal within 2 points per row");
    stats(text, "--equal-within 2 --format markdown")
        .code(0)
        .says("two one-sided t-tests, corrected for skewness, p adjusted by Holm)");
    stats(text, "--equal-within 0")
        .code(2)
        .complains("give a number above 0");
}

/// Each error of a table is tested in `arena/play/src/samples/scores.rs`.
#[test]
fn an_invalid_table_is_refused_with_its_line() {
    let ended = stats(b"block,a,b\n1,2,3\n2,x,3\n", "").code(2);
    let ended = ended.complains("standard input");
    let reason = "line 3, column `a`: `x` is not a finite number";
    assert_eq!(ended.complains(reason).out, "");
    let folder = Folder::new();
    folder.refuses("report none.csv", ["none.csv", "No such file"]);
    folder.refuses("report", "Usage");
}

#[test]
fn the_whole_report_matches_its_golden_file() {
    let folder = Folder::new();
    let row = |i: i64| {
        let (block, a, b, c) = (i / 2, 3 + i * i % 7, 2 + i * 5 % 6, 1 + i * 11 % 8);
        format!("{block},{a},{b},{c}\n")
    };
    let rows: String = (0..24).map(row).collect();
    folder.write("scores.csv", format!("block,ada,bob,cleo\n{rows}"));
    for (name, more) in [("stats.txt", ""), ("stats.json", "--format json")] {
        let report = folder.succeeds(("report scores.csv", more));
        check(name, &report.out);
    }
}

#[test]
fn one_block_few_blocks_and_no_variance_have_defined_results() {
    for (rows, says) in [
        (
            "a,b\n1,3,2\n1,4,1",
            "a and b: undecided: too few blocks (1, 2 needed)",
        ),
        (
            "a,b\n1,3,2\n2,4,1\n3,4,2",
            "The pair has fewer than 10 blocks",
        ),
        (
            "a,b\n1,3,2\n2,4,1\n3,4,2",
            "undecided: too few blocks (3, 10 needed)",
        ),
        (
            "a,b\n1,3,2\n2,4,3",
            "every block shows the same difference of 1",
        ),
        (
            "a,b\n1,3,3\n2,4,4",
            "every block gave the same score, so there is no variance",
        ),
        ("a,b\n1,3,\n2,4,", "Empty cells: 2."),
        ("a,b\n1,3,\n2,4,", "no scores to compare"),
        ("a\n1,3\n2,4", "Standings"),
    ] {
        let text = format!("block,{rows}\n");
        let report = stats(text.as_bytes(), "").code(0).says(says);
        assert!(
            rows.starts_with("a,b") || !report.out.contains("Pairs"),
            "{rows}"
        );
    }
}
