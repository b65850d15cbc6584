//! Static information about games.

use super::hosted::GameExtras;
use super::options::{self, LeagueOptions, OptionProblem, name_without_revision};
use hattari_plugin::games::Game;
use hattari_plugin::games::features::{FeatureInfo, PlayStatistic};
use hattari_plugin::games::frame::{Frame, Framed, Schema};
use serde_json::Value;

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
    /// Function that returns the features of positions and of choices; both lists are empty if the
    /// game defines no features.
    pub features: fn() -> [&'static [FeatureInfo]; 2],
    /// Function that returns the features of outcomes; empty if the game defines none.
    pub outcomes: fn() -> &'static [FeatureInfo],
    /// Function that returns the statistics of play; empty if the game has none.
    pub statistics: fn() -> &'static [PlayStatistic],
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
    pub(super) rotations: fn(usize) -> usize,
    pub(super) apply_overrides: fn(&str, &[(String, Value)]) -> EffectiveOptions,
    pub(super) option_from_file: fn(&str, &str) -> Option<Result<Value, String>>,
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
            features: || G::features().map_or([&[]; 2], |all| [all.positions(), all.choices()]),
            outcomes: || G::features().map_or(&[], |features| features.outcomes()),
            statistics: || G::features().map_or(&[], |features| features.statistics()),
            view: G::View::FRAME,
            event: G::Event::FRAME,
            action: G::Action::FRAME,
            card_name: G::card_name,
            hosted: GameExtras::NONE,
            rotations: G::rotations,
            apply_overrides: options::apply_overrides::<G>,
            option_from_file: options::from_file::<G>,
        }
    }

    /// Returns the name without the revision.
    #[must_use]
    pub fn name(&self) -> &'static str {
        name_without_revision(self.id)
    }

    /// Returns `true` if `id` is the name of this game, with or without its revision.
    #[must_use]
    pub fn is(&self, id: &str) -> bool {
        id == self.id || id == self.name()
    }

    /// Returns the information about the game, with the numbers of players that `rules` allow.
    #[must_use]
    pub fn with_rules(&self, rules: &LeagueOptions) -> GameInfo {
        GameInfo {
            players: rules.players,
            ..*self
        }
    }

    /// Returns the number of rotations of a duplicated deal with `players` players.
    #[must_use]
    pub fn rotations(&self, players: usize) -> usize {
        (self.rotations)(players)
    }

    /// Applies a league's options to a preset of the game and validates the result.
    ///
    /// # Errors
    /// Returns all errors in the options.
    pub fn apply_overrides(
        &self,
        preset: &str,
        overrides: &[(String, Value)],
    ) -> Result<LeagueOptions, Vec<OptionProblem>> {
        (self.apply_overrides)(preset, overrides)
    }

    /// Parses the option `name` from the text of a file. Returns `None` if the game reads no such
    /// option from files.
    #[must_use]
    pub fn option_from_file(&self, name: &str, text: &str) -> Option<Result<Value, String>> {
        (self.option_from_file)(name, text)
    }
}
