//! The hidden units of a policy, which weigh combinations of features.

/// Number of hidden units. Each unit sums one number per feature of an action. Positive sums
/// increase the strength of the action for the first half of the units, and decrease it for the
/// second half.
pub const UNITS: usize = 32;

/// Scale of the fixed-point numbers: 1.0 is this number of steps. Files and play use whole steps.
pub const STEPS: f32 = 100.0;
/// Maximum absolute value of a number, in steps. The sum of one number per feature of an action then
/// fits in 16 bits.
pub const STEPS_MAX: i16 = 780;
/// Maximum number of features of an action.
const FEATURES_MAX: usize = 42;
const _: () = assert!(FEATURES_MAX * STEPS_MAX as usize <= i16::MAX as usize);

/// The hidden units of a policy: for every feature, one number per unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    /// The numbers of each feature in steps, at most [`STEPS_MAX`].
    pub rows: Vec<[i16; UNITS]>,
}

impl Hidden {
    /// Creates units with all numbers 0.
    pub(super) fn new(features: usize) -> Hidden {
        Hidden {
            rows: vec![[0; UNITS]; features],
        }
    }

    /// Returns the sum of each unit, in steps, for an action with these features.
    #[inline]
    #[must_use]
    pub fn sums<const GROUPS: usize>(&self, features: &[u16; GROUPS]) -> [i16; UNITS] {
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
}
