//! Command names before version 0.3. They still work in this version, with a note.

use super::output;
use std::ffi::OsString;

/// A renamed command or option.
struct Renamed {
    /// The old command.
    old: &'static str,
    /// An option that the old command must have for this entry, and that is removed; `None` if no
    /// option is required.
    with: Option<&'static str>,
    /// The new command, with its options.
    new: &'static str,
}

const fn renamed(old: &'static str, new: &'static str) -> Renamed {
    let with = None;
    Renamed { old, with, new }
}

const fn with(old: &'static str, option: &'static str, new: &'static str) -> Renamed {
    let with = Some(option);
    Renamed { old, with, new }
}

/// The renamed commands. The first entry that fits the command line is used.
const RENAMED: &[Renamed] = &[
    renamed("bots", "show bots"),
    renamed("paths", "show paths"),
    renamed("rules", "show rules"),
    renamed("schema", "show schema"),
    renamed("types", "show types"),
    renamed("completions", "show completions"),
    renamed("man", "show man"),
    renamed("plan", "cluster plan"),
    renamed("merge", "cluster merge"),
    renamed("pack", "cluster pack"),
    with("records", "--digest", "store digest"),
    renamed("records", "store records"),
    with("store", "--prune", "store prune"),
    with("stats", "--json", "report --scores --format json"),
    renamed("stats", "report --scores"),
    renamed("analyse equity", "calc equity"),
    renamed("analyse deal", "calc deal"),
    renamed("analyse luck", "calc luck"),
    renamed("analyse boards", "study boards"),
    renamed("analyse stud", "study stud"),
    renamed("analyse tanhinmin", "study tanhinmin"),
    renamed("analyse cns", "study sensitivity decisions"),
    renamed("analyse budget", "study sensitivity budget"),
    renamed("analyse", "study"),
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
    let word = |at: usize| words.get(at).and_then(|word| word.to_str()).unwrap_or("");
    let is_option = |word: &&OsString| word.to_str().is_some_and(|word| word.starts_with('-'));
    let first = 1 + words.iter().skip(1).take_while(is_option).count();
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
    let fits = |renamed: &&Renamed| {
        let is_old = (first..)
            .zip(renamed.old.split(' '))
            .all(|(at, old)| word(at) == old);
        is_old
            && renamed
                .with
                .is_none_or(|option| words.iter().any(|word| word == option))
    };
    let old_store = renamed("store", "store list");
    let has_arguments = first + 1 < words.len() && !["-h", "--help"].contains(&word(first + 1));
    let is_old_store = word(first) == "store" && has_arguments;
    let Some(renamed) = RENAMED
        .iter()
        .find(fits)
        .or(is_old_store.then_some(&old_store))
    else {
        return Ok(words);
    };
    let Renamed { old, with, new } = renamed;
    let option = with.map_or_else(String::new, |option| format!(" {option}"));
    output::tell(format_args!(
        "note: `hattari {old}{option}` is now `hattari {new}`"
    ));
    let after = first + old.split(' ').count();
    let arguments = words[after..]
        .iter()
        .filter(|word| with.is_none_or(|with| *word != with));
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
        for Renamed { old, with, new } in RENAMED {
            let option = with.map_or_else(String::new, |option| format!(" {option}"));
            let line = translated(&format!("hattari -v {old} a{option} --b"));
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
