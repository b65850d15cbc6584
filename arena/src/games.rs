//! The list of games, and the way from a game's name to its rules.

use hattari_plugin::games::daihinmin::Daihinmin;
use hattari_plugin::games::{Game, GameTypes};

/// Work that is done for one game, whichever it is.
pub trait Visit {
    /// What comes of it.
    type Output;
    /// Does it for `G`.
    fn visit<G: Game>(self) -> Self::Output;
}

/// Does `work` for the game of that name (with or without its revision), `None` if there is no such game.
pub fn visit<V: Visit>(name: &str, work: V) -> Option<V::Output> {
    (name == Daihinmin::ID || name == bare(Daihinmin::ID)).then(|| work.visit::<Daihinmin>())
}

/// Facts of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Name and revision.
    pub id: &'static str,
}

/// Facts of every game.
#[must_use]
pub fn all() -> Vec<Facts> {
    vec![Facts { id: Daihinmin::ID }]
}

/// A game's name without its revision: `daihinmin` of `daihinmin/1`.
#[must_use]
pub fn bare(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}
