//! The statistical tests on scores from other sources: known results, and every error in a table.

use crate::support::{Arguments, Ended, Folder, project};
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
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_f64().unwrap())
        .collect()
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
    let output = child.wait_with_output().unwrap();
    Ended {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[track_caller]
fn close(ours: &Value, expected: &Value, what: &str) {
    let (ours, expected) = (ours.as_f64().unwrap(), expected.as_f64().unwrap());
    assert!(
        (ours - expected).abs() <= 1e-11 * expected.abs().max(1e-3),
        "{what}: {ours} is not {expected}"
    );
}

#[test]
fn the_test_on_blocks_equals_the_scipy_test_on_session_means() {
    let golden = golden();
    let report = stats(
        table(|_, session| session.to_string()).as_bytes(),
        "--format json",
    )
    .code(0)
    .json();
    let pair = &report["pairs"][0];
    for key in ["t", "df", "p"] {
        close(
            &pair["pooled"]["tested"][key],
            &golden["session_mean_t"][key],
            key,
        );
    }
    // In addition, the test on single rows.
    for key in ["t", "df", "p"] {
        close(
            &pair["line_ups"][0]["by_deal"]["tested"][key],
            &golden["paired_t"][key],
            key,
        );
    }
    assert_eq!(pair["verdict"]["kind"], "ahead");
    // The variance over sessions divided by that over single rows.
    let error = |value: &Value| value.as_f64().unwrap();
    let by_row = error(&pair["line_ups"][0]["by_deal"]["tested"]["se"]);
    let ratio = error(&golden["cluster_robust_CR1"]["se"]) / by_row;
    close(&pair["design_effect"], &(ratio * ratio).into(), "effect");
}

#[test]
fn the_test_on_rows_as_blocks_equals_the_paired_scipy_test() {
    let golden = golden();
    let report = stats(
        table(|row, _| format!("row {row}")).as_bytes(),
        "--format json",
    )
    .code(0)
    .json();
    let test = &report["pairs"][0]["pooled"]["tested"];
    for key in ["t", "df", "p"] {
        close(&test[key], &golden["paired_t"][key], key);
    }
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
    let report = stats(text.as_bytes(), "--format json").code(0).json();
    let test = &report["pairs"][0]["pooled"]["tested"];
    assert_eq!(
        (&test["method"], &test["n"]),
        (&"clustered-blocks".into(), &12.into())
    );
    for key in ["t", "df", "p"] {
        close(&test[key], &golden["session_mean_t"][key], key);
    }
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
        .says("cannot tell which is ahead")
        .never_says("equal within");
    stats(text, "--equal-within 2")
        .code(0)
        .says("a and b: equal within 2 points a row");
    let report = stats(text, "--equal-within 2 --format json").code(0).json();
    assert_eq!(report["pairs"][0]["verdict"]["kind"], "equal");
    assert!(report["pairs"][0]["equivalence"]["p"].as_f64().unwrap() < 0.05);
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
    let report = stats(text.as_bytes(), "--format json").code(0).json();
    let test = &report["pairs"][0]["pooled"]["tested"];
    assert_eq!(test["method"], "welch-blocks");
    for key in ["t", "df", "p"] {
        close(&test[key], &golden["welch_t"][key], key);
    }
}

#[test]
fn p_values_are_adjusted_over_all_pairs_as_configured() {
    let mut text = "block,a,b,c\n".to_owned();
    for i in 0..24 {
        text += &format!("{i},{},{},{}\n", i % 5 + 2, i * 7 % 5, i * 3 % 4);
    }
    let p = |more: &[&str]| {
        let report = stats(text.as_bytes(), [&["--format", "json"], more].concat())
            .code(0)
            .json();
        let tests = report["pairs"].as_array().unwrap().clone();
        let number = |pair: &Value, key: &str| pair["pooled"]["tested"][key].as_f64().unwrap();
        tests
            .iter()
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
    stats(b"block,a,b\n1,3,2\n1,4,1\n", "")
        .code(0)
        .says("a and b: cannot tell: too few blocks (1, 2 needed)");
    stats(b"block,a,b\n1,3,2\n2,4,1\n3,4,2\n", "")
        .code(0)
        .says("The pair has fewer than 10 blocks")
        .says("cannot tell: too few blocks (3, 10 needed)");
    stats(b"block,a,b\n1,3,2\n2,4,3\n", "")
        .code(0)
        .says("every block shows the same difference of 1");
    stats(b"block,a,b\n1,3,3\n2,4,4\n", "")
        .code(0)
        .says("every block gave the same score, so there is no variance");
    stats(b"block,a\n1,3\n2,4\n", "")
        .code(0)
        .says("Standings")
        .never_says("Pairs");
    stats(b"block,a,b\n1,3,\n2,4,\n", "")
        .code(0)
        .says("Empty cells: 2.")
        .says("no scores to compare");
}

#[test]
fn an_invalid_table_is_refused_with_its_line() {
    let check = |text: &[u8], message: &str| {
        let ended = stats(text, "")
            .code(2)
            .complains("standard input")
            .complains(message);
        assert!(ended.out.is_empty(), "{}", ended.out);
    };
    check(b"", "the file is empty");
    check(b"block,a,b\n", "no rows");
    check(b"a,b\n1,2\n", "no column `block`");
    check(b"block,a,a\n1,2,3\n", "two columns are called `a`");
    check(
        b"block,a,b\n1,2,3\n2,x,3\n",
        "line 3, column `a`: `x` is not a finite number",
    );
    check(
        b"block,a,b\n1,2,3\n2,3\n",
        "line 3: 2 cells, but the header has 3",
    );
    check(
        b"block,a,b\n1,2,3\n,3,4\n",
        "line 3: the cell of `block` is empty",
    );
    check(b"block,a\n1,\xff\n", "line 2: not UTF-8");
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
