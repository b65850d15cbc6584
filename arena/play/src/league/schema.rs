//! A JSON Schema of league files, for editors.
//!
//! The parser says what a league is; a schema cannot say all of that (who is named must be there,
//! sizes must fit). What it says comes from the declarations that the parser reads by ([`keys`]),
//! and from the games.
//!
//! [`keys`]: super::keys

use super::check::LeagueKeys;
use super::keys::{Takes, Words};
use hattari_agents::games::{self as all_games, Facts};
use serde_json::{Map, Value, json};

/// The schema, in draft 2020-12.
#[must_use]
pub fn schema() -> Value {
    let mut schema = LeagueKeys::MAPPING.schema();
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "A league of Hattari".into();
    schema["allOf"] = all_games::all().into_iter().map(of_game).collect();
    schema
}

/// Returns the schema of the key `game`.
pub(super) fn games() -> Value {
    let names = all_games::all().into_iter().map(Facts::name);
    json!({"enum": names.collect::<Vec<_>>()})
}

/// Returns what a schema can say of options without the game.
pub(super) fn options() -> Value {
    json!({"type": "object"})
}

/// Returns what hangs on the game: presets and options.
fn of_game(game: &Facts) -> Value {
    let under = |overrides: &[(String, Value)]| {
        let preset = game.presets.first()?;
        game.in_force(preset, overrides).ok()
    };
    let default = under(&[]).and_then(|rules| rules.options.as_object().cloned());
    let described = |(name, value)| {
        let about = format!("Without it {value}, but for presets.");
        (name, json!({"description": about}))
    };
    let mut options: Map<String, Value> = default
        .unwrap_or_default()
        .into_iter()
        .map(described)
        .collect();
    // Options that presets leave empty may not stand in them.
    if game.option_from_file("deals", "").is_some() {
        options.insert(
            "deals".to_owned(),
            json!({"description": "Deals to be played in turn."}),
        );
    }
    if under(&[("luck".to_owned(), "double-dummy".into())]).is_some() {
        let mut luck = Words(&[("none", ()), ("double-dummy", ())]).schema();
        luck["description"] = "How luck is measured.".into();
        options.insert("luck".to_owned(), luck);
    }
    json!({
        "if": {"properties": {"game": {"const": game.name()}}, "required": ["game"]},
        "then": {"properties": {
            "preset": {"enum": game.presets},
            "options": {"properties": options, "additionalProperties": false},
        }},
    })
}
