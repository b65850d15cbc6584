//! Game options in leagues: presets, overrides and options in files.

use hattari_plugin::games::Game;
use serde_json::Value;

/// Returns a game's name without its revision: `daihinmin` for `daihinmin/1`.
#[must_use]
pub fn name_without_revision(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

/// Validated options of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct LeagueOptions {
    /// All options, by name.
    pub options: Value,
    /// Default number of deals per block.
    pub block_deals: u32,
    /// Minimum and maximum number of players.
    pub players: (usize, usize),
}

/// An error in a league's options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionProblem {
    /// Name of the option; `None` if the error is in a combination of options.
    pub option: Option<String>,
    /// Cause.
    pub message: String,
    /// Remedy.
    pub remedy: String,
}

/// Applies a league's overrides to a preset of the game and validates the result.
///
/// # Errors
/// Returns all errors in the overrides.
pub(super) fn apply_overrides<G: Game>(
    preset_name: &str,
    overrides: &[(String, Value)],
) -> Result<LeagueOptions, Vec<OptionProblem>> {
    let preset = G::preset(preset_name).unwrap_or_default();
    let preset = serde_json::to_value(preset).unwrap_or_default();
    let known = preset.as_object().cloned().unwrap_or_default();
    let mut merged = known.clone();
    let mut problems = Vec::new();
    for (name, value) in overrides {
        // Each override is validated separately, so that every invalid one is reported.
        let mut alone = known.clone();
        alone.insert(name.clone(), value.clone());
        let Err(error) = serde_json::from_value::<G::Options>(Value::Object(alone)) else {
            merged.insert(name.clone(), value.clone());
            continue;
        };
        let error = error.to_string();
        let (message, remedy) = if error.starts_with("unknown field") {
            let remedy = crate::text::suggestion(name, "options", known.keys().map(String::as_str));
            (
                format!("{} has no option `{name}`", name_without_revision(G::ID)),
                remedy,
            )
        } else {
            // Serialization may omit options that are empty in the preset.
            let default = known
                .get(name)
                .cloned()
                .unwrap_or_else(|| Value::Array(Vec::new()));
            let remedy = if error.starts_with("unknown variant") && !known.contains_key(name) {
                "use one of these values, or remove the option".to_owned()
            } else {
                format!("the preset `{preset_name}` uses `{name}: {default}`")
            };
            (format!("option `{name}`: {error}"), remedy)
        };
        problems.push(OptionProblem {
            option: Some(name.clone()),
            message,
            remedy,
        });
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let whole = |message: String| {
        let remedy = "options that are not set have the values of the preset".to_owned();
        vec![OptionProblem {
            option: None,
            message,
            remedy,
        }]
    };
    let options: G::Options =
        serde_json::from_value(Value::Object(merged)).map_err(|error| whole(error.to_string()))?;
    // Serializing again gives equal JSON for different spellings of the same value.
    let canonical = serde_json::to_value(&options).map_err(|error| whole(error.to_string()))?;
    let game = G::new(options).map_err(whole)?;
    Ok(LeagueOptions {
        options: canonical,
        block_deals: game.block_deals(),
        players: game.tables(),
    })
}

/// Parses the option `name` from the text of a file. Returns `None` if the game reads no such
/// option from files.
pub(super) fn from_file<G: Game>(name: &str, text: &str) -> Option<Result<Value, String>> {
    G::deals(&mut G::Options::default()).filter(|_| name == "deals")?;
    Some(G::read_deals(text).map(Value::from))
}
