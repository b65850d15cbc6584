//! The options of a game as leagues give them: a preset, what differs from it, what stands in
//! files.

use super::name::bare;
use hattari_plugin::games::Game;
use serde_json::Value;

/// Options of a game as a league has them in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Every option, by name.
    pub options: Value,
    /// Deals of a block where the league does not say.
    pub block_deals: u32,
    /// Fewest and most players of a table.
    pub players: (usize, usize),
}

/// What is wrong with a league's options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionProblem {
    /// The option, `None` where they do not fit together.
    pub option: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub cure: String,
}

/// Puts a league's overrides over the preset of that name, which the game has.
///
/// # Errors
/// Everything that is wrong with them.
pub(super) fn in_force<G: Game>(
    preset_name: &str,
    overrides: &[(String, Value)],
) -> Result<Rules, Vec<OptionProblem>> {
    let preset = G::preset(preset_name).unwrap_or_default();
    let preset = serde_json::to_value(preset).unwrap_or_default();
    let known = preset.as_object().cloned().unwrap_or_default();
    let mut merged = known.clone();
    let mut problems = Vec::new();
    for (name, value) in overrides {
        // Each override is tried alone, so that every wrong one is named.
        let mut alone = known.clone();
        alone.insert(name.clone(), value.clone());
        let Err(error) = serde_json::from_value::<G::Options>(Value::Object(alone)) else {
            merged.insert(name.clone(), value.clone());
            continue;
        };
        let error = error.to_string();
        let (message, cure) = if error.starts_with("unknown field") {
            let cure = crate::text::suggestion(name, "options", known.keys().map(String::as_str));
            (format!("{} has no option `{name}`", bare(G::ID)), cure)
        } else {
            // Options that a preset leaves empty may not stand in it.
            let default = known
                .get(name)
                .cloned()
                .unwrap_or_else(|| Value::Array(Vec::new()));
            let cure = if error.starts_with("unknown variant") && !known.contains_key(name) {
                "give one of these, or leave it out".to_owned()
            } else {
                format!("preset `{preset_name}` has `{name}: {default}`")
            };
            (format!("option `{name}`: {error}"), cure)
        };
        problems.push(OptionProblem {
            option: Some(name.clone()),
            message,
            cure,
        });
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let whole = |message: String| {
        let cure = "options that are not given are those of the preset".to_owned();
        vec![OptionProblem {
            option: None,
            message,
            cure,
        }]
    };
    let options: G::Options =
        serde_json::from_value(Value::Object(merged)).map_err(|error| whole(error.to_string()))?;
    // The JSON is made from the options once more, so that two ways to write a value compare equal.
    let canonical = serde_json::to_value(&options).map_err(|error| whole(error.to_string()))?;
    let game = G::new(options).map_err(whole)?;
    Ok(Rules {
        options: canonical,
        block_deals: game.block_deals(),
        players: game.tables(),
    })
}

/// Reads the option `name` from a file's text: its value, `None` where the game reads no such
/// option from files.
pub(super) fn from_file<G: Game>(name: &str, text: &str) -> Option<Result<Value, String>> {
    G::deals(&mut G::Options::default()).filter(|_| name == "deals")?;
    Some(G::read_deals(text).map(Value::from))
}
