//! JSON reports of stores in the corpus, compared with the output of
//! `hattari report STORE --format json` at that time: the same keys, types and values.

use crate::support::Folder;
use crate::{copy, corpus, unpacked};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::fs;
use std::io::Write;

/// Maximum relative difference of a number, because compilers and C libraries differ in the last
/// digits.
const RELATIVE: f64 = 1e-9;
/// Values that change with every release.
const RELEASED: [&str; 1] = ["/about/version"];

/// Appends the places where two values differ.
fn compare(path: &str, before: &Value, now: &Value, differences: &mut Vec<String>) {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            for (key, value) in before {
                match now.get(key) {
                    Some(other) => compare(&format!("{path}/{key}"), value, other, differences),
                    None => differences.push(format!("{path}/{key} is gone")),
                }
            }
            differences.extend(
                now.keys()
                    .filter(|key| !before.contains_key(*key))
                    .map(|key| format!("{path}/{key} is new")),
            );
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            for (number, (before, now)) in before.iter().zip(now).enumerate() {
                compare(&format!("{path}/{number}"), before, now, differences);
            }
        }
        (Value::String(_), Value::String(_)) if RELEASED.contains(&path) => {}
        (Value::Number(before), Value::Number(now)) if before.is_f64() && now.is_f64() => {
            let (before, now) = (before.as_f64().unwrap(), now.as_f64().unwrap());
            if RELATIVE * before.abs().max(1e-3) < (before - now).abs() {
                differences.push(format!("{path}: {before}, now {now}"));
            }
        }
        _ if before == now => {}
        _ => differences.push(format!("{path}: {before}, now {now}")),
    }
}

/// `UPDATE=1 cargo test -p hattari --test compatibility reports` rewrites the reports. This is only
/// allowed for new keys and for intended changes of the statistics.
#[test]
fn reports_still_have_the_same_keys_and_values() {
    let mut seen = 0;
    for entry in fs::read_dir(corpus("reports")).unwrap() {
        let path = entry.unwrap().path();
        // The name is that of the folder and of the store in it.
        let name = path
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .strip_suffix(".json.gz")
            .expect("a compressed report");
        let (layout, store) = name.split_once('.').unwrap();
        let folder = Folder::new();
        copy(
            &folder,
            &format!("stores/{layout}/{store}.sqlite.gz"),
            &format!("{store}.sqlite"),
        );
        let report = folder.succeeds(["report", &format!("{store}.sqlite"), "--format", "json"]);
        if std::env::var_os("UPDATE").is_some() {
            let mut packed = GzEncoder::new(Vec::new(), Compression::best());
            packed.write_all(report.out.as_bytes()).unwrap();
            fs::write(&path, packed.finish().unwrap()).unwrap();
        }
        let before: Value = serde_json::from_slice(&unpacked(&path)).unwrap_or_default();
        let mut differences = Vec::new();
        compare("", &before, &report.json(), &mut differences);
        assert!(
            differences.is_empty(),
            "{name}:\n{}",
            differences.join("\n")
        );
        seen += 1;
    }
    assert!(seen >= 5, "{seen} reports");
}
