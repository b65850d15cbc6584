//! The weights of a policy, and choices with them.

use super::network::{Hidden, STEPS_MAX, UNITS};
use super::view::PolicyView;
use hattari_games::daihinmin::{Action, phase};
use rand::Rng;
use std::fmt;
use std::marker::PhantomData;

/// The groups of features: `GROUPS` numbers, each from a small range.
///
/// Every action has one feature of each group. A feature is a row of the weight table, and the
/// strength of an action is the product of the weights of its rows. The cost is therefore one table
/// look-up per group.
pub trait Groups<const GROUPS: usize>: Sized + 'static {
    /// Names of the groups, as in files of weights.
    const NAMES: [&'static str; GROUPS];
    /// Number of features of each group.
    const SIZES: [u16; GROUPS];
    /// `true` if the policy can have hidden units.
    const HIDDEN: bool = false;
}

/// The features of an action for a policy.
pub trait PolicyInput<const GROUPS: usize>: Groups<GROUPS> {
    /// The [phase](hattari_games::daihinmin::phase) of the decisions.
    const PHASE: u8 = phase::PLAY;
    /// The data of a decision from which the features of all of its actions are computed.
    type Judge<'a>;

    /// Computes the data of a decision that do not depend on the action.
    fn judge(sight: &PolicyView) -> Self::Judge<'_>;
    /// Returns the features of an action, as numbers within their groups.
    fn feature_indices(context: &Self::Judge<'_>, action: &Action) -> [u16; GROUPS];
    /// Returns the policy with weights fitted to recorded choices. The file of weights describes
    /// the fit.
    fn shipped() -> &'static Policy<Self, GROUPS>;
    /// Returns the policy with weights learned from the results of games. The file of weights
    /// describes the training.
    fn learned() -> &'static Policy<Self, GROUPS>;
}

/// Implements functions that each return the policy with the weights of a file in this folder.
macro_rules! weights {
    ($input:ty, $groups:literal, $($name:ident: $file:literal),*) => {$(
        fn $name() -> &'static Policy<$input, $groups> {
            static POLICY: std::sync::LazyLock<Policy<$input, $groups>> =
                std::sync::LazyLock::new(|| Policy::read(include_str!($file)));
            &POLICY
        }
    )*};
}
pub(super) use weights;

/// A probability distribution over legal actions. The probability of an action is proportional to
/// the product of the weights of its features. Hidden units, if any, multiply it by a factor for
/// combinations of features.
pub struct Policy<L: Groups<GROUPS>, const GROUPS: usize> {
    weights: Box<[f32; TABLE_SIZE]>,
    /// Logarithms of the weights. Policies with hidden units add these, because the product of so
    /// many weights could overflow.
    logs: Box<[f32; TABLE_SIZE]>,
    /// The hidden units, if the policy has any.
    pub hidden: Option<Hidden>,
    input: PhantomData<fn() -> L>,
}

/// Size of the table, so that an index of twelve bits needs no bounds check.
const TABLE_SIZE: usize = 4096;
/// Maximum absolute logarithm of a strength with hidden units, so that sums of strengths are
/// finite.
const EXPONENT_MAX: f32 = 80.0;

/// The reason a text is not a table of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError {
    /// Line number, from 1.
    pub line: usize,
    /// Text of the line.
    pub text: String,
    /// `true` if numbers of hidden units can follow a weight.
    hidden: bool,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: `{}` must be a group, the number of a feature in it, and a weight above 0{}",
            self.line,
            self.text,
            if self.hidden {
                format!(
                    "; optionally followed by {UNITS} integers from -{STEPS_MAX} to \
                     {STEPS_MAX}"
                )
            } else {
                String::new()
            }
        )
    }
}

impl std::error::Error for WeightsError {}

impl<L: Groups<GROUPS>, const GROUPS: usize> Policy<L, GROUPS> {
    /// Index of the first row of each group.
    pub const STARTS: [u16; GROUPS] = {
        let mut starts = [0; GROUPS];
        let mut group = 1;
        while group < GROUPS {
            starts[group] = starts[group - 1] + L::SIZES[group - 1];
            group += 1;
        }
        starts
    };
    /// Number of rows of the table.
    pub const FEATURES: usize = {
        let features = (Self::STARTS[GROUPS - 1] + L::SIZES[GROUPS - 1]) as usize;
        assert!(features <= TABLE_SIZE);
        features
    };

    /// Creates the policy with equal probabilities for all actions.
    #[must_use]
    pub fn uniform() -> Self {
        Policy {
            weights: Box::new([1.0; TABLE_SIZE]),
            logs: Box::new([0.0; TABLE_SIZE]),
            hidden: None,
            input: PhantomData,
        }
    }

