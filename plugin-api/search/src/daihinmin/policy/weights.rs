//! A policy's weights, and choices by them.

use super::network::{Hidden, STEPS_MAX, UNITS};
use super::sight::Sight;
use hattari_games::daihinmin::{Action, phase};
use rand::Rng;
use std::fmt::{self, Write};
use std::marker::PhantomData;

/// What there is to look at: `GROUPS` numbers, each out of a small range.
///
/// Whatever is looked at has one feature of each group. A feature is a row of the weight table, and
/// what is looked at is as strong as its rows multiplied: so many table look-ups are what a choice
/// costs.
pub trait Groups<const GROUPS: usize>: Sized + 'static {
    /// Names of the groups, as they stand in files of weights.
    const NAMES: [&'static str; GROUPS];
    /// Features of each group.
    const SIZES: [u16; GROUPS];
    /// Whether there may be hidden units.
    const HIDDEN: bool = false;
}

/// What a policy looks at in an action.
pub trait Look<const GROUPS: usize>: Groups<GROUPS> {
    /// The weights that come with this package, as text: fitted to recorded choices.
    const SHIPPED: &'static str;
    /// Others that come with it: learned from what games brought.
    const LEARNED: &'static str;
    /// The [phase](hattari_games::daihinmin::phase) whose decisions are judged.
    const PHASE: u8 = phase::PLAY;
    /// What is the same for all actions of a sight.
    type Judge<'a>;

    /// Looks at what does not depend on the action.
    fn judge(sight: &Sight) -> Self::Judge<'_>;
    /// The features of an action, as numbers within their groups.
    fn numbers(judge: &Self::Judge<'_>, action: &Action) -> [u16; GROUPS];
    /// The policy of [`Look::SHIPPED`]; the file says how it was fitted.
    fn shipped() -> &'static Policy<Self, GROUPS>;
    /// The policy of [`Look::LEARNED`]; the file says how it was learned.
    fn learned() -> &'static Policy<Self, GROUPS>;
}

/// How players tend to choose: an action is chosen in proportion to the product of the weights of
/// its features, of all that are legal. Hidden units, where there are any, multiply it by what its
/// features mean together.
pub struct Policy<L: Groups<GROUPS>, const GROUPS: usize> {
    weights: Box<[f32; ROOM]>,
    /// Their logarithms: with hidden units there are too many weights to be multiplied.
    logs: Box<[f32; ROOM]>,
    hidden: Option<Hidden>,
    look: PhantomData<fn() -> L>,
}

/// Room for every index of twelve bits, which then needs no check.
const ROOM: usize = 4096;
/// Logarithms of strengths lie between this and its opposite where there are hidden units, so that
/// sums of strengths are finite.
const EXPONENT_MAX: f32 = 80.0;

/// Why a text is not a table of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError {
    /// Number of the line, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
    /// Whether numbers of hidden units may follow a weight.
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
    /// Where each group begins in the table.
    pub const STARTS: [u16; GROUPS] = {
        let mut starts = [0; GROUPS];
        let mut group = 1;
        while group < GROUPS {
            starts[group] = starts[group - 1] + L::SIZES[group - 1];
            group += 1;
        }
        starts
    };
    /// Rows of the table.
    pub const FEATURES: usize = {
        let features = (Self::STARTS[GROUPS - 1] + L::SIZES[GROUPS - 1]) as usize;
        assert!(features <= ROOM);
        features
    };

    /// The policy that takes all actions for equally likely.
    #[must_use]
    pub fn uniform() -> Self {
        Policy {
            weights: Box::new([1.0; ROOM]),
            logs: Box::new([0.0; ROOM]),
            hidden: None,
            look: PhantomData,
        }
    }

    /// A policy out of the strengths that a fit has found, by feature.
    ///
    /// # Panics
    /// If they are not as many as there are features.
    #[must_use]
    pub fn new(strengths: &[f64]) -> Self {
        assert_eq!(
            strengths.len(),
            Self::FEATURES,
            "a weight for every feature"
        );
        let mut policy = Self::uniform();
        for (weight, &strength) in policy.weights.iter_mut().zip(strengths) {
            // Far enough from the ends of the range for products of all groups.
            *weight = narrowed(strength.clamp(1e-3, 1e3));
        }
        policy.with_logs()
    }

    /// The policy at a point that learning has come to: logarithms of weights by feature, then
    /// those of hidden units.
    ///
    /// # Panics
    /// If the point has fewer coordinates than there are features.
    #[must_use]
    pub fn at(point: &[f64]) -> Self {
        let (weights, hidden) = point.split_at(Self::FEATURES);
        let strengths: Vec<f64> = weights.iter().map(|&weight| libm::exp(weight)).collect();
        let mut policy = Self::new(&strengths);
        policy.hidden = (!hidden.is_empty()).then(|| Hidden::of(hidden));
        policy
    }

