//! The hidden units of a policy: what its features mean together, beyond what each is worth alone.

/// Hidden units. Each adds up a number of every feature that an action has; where the sum is above 0, it counts for the
/// action, the first half of the units, or against it, the second half.
pub(super) const UNITS: usize = 16;

/// Steps of a number between 0 and 1: so many digits are kept of it, in files and in play.
const STEPS: f64 = 100.0;
/// Numbers lie between this and its opposite.
const NUMBER_MAX: f64 = 9.99;
/// The exponent that units come to lies between this and its opposite: strengths stay far from the ends of their range.
const EXPONENT_MAX: f32 = 12.0;

/// A number of each unit for every feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hidden {
    rows: Vec<[f32; UNITS]>,
}

impl Hidden {
    /// Units that see nothing in so many features.
    pub(super) fn new(features: usize) -> Hidden {
        Hidden { rows: vec![[0.0; UNITS]; features] }
    }

    /// The numbers of a feature, which may be as a file has them: whole, in [`STEPS`].
    pub(super) fn set(&mut self, feature: usize, numbers: [f32; UNITS]) {
        self.rows[feature] = numbers.map(|number| number / 100.0);
    }

    /// The numbers of a feature in [`STEPS`].
    pub(super) fn steps(&self, feature: usize) -> [f32; UNITS] {
        self.rows[feature].map(|number| (number * 100.0).round() + 0.0)
    }

    /// What each unit adds up to. The order of the sums is that of the features, whatever the machine.
    #[inline]
    fn sums<const GROUPS: usize>(&self, features: &[u16; GROUPS]) -> [f32; UNITS] {
        let mut sums = [0.0; UNITS];
        for &feature in features {
            let row = &self.rows[usize::from(feature)];
            for unit in 0..UNITS {
                sums[unit] += row[unit];
            }
        }
        sums
    }

    /// The logarithm of what an action's strength is multiplied by.
    #[inline]
    pub(super) fn exponent<const GROUPS: usize>(&self, features: &[u16; GROUPS]) -> f32 {
        let sums = self.sums(features);
        let mut halves = [0.0; UNITS / 2];
        for unit in 0..UNITS / 2 {
            halves[unit] = sums[unit].max(0.0) - sums[unit + UNITS / 2].max(0.0);
        }
        halves.iter().fold(0.0_f32, |sum, half| sum + half).clamp(-EXPONENT_MAX, EXPONENT_MAX)
    }

    /// Adds `share` of the exponent's slope by every number to `slopes`, the units of a feature side by side.
    pub(super) fn add_slope<const GROUPS: usize>(&self, features: &[u16; GROUPS], share: f64, slopes: &mut [f64]) {
        let sums = self.sums(features);
        let mut step = [0.0; UNITS];
        for (unit, step) in step.iter_mut().enumerate() {
            let sign = if unit < UNITS / 2 { 1.0 } else { -1.0 };
            *step = if sums[unit] > 0.0 { sign * share } else { 0.0 };
        }
        for &feature in features {
            let slopes = &mut slopes[usize::from(feature) * UNITS..][..UNITS];
            slopes.iter_mut().zip(step).for_each(|(slope, step)| *slope += step);
        }
    }

    /// The numbers side by side, to be learned from.
    pub(super) fn point(&self) -> impl Iterator<Item = f64> {
        self.rows.iter().flatten().map(|&number| f64::from(number))
    }

    /// The units with these numbers, cut to what is kept of them.
    pub(super) fn of(point: &[f64]) -> Hidden {
        #[expect(clippy::cast_possible_truncation, reason = "whole numbers below a thousand")]
        let kept = |number: f64| (number.clamp(-NUMBER_MAX, NUMBER_MAX) * STEPS).round() as f32 / 100.0;
        let row = |numbers: &[f64]| std::array::from_fn(|unit| kept(numbers[unit]));
        Hidden { rows: point.chunks_exact(UNITS).map(row).collect() }
    }

    /// Where learning begins: small numbers of either sign, or all units would always learn the same.
    pub(super) fn first(features: usize) -> Vec<f64> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut number = || {
            // Marsaglia, "Xorshift RNGs".
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 0.2
        };
        (0..features * UNITS).map(|_| number()).collect()
    }
}
