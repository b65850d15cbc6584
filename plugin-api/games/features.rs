//! Features of decisions and of finished deals: named values by which reviews group decisions and
//! from which the statistics of play are declared.

use crate::{GameTypes, Move};
use serde::Serialize;
use std::fmt;

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
    pub fn count(number: u32) -> FeatureValue {
        FeatureValue::Count(u8::try_from(number).unwrap_or(u8::MAX))
    }

    /// Creates the word `yes` or `no`.
    pub fn flag(is_so: bool) -> FeatureValue {
        FeatureValue::Word(if is_so { "yes" } else { "no" })
    }
}

impl From<u8> for FeatureValue {
    fn from(number: u8) -> FeatureValue {
        FeatureValue::Count(number)
    }
}

impl From<u32> for FeatureValue {
    fn from(number: u32) -> FeatureValue {
        FeatureValue::count(number)
    }
}

impl From<bool> for FeatureValue {
    fn from(is_so: bool) -> FeatureValue {
        FeatureValue::flag(is_so)
    }
}

impl From<&'static str> for FeatureValue {
    fn from(word: &'static str) -> FeatureValue {
        FeatureValue::Word(word)
    }
}

impl fmt::Display for FeatureValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FeatureValue::Count(number) => write!(f, "{number}"),
            FeatureValue::Word(word) => f.write_str(word),
        }
    }
}

/// Returns the smallest number of cards of another seat that has cards; 0 if there is none.
/// `cards_left` is ordered by seat.
pub(crate) fn fewest_of_others(cards_left: &[u8], seat: u8) -> u8 {
    let seats = cards_left.iter().copied().zip(0_u8..);
    let others = seats.filter(|&(left, other)| left != 0 && other != seat);
    others.map(|(left, _)| left).min().unwrap_or(0)
}

/// A callback that receives the names and values of features.
pub type FeatureSink<'t> = dyn FnMut(&'static str, FeatureValue) + 't;

