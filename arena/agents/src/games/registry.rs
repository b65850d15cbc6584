//! The list of games, and the search in it.

use super::bridge::bring_solver;
use super::facts::Facts;
use super::hosted::Hosted;
use super::name::bare;
use hattari_plugin::games::{self, Game};
use std::sync::{LazyLock, PoisonError, RwLock};

/// Lists what the host adds to each of the games that come with it.
macro_rules! listed {
    ($($folder:ident: $game:ident,)*) => {
        static GAMES: LazyLock<RwLock<Vec<&'static Facts>>> =
            LazyLock::new(|| {
                bring_solver();
                RwLock::new(vec![$(listed_as::<games::$folder::$game>(super::$folder::HOSTED)),*])
            });
    };
}

games::every_game!(listed);

impl Facts {
    /// Facts of the game of that name, with its revision or without; `None` if there is no such
    /// game.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Facts> {
        all().into_iter().find(|facts| facts.is(name))
    }
}

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
