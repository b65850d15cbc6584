//! What is known of a game before it is played.

use super::hosted::Hosted;
use super::name::bare;
use super::options::{self, OptionProblem, Rules};
use hattari_plugin::games::Game;
use hattari_plugin::games::frame::{Frame, Framed, Schema};
use serde_json::Value;

/// Options in force, or everything that is wrong with them.
type InForce = Result<Rules, Vec<OptionProblem>>;

/// What is known of a game before it is played.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Name and revision, as in `daihinmin/1`.
    pub id: &'static str,
    /// Generation of its rules: [`Game::GENERATION`].
    pub generation: u32,
    /// Fewest and most players of a table.
    pub players: (usize, usize),
    /// Names of the presets, the default one first.
    pub presets: &'static [&'static str],
    /// Its rules in words, as Markdown; empty where there are none.
    pub rules: &'static str,
    /// Description of everything that crosses the border.
    pub schema: Schema,
    /// Description of the view.
    pub view: Frame,
    /// Description of an event.
    pub event: Frame,
    /// Description of an action.
    pub action: Frame,
    /// Text of a card by its number.
    pub card_name: fn(u8) -> Option<&'static str>,
    /// What the host adds to it.
    pub hosted: Hosted,
    pub(super) rotations: fn(usize) -> usize,
    pub(super) in_force: fn(&str, &[(String, Value)]) -> InForce,
    pub(super) option_from_file: fn(&str, &str) -> Option<Result<Value, String>>,
}

impl Facts {
    /// Facts of a game to which the host adds nothing.
    #[must_use]
    pub(crate) fn of<G: Game>() -> Facts {
        Facts {
            id: G::ID,
            generation: G::GENERATION,
            players: G::players(),
            presets: G::presets(),
            rules: G::rules(),
            schema: G::SCHEMA,
            view: G::View::FRAME,
            event: G::Event::FRAME,
            action: G::Action::FRAME,
            card_name: G::card_name,
            hosted: Hosted::default(),
            rotations: G::rotations,
            in_force: options::in_force::<G>,
            option_from_file: options::from_file::<G>,
        }
    }

    /// The game's name without its revision.
    #[must_use]
    pub fn name(&self) -> &'static str {
        bare(self.id)
    }

    /// Whether `id` names this game, with its revision or without.
    #[must_use]
    pub fn is(&self, id: &str) -> bool {
        id == self.id || id == self.name()
    }

    /// The game as these rules have it: tables may be of fewer sizes.
    #[must_use]
    pub fn under(&self, rules: &Rules) -> Facts {
        Facts {
            players: rules.players,
            ..*self
        }
    }

    /// In how many rotations it plays a duplicated deal with so many players.
    #[must_use]
    pub fn rotations(&self, players: usize) -> usize {
        (self.rotations)(players)
    }

    /// The options in force where a league puts these over the preset of that name, which the game
    /// has.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn in_force(
        &self,
        preset: &str,
        overrides: &[(String, Value)],
    ) -> Result<Rules, Vec<OptionProblem>> {
        (self.in_force)(preset, overrides)
    }

    /// The value of the option `name` from a file's text, `None` where the game reads no such
    /// option from files.
    #[must_use]
    pub fn option_from_file(&self, name: &str, text: &str) -> Option<Result<Value, String>> {
        (self.option_from_file)(name, text)
    }
}
