//! A policy's weights, and choices by them.

use super::features::{FEATURES, GROUPS, Judge, NAMES, SIZES, STARTS};
use super::sight::Sight;
use hattari_games::daihinmin::Action;
use rand::Rng;
use std::fmt::{self, Write};
use std::sync::LazyLock;

/// How players tend to choose: an action is chosen in proportion to the product of the weights of its
/// [`Features`](super::Features), of all that are legal.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    weights: Box<[f32; ROOM]>,
}

/// Room for every index of ten bits, which then needs no check.
const ROOM: usize = 1024;
const _: () = assert!(FEATURES <= ROOM);

/// Why a text is not a table of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError {
    /// Number of the line, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: `{}` is not a group, a number of a feature in it, and a weight above 0",
            self.line, self.text
        )
    }
}

impl std::error::Error for WeightsError {}

/// The weights that come with this package; the file says how they were fitted.
static SHIPPED: LazyLock<Policy> =
    LazyLock::new(|| Policy::parse(include_str!("light.txt")).expect("the shipped weights can be read"));

impl Policy {
    /// The policy that comes with this package.
    #[must_use]
    pub fn shipped() -> &'static Policy {
        &SHIPPED
    }

    /// The policy that takes all actions for equally likely.
    #[must_use]
    pub fn uniform() -> Policy {
        Policy { weights: Box::new([1.0; ROOM]) }
    }

    /// A policy out of the strengths that a fit has found, by feature.
    ///
    /// # Panics
    /// If they are not as many as there are features.
    #[must_use]
    pub fn new(strengths: &[f64]) -> Policy {
        assert_eq!(strengths.len(), FEATURES, "a weight for every feature");
        let mut weights = Box::new([1.0; ROOM]);
        for (weight, &strength) in weights.iter_mut().zip(strengths) {
            // Far enough from the ends of the range for products of all groups.
            *weight = narrowed(strength.clamp(1e-4, 1e4));
        }
        Policy { weights }
    }

    /// Reads weights from text: a line `group number weight` for each feature whose weight is not 1, a comment from `#`
    /// to the end of a line.
    ///
    /// # Errors
    /// The first line that is none of that.
    pub fn parse(text: &str) -> Result<Policy, WeightsError> {
        let mut policy = Policy::uniform();
        for (line, text) in (1..).zip(text.lines()) {
            let words: Vec<&str> = text.split('#').next().unwrap_or_default().split_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            let feature = || {
                let [group, number, weight] = words[..] else { return None };
                let group = NAMES.iter().position(|&name| name == group)?;
                let number: u16 = number.parse().ok().filter(|&number| number < SIZES[group])?;
                let weight: f32 = weight.parse().ok().filter(|weight: &f32| weight.is_finite() && *weight > 0.0)?;
                Some((STARTS[group] + number, weight))
            };
            let (feature, weight) = feature().ok_or_else(|| WeightsError { line, text: text.trim().to_owned() })?;
            policy.weights[usize::from(feature)] = weight;
        }
        Ok(policy)
    }

    /// The weights as text for [`Policy::parse`], without comments.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (group, name) in NAMES.iter().enumerate() {
            for number in 0..SIZES[group] {
                let weight = self.weights[usize::from(STARTS[group] + number)];
                if weight.to_bits() != 1.0_f32.to_bits() {
                    writeln!(text, "{name} {number} {weight}").expect("text grows");
                }
            }
        }
        text
    }

    /// The strength of an action.
    #[inline]
    #[must_use]
    pub fn strength(&self, judge: &Judge, action: &Action) -> f32 {
        let features = judge.features(action);
        // Two chains: multiplications wait for each other.
        let weight = |group: usize| self.weights[usize::from(features[group]) % ROOM];
        let mut strength = [1.0, 1.0];
        for group in 0..GROUPS {
            strength[group & 1] *= weight(group);
        }
        strength[0] * strength[1]
    }

    /// Clears `strengths` and fills it with those of `actions` up to and with each: running totals. Returns the last.
    #[inline]
    fn totals(&self, sight: &Sight, actions: &[Action], strengths: &mut Vec<f32>) -> f32 {
        strengths.clear();
        let judge = Judge::new(sight);
        let mut total = 0.0;
        for action in actions {
            total += self.strength(&judge, action);
            strengths.push(total);
        }
        total
    }

    /// An index into `actions` by chance, in proportion to strength. 0 where there are none. `scratch` is overwritten.
    #[inline]
    pub fn choose<R: Rng>(&self, sight: &Sight, actions: &[Action], scratch: &mut Vec<f32>, chance: &mut R) -> usize {
        if actions.len() < 2 {
            return 0;
        }
        let total = self.totals(sight, actions, scratch);
        // 24 bits fill the significand of a float.
        let point = (chance.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0) * total;
        scratch.iter().position(|&total| point < total).unwrap_or(actions.len() - 1)
    }

    /// The index of the strongest of `actions`, the first of several; 0 where there are none.
    #[must_use]
    pub fn best(&self, sight: &Sight, actions: &[Action]) -> usize {
        let judge = Judge::new(sight);
        let mut best = (0, f32::NEG_INFINITY);
        for (index, action) in actions.iter().enumerate() {
            let strength = self.strength(&judge, action);
            if strength > best.1 {
                best = (index, strength);
            }
        }
        best.0
    }

    /// How likely the policy is to choose `actions[index]`.
    ///
    /// # Panics
    /// If there is no such action.
    #[must_use]
    pub fn probability(&self, sight: &Sight, actions: &[Action], index: usize) -> f32 {
        let judge = Judge::new(sight);
        let total: f32 = actions.iter().map(|action| self.strength(&judge, action)).sum();
        self.strength(&judge, &actions[index]) / total
    }
}

#[expect(clippy::cast_possible_truncation, reason = "weights need few digits")]
fn narrowed(strength: f64) -> f32 {
    strength as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_go_through_text() {
        let mut strengths = vec![1.0; FEATURES];
        strengths[3] = 2.5;
        strengths[usize::from(STARTS[2]) + 7] = 0.125;
        let policy = Policy::new(&strengths);
        assert_eq!(policy.to_text(), "shape 3 2.5\nafter 7 0.125\n");
        assert_eq!(Policy::parse(&policy.to_text()), Ok(policy));
    }

    #[test]
    fn wrong_lines_are_named() {
        for wrong in ["shape 256 1", "form 1 1", "shape 1", "shape 1 0", "shape 1 -2", "shape 1 NaN", "shape 1 1 1"] {
            let error = Policy::parse(&format!("# a comment\n\nshape 1 2 # fine\n{wrong}\n")).unwrap_err();
            assert_eq!((error.line, error.text.as_str()), (4, wrong));
        }
    }
}
