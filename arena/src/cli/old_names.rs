//! Command names before version 0.3. They still work in this version, with a note.

use super::output;
use std::ffi::OsString;

/// The renamed commands, each as old command, option and new command with its options. An entry
/// with an option applies only to command lines with this option, which is removed. The first entry
/// that applies is used.
const RENAMED: &[(&str, &str, &str)] = &[
    ("bots", "", "show bots"),
    ("paths", "", "show paths"),
    ("rules", "", "show rules"),
    ("schema", "", "show schema"),
    ("types", "", "show types"),
    ("completions", "", "show completions"),
    ("man", "", "show man"),
    ("plan", "", "cluster plan"),
    ("merge", "", "cluster merge"),
    ("pack", "", "cluster pack"),
    ("records", "--digest", "store digest"),
    ("records", "", "store records"),
    ("store", "--prune", "store prune"),
    ("stats", "--json", "report --scores --format json"),
    ("stats", "", "report --scores"),
    ("analyse equity", "", "calc equity"),
    ("analyse deal", "", "calc deal"),
    ("analyse luck", "", "calc luck"),
    ("analyse boards", "", "study boards"),
    ("analyse stud", "", "study stud"),
    ("analyse tanhinmin", "", "study tanhinmin"),
    ("analyse cns", "", "study sensitivity decisions"),
    ("analyse budget", "", "study sensitivity budget"),
    ("analyse", "", "study"),
];

/// Former commands that are now examples.
const TRAINING: [&str; 3] = ["fit-hands", "fit-policy", "learn-policy"];

/// Subcommands of `store`. Before version 0.3, `store` had no subcommands, and its argument was a
/// league.
const STORE: [&str; 5] = ["list", "prune", "digest", "records", "help"];

/// Replaces an old command name in the command line `words`, which begins with the program name.
/// Prints a note if the name was old.
///
/// # Errors
/// Returns an error if the command is now an example.
pub(super) fn translate(words: Vec<OsString>) -> anyhow::Result<Vec<OsString>> {
    let word = |index: usize| {
        words
            .get(index)
            .and_then(|word| word.to_str())
            .unwrap_or("")
    };
    let first = 1 + words
        .iter()
        .skip(1)
        .take_while(|word| word.to_str().is_some_and(|word| word.starts_with('-')))
        .count();
    if word(first) == "analyse" && TRAINING.contains(&word(first + 1)) {
        let tool = word(first + 1);
        anyhow::bail!(
            "`hattari analyse {tool}` is now an example in the source code: `cargo run --release \
            -p hattari-study --example train -- {tool} …`"
        );
    }
    if word(first) == "store" && STORE.contains(&word(first + 1)) {
        return Ok(words);
    }
    let fits = |(old, option, _): &&(&str, &str, &str)| {
        (first..)
            .zip(old.split(' '))
            .all(|(index, old)| word(index) == old)
            && (option.is_empty() || words.iter().any(|word| word == option))
    };
    let has_arguments = first + 1 < words.len() && !["-h", "--help"].contains(&word(first + 1));
    let old_store = ("store", "", "store list");
    let is_old_store = word(first) == "store" && has_arguments;
    let renamed = RENAMED.iter().find(fits);
    let Some((old, option, new)) = renamed.or(is_old_store.then_some(&old_store)) else {
        return Ok(words);
    };
    let given = [*old, *option].join(" ");
    output::tell(format_args!(
        "note: `hattari {}` is now `hattari {new}`",
        given.trim_end()
    ));
    let end = first + old.split(' ').count();
    let arguments = words[end..]
        .iter()
        .filter(|word| option.is_empty() || *word != option);
    let mut translated = words[..first].to_vec();
    translated.extend(new.split(' ').map(OsString::from));
    translated.extend(arguments.cloned());
    Ok(translated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        let words = translate(words).unwrap();
        let words: Vec<_> = words.iter().map(|word| word.to_str().unwrap()).collect();
        words.join(" ")
    }

    #[test]
    fn every_old_name_is_translated_to_a_command() {
        for (old, option, new) in RENAMED {
            let line = format!("hattari -v {old} a {option} --b").replace("  ", " ");
            let line = translated(&line);
            assert_eq!(line, format!("hattari -v {new} a --b"));
            let mut command = super::super::command();
            for word in new.split(' ').filter(|word| !word.starts_with('-')) {
                if let Some(below) = command.find_subcommand(word) {
                    command = below.clone();
                } else {
                    assert_eq!(word, "json");
                }
            }
        }
    }

    #[test]
    fn the_store_command_without_a_subcommand_becomes_store_list() {
        for (line, expected) in [
            ("hattari store x.yaml", "hattari store list x.yaml"),
            (
                "hattari store --json x.yaml",
                "hattari store list --json x.yaml",
            ),
            ("hattari store --prune x.yaml", "hattari store prune x.yaml"),
            ("hattari store list x.yaml", "hattari store list x.yaml"),
            ("hattari store --help", "hattari store --help"),
            ("hattari store", "hattari store"),
            ("hattari run bots", "hattari run bots"),
        ] {
            assert_eq!(translated(line), expected);
        }
    }

    #[test]
    fn errors_for_removed_training_commands_name_the_example() {
        let words = ["hattari", "analyse", "fit-hands", "x.yaml"].map(OsString::from);
        let error = translate(words.to_vec()).unwrap_err().to_string();
        assert!(error.contains("--example train -- fit-hands"), "{error}");
    }
}
