//! Conditions on decisions, which define the classes of a review.

use hattari_agents::table::{Feature, FeatureAtFork, ValueSet};
use hattari_agents::text::joined;
use serde::{Serialize, Serializer};
use std::fmt;

/// A condition on a feature of decisions, such as `turn: lead`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassCondition {
    pub(super) feature: Feature,
    values: ValueSet,
    /// `true` if all other values meet the condition.
    is_negated: bool,
}

impl ClassCondition {
    pub(super) fn new(feature: Feature, values: ValueSet) -> ClassCondition {
        ClassCondition {
            feature,
            values,
            is_negated: false,
        }
    }

    /// Returns `true` if a value of the feature meets the condition.
    pub(super) fn holds(&self, value: FeatureAtFork) -> bool {
        self.values.contains(value) != self.is_negated
    }

    /// Returns the condition that a decision meets if it does not meet this one. In a range of
    /// numbers, decisions without a number belong to the part with the smaller numbers.
    pub(super) fn opposite(mut self) -> ClassCondition {
        match &mut self.values {
            ValueSet::Range { low, high } if *high == u8::MAX => {
                (*low, *high) = (0, low.saturating_sub(1));
            }
            _ => self.is_negated = !self.is_negated,
        }
        self
    }

    /// Reduces the range of this condition to the numbers that also meet `other`. Returns `false`
    /// if the conditions are not ranges of the same feature.
    fn narrow(&mut self, other: &ClassCondition) -> bool {
        let is_same = self.feature == other.feature && !self.is_negated && !other.is_negated;
        match (&mut self.values, other.values) {
            (
                ValueSet::Range { low, high },
                ValueSet::Range {
                    low: from,
                    high: to,
                },
            ) if is_same => {
                *low = from.max(*low);
                *high = to.min(*high);
                true
            }
            _ => false,
        }
    }
}

impl fmt::Display for ClassCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let other_than = if self.is_negated { "other than " } else { "" };
        write!(f, "{}: {other_than}{}", self.feature.name, self.values)
    }
}

impl Serialize for ClassCondition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns conditions as text. Conditions on numbers become one range for each feature.
pub(super) fn describe(conditions: &[ClassCondition]) -> String {
    let mut merged: Vec<ClassCondition> = Vec::new();
    for condition in conditions {
        if !merged.iter_mut().any(|known| known.narrow(condition)) {
            merged.push(*condition);
        }
    }
    join(&merged)
}

/// Returns conditions as text that [`parse_conditions`](hattari_agents::table::parse_conditions)
/// parses.
pub(super) fn join(conditions: &[ClassCondition]) -> String {
    joined(conditions.iter().map(ToString::to_string), ", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::games::features::FeatureValue;

    const MORE: u8 = u8::MAX;

    fn position(name: &'static str) -> Feature {
        let is_choice = false;
        Feature { name, is_choice }
    }

    fn range(name: &'static str, low: u8, high: u8) -> ClassCondition {
        ClassCondition::new(position(name), ValueSet::Range { low, high })
    }

    fn word(name: &'static str, word: &'static str) -> ClassCondition {
        let value = FeatureAtFork::Position(FeatureValue::Word(word));
        ClassCondition::new(position(name), ValueSet::Is(value))
    }

    #[test]
    fn bounds_of_one_feature_become_one_range() {
        let turn = word("turn", "lead");
        for (conditions, expected) in [
            (
                vec![turn, range("own cards", 3, MORE)],
                "turn: lead, own cards: 3 or more",
            ),
            (
                vec![range("cards", 0, 2), turn, range("cards", 2, MORE)],
                "cards: 2, turn: lead",
            ),
            (
                vec![
                    range("cards", 0, 9),
                    range("cards", 0, 7),
                    range("cards", 3, MORE),
                ],
                "cards: 3 to 7",
            ),
            (
                vec![range("cards", 0, 9), range("others", 3, MORE)],
                "cards: 9 or fewer, others: 3 or more",
            ),
        ] {
            assert_eq!(describe(&conditions), expected);
        }
    }

    #[test]
    fn the_opposite_of_a_condition_is_met_by_the_other_values() {
        let pass = FeatureValue::Word("pass");
        let values = ValueSet::Choices([Some(pass), None]);
        let choice = ClassCondition::new(position("type"), values);
        for (condition, expected) in [
            (range("cards", 3, MORE), "cards: 2 or fewer"),
            (word("turn", "lead"), "turn: other than lead"),
            (choice, "type: other than pass → any"),
        ] {
            assert_eq!(condition.opposite().to_string(), expected);
        }
        let count = |number| FeatureAtFork::Position(FeatureValue::Count(number));
        let few = range("cards", 3, MORE).opposite();
        assert!(few.holds(count(2)) && !few.holds(count(3)));
        assert!(!choice.opposite().holds(FeatureAtFork::Choices(pass, pass)));
    }
}
