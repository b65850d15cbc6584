//! Sweeps: lists of values for a setting of a bot, which create many entrants, or for an option of
//! the rules, which create many leagues.

use super::check::PresetRules;
use super::fields::Reader;
use super::problem::TextPosition;
use super::yaml::{Node, Value};
use super::{Entrant, League, LeagueError, Problem};
use hattari_agents::games::{self, GameInfo, LeagueOptions};
use hattari_agents::text;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// Maximum number of entrants or leagues of a sweep.
const SWEEP_MAX: usize = 256;
/// Maximum number of stores that a message names.
const NAMED_MAX: usize = 5;

/// A value of a sweep.
#[derive(Clone, Debug)]
struct SweptValue {
    /// Text that stands for the value in names of entrants and stores.
    word: String,
    value: Json,
}

/// An option of the rules with several values. A league file with a sweep describes one league for
/// each value.
#[derive(Clone, Debug)]
pub struct OptionSweep {
    /// Name of the option.
    pub option: String,
    /// The values, in order.
    values: Vec<SweptValue>,
    /// Place in the league file; `None` for a sweep that is not in a file.
    position: Option<TextPosition>,
}

impl OptionSweep {
    /// Parses an option and its values, as in `stack=1000,5000`.
    ///
    /// # Errors
    /// Returns a message with the expected form.
    pub fn parse(text: &str) -> Result<OptionSweep, String> {
        let (option, words) = text.split_once('=').unwrap_or((text, ""));
        let mut values: Vec<SweptValue> = Vec::new();
        for word in words.split(',') {
            if !is_in_file_name(word) || values.iter().any(|other| other.word == word) {
                return Err(
                    "give an option and its different values, as in stack=1000,5000".to_owned(),
                );
            }
            values.push(SweptValue {
                word: word.to_owned(),
                value: serde_json::from_str(word).unwrap_or_else(|_| word.into()),
            });
        }
        Ok(OptionSweep {
            option: option.to_owned(),
            values,
            position: None,
        })
    }

    /// Returns the league for the value with the index `number`. The seed is that of `base` plus
    /// `number`, so that the leagues have different deals.
    ///
    /// # Errors
    /// Returns an error if the game has no such option, or if the value is invalid.
    ///
    /// # Panics
    /// Panics if there is no value with this index.
    pub fn league(&self, base: &League, number: usize) -> Result<League, Problem> {
        let value = &self.values[number].value;
        let rules = games::named(&base.game)
            .map_err(|error| Problem::of_file(error.to_string(), "use another game"))
            .and_then(|game| with_option(game, &base.preset, &base.options, &self.option, value))
            .map_err(|problem| Problem {
                position: self.position,
                ..problem
            })?;
        Ok(League {
            options: rules.options,
            seed: base.seed.wrapping_add(number as u64),
            ..base.clone()
        })
    }

    /// Returns the number of values.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// Returns the results of [`OptionSweep::league`] for all values.
    pub(crate) fn leagues(&self, base: &League) -> impl Iterator<Item = Result<League, Problem>> {
        (0..self.values.len()).map(move |number| self.league(base, number))
    }

    /// Returns the option with the value at the index `number`, as in `stack=1000`.
    ///
    /// # Panics
    /// Panics if there is no value with this index.
    pub fn setting(&self, number: usize) -> String {
        format!("{}={}", self.option, self.values[number].word)
    }

    /// Returns the default paths of the stores, one per value. `league` is the path of the league
    /// file.
    pub fn stores(&self, league: &Path) -> Vec<PathBuf> {
        (0..self.values.len())
            .map(|number| league.with_extension(format!("{}.sqlite", self.setting(number))))
            .collect()
    }

    /// Returns the default path of the report on all leagues. `league` is the path of the league
    /// file.
    pub fn report_path(&self, league: &Path) -> PathBuf {
        league.with_extension(format!("{}.html", self.option))
    }

    /// Returns the error for a command that needs a single league. `path` and `text` are those of
    /// the league file with this sweep.
    pub fn as_error(&self, path: &Path, text: &str) -> LeagueError {
        let option = &self.option;
        let stores = self.stores(path);
        let named = stores.iter().take(NAMED_MAX).map(|store| store.display());
        let more = if stores.len() > NAMED_MAX {
            ", …"
        } else {
            ""
        };
        LeagueError::new(
            path,
            text,
            vec![Problem::at(
                self.position,
                format!(
                    "`sweep` makes {}, one for each value of `{option}`; a single league is needed here",
                    text::counted(stores.len() as u64, "league")
                ),
                format!(
                    "give one of their stores ({}{more}) if the command only reads results, or remove `sweep` \
                    and set `{option}` in `options`",
                    text::quoted(named)
                ),
            )],
        )
    }
}

/// Returns the rules with another value of an option.
///
/// # Errors
/// Returns an error without a position if the game has no such option, or if the value is invalid.
fn with_option(
    game: &GameInfo,
    preset: &str,
    options: &Json,
    option: &str,
    value: &Json,
) -> Result<LeagueOptions, Problem> {
    let overrides: Vec<(String, Json)> = options
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| *name != option)
        .map(|(name, value)| (name.clone(), value.clone()))
        .chain([(option.to_owned(), value.clone())])
        .collect();
    game.apply_overrides(preset, &overrides)
        .map_err(|mut problems| {
            // Rules are refused with at least one problem.
            let first = problems.swap_remove(0);
            Problem::of_file(first.message, first.remedy)
        })
}

/// Returns `true` if a value may be part of the name of a store.
fn is_in_file_name(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
}

