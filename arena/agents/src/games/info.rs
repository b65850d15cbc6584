//! Static information about games, the host's additions to them, and their options in leagues.

use hattari_plugin::games::Game;
use hattari_plugin::games::features::{FeatureInfo, Features, PlayStatistic};
use hattari_plugin::games::frame::{Frame, Framed, Schema};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Validated options, or all errors in them.
type EffectiveOptions = Result<LeagueOptions, Vec<OptionProblem>>;

/// Static information about a game.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// Name and revision, for example `daihinmin/1`.
    pub id: &'static str,
    /// Generation of the rules: [`Game::GENERATION`].
    pub generation: u32,
    /// Minimum and maximum number of players.
    pub players: (usize, usize),
    /// Names of the presets, the default one first.
    pub presets: &'static [&'static str],
    /// Rules of the game as Markdown; may be empty.
    pub rules: &'static str,
    /// Schema of all data that is exchanged with bots.
    pub schema: Schema,
    /// The features of positions and of choices; both lists are empty if the game defines no
    /// features.
    pub features: [&'static [FeatureInfo]; 2],
    /// The features of outcomes; empty if the game defines none.
    pub outcomes: &'static [FeatureInfo],
    /// The statistics of play; empty if the game has none.
    pub statistics: &'static [PlayStatistic],
    /// Layout of the view.
    pub view: Frame,
    /// Layout of an event.
    pub event: Frame,
    /// Layout of an action.
    pub action: Frame,
    /// Function that returns the name of a card, given its number.
    pub card_name: fn(u8) -> Option<&'static str>,
    /// The host's additions to the game.
    pub hosted: GameExtras,
    /// Function that returns the number of rotations of a duplicated deal, given the number of
    /// players.
    pub rotations: fn(usize) -> usize,
    pub(super) apply_overrides: fn(&str, &[(String, Value)]) -> EffectiveOptions,
    /// Function that parses an option, given its name and the text of a file. Returns `None` if the
    /// game reads no such option from files.
    pub option_from_file: fn(&str, &str) -> Option<Result<Value, String>>,
}

impl GameInfo {
    /// Returns the information about a game, without additions of the host.
    pub(crate) fn of<G: Game>() -> GameInfo {
        GameInfo {
            id: G::ID,
            generation: G::GENERATION,
            players: G::players(),
            presets: G::presets(),
            rules: G::rules(),
            schema: G::SCHEMA,
            features: [G::Features::POSITIONS, G::Features::CHOICES],
            outcomes: G::Features::OUTCOMES,
            statistics: G::Features::STATISTICS,
            view: G::View::FRAME,
            event: G::Event::FRAME,
            action: G::Action::FRAME,
            card_name: G::card_name,
            hosted: GameExtras::NONE,
            rotations: G::rotations,
            apply_overrides: apply_overrides::<G>,
            option_from_file: from_file::<G>,
        }
    }

    /// Returns the name without the revision.
    pub fn name(&self) -> &'static str {
        name_without_revision(self.id)
    }

    /// Returns `true` if `id` is the name of this game, with or without its revision.
    pub(crate) fn is(&self, id: &str) -> bool {
        id == self.id || id == self.name()
    }

    /// Applies a league's options to a preset of the game and validates the result.
    ///
    /// # Errors
    /// Returns all errors in the options.
    pub fn apply_overrides(&self, preset: &str, overrides: &[(String, Value)]) -> EffectiveOptions {
        (self.apply_overrides)(preset, overrides)
    }
}

/// The host's additions to a game. A game can be played without them.
#[derive(Clone, Copy, Debug)]
pub struct GameExtras {
    /// Luau source with the game's additions to the records. It is called with the names of cards
    /// by number and with Luau's `table.concat`. It returns a table with `complete`, a function
    /// that sets the additional [`fields`](GameExtras::fields) in a decoded action (never to a
    /// table), and `globals`, a table of read-only libraries.
    pub supplement: &'static str,
    /// Library of host functions for scripts of this game, besides the services for decisions.
    pub library: Option<LuauLibrary>,
    /// Phase for which bots may define a separate function besides `act`.
    pub phase: Option<Phase>,
    /// Description of how cards are named, for editors.
    pub card: &'static str,
    /// Additional fields: name of the record, name of the field, type and description. For editors,
    /// they precede the fields of the schema, and replace fields of the same name.
    pub fields: &'static [(&'static str, &'static str, &'static str, &'static str)],
    /// Luau declarations for editors, added after the declarations of the records.
    pub types: &'static [&'static str],
    /// Default settings for watching a bot; `None` if the user must give all of them.
    pub watch_defaults: Option<WatchDefaults>,
}