/// The name of a feature and the words that are its values. The values of a feature without words
/// are numbers.
pub type FeatureInfo = (&'static str, &'static [&'static str]);

/// The words of [`FeatureValue::flag`].
pub const FLAG: &[&str] = &["yes", "no"];

/// A statistic of how a bot plays. Forced actions and actions after a fault are not counted as
/// decisions; deals are all counted.
#[derive(Clone, Copy, Debug)]
pub struct PlayStatistic {
    /// Name, for example `VPIP`.
    pub name: &'static str,
    /// The quantity that the statistic measures.
    pub measure: PlayMeasure,
    /// Conditions on the features of the position, for example `street: flop, facing: a bet`. All
    /// of them must hold; ` / ` separates the values that meet a condition. For statistics of
    /// outcomes ([`PlayMeasure::is_of_outcomes`]), conditions on the features of the outcome that
    /// select the deals.
    pub position: &'static str,
    /// Conditions on the features of the choice or, for statistics of outcomes, of the outcome.
    pub choice: &'static str,
}

impl PlayStatistic {
    const fn of(
        measure: PlayMeasure,
        name: &'static str,
        position: &'static str,
        choice: &'static str,
    ) -> Self {
        PlayStatistic {
            name,
            measure,
            position,
            choice,
        }
    }

    /// Creates a statistic of the kind [`PlayMeasure::Decisions`].
    pub const fn decisions(
        name: &'static str,
        position: &'static str,
        choice: &'static str,
    ) -> Self {
        Self::of(PlayMeasure::Decisions, name, position, choice)
    }

    /// Creates a statistic of the kind [`PlayMeasure::Deals`].
    pub const fn deals(name: &'static str, position: &'static str, choice: &'static str) -> Self {
        Self::of(PlayMeasure::Deals, name, position, choice)
    }

    /// Creates a statistic of the kind [`PlayMeasure::Payoff`].
    pub const fn payoff(name: &'static str, position: &'static str, choice: &'static str) -> Self {
        Self::of(PlayMeasure::Payoff, name, position, choice)
    }

    /// Creates a statistic of the kind [`PlayMeasure::Outcomes`]. `deals` selects deals by their
    /// outcome.
    pub const fn outcomes(name: &'static str, deals: &'static str, outcome: &'static str) -> Self {
        Self::of(PlayMeasure::Outcomes, name, deals, outcome)
    }

    /// Creates a statistic of the kind [`PlayMeasure::Winnings`].
    pub const fn winnings(name: &'static str, outcome: &'static str) -> Self {
        Self::of(PlayMeasure::Winnings, name, "", outcome)
    }

    /// Parses conditions. Returns the name of each feature, and the values that meet its condition.
    pub fn conditions(text: &str) -> impl Iterator<Item = (&str, impl Iterator<Item = &str>)> {
        let parts = text.split(", ").filter_map(|part| part.split_once(": "));
        parts.map(|(name, values)| (name, values.split(" / ")))
    }

    /// Returns `true` if `features` meet all conditions.
    pub fn are_met(conditions: &str, features: &[(&'static str, FeatureValue)]) -> bool {
        PlayStatistic::conditions(conditions).all(|(name, mut values)| {
            let feature = features.iter().find(|feature| feature.0 == name);
            feature.is_some_and(|&(_, value)| {
                values.any(|text| match value {
                    FeatureValue::Count(number) => text.parse() == Ok(number),
                    FeatureValue::Word(word) => text == word,
                })
            })
        })
    }
}

/// The quantity that a statistic of play measures. A position or choice matches if it meets the
/// conditions of the statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayMeasure {
    /// The share of decisions in matching positions in which the bot makes a matching choice.
    Decisions,
    /// The share of deals with matching positions in which the bot makes a matching choice at least
    /// once.
    Deals,
    /// The mean payoff, in points, of the deals with a matching choice in a matching position.
    Payoff,
    /// The share of the selected deals with a matching outcome.
    Outcomes,
    /// The payoffs of the deals with a matching outcome, divided by the number of all deals. The
    /// unit is the stake ([`Game::stake`](crate::Game::stake)) per 100 deals; points per deal if
    /// the game has no stake.
    Winnings,
}

impl PlayMeasure {
    /// Returns `true` if the conditions are on the outcomes of deals instead of decisions.
    #[must_use]
    pub const fn is_of_outcomes(self) -> bool {
        matches!(self, PlayMeasure::Outcomes | PlayMeasure::Winnings)
    }
}

/// The features of the decisions of a game. They are computed from the view of the seat that
/// decides, so a review explains a decision by the bot's own information only.
///
/// All decisions have the same features, except that a feature without a meaning in a position is
/// omitted.
pub trait Features<G: GameTypes> {
    /// The features of positions. Their names must differ from those of the features of choices.
    const POSITIONS: &'static [FeatureInfo] = &[];
    /// The features of choices.
    const CHOICES: &'static [FeatureInfo] = &[];
    /// The features of outcomes.
    const OUTCOMES: &'static [FeatureInfo] = &[];
    /// The statistics of play in a report, in order.
    const STATISTICS: &'static [PlayStatistic] = &[];

    /// Returns the value of each feature of the position of a decision, in the order of
    /// [`Features::POSITIONS`]. A word can be given as its index. Features at the end may be
    /// missing.
    fn position_values(_view: &G::View) -> Vec<FeatureValue> {
        Vec::new()
    }
    /// Returns the value of each feature of a choice, as [`Features::position_values`] does.
    fn choice_values(_view: &G::View, _choice: &Move<G::Action>) -> Vec<FeatureValue> {
        Vec::new()
    }
    /// Returns the value of each feature of the outcome of a finished deal, as it applies to the
    /// seat of `view`. `history` is the public record of the whole deal.
    fn outcome_values(_view: &G::View, _history: &[G::Event]) -> Vec<FeatureValue> {
        Vec::new()
    }
    /// Passes the features of the position of a decision to `tell`. The default makes them from
    /// [`Features::position_values`].
    fn position(view: &G::View, tell: &mut FeatureSink<'_>) {
        tell_values(Self::POSITIONS, &Self::position_values(view), tell);
    }
    /// Passes the features of a choice at a decision to `tell`. The default makes them from
    /// [`Features::choice_values`].
    fn choice(view: &G::View, choice: &Move<G::Action>, tell: &mut FeatureSink<'_>) {
        tell_values(Self::CHOICES, &Self::choice_values(view, choice), tell);
    }
    /// Passes the features of the outcome of a finished deal to `tell`. The default makes them from
    /// [`Features::outcome_values`].
    fn outcome(view: &G::View, history: &[G::Event], tell: &mut FeatureSink<'_>) {
        tell_values(Self::OUTCOMES, &Self::outcome_values(view, history), tell);
    }
}

/// No features.
impl<G: GameTypes> Features<G> for () {}

/// Passes features to `tell`. The number of a feature with words is the index of its word.
fn tell_values(features: &[FeatureInfo], values: &[FeatureValue], tell: &mut FeatureSink<'_>) {
    for (&(name, words), &value) in features.iter().zip(values) {
        let word = match value {
            FeatureValue::Count(index) => words.get(usize::from(index)),
            FeatureValue::Word(_) => None,
        };
        tell(name, word.map_or(value, |&word| word.into()));
    }
}
