//! Public names: commands with their options, keys of leagues, and the Python package. No name may
//! disappear unless `tests/v0.2/removed.txt` gives a reason.

use crate::leagues::names_of;
use crate::support::{Folder, ended, hattari, project, python};
use crate::{corpus, corpus_text};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// Asserts that all names in `tests/v0.2/names/<list>.txt` are in `present`. `UPDATE=1` adds new
/// names.
#[track_caller]
fn nothing_is_missing(list: &str, present: &BTreeSet<String>) {
    let file = format!("names/{list}.txt");
    if std::env::var_os("UPDATE").is_some() {
        let mut all: BTreeSet<String> = fs::read_to_string(corpus(&file))
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect();
        all.extend(present.iter().cloned());
        fs::write(
            corpus(&file),
            all.into_iter().map(|name| name + "\n").collect::<String>(),
        )
        .unwrap();
    }
    let removed: BTreeSet<String> = removed()
        .into_iter()
        .filter(|(of, ..)| of == list)
        .map(|(_, name, _)| name)
        .collect();
    let text = corpus_text(&file);
    let gone: Vec<&str> = text
        .lines()
        .filter(|name| !present.contains(*name) && !removed.contains(*name))
        .collect();
    assert!(
        gone.is_empty(),
        "these names were there and are not any more; bring them back, or write them into tests/v0.2/removed.txt with a reason:\n{}",
        gone.join("\n")
    );
}

/// Returns the names that were removed on purpose: list, name, reason.
fn removed() -> Vec<(String, String, String)> {
    let text = corpus_text("removed.txt");
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let split = |line: &str| {
        let (list, rest) = line.split_once(": ")?;
        let (name, reason) = rest.split_once(" -- ")?;
        Some((list.to_owned(), name.to_owned(), reason.to_owned()))
    };
    lines
        .map(|line| {
            split(line)
                .unwrap_or_else(|| panic!("removed.txt: `{line}` is not `LIST: NAME -- REASON`"))
        })
        .collect()
}

#[test]
fn removed_names_existed_and_have_a_reason() {
    for (list, name, reason) in removed() {
        assert!(
            corpus_text(&format!("names/{list}.txt"))
                .lines()
                .any(|line| line == name),
            "{list} has no {name}"
        );
        assert!(10 < reason.len(), "{name}: no reason");
    }
}

/// Adds a command with its arguments, options and their values, then its subcommands.
fn add_command(path: &[&str], names: &mut BTreeSet<String>) {
    let folder = Folder::new();
    let help = hattari(folder.root(), (path, "--help")).code(0).out;
    let of = |name: &str| [path, &[name]].concat().join(" ");
    // Options that all commands have are listed once, without a command.
    let is_common: BTreeSet<String> = names
        .iter()
        .filter(|name| name.starts_with('-'))
        .cloned()
        .collect();
    let (mut section, mut argument) = ("", String::new());
    let mut below = Vec::new();
    for line in help.lines() {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        let first = words
            .split([' ', ',', '='])
            .next()
            .unwrap_or_default()
            .trim_end_matches("...");
        match (indent, line.trim_end()) {
            (0, "Options:" | "Arguments:") => section = words,
            // The commands of the program are listed under several headings.
            (0, text) if text == "Commands:" || (path.is_empty() && text.ends_with(':')) => {
                section = "Commands:";
            }
            (0, text) if !text.is_empty() => section = "",
            (2, _) if section == "Commands:" && first != "help" => below.push(first.to_owned()),
            (2 | 6, _) if section == "Options:" && first.starts_with('-') => {
                for option in words
                    .split([' ', ',', '.', '['])
                    .take_while(|word| word.is_empty() || word.starts_with('-'))
                    .filter(|word| !word.is_empty())
                {
                    if !is_common.contains(option) {
                        argument = of(option);
                        names.insert(argument.clone());
                    }
                }
            }
            (2, _) if section == "Arguments:" && first.starts_with(['<', '[']) => {
                argument = of(words.split("  ").next().unwrap_or_default());
                names.insert(argument.clone());
            }
            // The values of an option, one per line.
            (10, _) if words.starts_with("- ") && words.contains(':') => {
                _ = names.insert(format!(
                    "{argument} {}",
                    words[2..].split(':').next().unwrap()
                ));
            }
            _ => {}
        }
        if let Some((_, words)) = line.split_once("[possible values: ") {
            for word in words.trim_end_matches(']').split(", ") {
                names.insert(format!("{argument} {word}"));
            }
        }
    }
    for command in below {
        names.insert(of(&command));
        add_command(&[path, &[&command]].concat(), names);
    }
}

/// Names of commands that were renamed in 0.3. The old names are hidden, work for one version, and
/// print a note.
const OLD_COMMANDS: [&str; 21] = [
    "bots",
    "paths",
    "rules",
    "schema",
    "types",
    "completions",
    "man",
    "plan",
    "merge",
    "pack",
    "records",
    "stats",
    "analyse",
    "analyse equity",
    "analyse deal",
    "analyse luck",
    "analyse boards",
    "analyse stud",
    "analyse tanhinmin",
    "analyse cns",
    "analyse budget",
];

#[test]
fn no_command_and_no_option_disappears() {
    let mut names = BTreeSet::new();
    add_command(&[], &mut names);
    for old in OLD_COMMANDS {
        let words: Vec<&str> = old.split(' ').collect();
        names.insert(old.to_owned());
        add_command(&words, &mut names);
        let folder = Folder::new();
        hattari(folder.root(), (&words, "--help"))
            .code(0)
            .complains("note: `hattari");
    }
    assert!(
        names.contains("run --shard")
            && names.contains("export parquet")
            && names.contains("report --format json"),
        "{names:?}"
    );
    nothing_is_missing("commands", &names);
}

#[test]
fn no_key_of_leagues_disappears() {
    let folder = Folder::new();
    let mut names = BTreeSet::new();
    names_of(
        &hattari(folder.root(), "show schema").code(0).json(),
        "",
        &mut names,
    );
    nothing_is_missing("league-keys", &names);
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn no_name_of_the_python_package_disappears() {
    let mut command = Command::new(python::with("json"));
    command
        .arg(corpus("names/python_names.py"))
        .env("PYTHONPATH", project().join("arena/python/src"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let names = ended(&mut command)
        .code(0)
        .out
        .lines()
        .map(str::to_owned)
        .collect();
    nothing_is_missing("python", &names);
}