    /// Where learning from this policy begins, for [`Policy::at`]. Hidden units that it may have
    /// and has not begin near 0.
    #[must_use]
    pub fn point(&self) -> Vec<f64> {
        let weights = self.weights().map(|weight| libm::log(f64::from(weight)));
        match &self.hidden {
            Some(hidden) => weights.chain(hidden.point()).collect(),
            None if L::HIDDEN => weights.chain(Hidden::first(Self::FEATURES)).collect(),
            None => weights.collect(),
        }
    }

    /// Adds `share` of the slope of an action's logarithmic strength by every coordinate of the
    /// point to `slopes`.
    #[inline]
    pub fn add_slope(&self, features: &[u16; GROUPS], share: f64, slopes: &mut [f64]) {
        features
            .iter()
            .for_each(|&feature| slopes[usize::from(feature)] += share);
        if let Some(hidden) = &self.hidden {
            hidden.add_slope(features, share, &mut slopes[Self::FEATURES..]);
        }
    }

    /// Reads weights that come with this package.
    ///
    /// # Panics
    /// If the text is no table of weights.
    pub(super) fn read(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|e| panic!("the shipped weights: {e}"))
    }

    /// The weights by feature.
    pub fn weights(&self) -> impl Iterator<Item = f32> {
        self.weights.iter().copied().take(Self::FEATURES)
    }

    /// Rows of the table: numbers within their groups as numbers of all.
    #[inline]
    #[must_use]
    pub fn rows(mut numbers: [u16; GROUPS]) -> [u16; GROUPS] {
        for (number, start) in numbers.iter_mut().zip(Self::STARTS) {
            *number += start;
        }
        numbers
    }

    /// Reads weights from text: a line `group number weight` for each feature whose weight is not
    /// 1, with a whole number of hundredths for each hidden unit after it where they are not
    /// all 0, a comment from `#` to the end of a line.
    ///
    /// # Errors
    /// The first line that is none of that.
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
                    .set(feature, units);
            }
        }
        Ok(policy.with_logs())
    }

    fn with_logs(mut self) -> Self {
        for (log, weight) in self.logs.iter_mut().zip(self.weights.iter()) {
            *log = narrowed(libm::log(f64::from(*weight)));
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

    /// The weights as text for [`Policy::parse`], without comments.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (group, name) in L::NAMES.iter().enumerate() {
            for number in 0..L::SIZES[group] {
                let feature = usize::from(Self::STARTS[group] + number);
                let weight = self.weights[feature];
                let units = self.hidden.as_ref().map(|hidden| hidden.steps(feature));
                let units = units.filter(|units| units.iter().any(|&steps| steps != 0));
                if weight.to_bits() != 1.0_f32.to_bits() || units.is_some() {
                    write!(text, "{name} {number} {weight}").expect("text grows");
                    units
                        .into_iter()
                        .flatten()
                        .for_each(|steps| write!(text, " {steps}").expect("text grows"));
                    text.push('\n');
                }
            }
        }
        text
    }

    /// The strength of what has these features.
    #[inline]
    #[must_use]
    pub fn product(&self, features: &[u16; GROUPS]) -> f32 {
        match &self.hidden {
            None => {
                // Two chains: multiplications wait for each other.
                let mut strength = [1.0, 1.0];
                for (group, &feature) in features.iter().enumerate() {
                    strength[group & 1] *= self.weights[usize::from(feature) % ROOM];
                }
                strength[0] * strength[1]
            }
            // Not the platform's own exponential: records are the same on every machine.
            Some(_) => libm::expf(self.exponent(features)),
        }
    }

    /// The natural logarithm of that strength, cut to what products of floats can be.
    #[inline]
    #[must_use]
    pub fn exponent(&self, features: &[u16; GROUPS]) -> f32 {
        let logs = features.iter().fold(0.0, |sum, &feature| {
            sum + self.logs[usize::from(feature) % ROOM]
        });
        let units = self
            .hidden
            .as_ref()
            .map_or(0.0, |hidden| hidden.exponent(features));
        (logs + units).clamp(-EXPONENT_MAX, EXPONENT_MAX)
    }
}

impl<L: Look<GROUPS>, const GROUPS: usize> Policy<L, GROUPS> {
    /// The features of an action: rows of the table, one of each group.
    #[inline]
    #[must_use]
    pub fn features(judge: &L::Judge<'_>, action: &Action) -> [u16; GROUPS] {
        Self::rows(L::numbers(judge, action))
    }