impl GameExtras {
    /// No additions.
    pub(crate) const NONE: GameExtras = GameExtras {
        supplement: "return {}",
        library: None,
        phase: None,
        card: "its name",
        fields: &[],
        types: &[],
        watch_defaults: None,
    };
}

/// A phase of a game in which the host decides for bots that do not define a function for it.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Name of the phase, which is also the name of the function.
    pub name: &'static str,
    /// Function that returns the index of the action that the host chooses; `None` in other phases.
    /// The arguments are the records of the view and of the legal actions.
    pub default: fn(&[u8], &[u8]) -> Option<usize>,
}

/// Libraries of the host that scripts may call.
#[derive(Clone, Copy, Debug)]
pub enum LuauLibrary {
    /// `poker`: strength of hands, and random numbers.
    Poker,
    /// `poker`, and in addition win rates for hold'em.
    Holdem,
}

/// Default settings for watching a bot.
#[derive(Clone, Copy, Debug)]
pub struct WatchDefaults {
    /// Names of the bots that play as opponents.
    pub opponents: &'static [&'static str],
    /// Number of deals per block.
    pub deals: u32,
    /// `true` if two partners form one entrant.
    pub in_pairs: bool,
    /// `true` if each deal is repeated with the seats exchanged.
    pub duplicate: bool,
}

impl WatchDefaults {
    /// Settings without opponents. The settings of games are made from these by changing some
    /// fields.
    pub(crate) const NONE: WatchDefaults = WatchDefaults {
        opponents: &[],
        deals: 10,
        in_pairs: false,
        duplicate: false,
    };
}

/// Returns a game's name without its revision: `daihinmin` for `daihinmin/1`.
pub fn name_without_revision(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

/// Validated options of a game.
#[derive(Debug)]
pub struct LeagueOptions {
    /// All options, by name.
    pub options: Value,
    /// Default number of deals per block.
    pub block_deals: u32,
    /// Minimum and maximum number of players.
    pub players: (usize, usize),
}

/// An error in a league's options.
#[derive(Debug)]
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
fn apply_overrides<G: Game>(preset_name: &str, overrides: &[(String, Value)]) -> EffectiveOptions {
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
        let names = option_names::<G>(&known);
        let (message, remedy) = if !names.contains(name) && error.starts_with("unknown field") {
            let remedy = crate::text::suggestion(name, "options", names.iter().map(String::as_str));
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

/// Returns the names of all options. `preset` lacks options that serialization omits because they
/// are empty, but the error for an unknown field names all of them.
fn option_names<G: Game>(preset: &Map<String, Value>) -> BTreeSet<String> {
    let unknown = serde_json::json!({"": null});
    let error = serde_json::from_value::<G::Options>(unknown).err();
    let error = error.map_or_else(String::new, |error| error.to_string());
    // The texts in backquotes are the unknown field and the expected ones.
    let expected = error.split('`').skip(3).step_by(2).map(str::to_owned);
    preset.keys().cloned().chain(expected).collect()
}

/// Parses the option `name` from the text of a file. Returns `None` if the game reads no such
/// option from files.
fn from_file<G: Game>(name: &str, text: &str) -> Option<Result<Value, String>> {
    G::deals(&mut G::Options::default()).filter(|_| name == "deals")?;
    Some(G::read_deals(text).map(Value::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_within_an_option_is_no_unknown_option() {
        let bridge = GameInfo::find("bridge").unwrap();
        let refused = |name: &str, value: Value| {
            let options = [(name.to_owned(), value)];
            let problem = bridge
                .apply_overrides("3nt", &options)
                .unwrap_err()
                .remove(0);
            (problem.message, problem.remedy)
        };
        let (message, remedy) = refused("declarer", serde_json::json!({"hcpp": [1, 2]}));
        let expected = "option `declarer`: unknown field `hcpp`, expected one of `hcp`, ";
        assert!(message.starts_with(expected), "{message}");
        assert!(
            remedy.starts_with("the preset `3nt` uses `declarer: {"),
            "{remedy}"
        );
        // Options that are empty in the preset are valid, too.
        let (message, remedy) = refused("luk", "double-dummy".into());
        assert_eq!(message, "bridge has no option `luk`");
        assert!(remedy.contains("`leader`, `luck`, `partner`"), "{remedy}");
    }
}
