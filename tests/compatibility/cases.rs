//! The cases in `tests/v0.2/expected.txt`: files of the corpus, commands of the current program,
//! and the expected output.

use crate::support::{Ended, Folder, at_once};
use crate::{copy, corpus, corpus_text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The groups of cases. There is one test per group.
const GROUPS: [&str; 6] = [
    "first stores",
    "stores",
    "continued stores",
    "new stores",
    "built-in bots",
    "packs",
];

/// A case with the values of one of its rows.
struct Case {
    /// Title in the file.
    title: String,
    /// Lines with their numbers in the file, from 1.
    lines: Vec<(usize, String)>,
}

/// Reads all cases, one per row.
fn cases() -> Vec<Case> {
    let text = corpus_text("expected.txt");
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
    let mut cases = Vec::new();
    for part in lines.split(|(_, line)| line.is_empty()) {
        let Some((first, rest)) = part
            .iter()
            .position(|(_, line)| line.starts_with("== "))
            .map(|at| (part[at].1, &part[at + 1..]))
        else {
            continue;
        };
        let rows: Vec<Vec<&str>> = rest
            .iter()
            .filter_map(|(_, line)| line.strip_prefix("for "))
            .map(|row| row.split_whitespace().collect())
            .collect();
        let steps = rest
            .iter()
            .filter(|(_, line)| !line.starts_with("for ") && !line.starts_with('#'));
        for row in if rows.is_empty() {
            vec![Vec::new()]
        } else {
            rows
        } {
            let filled = |line: &str| {
                (1..)
                    .zip(&row)
                    .fold(line.to_owned(), |line, (at, value): (usize, _)| {
                        line.replace(&format!("${at}"), value)
                    })
            };
            let title = format!(
                "{} {}",
                first.trim_start_matches("== "),
                row.first().unwrap_or(&"")
            )
            .trim()
            .to_owned();
            cases.push(Case {
                title,
                lines: steps
                    .clone()
                    .map(|(number, line)| (*number, filled(line)))
                    .collect(),
            });
        }
    }
    cases
}

/// Runs a case. Returns an error text if the result differs.
fn play(case: &Case) -> Result<(), String> {
    let folder = Folder::new();
    let mut ended: Option<(Ended, i32, String)> = None;
    for (number, line) in &case.lines {
        let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
        let fail = |why: &str, ended: &Ended| {
            Err(format!(
                "expected.txt:{number}: {}: {line}: {why}\n-- code {}\n-- out\n{}\n-- err\n{}",
                case.title, ended.code, ended.out, ended.err
            ))
        };
        if sign == "@" {
            let (from, name) = rest
                .split_once(" as ")
                .unwrap_or((rest, Path::new(rest).file_name().unwrap().to_str().unwrap()));
            copy(&folder, from, name);
            continue;
        }
        // The exit code is checked after the next line, which may set an expected code other than
        // 0.
        if let Some((done, code, command)) = &mut ended {
            if sign == "=" {
                *code = rest.parse().unwrap();
            }
            if done.code != *code {
                return fail(&format!("`{command}` did not end with {code}"), done);
            }
        }
        match (sign, &ended) {
            ("$", _) => {
                let arguments: Vec<&str> = rest.split_whitespace().collect();
                ended = Some((folder.hattari(&arguments), 0, rest.to_owned()));
            }
            ("=", Some(_)) => {}
            (">", Some((done, ..))) if !done.out.contains(rest) => {
                return fail("not in the output", done);
            }
            ("!", Some((done, ..))) if !done.err.contains(rest) => {
                return fail("not in the error output", done);
            }
            ("-", Some((done, ..))) if done.out.contains(rest) || done.err.contains(rest) => {
                return fail("it is said", done);
            }
            (".", Some((done, ..))) => {
                let (pointer, expected) = rest.split_once(' ').unwrap();
                let expected: Value = serde_json::from_str(expected)
                    .unwrap_or_else(|error| panic!("line {number}: {error}"));
                let found: Value = serde_json::from_str(&done.out).unwrap_or_default();
                if found.pointer(pointer) != Some(&expected) {
                    return fail(&format!("found {:?}", found.pointer(pointer)), done);
                }
            }
            (">" | "!" | "-", Some(_)) => {}
            _ => panic!("expected.txt:{number}: what is `{line}`?"),
        }
    }
    match &ended {
        Some((done, code, command)) if done.code != *code => Err(format!(
            "{}: `{command}` ended with {}\n{}",
            case.title, done.code, done.err
        )),
        Some(_) => Ok(()),
        None => Err(format!("{}: no command", case.title)),
    }
}

/// Runs all cases of a group, several at a time.
#[track_caller]
fn play_group(group: &str) {
    let cases: Vec<Case> = cases()
        .into_iter()
        .filter(|case| case.title.starts_with(&format!("{group}: ")))
        .collect();
    assert!(!cases.is_empty(), "no case of the group {group}");
    let played = at_once(cases.len(), |number| play(&cases[number]));
    let failures: Vec<String> = played.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n\n"));
}

#[test]
fn stores_of_0_2_0_are_refused_and_their_leagues_play_the_same() {
    play_group("first stores");
}

#[test]
fn stores_of_layout_5_can_be_opened_and_resumed() {
    play_group("stores");
}

#[test]
fn stores_of_layout_5_extended_by_newer_programs_can_be_resumed() {
    play_group("continued stores");
}

#[test]
fn stores_of_layout_6_can_be_opened_and_resumed() {
    play_group("new stores");
}

#[test]
fn built_in_bots_of_0_2_have_another_version_and_play_the_same() {
    play_group("built-in bots");
}

#[test]
fn packs_are_unpacked_and_play() {
    play_group("packs");
}

#[test]
fn every_case_and_every_file_of_the_corpus_is_used() {
    let cases = cases();
    for case in &cases {
        assert!(
            GROUPS
                .iter()
                .any(|group| case.title.starts_with(&format!("{group}: "))),
            "no test plays `{}`",
            case.title
        );
    }
    let copied = |sign: &str| {
        cases
            .iter()
            .flat_map(|case| &case.lines)
            .filter_map(|(_, line)| line.strip_prefix(sign).map(str::to_owned))
            .collect()
    };
    let used: BTreeSet<String> = copied("@ ");
    let used: BTreeSet<&str> = used
        .iter()
        .map(|line| line.split(" as ").next().unwrap())
        .collect();
    for folder in [
        "stores",
        "stores/layout-5",
        "stores/layout-5-0.2.0",
        "stores/layout-5-continued",
        "stores/layout-6",
        "packs",
    ] {
        for entry in fs::read_dir(corpus(folder)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
            assert!(
                entry.path().is_dir() || used.contains(&*name),
                "no case uses {name}"
            );
        }
    }
}
