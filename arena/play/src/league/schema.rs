//! A JSON Schema of league files, for editors.
//!
//! The schema comes from the declarations that the parser uses ([`keys`]), and from the games. It
//! cannot express all checks of the parser, for example that all names exist and that sizes fit.
//!
//! [`keys`]: super::keys

use super::check::LeagueKeys;
use hattari_agents::games::{self as all_games, GameInfo};
use serde_json::{Map, Value, json};

/// Returns the schema in draft 2020-12.
pub fn schema() -> Value {
    let mut schema = LeagueKeys::MAPPING.schema();
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "A league of Hattari".into();
    schema["allOf"] = all_games::all().into_iter().map(of_game).collect();
    schema
}

/// Returns the schema of the key `game`.
pub(super) fn games() -> Value {
    let names = all_games::all().into_iter().map(GameInfo::name);
    json!({"enum": names.collect::<Vec<_>>()})
}

/// Returns the part of the schema of options that is the same for all games.
pub(super) fn options() -> Value {
    json!({"type": "object"})
}

/// Returns the part of the schema that depends on the game: presets and options.
fn of_game(game: &GameInfo) -> Value {
    let apply = |overrides: &[(String, Value)]| {
        let preset = game.presets.first()?;
        game.apply_overrides(preset, overrides).ok()
    };
    let mut options = Map::new();
    let default = apply(&[]).map(|rules| rules.options);
    for (name, value) in default.iter().filter_map(Value::as_object).flatten() {
        let about = format!("Default: {value}; presets may differ.");
        options.insert(name.clone(), json!({"description": about}));
    }
    // Options that are empty by default do not occur in the preset.
    if (game.option_from_file)("deals", "").is_some() {
        options.insert(
            "deals".to_owned(),
            json!({"description": "Deals to play, in this order."}),
        );
    }
    if apply(&[("luck".to_owned(), "double-dummy".into())]).is_some() {
        let luck = json!({"enum": ["none", "double-dummy"], "description": "Measure of luck."});
        options.insert("luck".to_owned(), luck);
    }
    json!({
        "if": {"properties": {"game": {"const": game.name()}}, "required": ["game"]},
        "then": {"properties": {
            "preset": {"enum": game.presets},
            "sweep": {"propertyNames": {"enum": options.keys().collect::<Vec<_>>()}},
            "options": {"properties": options, "additionalProperties": false},
        }},
    })
}