    /// Creates a policy from fitted strengths, by feature.
    ///
    /// # Panics
    /// Panics if the number of strengths is not [`Policy::FEATURES`].
    #[must_use]
    pub fn new(strengths: &[f64]) -> Self {
        assert_eq!(
            strengths.len(),
            Self::FEATURES,
            "there must be one strength for every feature"
        );
        let mut policy = Self::uniform();
        for (weight, &strength) in policy.weights.iter_mut().zip(strengths) {
            // The bounds keep products of all groups within the range of `f32`.
            *weight = to_f32(strength.clamp(1e-3, 1e3));
        }
        policy.with_logs()
    }

    /// Parses weights that belong to this package.
    ///
    /// # Panics
    /// Panics if the text is not a table of weights.
    pub(super) fn read(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|e| panic!("the shipped weights: {e}"))
    }

    /// Returns the weights by feature.
    pub fn weights(&self) -> impl Iterator<Item = f32> {
        self.weights.iter().copied().take(Self::FEATURES)
    }

    /// Converts the feature numbers, which count from 0 in each group, to rows of the whole table.
    #[inline]
    #[must_use]
    pub fn rows(mut numbers: [u16; GROUPS]) -> [u16; GROUPS] {
        for (number, start) in numbers.iter_mut().zip(Self::STARTS) {
            *number += start;
        }
        numbers
    }

    /// Parses weights. Each line is `group number weight`, for a feature whose weight is not 1. The
    /// numbers of all hidden units in hundredths follow, unless all are 0. `#` starts a comment.
    ///
    /// # Errors
    /// Returns an error for the first invalid line.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut policy = Self::uniform();
        for (line, text) in (1..).zip(text.lines()) {
            let words: Vec<&str> = text
                .split('#')
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .collect();
            if words.is_empty() {
                continue;
            }
            let feature = || {
                let [group, number, weight, units @ ..] = &words[..] else {
                    return None;
                };
                let group = L::NAMES.iter().position(|name| name == group)?;
                let number: u16 = number
                    .parse()
                    .ok()
                    .filter(|&number| number < L::SIZES[group])?;
                let weight: f32 = weight
                    .parse()
                    .ok()
                    .filter(|weight: &f32| weight.is_finite() && *weight > 0.0)?;
                let units = if units.is_empty() {
                    None
                } else {
                    Some(Self::units(units)?)
                };
                Some((usize::from(Self::STARTS[group] + number), weight, units))
            };
            let wrong = || WeightsError {
                line,
                text: text.trim().to_owned(),
                hidden: L::HIDDEN,
            };
            let (feature, weight, units) = feature().ok_or_else(wrong)?;
            policy.weights[feature] = weight;
            if let Some(units) = units {
                policy
                    .hidden
                    .get_or_insert_with(|| Hidden::new(Self::FEATURES))
                    .rows[feature] = units;
            }
        }
        Ok(policy.with_logs())
    }

    fn with_logs(mut self) -> Self {
        for (log, weight) in self.logs.iter_mut().zip(self.weights.iter()) {
            *log = to_f32(libm::log(f64::from(*weight)));
        }
        self
    }

    fn units(words: &[&str]) -> Option<[i16; UNITS]> {
        let mut units = [0; UNITS];
        for (unit, word) in units.iter_mut().zip(words) {
            *unit = word
                .parse::<i16>()
                .ok()
                .filter(|number| number.unsigned_abs() <= STEPS_MAX.unsigned_abs())?;
        }
        (L::HIDDEN && words.len() == UNITS).then_some(units)
    }

    /// Returns the strength of an action with these features.
    #[inline]
    #[must_use]
    pub fn product(&self, features: &[u16; GROUPS]) -> f32 {
        match &self.hidden {
            None => {
                // Two independent products, because each multiplication waits for the one before.
                let mut strength = [1.0, 1.0];
                for (group, &feature) in features.iter().enumerate() {
                    strength[group & 1] *= self.weights[usize::from(feature) % TABLE_SIZE];
                }
                strength[0] * strength[1]
            }
            // `libm` gives the same result on every machine, unlike the platform's own function.
            Some(_) => libm::expf(self.exponent(features)),
        }
    }

    /// Returns the natural logarithm of [`Policy::product`], limited to ±`EXPONENT_MAX`.
    #[inline]
    #[must_use]
    pub fn exponent(&self, features: &[u16; GROUPS]) -> f32 {
        let logs = features.iter().fold(0.0, |sum, &feature| {
            sum + self.logs[usize::from(feature) % TABLE_SIZE]
        });
        let units = self
            .hidden
            .as_ref()
            .map_or(0.0, |hidden| hidden.exponent(features));
        (logs + units).clamp(-EXPONENT_MAX, EXPONENT_MAX)
    }
}

