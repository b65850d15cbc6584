//! Intervals, means, and the tolerance for equal numbers.

use crate::Untestable;

/// Minimum number of blocks for a verdict. With fewer blocks, t intervals depend too much on the
/// distribution of the scores, so only numbers are given.
pub const BLOCKS_MIN: usize = 10;

/// Largest ratio of the standard deviation of numbers to their absolute size that rounding errors
/// can cause. Numbers with a smaller ratio count as equal.
pub(crate) const ROUNDING_NOISE: f64 = 1e-12;

/// A confidence interval, in the unit of the estimated quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower limit.
    pub low: f64,
    /// Upper limit.
    pub high: f64,
}

impl Interval {
    /// Returns the interval `centre ± half_width`.
    pub fn around(centre: f64, half_width: f64) -> Self {
        Self {
            low: centre - half_width,
            high: centre + half_width,
        }
    }

    /// Returns `true` if `value` is within the interval, limits included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Returns the interval of the negated quantity.
    pub(crate) fn negated(&self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }
}

/// Returns a power of two near `scale`. Division by it is exact, and squares of the results neither
/// overflow nor underflow.
pub(crate) fn scaled_unit(scale: f64) -> f64 {
    // The largest and smallest exponents whose inverses are normal numbers.
    let exponent = if scale.is_normal() {
        libm::ilogb(scale).clamp(-1021, 1021)
    } else {
        0
    };
    libm::scalbn(1.0, exponent)
}

/// Returns the error for numbers with this mean that differ by at most `noise`.
pub(crate) fn no_variance(mean: f64, noise: f64, permutation_p: f64) -> Untestable {
    if mean.abs() <= noise {
        Untestable::ZeroVariance
    } else {
        Untestable::ConstantDifference {
            difference: mean,
            permutation_p,
        }
    }
}

/// Returns the largest absolute value; 0 for an empty list.
pub(crate) fn largest<'a>(xs: impl IntoIterator<Item = &'a f64>) -> f64 {
    xs.into_iter().fold(0.0, |largest, x| x.abs().max(largest))
}

/// Returns the mean of a list; zero for an empty list, which callers exclude. Numbers are divided
/// before they are added, so that the sum does not overflow.
pub(crate) fn mean(xs: &[f64]) -> f64 {
    let n = xs.len().max(1) as f64;
    let rough = xs.iter().map(|x| x / n).sum::<f64>();
    // The second pass corrects the rounding error of the first.
    rough + xs.iter().map(|x| (x - rough) / n).sum::<f64>()
}

/// Returns the smallest possible two-sided p value of a sign-flip test of n differences, 2 · 2⁻ⁿ
/// (all signs equal). Never 0: at least the smallest normal number.
pub(crate) fn sign_flip_floor(n: usize) -> f64 {
    let exponent = i32::try_from(n).unwrap_or(i32::MAX);
    libm::ldexp(1.0, 1i32.saturating_sub(exponent)).max(f64::MIN_POSITIVE)
}

/// Returns the smallest number in the set that contains `at` (union-find). `parents[i]` is a number
/// in the set of i that is not larger than i.
pub(crate) fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

/// Merges the sets that contain `a` and `b`. At first every number is its own parent.
pub(crate) fn join(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a.max(b)] = a.min(b);
}

/// Returns all pairs of numbers below `n`, the smaller first.
pub(crate) fn pairs_below(n: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

pub(crate) fn square(x: f64) -> f64 {
    x * x
}

/// Returns the smallest whole number that is not below `x`, from 0 to 9e15.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to what a u64 holds exactly"
)]
pub(crate) fn ceil_to_u64(x: f64) -> u64 {
    x.ceil().clamp(0.0, 9e15) as u64
}

/// Checks that a confidence level is strictly between 0 and 1.
pub(crate) fn check_confidence(confidence: f64) -> Result<(), Untestable> {
    check_share("a confidence level", confidence)
}

/// Checks that a number is strictly between 0 and 1. `what` names the number in the error.
pub(crate) fn check_share(what: &str, share: f64) -> Result<(), Untestable> {
    if 0.0 < share && share < 1.0 {
        return Ok(());
    }
    Err(Untestable::bad(format!(
        "{what} must be strictly between 0 and 1 (got {share})"
    )))
}

/// Checks that a power is strictly between the significance level `alpha` and 1.
pub(crate) fn check_power(alpha: f64, power: f64) -> Result<(), Untestable> {
    if alpha < power && power < 1.0 {
        return Ok(());
    }
    Err(Untestable::bad(format!(
        "the power must be between the significance level {alpha} and 1 (got {power})"
    )))
}
