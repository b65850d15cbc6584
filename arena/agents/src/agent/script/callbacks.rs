//! Entries of a script's table that nobody calls, though their names say that they were meant to be
//! called.

use super::raw;
use crate::text;
use mlua::{Function, Table, Value};

/// What the host calls in every game, and the tables that it reads.
const FUNCTIONS: [&str; 4] = ["act", "block_start", "deal_start", "deal_end"];
const TABLES: [&str; 2] = ["tests", "bot"];
/// Bytes of the longest name that can be a slip of the pen.
const NAME_MAX: usize = 40;
/// Steps of reading an entry, and of comparing its name with those of the callbacks.
const STEPS_OF_ENTRY: u64 = 10;
const STEPS_OF_NAME: u64 = 100;

/// What is wrong with the names in `bot`, the table that a script has returned: the first function
/// that is called like one of the host's callbacks but for a slip, and likewise the first table.
/// `phases` has the callbacks of the game. A name that the script gives to something else is its
/// own, and so is one near a callback that the script has besides. The work is counted as the
/// script's steps.
///
/// # Errors
/// The table cannot be gone through, or the steps do not suffice.
pub(super) fn slip(
    bot: &Table,
    phases: Option<&Table>,
    file: &str,
) -> mlua::Result<Option<String>> {
    let mut functions: Vec<String> = FUNCTIONS.map(str::to_owned).into();
    if let Some(phases) = phases {
        let own = phases.pairs::<String, Value>().map(|pair| Ok(pair?.0));
        functions.extend(own.collect::<mlua::Result<Vec<_>>>()?);
    }
    functions[FUNCTIONS.len()..].sort_unstable();
    let functions: Vec<&str> = functions.iter().map(String::as_str).collect();
    let mut entries = Vec::new();
    for pair in bot.pairs::<Value, Value>() {
        let (key, value) = pair?;
        raw::pay(STEPS_OF_ENTRY)?;
        if let Value::String(key) = key
            && key.as_bytes().len() <= NAME_MAX
            && let Ok(key) = key.to_str()
        {
            let (known, what): (&[&str], _) = match value {
                Value::Function(_) => (&functions, "calls"),
                Value::Table(_) => (&TABLES, "reads"),
                _ => continue,
            };
            raw::pay(STEPS_OF_NAME)?;
            entries.push((key.to_string(), known, what));
        }
    }
    entries.sort_unstable();
    let has = |name: &str| {
        bot.raw_get::<Value>(name)
            .is_ok_and(|value| !value.is_nil())
    };
    for (key, known, what) in &entries {
        if known.contains(&key.as_str()) {
            continue;
        }
        if let Some(meant) = known.iter().find(|name| !has(name) && is_slip(key, name)) {
            let line = bot
                .raw_get::<Function>(key.as_str())
                .map(|function| line(&function))
                .unwrap_or_default();
            return Ok(Some(format!(
                "{file}{line}: the host never {what} `{key}`: did you mean `{meant}`? It {what} {}; something of your own takes a \
                 name that is less like these",
                text::quoted(known.iter().copied())
            )));
        }
    }
    Ok(None)
}

/// Whether `word` is `name` but for a slip of the pen: one letter in three, whatever the case and
/// the underscores.
fn is_slip(word: &str, name: &str) -> bool {
    let fold = |word: &str| word.to_lowercase().replace(['_', '-'], "");
    strsim::damerau_levenshtein(&fold(word), &fold(name)) <= (name.len() / 3).min(2)
}

/// Where a function begins, as `:12`.
fn line(function: &Function) -> String {
    function
        .info()
        .line_defined
        .map(|line| format!(":{line}"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_names_of_ones_own() {
        for (word, name) in [
            ("exchnage", "exchange"),
            ("exhange", "exchange"),
            ("dealEnd", "deal_end"),
            ("block_strat", "block_start"),
            ("Act", "act"),
            ("test", "tests"),
            ("opens", "open"),
        ] {
            assert!(is_slip(word, name), "{word}, {name}");
        }
        for (word, name) in [
            ("opener", "open"),
            ("best", "act"),
            ("on_act", "act"),
            ("block_end", "deal_end"),
            ("weakest", "tests"),
            ("bottom", "bot"),
        ] {
            assert!(!is_slip(word, name), "{word}, {name}");
        }
    }
}
