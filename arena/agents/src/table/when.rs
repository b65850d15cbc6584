//! Conditions that select decisions. The notation is that of the classes of decisions in a review.

use super::shared::{ComparedDecision, DecisionSelector, FeatureValues};
use crate::games::GameInfo;
use crate::text::{quoted, suggestion};
use hattari_plugin::games::features::FeatureValue;
use std::cmp::Ordering;
use std::fmt;
use std::iter;
use std::sync::Arc;

/// Text of the condition that every decision meets.
pub const ALL_DECISIONS: &str = "all decisions";

/// A feature of decisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
    /// The name, which is unique among the features of the game.
    pub name: &'static str,
    /// `true` if the feature describes the two choices, `false` if it describes the position.
    pub is_choice: bool,
}

impl Feature {
    /// Returns the value at a decision. `choices` are the features of the choices of the other bot
    /// and the reviewed bot.
    #[must_use]
    pub fn value(
        self,
        position: &FeatureValues,
        choices: Option<[&FeatureValues; 2]>,
    ) -> FeatureAtFork {
        let find = |values: &FeatureValues| {
            values
                .iter()
                .find(|value| value.0 == self.name)
                .map(|value| value.1)
        };
        if !self.is_choice {
            return find(position).map_or(FeatureAtFork::None, FeatureAtFork::Position);
        }
        match choices.map(|choices| choices.map(find)) {
            Some([Some(FeatureValue::Count(by)), Some(FeatureValue::Count(of))]) => {
                FeatureAtFork::Compared(by.cmp(&of))
            }
            Some([Some(by), Some(of)]) => FeatureAtFork::Choices(of, by),
            _ => FeatureAtFork::None,
        }
    }
}

/// The value of a feature at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeatureAtFork {
    /// The feature has no value at the decision.
    None,
    /// Value for the position.
    Position(FeatureValue),
    /// Values for the choices of the reviewed bot and the other bot.
    Choices(FeatureValue, FeatureValue),
    /// Comparison of the other bot's number with the reviewed bot's.
    Compared(Ordering),
}

/// Writes the value in the notation that [`parse_conditions`] parses.
impl fmt::Display for FeatureAtFork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FeatureAtFork::None => f.write_str("none"),
            FeatureAtFork::Position(value) => write!(f, "{value}"),
            FeatureAtFork::Choices(of, by) => write!(f, "{of} → {by}"),
            FeatureAtFork::Compared(Ordering::Less) => f.write_str("lower"),
            FeatureAtFork::Compared(Ordering::Equal) => f.write_str("equal"),
            FeatureAtFork::Compared(Ordering::Greater) => f.write_str("higher"),
        }
    }
}

/// The values of a feature that meet a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueSet {
    /// Exactly this value.
    Is(FeatureAtFork),
    /// A range of numbers. A range with an upper bound only also contains "no number".
    Range {
        /// The smallest number.
        low: u8,
        /// The largest number; `u8::MAX` for no upper bound.
        high: u8,
    },
    /// Words of the reviewed bot's and the other bot's choice; `None` for any word.
    Choices([Option<FeatureValue>; 2]),
}

impl ValueSet {
    /// Returns `true` if the set contains this value.
    #[must_use]
    pub fn contains(self, value: FeatureAtFork) -> bool {
        let is_word = |wanted: Option<FeatureValue>, word: FeatureValue| {
            wanted.is_none_or(|wanted| wanted == word)
        };
        match (self, value) {
            (ValueSet::Is(wanted), value) => wanted == value,
            (
                ValueSet::Range { low, high },
                FeatureAtFork::Position(FeatureValue::Count(count)),
            ) => (low..=high).contains(&count),
            (ValueSet::Range { low: 0, high }, FeatureAtFork::None) => high < u8::MAX,
            (ValueSet::Choices([of, by]), FeatureAtFork::Choices(own, other)) => {
                is_word(of, own) && is_word(by, other)
            }
            _ => false,
        }
    }
}

/// Writes the values in the notation that [`parse_conditions`] parses.
impl fmt::Display for ValueSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ValueSet::Is(value) => write!(f, "{value}"),
            ValueSet::Range { low, high: u8::MAX } => write!(f, "{low} or more"),
            ValueSet::Range { low: 0, high } => write!(f, "{high} or fewer"),
            ValueSet::Range { low, high } if low == high => write!(f, "{low}"),
            ValueSet::Range { low, high } => write!(f, "{low} to {high}"),
            ValueSet::Choices(words) => {
                let [of, by] = words
                    .map(|word| word.map_or_else(|| "any".to_owned(), |word| word.to_string()));
                write!(f, "{of} → {by}")
            }
        }
    }
}

