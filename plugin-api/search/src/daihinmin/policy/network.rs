//! The hidden units of a policy: what its features mean together, beyond what each is worth alone.

/// Hidden units. Each adds up a number of every feature that an action has; where the sum is above
/// 0, it counts for the action, the first half of the units, or against it, the second half.
pub(super) const UNITS: usize = 32;

/// Steps of a number between 0 and 1: so many digits are kept of it, in files and in play.
const STEPS: f32 = 100.0;
/// The largest number, in steps: sums of [`FEATURES_MAX`] of them are whole numbers of 16 bits.
pub(super) const STEPS_MAX: i16 = 780;
/// Features that an action may have.
const FEATURES_MAX: usize = 42;
const _: () = assert!(FEATURES_MAX * STEPS_MAX as usize <= i16::MAX as usize);

/// A number of each unit for every feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hidden {
    rows: Vec<[i16; UNITS]>,
}

impl Hidden {
    /// Units that see nothing in so many features.
    pub(super) fn new(features: usize) -> Hidden {
        Hidden {
            rows: vec![[0; UNITS]; features],
        }
    }

    /// The numbers of a feature, in [`STEPS`], up to [`STEPS_MAX`].
    pub(super) fn set(&mut self, feature: usize, numbers: [i16; UNITS]) {
        self.rows[feature] = numbers;
    }

    /// The numbers of a feature in [`STEPS`].
    pub(super) fn steps(&self, feature: usize) -> &[i16; UNITS] {
        &self.rows[feature]
    }

    /// What each unit adds up to, in [`STEPS`].
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

    /// What the units together add to the logarithm of an action's strength.
    #[inline]
    pub(super) fn exponent<const GROUPS: usize>(&self, features: &[u16; GROUPS]) -> f32 {
        let sums = self.sums(features);
        let (counting_for, against) = sums.split_at(UNITS / 2);
        let above = |sums: &[i16]| sums.iter().map(|&sum| i32::from(sum.max(0))).sum::<i32>();
        (above(counting_for) - above(against)) as f32 / STEPS
    }

    /// Adds `share` of the exponent's slope by every number to `slopes`, the units of a feature
    /// side by side.
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

    /// The numbers side by side, to be learned from.
    pub(super) fn point(&self) -> impl Iterator<Item = f64> {
        self.rows
            .iter()
            .flatten()
            .map(|&number| f64::from(number) / f64::from(STEPS))
    }

    /// The units with these numbers, cut to what is kept of them.
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

    /// Where learning begins: small numbers of either sign, or all units would always learn the
    /// same.
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
