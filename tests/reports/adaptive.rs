//! Formats in which the results decide who plays against whom. Their reports only describe: no
//! table or file makes a claim.

use crate::support::{Folder, in_one_line};
use serde_json::Value;

/// Keys of the values that belong to a test, a rank or a symbol.
const CLAIMS: [&str; 9] = [
    "p",
    "p_adjusted",
    "t",
    "required",
    "low",
    "best_rank",
    "worst_rank",
    "symbol",
    "cycles",
];

/// Collects the places in a report at which a claim is made.
fn claims(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let place = format!("{place}/{key}");
                if CLAIMS.contains(&key.as_str()) && !value.is_null() {
                    found.push(place.clone());
                }
                // Intervals of single means are descriptions.
                if key != "estimate" && key != "bots" {
                    claims(value, &place, found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| claims(item, place, found)),
        _ => {}
    }
}

#[test]
fn adaptive_formats_make_no_claims_about_pairs() {
    let folder = Folder::new();
    let formats = [
        ("swiss", "{kind: swiss, rounds: 3, size: 3}"),
        ("knockout", "{kind: knockout, size: 3}"),
        ("ladder", "{kind: ladder, size: 3}"),
        (
            "race",
            "{kind: race, challengers: [saver, random, b, c], field: [d, d]}",
        ),
        // Here all pairs play whatever the results are, so tests are valid.
        ("round-robin", "{kind: round-robin, size: 3}"),
    ];
    for (name, format) in formats {
        let text = format!(
            "game: tanhinmin\nseed: 3\nentrants: [saver, random, {{name: b, bot: saver}}, {{name: c, bot: random}}, {{name: d, bot: saver}}]\n\
             format: {format}\nblocks: 24\ndeals: 10\nreport: {{score_ratio: true, equal_within: 1}}\n"
        );
        let file = format!("{name}.yaml");
        folder.write(&file, text);
        folder.succeeds(format!("run {file} --no-report"));
        let report: Value = folder.report(&file);
        let mut found = Vec::new();
        for (key, part) in report.as_object().unwrap() {
            if !["about", "samples", "settings", "bots", "rounds"].contains(&key.as_str()) {
                claims(part, key, &mut found);
            }
        }
        assert_eq!(found.is_empty(), name != "round-robin", "{name}: {found:?}");
        let is_tiered = report["tiers"]["tested"].is_object();
        assert_eq!(
            is_tiered,
            name == "round-robin",
            "{name}: {}",
            report["tiers"]
        );
        let full = folder.succeeds(format!("report {file} --per-line-up")).out;
        let full = in_one_line(&full);
        let is_claimed = ["◎", "××", "max-T", "explains"]
            .iter()
            .any(|words| full.contains(words));
        assert_eq!(is_claimed, name == "round-robin", "{name}: {full}");
        let why = "No tiers: the format chose the pairings from earlier results.";
        assert_eq!(full.contains(why), name != "round-robin", "{name}: {full}");
        assert_eq!(
            full.contains("are omitted"),
            name != "round-robin",
            "{name}: {full}"
        );
    }
}
