//! Features of decisions: names and values by which a review of a bot groups its decisions.

use crate::{GameTypes, Grant};
use serde::Serialize;

/// The value of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum Mark {
    /// A number, which a review cuts into ranges.
    Count(u8),
    /// One of a few words.
    Word(&'static str),
}

impl Mark {
    /// A number of cards or players.
    #[must_use]
    pub fn count(number: u32) -> Mark {
        Mark::Count(u8::try_from(number).unwrap_or(u8::MAX))
    }

    /// The word `yes` or `no`.
    #[must_use]
    pub fn flag(is_so: bool) -> Mark {
        Mark::Word(if is_so { "yes" } else { "no" })
    }
}

/// Names features with their values.
pub type Tell<'t> = dyn FnMut(&'static str, Mark) + 't;

/// The features of a game's decisions. They are made from the view of the seat that decides, so
/// that a review explains a decision by what the bot could know.
///
/// The same names come at every decision, or not at all where they have no meaning.
pub trait Features<G: GameTypes>: Sync {
    /// Tells the features of the position that a seat decides in.
    fn position(&self, view: &G::View, tell: &mut Tell<'_>);
    /// Tells the features of a choice in that position.
    fn choice(&self, view: &G::View, choice: &Grant<G::Action>, tell: &mut Tell<'_>);
}
