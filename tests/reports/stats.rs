//! The statistical tests on scores from other sources: known results, and every error in a table.

use crate::support::{Arguments, Ended, Folder, JsonPart, project};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::Stdio;

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

/// Asserts that t, degrees of freedom and p of a test are those of SciPy.
#[track_caller]
fn is_test(ours: &Value, expected: &Value) {
    for key in ["t", "df", "p"] {
        close(&ours[key], &expected[key], key);
    }
}

/// Returns the golden scores as a table; `label` gives a row's block by its number and session.
fn table(label: impl Fn(usize, f64) -> String) -> String {
    let data = &golden()["data"];
    let (a, b, cluster) = (
        numbers(&data["a"]),
        numbers(&data["b"]),
        numbers(&data["cluster"]),
    );
    let row = |i: usize| format!("{},{},{}\n", label(i, cluster[i]), a[i], b[i]);
    format!("block,a,b\n{}", (0..a.len()).map(row).collect::<String>())
}

/// Runs `hattari report` with `text` on standard input.
fn stats(text: &[u8], more: impl Arguments) -> Ended {
    let folder = Folder::new();
    let mut command = folder.command(("report --scores -", more));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A run that rejects its arguments does not read its input.
    _ = child.stdin.take().unwrap().write_all(text);
    Ended::of(&child.wait_with_output().unwrap())
}

#[track_caller]
fn close(ours: &Value, expected: &Value, what: &str) {
    let (ours, expected) = (ours.float(), expected.float());
    assert!(
        (ours - expected).abs() <= 1e-11 * expected.abs().max(1e-3),
        "{what}: {ours} is not {expected}"
    );
}

#[test]
fn the_test_on_blocks_equals_the_scipy_test_on_session_means() {
    let golden = golden();
    let report = json(&table(|_, session| session.to_string()), "");
    let pair = &report["pairs"][0];
    is_test(&pair["pooled"]["tested"], &golden["session_mean_t"]);
    // In addition, the test on single rows.
    is_test(
        &pair["line_ups"][0]["by_deal"]["tested"],
        &golden["paired_t"],
    );
    assert_eq!(pair["verdict"]["kind"], "ahead");
    // The variance over sessions divided by that over single rows.
    let error = |value: &Value| value.float();
    let by_row = error(&pair["line_ups"][0]["by_deal"]["tested"]["se"]);
    let ratio = error(&golden["cluster_robust_CR1"]["se"]) / by_row;
    close(&pair["design_effect"], &(ratio * ratio).into(), "effect");
}

#[test]
fn the_test_on_rows_as_blocks_equals_the_paired_scipy_test() {
    let golden = golden();
    let report = json(&table(|row, _| format!("row {row}")), "");
    let test = &report["pairs"][0]["pooled"]["tested"];
    is_test(test, &golden["paired_t"]);
    close(&test["low"], &golden["paired_t"]["ci95"][0], "low");
    close(&test["high"], &golden["paired_t"]["ci95"][1], "high");
}

#[test]
fn blocks_of_one_cluster_are_one_observation() {
    // Every row is a block of its own, with the deal of the other rows of its session. Again this
    // is the test on session means.
    let golden = golden();
    let data = &golden["data"];
    let (a, b, cluster) = (
        numbers(&data["a"]),
        numbers(&data["b"]),
        numbers(&data["cluster"]),
    );
    let row = |i: usize| format!("{i},{},{},{}\n", cluster[i], a[i], b[i]);
    let text = format!(
        "block,cluster,a,b\n{}",
        (0..a.len()).map(row).collect::<String>()
    );
    let report = json(&text, "");
    let test = &report["pairs"][0]["pooled"]["tested"];
    assert_eq!(
        (&test["method"], &test["n"]),
        (&"clustered-blocks".into(), &12.into())
    );
    is_test(test, &golden["session_mean_t"]);
    stats(b"block,cluster,a,b\n1,x,2,3\n1,y,4,5\n", "")
        .code(2)
        .complains("line 3: block `1` is in cluster `y` here and in `x`");
}

#[test]
fn close_bots_are_called_equal_only_if_equivalence_is_shown() {
    let mut text = "block,a,b\n".to_owned();
    (0..40).for_each(|i| text += &format!("{i},{},{}\n", i % 5, (i * 3 + 1) % 5));
    let text = text.as_bytes();
    stats(text, "")
        .code(0)
        .says("a and b: undecided: ")
        .never_says("equal within");
    stats(text, "--equal-within 2")
        .code(0)
        .says("a and b: equal within 2 points per row");
    let report = stats(text, "--equal-within 2 --format json").json();
    assert_eq!(report["pairs"][0]["verdict"]["kind"], "equal");
    assert!(report["pairs"][0]["equivalence"]["p"].float() < 0.05);
    stats(text, "--equal-within 0")
        .code(2)
        .complains("give a number above 0");
}

