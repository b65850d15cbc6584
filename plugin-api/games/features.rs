//! Features of decisions: named values by which a review of a bot groups the decisions.

use crate::{GameTypes, Move};
use serde::Serialize;

/// The value of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum FeatureValue {
    /// A number; a review groups numbers into ranges.
    Count(u8),
    /// One of a few words.
    Word(&'static str),
}

impl FeatureValue {
    /// Creates a number of cards or players; numbers above 255 become 255.
    #[must_use]
    pub fn count(number: u32) -> FeatureValue {
        FeatureValue::Count(u8::try_from(number).unwrap_or(u8::MAX))
    }

    /// Creates the word `yes` or `no`.
    #[must_use]
    pub fn flag(is_so: bool) -> FeatureValue {
        FeatureValue::Word(if is_so { "yes" } else { "no" })
    }
}

/// A callback that receives the names and values of features.
pub type FeatureSink<'t> = dyn FnMut(&'static str, FeatureValue) + 't;

/// The name of a feature and its words; without words, its values are numbers.
pub type FeatureInfo = (&'static str, &'static [&'static str]);

/// The words of [`FeatureValue::flag`].
pub const FLAG: &[&str] = &["yes", "no"];

/// The features of the decisions of a game. They are computed from the view of the seat that
/// decides, so a review explains a decision by the bot's own information only.
///
/// All decisions have the same features, except that a feature without a meaning in a position is
/// omitted.
pub trait Features<G: GameTypes>: Sync {
    /// Returns the features of positions. No feature may have the name of one of choices.
    fn positions(&self) -> &'static [FeatureInfo];
    /// Returns the features of choices.
    fn choices(&self) -> &'static [FeatureInfo];
    /// Passes the features of the position of a decision to `tell`.
    fn position(&self, view: &G::View, tell: &mut FeatureSink<'_>);
    /// Passes the features of a choice at a decision to `tell`.
    fn choice(&self, view: &G::View, choice: &Move<G::Action>, tell: &mut FeatureSink<'_>);
}