impl<L: PolicyInput<GROUPS>, const GROUPS: usize> Policy<L, GROUPS> {
    /// Returns the features of an action as rows of the table, one of each group.
    #[inline]
    #[must_use]
    pub fn features(context: &L::Judge<'_>, action: &Action) -> [u16; GROUPS] {
        Self::rows(L::feature_indices(context, action))
    }

    /// Returns the strength of an action.
    #[inline]
    #[must_use]
    pub fn strength(&self, context: &L::Judge<'_>, action: &Action) -> f32 {
        self.product(&Self::features(context, action))
    }

    /// Returns the natural logarithm of the strength, at least that of the smallest normal `f32`.
    #[must_use]
    pub fn log_strength(&self, context: &L::Judge<'_>, action: &Action) -> f64 {
        libm::log(f64::from(
            self.strength(context, action).max(f32::MIN_POSITIVE),
        ))
    }

    /// Returns a random index into `actions`, with probabilities proportional to strength, or 0 if
    /// there are none. Overwrites `scratch`.
    #[inline]
    pub fn choose(
        &self,
        sight: &PolicyView,
        actions: &[Action],
        scratch: &mut Vec<f32>,
        chance: &mut impl Rng,
    ) -> usize {
        if actions.len() < 2 {
            return 0;
        }
        // Cumulative strengths.
        scratch.clear();
        let context = L::judge(sight);
        let mut total = 0.0;
        for action in actions {
            total += self.strength(&context, action);
            scratch.push(total);
        }
        // 24 bits fill the significand of an `f32`.
        let point = (chance.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0) * total;
        scratch
            .iter()
            .position(|&total| point < total)
            .unwrap_or(actions.len() - 1)
    }

    /// Returns the index of the strongest action (of equals, the first), or 0 if there are none.
    #[must_use]
    pub fn best(&self, sight: &PolicyView, actions: &[Action]) -> usize {
        let context = L::judge(sight);
        let mut best = (0, f32::NEG_INFINITY);
        for (index, action) in actions.iter().enumerate() {
            let strength = self.strength(&context, action);
            if strength > best.1 {
                best = (index, strength);
            }
        }
        best.0
    }

    /// Returns the probability that the policy chooses `actions[index]`.
    ///
    /// # Panics
    /// Panics if there is no such action.
    #[must_use]
    pub fn probability(&self, sight: &PolicyView, actions: &[Action], index: usize) -> f32 {
        let context = L::judge(sight);
        let total: f32 = actions
            .iter()
            .map(|action| self.strength(&context, action))
            .sum();
        self.strength(&context, &actions[index]) / total
    }
}

#[expect(clippy::cast_possible_truncation, reason = "weights need few digits")]
fn to_f32(strength: f64) -> f32 {
    strength as f32
}

#[cfg(test)]
mod tests {
    use super::super::{DeepPolicy, LightPolicy};
    use super::*;

    #[test]
    fn hidden_units_scale_strengths() {
        // The first half of the units counts for the action, the second half against it.
        let halves = |first: &str, second: &str| {
            let rest = " 0".repeat(UNITS / 2 - 2);
            let [(a, b), (c, d)] =
                [first, second].map(|half| half.split_once(' ').expect("two numbers"));
            format!("{a}{rest} {b} {c}{rest} {d}")
        };
        let units = halves("50 -0", "-20 25");
        let text = format!("shape 3 2.5 {units}\nafter 7 0.125\n");
        let policy = DeepPolicy::parse(&text).unwrap();
        let mut features = DeepPolicy::STARTS;
        assert_eq!(policy.product(&features).to_bits(), 1.0_f32.to_bits());
        features[0] += 3;
        // 0.5 for the action, 0.25 against it. Negative sums do not count.
        let expected = 2.5 * libm::expf(0.5 - 0.25);
        assert!(
            (policy.product(&features) - expected).abs() < 1e-6,
            "{}",
            policy.product(&features)
        );
        assert!(
            LightPolicy::parse(&format!("shape 3 2.5 {units}")).is_err(),
            "the light policy has none"
        );
        assert!(
            DeepPolicy::parse("shape 3 2.5 50").is_err(),
            "all of them or none"
        );
        let far = |number: &str| {
            DeepPolicy::parse(&format!(
                "shape 3 2.5 {}",
                halves(&format!("{number} 0"), "0 0")
            ))
        };
        assert!(far("-780").is_ok() && far("781").is_err() && far("-32768").is_err());
    }

    #[test]
    fn invalid_lines_are_reported_with_their_number() {
        for wrong in [
            "shape 256 1",
            "form 1 1",
            "shape 1",
            "shape 1 0",
            "shape 1 -2",
            "shape 1 NaN",
            "shape 1 1 1",
        ] {
            let error = LightPolicy::parse(&format!("# a comment\n\nshape 1 2 # fine\n{wrong}\n"))
                .err()
                .unwrap();
            assert_eq!((error.line, error.text.as_str()), (4, wrong));
        }
    }
}