/// Returns the schema of a mapping from names to lists of at least `least` values.
pub(super) fn schema(least: usize) -> Json {
    let value = json!({"type": ["number", "string", "boolean"]});
    let values = json!({"type": "array", "minItems": least, "maxItems": SWEEP_MAX, "uniqueItems": true, "items": value});
    json!({"type": "object", "minProperties": 1, "additionalProperties": values})
}

/// Returns the schema of a sweep over one option.
pub(super) fn option_schema() -> Json {
    let mut schema = schema(2);
    schema["maxProperties"] = 1.into();
    schema
}

/// Reads the key `sweep` of a league. `rules` are the rules without the sweep, and `options` is the
/// value of the key `options`.
pub(super) fn read(
    reader: &Reader<'_>,
    node: &Node,
    game: &GameInfo,
    rules: &PresetRules,
    options: Option<&Node>,
) -> Option<OptionSweep> {
    let expected =
        "a mapping from one option of the game to a list of values, as in `sweep: {name: [1, 2]}`";
    let [(key, list)] = reader.map(node, "sweep", expected)? else {
        return reader.fail(
            node,
            "`sweep` must name exactly one option",
            format!("give {expected}"),
        );
    };
    let (option, values) = read_setting(reader, key, list)?;
    if !(2..=SWEEP_MAX).contains(&values.len()) {
        let count = text::counted(values.len() as u64, "value");
        return reader.fail(
            list,
            format!("`sweep` has {count}"),
            format!("give 2 to {SWEEP_MAX} values; set a single value in `options`"),
        );
    }
    if options.is_some_and(|options| options.get(option).is_some()) {
        return reader.fail(
            key,
            format!("`{option}` is both in `options` and in `sweep`"),
            "remove one of them",
        );
    }
    let PresetRules { preset, in_force } = rules;
    for (item, SweptValue { word, value }) in list.items().iter().zip(&values) {
        if !is_in_file_name(word) {
            return reader.fail(
                item,
                format!("`{word}` cannot be part of the name of a store"),
                "use values with letters, digits, `.`, `-` and `_` only",
            );
        }
        if let Err(problem) = with_option(game, preset, &in_force.options, option, value) {
            let is_known = in_force.options.get(option).is_some();
            reader.report(if is_known { item } else { key }, problem);
            return None;
        }
    }
    Some(OptionSweep {
        option: option.to_owned(),
        values,
        position: reader.position(node),
    })
}

/// Returns one entrant per combination of the values of `sweep`; the last setting varies fastest.
/// The values are appended to the name of `entrant`, for example `mine greed=0.1`.
pub(super) fn expand(reader: &Reader<'_>, sweep: &Node, entrant: &Entrant) -> Option<Vec<Entrant>> {
    let entries = reader.map(
        sweep,
        "sweep",
        "a mapping from settings to lists of values, as in `sweep: {greed: [0.1, 0.2, 0.3]}`",
    )?;
    if entries.is_empty() {
        return reader.fail(
            sweep,
            "`sweep` is empty",
            "give a setting and its values, or remove `sweep`",
        );
    }
    let count = entries
        .iter()
        .map(|(_, values)| match &values.value {
            // An empty list is refused later.
            Value::List(items) => items.len().max(1),
            _ => 1,
        })
        .fold(1, usize::saturating_mul);
    if count > SWEEP_MAX {
        let count = text::grouped(count as u64);
        return reader.fail(
            sweep,
            format!("this sweep makes {count} entrants; at most {SWEEP_MAX} are allowed"),
            "give fewer values, or sweep one setting at a time",
        );
    }
    let mut entrants = vec![entrant.clone()];
    for (index, (key, values)) in entries.iter().enumerate() {
        let (name, values) = read_setting(reader, key, values)?;
        let message = if entrant.config.get(name).is_some() {
            format!("`{name}` is both in `config` and in `sweep`")
        } else if entries[..index]
            .iter()
            .any(|(other, _)| other.as_text() == Some(name))
        {
            format!("`sweep` names `{name}` twice")
        } else {
            let variants = |entrant: &Entrant| -> Vec<Entrant> {
                let variant = |SweptValue { word, value }: &SweptValue| {
                    let mut entrant = entrant.clone();
                    entrant.name += &format!(" {name}={word}");
                    entrant.config[name] = value.clone();
                    entrant
                };
                values.iter().map(variant).collect()
            };
            entrants = entrants.iter().flat_map(variants).collect();
            continue;
        };
        return reader.fail(key, message, "remove one of them");
    }
    Some(entrants)
}

/// Reads the name of a setting and its values: distinct numbers, texts or flags.
fn read_setting<'n>(
    reader: &Reader<'_>,
    key: &'n Node,
    values: &Node,
) -> Option<(&'n str, Vec<SweptValue>)> {
    let name = reader.text(key, "sweep", "a name")?;
    let expected = format!("a list of values, as in `{name}: [1, 2, 3]`");
    let items = reader.list(values, name, &expected)?;
    if items.is_empty() {
        return reader.fail(
            values,
            format!("`{name}` has no values to sweep over"),
            format!("give {expected}"),
        );
    }
    let mut distinct: Vec<SweptValue> = Vec::with_capacity(items.len());
    for item in items {
        let Ok(value @ (Json::String(_) | Json::Number(_) | Json::Bool(_))) = item.to_json() else {
            return reader.fail(
                item,
                format!("`{name}` cannot be swept over {}", item.describe()),
                "sweep over numbers, words, `true` and `false` only; set lists and \
                mappings without a sweep",
            );
        };
        let word = value
            .as_str()
            .map(str::to_owned)
            .unwrap_or_else(|| value.to_string());
        if distinct.iter().any(|other| other.word == word) {
            return reader.fail(
                item,
                format!("`{name}` lists the value `{word}` twice"),
                "list it once",
            );
        }
        distinct.push(SweptValue { word, value });
    }
    Some((name, distinct))
}
