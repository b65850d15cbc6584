//! The list of games and lookup by name.

use super::bridge::register_solver;
use super::info::{GameExtras, GameInfo, name_without_revision};
use hattari_plugin::games::{self, Game};
use std::sync::{LazyLock, PoisonError, RwLock};

/// Builds the list of built-in games with the host's additions.
macro_rules! listed {
    ($($folder:ident: $game:ident,)*) => {
        static GAMES: LazyLock<RwLock<Vec<&'static GameInfo>>> =
            LazyLock::new(|| {
                register_solver();
                RwLock::new(vec![$(listed_as::<games::$folder::$game>(super::$folder::HOSTED)),*])
            });
    };
}

games::every_game!(listed);

impl GameInfo {
    /// Returns the information about the game with this name, with or without its revision; `None`
    /// if there is no such game.
    pub fn find(name: &str) -> Option<&'static GameInfo> {
        all().into_iter().find(|facts| facts.is(name))
    }
}

fn listed_as<G: Game>(hosted: GameExtras) -> &'static GameInfo {
    Box::leak(Box::new(GameInfo {
        hosted,
        ..GameInfo::of::<G>()
    }))
}

/// Returns the information about every game.
pub fn all() -> Vec<&'static GameInfo> {
    GAMES.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Adds a game to the list. Returns `false` if one of the same name exists. Use
/// [`crate::table::add`] to make it playable too.
pub(crate) fn add<G: Game>() -> bool {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    let name = name_without_revision(G::ID);
    let is_new = games.iter().all(|facts| facts.name() != name);
    if is_new {
        games.push(listed_as::<G>(GameExtras::NONE));
    }
    is_new
}

/// Returns the game with this name, with or without its revision.
///
/// # Errors
/// Returns an error that lists the games if there is no such game.
pub fn named(name: &str) -> Result<&'static GameInfo, UnknownGame> {
    GameInfo::find(name).ok_or_else(|| UnknownGame {
        name: name.to_owned(),
        remedy: crate::text::suggestion(name, "games", all().into_iter().map(GameInfo::name)),
    })
}

/// The error for an unknown game.
#[derive(Debug, thiserror::Error)]
#[error("there is no game `{name}`; {remedy}")]
pub struct UnknownGame {
    /// The unknown name.
    pub name: String,
    /// Remedy: the most similar name, and all names.
    pub remedy: String,
}