/// An error in the text of conditions.
#[derive(Debug, thiserror::Error)]
#[error("{message}; {remedy}")]
pub struct WhenError {
    /// Cause, with the part of the text that is invalid.
    pub message: String,
    /// Advice to the user, with the known features or values.
    pub remedy: String,
}

/// A condition on one feature.
struct Condition {
    feature: Feature,
    /// `true` for `other than`: the values that are in no set meet the condition.
    is_other: bool,
    sets: Vec<ValueSet>,
}

impl Condition {
    fn holds(&self, decided: &ComparedDecision) -> bool {
        let choices = Some(decided.choices.each_ref());
        let value = self.feature.value(&decided.position, choices);
        self.sets.iter().any(|set| set.contains(value)) != self.is_other
    }
}

/// Parses conditions, for example `turn: follow, own cards: 8 or more, type: pass → single`. All
/// conditions must hold. They are separated by commas or by `and`. The values of a feature are:
///
/// - words, and `none` where the feature has no value;
/// - numbers: `8`, `8 or more`, `3 to 7`, `7 or fewer`;
/// - for choices, the word of the reviewed bot, an arrow (`→` or `->`), and the word of the other
///   bot; `any` stands for every word;
/// - for choices with numbers: `lower`, `equal` or `higher` for the other bot's number;
/// - several of these, separated by ` / `; `other than` before them selects all other values.
///
/// # Errors
/// Returns an error with the known features or values if the text is invalid.
pub fn parse_conditions(game: &GameInfo, when: &str) -> Result<DecisionSelector, WhenError> {
    if when.trim() == ALL_DECISIONS {
        return Ok(Arc::new(|_| true));
    }
    let mut texts: Vec<String> = Vec::new();
    for part in when.split(", ") {
        for (number, piece) in part.split(" and ").enumerate() {
            match texts.last_mut() {
                // Some words contain "and".
                Some(text) if 0 < number && !piece.contains(':') => {
                    *text += &format!(" and {piece}")
                }
                _ => texts.push(piece.to_owned()),
            }
        }
    }
    let conditions = texts
        .iter()
        .map(|text| condition(game, text))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(move |decided: &ComparedDecision| {
        conditions.iter().all(|condition| condition.holds(decided))
    }))
}

/// Parses one condition.
fn condition(game: &GameInfo, text: &str) -> Result<Condition, WhenError> {
    let [positions, choices] = game.features;
    let features = positions
        .iter()
        .zip(iter::repeat(false))
        .chain(choices.iter().zip(iter::repeat(true)));
    let names = features.clone().map(|(info, _)| info.0);
    let Some((name, values)) = text.split_once(':') else {
        return Err(WhenError {
            message: format!("`{}` is not a feature with a value", text.trim()),
            remedy: format!(
                "write conditions such as `turn: follow` or `{ALL_DECISIONS}`; features of {}: {}",
                game.name(),
                quoted(names)
            ),
        });
    };
    let name = name.trim();
    let (&(name, words), is_choice) = features
        .clone()
        .find(|(info, _)| info.0 == name)
        .ok_or_else(|| WhenError {
            message: format!("{} has no feature `{name}`", game.name()),
            remedy: suggestion(name, "features", names),
        })?;
    let values = values.trim();
    let others = values.strip_prefix("other than ");
    let parts = others.unwrap_or(values).split(" / ").map(str::trim);
    let set = |part: &str| {
        value_set(part, is_choice, words).ok_or_else(|| WhenError {
            message: format!("`{name}` cannot be `{part}`"),
            remedy: expected(is_choice, words),
        })
    };
    Ok(Condition {
        feature: Feature { name, is_choice },
        is_other: others.is_some(),
        sets: parts.map(set).collect::<Result<_, _>>()?,
    })
}