    /// The strength of an action.
    #[inline]
    #[must_use]
    pub fn strength(&self, judge: &L::Judge<'_>, action: &Action) -> f32 {
        self.product(&Self::features(judge, action))
    }

    /// The natural logarithm of the strength of an action, no less than that of the smallest float.
    #[must_use]
    pub fn log_strength(&self, judge: &L::Judge<'_>, action: &Action) -> f64 {
        libm::log(f64::from(
            self.strength(judge, action).max(f32::MIN_POSITIVE),
        ))
    }

    /// Clears `strengths` and fills it with those of `actions` up to and with each: running totals.
    /// Returns the last.
    #[inline]
    fn totals(&self, sight: &Sight, actions: &[Action], strengths: &mut Vec<f32>) -> f32 {
        strengths.clear();
        let judge = L::judge(sight);
        let mut total = 0.0;
        for action in actions {
            total += self.strength(&judge, action);
            strengths.push(total);
        }
        total
    }

    /// An index into `actions` by chance, in proportion to strength. 0 where there are none.
    /// `scratch` is overwritten.
    #[inline]
    pub fn choose<R: Rng>(
        &self,
        sight: &Sight,
        actions: &[Action],
        scratch: &mut Vec<f32>,
        chance: &mut R,
    ) -> usize {
        if actions.len() < 2 {
            return 0;
        }
        let total = self.totals(sight, actions, scratch);
        // 24 bits fill the significand of a float.
        let point = (chance.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0) * total;
        scratch
            .iter()
            .position(|&total| point < total)
            .unwrap_or(actions.len() - 1)
    }

    /// The index of the strongest of `actions`, the first of several; 0 where there are none.
    #[must_use]
    pub fn best(&self, sight: &Sight, actions: &[Action]) -> usize {
        let judge = L::judge(sight);
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
        let judge = L::judge(sight);
        let total: f32 = actions
            .iter()
            .map(|action| self.strength(&judge, action))
            .sum();
        self.strength(&judge, &actions[index]) / total
    }
}

#[expect(clippy::cast_possible_truncation, reason = "weights need few digits")]
fn narrowed(strength: f64) -> f32 {
    strength as f32
}

#[cfg(test)]
mod tests {
    use super::super::{DeepPolicy, LightPolicy};
    use super::*;

    #[test]
    fn weights_go_through_text() {
        let mut strengths = vec![1.0; LightPolicy::FEATURES];
        strengths[3] = 2.5;
        strengths[usize::from(LightPolicy::STARTS[2]) + 7] = 0.125;
        let policy = LightPolicy::new(&strengths);
        assert_eq!(policy.to_text(), "shape 3 2.5\nafter 7 0.125\n");
        assert_eq!(
            LightPolicy::parse(&policy.to_text()).unwrap().to_text(),
            policy.to_text()
        );
    }

    #[test]
    fn hidden_units_go_through_text_and_multiply_strengths() {
        // Half of the units are for an action, the others against it.
        let halves = |first: &str, second: &str| {
            let rest = " 0".repeat(UNITS / 2 - 2);
            let [(a, b), (c, d)] =
                [first, second].map(|half| half.split_once(' ').expect("two numbers"));
            format!("{a}{rest} {b} {c}{rest} {d}")
        };
        let units = halves("50 -0", "-20 25");
        let text = format!("shape 3 2.5 {units}\nafter 7 0.125\n");
        let policy = DeepPolicy::parse(&text).unwrap();
        assert_eq!(policy.to_text(), text.replace("-0", "0"));
        let mut features = DeepPolicy::STARTS;
        assert_eq!(policy.product(&features).to_bits(), 1.0_f32.to_bits());
        features[0] += 3;
        // 0.5 for it, 0.25 against it; what a unit adds up to below 0 counts nothing.
        let expected = 2.5 * libm::expf(0.5 - 0.25);
        assert!(
            (policy.product(&features) - expected).abs() < 1e-6,
            "{}",
            policy.product(&features)
        );
        let again = DeepPolicy::at(&policy.point());
        assert!((again.product(&features) - expected).abs() < 1e-5);
        // The slope by each of its numbers is 1 where the unit counts for it, -1 against it.
        let mut slopes = vec![0.0; policy.point().len()];
        policy.add_slope(&features, 2.0, &mut slopes);
        let row = &slopes[DeepPolicy::FEATURES + usize::from(features[0]) * UNITS..][..UNITS];
        assert_eq!(
            (row[0], row[1], row[UNITS / 2], row[UNITS - 1]),
            (2.0, 0.0, 0.0, -2.0)
        );
        assert_eq!(
            slopes[usize::from(features[0])].to_bits(),
            2.0_f64.to_bits()
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
    fn wrong_lines_are_named() {
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
