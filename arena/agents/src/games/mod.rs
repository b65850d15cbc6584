//! The list of games: what is known of each before it is played, by name.

mod hosted;
mod options;
mod poker;
#[cfg(test)]
mod rules;

pub use hosted::{Hosted, Luau, LuauLibrary, Types, Usual};
pub use options::{OptionProblem, Rules};

use hattari_plugin::games::frame::{Frame, Framed, Schema};
use hattari_plugin::games::{self, Game};
use serde_json::Value;
use std::sync::{LazyLock, PoisonError, RwLock};

/// A game's name without its revision: `daihinmin` of `daihinmin/1`.
#[must_use]
pub fn bare(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

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
    rotations: fn(usize) -> usize,
    in_force: fn(&str, &[(String, Value)]) -> InForce,
    option_from_file: fn(&str, &str) -> Option<Result<Value, String>>,
}

impl Facts {
    /// Facts of a game to which the host adds nothing.
    #[must_use]
    pub fn of<G: Game>() -> Facts {
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

    /// Facts of the game of that name, with its revision or without; `None` if there is no such
    /// game.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Facts> {
        all().into_iter().find(|facts| facts.is(name))
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

/// Makes a module of what the host adds to each of the games that come with it, and lists them.
macro_rules! listed {
    ($($folder:ident: $game:ident,)*) => {
        $(mod $folder;)*

        static GAMES: LazyLock<RwLock<Vec<&'static Facts>>> =
            LazyLock::new(|| {
                bring_solver();
                RwLock::new(vec![$(listed_as::<games::$folder::$game>($folder::HOSTED)),*])
            });
    };
}

pub(crate) use bridge::bring_solver;

games::every_game!(listed);

fn listed_as<G: Game>(hosted: Hosted) -> &'static Facts {
    Box::leak(Box::new(Facts {
        hosted,
        ..Facts::of::<G>()
    }))
}

/// Facts of every game.
#[must_use]
pub fn all() -> Vec<&'static Facts> {
    GAMES.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Adds a game to the list; one of the same name stays as it is. See [`crate::table::add`], which
/// makes it playable too.
pub(crate) fn add<G: Game>() {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    if !games.iter().any(|facts| facts.name() == bare(G::ID)) {
        games.push(listed_as::<G>(Hosted::default()));
    }
}

/// The game that somebody names, with its revision or without.
///
/// # Errors
/// There is no such game; with those that there are.
pub fn named(name: &str) -> Result<&'static Facts, NoGame> {
    let no_game = || NoGame {
        name: name.to_owned(),
        cure: crate::text::suggestion(name, "games", names()),
    };
    Facts::find(name).ok_or_else(no_game)
}

/// Names of all games.
fn names() -> impl Iterator<Item = &'static str> + Clone {
    all().into_iter().map(Facts::name)
}

/// A game that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game `{name}`; {cure}")]
pub struct NoGame {
    /// What was asked for.
    pub name: String,
    /// What there is instead.
    pub cure: String,
}