/// Parses one of the alternatives of a condition; see [`parse_conditions`].
fn value_set(text: &str, is_choice: bool, words: &'static [&'static str]) -> Option<ValueSet> {
    let known = |text: &str| {
        let word = words.iter().copied().find(|word| *word == text)?;
        Some(FeatureValue::Word(word))
    };
    let number = |text: &str| text.trim().parse::<u8>().ok();
    // If `none` is one of the words, the feature always has a value.
    if text == "none" && known(text).is_none() {
        return Some(ValueSet::Is(FeatureAtFork::None));
    }
    match (is_choice, words.is_empty()) {
        (true, false) => {
            let (of, by) = text.split_once('→').or_else(|| text.split_once("->"))?;
            let side = |word: &str| match word.trim() {
                "any" => Some(None),
                word => known(word).map(Some),
            };
            Some(ValueSet::Choices([side(of)?, side(by)?]))
        }
        (true, true) => [Ordering::Less, Ordering::Equal, Ordering::Greater]
            .map(FeatureAtFork::Compared)
            .into_iter()
            .find(|order| order.to_string() == text)
            .map(ValueSet::Is),
        (false, false) => Some(ValueSet::Is(FeatureAtFork::Position(known(text)?))),
        (false, true) => {
            if let Some(low) = text.strip_suffix("or more") {
                return number(low).map(|low| ValueSet::Range { low, high: u8::MAX });
            }
            if let Some(high) = text.strip_suffix("or fewer") {
                return number(high).map(|high| ValueSet::Range { low: 0, high });
            }
            if let Some((low, high)) = text.split_once(" to ") {
                let (low, high) = (number(low)?, number(high)?);
                return (low <= high).then_some(ValueSet::Range { low, high });
            }
            let number = FeatureValue::Count(number(text)?);
            Some(ValueSet::Is(FeatureAtFork::Position(number)))
        }
    }
}

/// Returns a description of the values of a feature.
fn expected(is_choice: bool, words: &[&str]) -> String {
    match (is_choice, words.is_empty()) {
        (true, false) => format!(
            "give the choices of both bots, as in `{} → any`, also after each ` / `; each is `any` or one of {}",
            words[0],
            quoted(words)
        ),
        (true, true) => "give `lower`, `equal` or `higher`: the other bot's number compared with \
            that of the reviewed bot"
            .to_owned(),
        (false, false) => format!("give one of {}", quoted(words)),
        (false, true) => {
            "give a number from 0 to 255, as in `8`, `8 or more`, `3 to 7` or `7 or fewer`"
                .to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::Choice;

    fn decided(
        position: &[(&'static str, FeatureValue)],
        by: &'static str,
        of: &'static str,
    ) -> ComparedDecision {
        let choice = |word| vec![("type", FeatureValue::Word(word))];
        ComparedDecision {
            answers: [Choice::from(0); 2],
            position: position.to_vec(),
            choices: [choice(by), choice(of)],
        }
    }

    #[test]
    fn conditions_select_decisions_that_meet_all_of_them() {
        let game = GameInfo::find("daihinmin").unwrap();
        let position = [
            ("turn", FeatureValue::Word("follow")),
            ("own cards", FeatureValue::Count(8)),
            ("trick", FeatureValue::Word("locked and reversed")),
        ];
        let decided = decided(&position, "single", "pass");
        for (when, is_selected) in [
            ("all decisions", true),
            ("turn: follow", true),
            ("turn: lead", false),
            ("turn: lead / follow", true),
            ("turn: other than lead / exchange", true),
            ("turn: other than lead / follow", false),
            ("own cards: 8 or more and turn: follow", true),
            ("own cards: 9 or more", false),
            ("own cards: 7 or fewer", false),
            ("own cards: 8 or fewer", true),
            ("own cards: 3 to 7", false),
            ("own cards: 3 to 8", true),
            ("own cards: 8", true),
            ("trick: locked and reversed and turn: follow", true),
            ("trick: locked", false),
            ("title: none", false),
            ("type: pass → single", true),
            ("type: any -> single, turn: follow", true),
            ("type: single → pass", false),
            ("type: other than single → pass / pass → group", true),
            ("spends: none → none", false),
        ] {
            let selects =
                parse_conditions(game, when).unwrap_or_else(|error| panic!("{when}: {error}"));
            assert_eq!(selects(&decided), is_selected, "{when}");
        }
    }

    #[test]
    fn errors_name_the_features_and_values_of_the_game() {
        let daihinmin = GameInfo::find("daihinmin").unwrap();
        let say = |when| parse_conditions(daihinmin, when).err().unwrap().to_string();
        for (when, expected) in [
            (
                "following and passes",
                "features of daihinmin: `turn`, `own cards`",
            ),
            ("trun: follow", "did you mean `turn`?"),
            (
                "turn: folow",
                "`turn` cannot be `folow`; give one of `exchange`, `lead`, `follow`",
            ),
            ("own cards: many", "`8 or more`"),
            ("own cards: 8 to 3", "`3 to 7`"),
            ("type: pass → any / pass", "as in `pass → any`, also after"),
            ("spends: none", "as in `joker → any`"),
        ] {
            assert!(say(when).contains(expected), "{}", say(when));
        }
        let tanhinmin = GameInfo::find("tanhinmin").unwrap();
        let error = parse_conditions(tanhinmin, "rank gap: 3")
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("`lower`, `equal` or `higher`"), "{error}");
    }
}