#[test]
fn bots_without_common_blocks_are_compared_with_the_welch_test() {
    let golden = golden();
    let data = &golden["data"];
    let (a, b) = (numbers(&data["a"]), numbers(&data["b"]));
    let mut text = "block,a,b\n".to_owned();
    a.iter()
        .enumerate()
        .for_each(|(i, score)| text += &format!("a{i},{score},\n"));
    b.iter()
        .enumerate()
        .for_each(|(i, score)| text += &format!("b{i},,{score}\n"));
    let report = json(&text, "");
    let test = &report["pairs"][0]["pooled"]["tested"];
    assert_eq!(test["method"], "welch-blocks");
    is_test(test, &golden["welch_t"]);
}

#[test]
fn p_values_are_adjusted_over_all_pairs_as_configured() {
    let mut text = "block,a,b,c\n".to_owned();
    for i in 0..24 {
        text += &format!("{i},{},{},{}\n", i % 5 + 2, i * 7 % 5, i * 3 % 4);
    }
    let p = |more: &[&str]| {
        let report = json(&text, more);
        let number = |pair: &Value, key: &str| pair["pooled"]["tested"][key].float();
        let tests = report["pairs"].list().iter();
        tests
            .map(|pair| (number(pair, "p"), number(pair, "p_adjusted")))
            .collect::<Vec<_>>()
    };
    let mut raw: Vec<f64> = p(&["--correction", "none"])
        .iter()
        .map(|(p, adjusted)| {
            assert_eq!(p, adjusted);
            *p
        })
        .collect();
    raw.sort_by(f64::total_cmp);
    let smallest = |tests: Vec<(f64, f64)>| {
        tests
            .iter()
            .map(|(_, adjusted)| *adjusted)
            .fold(1.0, f64::min)
    };
    assert!((smallest(p(&["--correction", "holm"])) - 3.0 * raw[0]).abs() < 1e-15);
    // The default takes the dependence of three differences on two into account. It is never larger
    // than Holm's value, except for sampling error.
    let together = smallest(p(&[]));
    assert_eq!(together, smallest(p(&["--correction", "max-t"])));
    assert!(
        raw[0] < together && together < 3.0 * raw[0] + 0.01,
        "{raw:?} {together}"
    );
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

#[test]
fn an_invalid_table_is_refused_with_its_line() {
    for (text, message) in [
        (&b""[..], "the file is empty"),
        (b"block,a,b\n", "no rows"),
        (b"a,b\n1,2\n", "no column `block`"),
        (b"block,a,a\n1,2,3\n", "two columns are called `a`"),
        (
            b"block,a,b\n1,2,3\n2,x,3\n",
            "line 3, column `a`: `x` is not a finite number",
        ),
        (
            b"block,a,b\n1,2,3\n2,3\n",
            "line 3: 2 cells, but the header has 3",
        ),
        (
            b"block,a,b\n1,2,3\n,3,4\n",
            "line 3: the cell of `block` is empty",
        ),
        (b"block,a\n1,\xff\n", "line 2: not UTF-8"),
    ] {
        let ended = stats(text, "").code(2).complains("standard input");
        assert_eq!(ended.complains(message).out, "");
    }
    let folder = Folder::new();
    folder
        .refuses("report none.csv", "none.csv")
        .complains("No such file");
    folder.refuses("report", "Usage");
}

#[test]
fn the_whole_report_matches_its_golden_file() {
    let folder = Folder::new();
    let scores = "block,ada,bob,cleo\n";
    let row = |i: i64| {
        format!(
            "{},{},{},{}\n",
            i / 2,
            3 + i * i % 7,
            2 + i * 5 % 6,
            1 + i * 11 % 8
        )
    };
    folder.write(
        "scores.csv",
        scores.to_owned() + &(0..24).map(row).collect::<String>(),
    );
    for (name, more) in [
        ("stats.txt", &[][..]),
        ("stats.json", &["--format", "json"][..]),
    ] {
        let out = folder.succeeds(("report scores.csv", more)).out;
        let path = project().join("tests/data/report").join(name);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &out).unwrap();
        }
        assert_eq!(
            out,
            fs::read_to_string(&path).unwrap_or_default(),
            "{} (UPDATE=1 writes it anew)",
            path.display()
        );
    }
}
