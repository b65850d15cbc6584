//! `hattari study stud` on the recorded cases and on damaged copies of them.

use crate::support::{Arguments, Ended, Folder, JsonPart, hattari, project};
use serde_json::{Value, json};
use std::fs;

const CASES: &str = "tests/data/stud.json";

fn recorded() -> Value {
    serde_json::from_slice(&fs::read(project().join(CASES)).unwrap()).unwrap()
}

fn analyse(cases: &Value, arguments: impl Arguments) -> Ended {
    let folder = Folder::new();
    folder.write("cases.json", cases.to_string());
    folder.hattari(("study stud --cases cases.json", arguments))
}

#[test]
fn recorded_stud_cases_agree() {
    let told = hattari(project(), ["study", "stud", "--cases", CASES]).code(0);
    assert!(
        told.out.starts_with("39 cases, ") && told.out.ends_with(" 0 differences\n"),
        "{}",
        told.out
    );
    let json = analyse(&recorded(), "--json").code(0).json();
    assert_eq!(json["cases"], 39);
    assert_eq!(json["differences"], json!([]));
}

#[test]
fn every_difference_and_nothing_else_is_reported() {
    let mut cases = recorded();
    cases["cases"][0]["counts"][4] = json!(673_430);
    cases["cases"][3]["exp_lin"] = json!(-0.12);
    cases["potentials"][1]["potential"] = json!(1.9);
    let told = analyse(&cases, "").code(1);
    let lines: Vec<_> = told.out.lines().collect();
    assert_eq!(
        lines[0],
        "T6-turn1: count (straight): recorded 673430, computed 673429"
    );
    assert!(
        lines[1].starts_with("T6-turn4: exp_lin: recorded -0.120000000000, computed -0.12167129"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].starts_with("T6-turn6-open-6d: potential: recorded 1.9"),
        "{}",
        lines[2]
    );
    assert!(
        lines.len() == 4 && lines[3].ends_with(" 3 differences"),
        "{}",
        told.out
    );
    let json = analyse(&cases, "--json").code(1).json();
    assert_eq!(json["differences"].list().len(), 3);
    assert_eq!(json["differences"][0]["case"], "T6-turn1");
}

#[test]
fn invalid_cases_are_errors_with_their_name() {
    let invalid = |cases: &Value, why: &str| drop(analyse(cases, "").code(2).complains(why));
    let mut cases = recorded();
    cases["cases"][2]["own"][0] = json!("Jx");
    invalid(&cases, "T6-turn3: `Jx` is not a card");
    cases["cases"][2]["own"][0] = json!("5h");
    invalid(&cases, "T6-turn3: a card is in both hands");
    cases["cases"][2]["coutns"] = json!(1);
    invalid(&cases, "unknown field `coutns`");
    invalid(&json!({"note": "empty"}), "no recorded values to compare");
}
