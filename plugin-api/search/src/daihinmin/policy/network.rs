//! The hidden units of a policy, which weigh combinations of features.

/// Number of hidden units. Each unit sums one number per feature of an action. Positive sums
/// increase the strength of the action for the first half of the units, and decrease it for the
/// second half.
pub(super) const UNITS: usize = 32;

/// Number of steps in 1.0. Numbers in files and in play are whole numbers of steps.
const STEPS: f32 = 100.0;
/// Maximum absolute value of a number, in steps. Sums of [`FEATURES_MAX`] numbers then fit in 16
/// bits.
pub(super) const STEPS_MAX: i16 = 780;
/// Maximum number of features of an action.
const FEATURES_MAX: usize = 42;
const _: () = assert!(FEATURES_MAX * STEPS_MAX as usize <= i16::MAX as usize);

/// The numbers of all units for every feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hidden {
    rows: Vec<[i16; UNITS]>,
}

impl Hidden {
    /// Creates units with all numbers 0.
    pub(super) fn new(features: usize) -> Hidden {
        Hidden {
            rows: vec![[0; UNITS]; features],
        }
    }

    /// Sets the numbers of a feature in steps, at most [`STEPS_MAX`].
    pub(super) fn set(&mut self, feature: usize, numbers: [i16; UNITS]) {
        self.rows[feature] = numbers;
    }

    /// Returns the numbers of a feature in steps.
    pub(super) fn steps(&self, feature: usize) -> &[i16; UNITS] {
        &self.rows[feature]
    }

    /// Returns the sum of each unit, in steps, for an action with these features.
    #[inline]
    fn sums<const GROUPS: usize>(&self, features: &[u16; GROUPS]) -> [i16; UNITS] {
        const { assert!(GROUPS <= FEATURES_MAX) }
        let mut sums = [0_i16; UNITS];
        for &feature in features {
            let row = &self.rows[usize::from(feature)];
            for unit in 0..UNITS {
                sums[unit] = sums[unit].wrapping_add(row[unit]);
            }
        }
        sums
    }

    /// Returns the contribution of all units to the logarithm of an action's strength.
    #[inline]
    pub(super) fn exponent<const GROUPS: usize>(&self, features: &[u16; GROUPS]) -> f32 {
        let sums = self.sums(features);
        let (counting_for, against) = sums.split_at(UNITS / 2);
        let above = |sums: &[i16]| sums.iter().map(|&sum| i32::from(sum.max(0))).sum::<i32>();
        (above(counting_for) - above(against)) as f32 / STEPS
    }

    /// Adds `share` times the derivatives of the exponent to `slopes`. The units of a feature are
    /// adjacent.
    pub(super) fn add_slope<const GROUPS: usize>(
        &self,
        features: &[u16; GROUPS],
        share: f64,
        slopes: &mut [f64],
    ) {
        let sums = self.sums(features);
        let mut step = [0.0; UNITS];
        for (unit, step) in step.iter_mut().enumerate() {
            let sign = if unit < UNITS / 2 { 1.0 } else { -1.0 };
            *step = if sums[unit] > 0 { sign * share } else { 0.0 };
        }
        for &feature in features {
            let slopes = &mut slopes[usize::from(feature) * UNITS..][..UNITS];
            slopes
                .iter_mut()
                .zip(step)
                .for_each(|(slope, step)| *slope += step);
        }
    }

    /// Returns the numbers of all features as parameters for learning.
    pub(super) fn parameters(&self) -> impl Iterator<Item = f64> {
        self.rows
            .iter()
            .flatten()
            .map(|&number| f64::from(number) / f64::from(STEPS))
    }

    /// Creates units from parameters, rounded to steps.
    pub(super) fn of(point: &[f64]) -> Hidden {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole numbers below a thousand"
        )]
        let kept = |number: f64| {
            (number * f64::from(STEPS))
                .round()
                .clamp(f64::from(-STEPS_MAX), f64::from(STEPS_MAX)) as i16
        };
        let row = |numbers: &[f64]| std::array::from_fn(|unit| kept(numbers[unit]));
        Hidden {
            rows: point.chunks_exact(UNITS).map(row).collect(),
        }
    }

    /// Returns the initial numbers for learning: small random numbers. With equal numbers, all
    /// units would learn the same.
    pub(super) fn initial_parameters(features: usize) -> Vec<f64> {
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
