//! Sweeps: one item of a league file that creates many entrants with different settings.

use super::Entrant;
use super::fields::Reader;
use super::yaml::{Node, Value};
use hattari_agents::text;

/// Maximum number of entrants of a sweep.
pub(super) const SWEEP_MAX: usize = 256;

/// A setting and its values, each with the text that stands for it in names of entrants.
type Parameter<'n> = (&'n str, Vec<(String, serde_json::Value)>);

/// Returns the number of entrants of a sweep, ignoring invalid parts.
pub(super) fn count(sweep: &Node) -> usize {
    let Value::Map(entries) = &sweep.value else {
        return 1;
    };
    let values = entries.iter().map(|(_, values)| match &values.value {
        Value::List(items) => items.len(),
        _ => 1,
    });
    values.fold(1, usize::saturating_mul)
}

/// Returns one entrant per combination of the values of `sweep`; the last setting varies fastest.
/// The values are appended to the name of `entrant`, for example `mine greed=0.1`.
pub(super) fn expand(reader: &Reader<'_>, sweep: &Node, entrant: &Entrant) -> Option<Vec<Entrant>> {
    let expected =
        "a mapping from settings to lists of values, as in `sweep: {greed: [0.1, 0.2, 0.3]}`";
    let entries = reader.map(sweep, "sweep", expected)?;
    if entries.is_empty() {
        reader.problem(
            sweep,
            "`sweep` is empty",
            "give a setting and its values, or remove `sweep`",
        );
        return None;
    }
    let count = count(sweep);
    if SWEEP_MAX < count {
        let message = format!(
            "this sweep makes {} entrants; at most {SWEEP_MAX} are allowed",
            text::grouped(count as u64)
        );
        reader.problem(
            sweep,
            message,
            "give fewer values, or sweep one setting at a time",
        );
        return None;
    }
    let mut parameters: Vec<Parameter<'_>> = Vec::new();
    for (key, values) in entries {
        let (name, values) = parameter(reader, key, values)?;
        if entrant.config.get(name).is_some() {
            let message = format!("`{name}` is both in `config` and in `sweep`");
            reader.problem(key, message, "remove one of them");
            return None;
        }
        if parameters.iter().any(|(other, _)| *other == name) {
            reader.problem(
                key,
                format!("`sweep` names `{name}` twice"),
                "remove one of them",
            );
            return None;
        }
        parameters.push((name, values));
    }
    let mut made = vec![entrant.clone()];
    for (name, values) in &parameters {
        let with = |entrant: &Entrant| -> Vec<Entrant> {
            let one = |(word, value): &(String, serde_json::Value)| {
                let mut entrant = entrant.clone();
                entrant.name += &format!(" {name}={word}");
                entrant.config[*name] = value.clone();
                entrant
            };
            values.iter().map(one).collect()
        };
        made = made.iter().flat_map(with).collect();
    }
    Some(made)
}

/// Reads a setting and its values: distinct numbers, texts or flags.
fn parameter<'n>(reader: &Reader<'_>, key: &'n Node, values: &Node) -> Option<Parameter<'n>> {
    const EXPECTED: &str = "a list of values, as in `greed: [0.1, 0.2, 0.3]`";
    let name = reader.text(key, "sweep", "the name of a setting")?;
    let items = reader.list(values, name, EXPECTED)?;
    if items.is_empty() {
        reader.problem(
            values,
            format!("`{name}` has no values to sweep over"),
            format!("give {EXPECTED}"),
        );
        return None;
    }
    let mut found: Vec<(String, serde_json::Value)> = Vec::with_capacity(items.len());
    for item in items {
        let value = item
            .to_json()
            .ok()
            .filter(|value| !(value.is_array() || value.is_object() || value.is_null()));
        let Some(value) = value else {
            let message = format!("`{name}` cannot be swept over {}", item.describe());
            reader.problem(
                item,
                message,
                "sweep over numbers, words, `true` and `false` only; put lists and mappings into \
                `config`",
            );
            return None;
        };
        let word = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        if found.iter().any(|(other, _)| *other == word) {
            reader.problem(
                item,
                format!("`{name}` lists the value `{word}` twice"),
                "list it once",
            );
            return None;
        }
        found.push((word, value));
    }
    Some((name, found))
}
