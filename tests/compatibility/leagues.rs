//! Leagues that use every key (`tests/v0.2/leagues.txt`): each plays or opens as before. Invalid
//! leagues are in `tests/data/bad-leagues.txt` and are tested with the parser.

use crate::support::{Folder, JsonPart, at_once};
use crate::{copy, corpus, corpus_text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A league and its expected result.
struct Case {
    name: String,
    league: String,
    expected: String,
}

fn cases(text: &str) -> Vec<Case> {
    let cases = text.split("\n== ").skip(1).map(|case| {
        let (name, rest) = case.split_once('\n').unwrap();
        let (league, expected) = rest.split_once("--\n").unwrap();
        Case {
            name: name.to_owned(),
            league: league.to_owned(),
            expected: expected.trim_end().to_owned(),
        }
    });
    cases.collect()
}

/// Returns the result of a league.
fn found(case: &Case) -> String {
    let folder = Folder::of(&case.league);
    for file in ["bots", "any.pbn", "tables.json"] {
        copy(&folder, file, file);
    }
    if case.name.starts_with("opens ") {
        let ended = folder.hattari("run x.yaml --dry-run --trust");
        let line = ended
            .out
            .lines()
            .find(|line| line.contains(" blocks, "))
            .unwrap_or_default();
        return format!("code {}: {}", ended.code, line.trim());
    }
    let ended = folder.hattari("run x.yaml --json");
    let played: Value = serde_json::from_str(&ended.out).unwrap_or_default();
    format!(
        "code {}: {} blocks, {} deals, {} faults, digest {}{}",
        ended.code,
        played["played"],
        played["deals"],
        played["faults"],
        played["digest"].as_str().unwrap_or("none"),
        if ended.code == 0 {
            String::new()
        } else {
            format!("\n{}{}", ended.out, ended.err)
        }
    )
}

/// `UPDATE=1 cargo test -p hattari --test compatibility leagues` writes the results. This may only
/// change new cases, and cases whose change the CHANGELOG explains.
#[test]
fn leagues_with_every_key_still_give_the_same_results() {
    let text = corpus_text("leagues.txt");
    let cases = cases(&text);
    let all = at_once(cases.len(), |number| found(&cases[number]));
    if std::env::var_os("UPDATE").is_some() {
        let mut written = text.split("\n== ").next().unwrap().to_owned();
        for (case, found) in cases.iter().zip(&all) {
            written += &format!("\n== {}\n{}--\n{found}\n", case.name, case.league);
        }
        fs::write(corpus("leagues.txt"), written).unwrap();
        return;
    }
    let differ = cases
        .iter()
        .zip(&all)
        .filter(|(case, found)| case.expected != **found);
    let differ: Vec<String> = differ
        .map(|(case, found)| format!("{}\n  was {}\n  is  {found}", case.name, case.expected))
        .collect();
    assert!(differ.is_empty(), "\n{}", differ.join("\n"));
}

/// Collects all names in a schema: keys by their path, and the values that a key may have.
pub(crate) fn names_of(schema: &Value, path: &str, names: &mut BTreeSet<String>) {
    for word in schema["enum"].as_array().into_iter().flatten() {
        names.insert(format!("{path}={}", word.text()));
    }
    for (key, value) in schema["properties"].as_object().into_iter().flatten() {
        if value.get("const").is_none() {
            let inner = if path.is_empty() {
                key.clone()
            } else {
                format!("{path}.{key}")
            };
            names.insert(inner.clone());
            names_of(value, &inner, names);
        }
    }
    names_of_list(schema, path, names);
}

/// Collects the names in lists and under conditions.
fn names_of_list(schema: &Value, path: &str, names: &mut BTreeSet<String>) {
    if schema["items"].is_object() {
        names_of(&schema["items"], &format!("{path}[]"), names);
    }
    let condition = schema["if"]["properties"]
        .as_object()
        .and_then(|keys| keys.values().find_map(|key| key["const"].as_str()));
    let inner = condition.map_or_else(|| path.to_owned(), |name| format!("{path}({name})"));
    for part in ["then", "else"] {
        if schema[part].is_object() {
            names_of(&schema[part], &inner, names);
        }
    }
    for part in schema["allOf"]
        .as_array()
        .into_iter()
        .chain(schema["anyOf"].as_array())
        .flatten()
    {
        names_of(part, path, names);
    }
}

/// Returns the names that a league uses, in the notation of [`names_of`].
fn used_by(league: &Value) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    walk(league, "", &mut used);
    let game = league["game"].as_str().unwrap_or_default();
    for (key, value) in league["options"].as_object().into_iter().flatten() {
        used.insert(format!("({game}).options.{key}"));
        used.insert(format!(
            "({game}).options.{key}={}",
            value.as_str().unwrap_or_default()
        ));
    }
    for key in ["options", "preset"] {
        if league.get(key).is_some() {
            used.insert(format!("({game}).{key}"));
            used.insert(format!(
                "({game}).{key}={}",
                league[key].as_str().unwrap_or_default()
            ));
        }
    }
    let kind = league["format"]["kind"].as_str().unwrap_or_default();
    walk(&league["format"], &format!("format({kind})"), &mut used);
    used
}

fn walk(value: &Value, path: &str, used: &mut BTreeSet<String>) {
    match value {
        Value::Object(keys) => {
            for (key, value) in keys {
                let inner = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                used.insert(inner.clone());
                walk(value, &inner, used);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| walk(item, &format!("{path}[]"), used)),
        Value::String(word) => _ = used.insert(format!("{path}={word}")),
        _ => {}
    }
}

#[test]
fn every_key_of_the_schema_is_in_a_league_of_the_corpus() {
    let folder = Folder::new();
    let schema = folder.succeeds("show schema").json();
    let mut names = BTreeSet::new();
    names_of(&schema, "", &mut names);
    assert!(200 < names.len(), "{names:?}");
    for case in cases(&corpus_text("leagues.txt")) {
        let league: Value = serde_yaml::from_str(&case.league).unwrap();
        used_by(&league)
            .iter()
            .for_each(|name| _ = names.remove(name));
    }
    // A file with the key `sweep` describes several leagues; tests/reports/papers.rs plays one.
    names.retain(|name| name != "sweep" && !name.ends_with(").sweep"));
    assert!(
        names.is_empty(),
        "add leagues to tests/v0.2/leagues.txt that use {names:?}"
    );
}
