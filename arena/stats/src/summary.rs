//! Intervals, means, and when numbers count as equal.

use crate::Untestable;

/// Numbers whose spread is below this part of their size differ by rounding alone and count as
/// equal.
pub(crate) const ROUNDING_NOISE: f64 = 1e-12;

/// A confidence interval, in the unit of what it estimates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower limit.
    pub low: f64,
    /// Upper limit.
    pub high: f64,
}

impl Interval {
    /// The interval `centre ± half_width`.
    pub fn around(centre: f64, half_width: f64) -> Self {
        Self {
            low: centre - half_width,
            high: centre + half_width,
        }
    }

    /// Whether `value` lies within, the limits included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The interval of the negated quantity.
    pub fn negated(&self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }

    /// Distance between the limits.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// A power of two about as large as `scale`: squares of numbers divided by it neither overflow nor
/// vanish, and dividing by it rounds nothing.
pub(crate) fn scaled_unit(scale: f64) -> f64 {
    // The largest and smallest powers whose inverses are normal numbers, too.
    let exponent = if scale.is_normal() {
        libm::ilogb(scale).clamp(-1021, 1021)
    } else {
        0
    };
    libm::scalbn(1.0, exponent)
}

/// Why numbers of this mean that differ by no more than `noise` cannot be tested.
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

/// The size of the largest number; 0 of none.
pub(crate) fn largest<'a>(xs: impl IntoIterator<Item = &'a f64>) -> f64 {
    xs.into_iter().fold(0.0, |largest, x| x.abs().max(largest))
}

/// The mean of a list; zero for an empty one, which callers have excluded. Halved sums keep huge
/// numbers finite.
pub(crate) fn mean(xs: &[f64]) -> f64 {
    let n = xs.len().max(1) as f64;
    let rough = xs.iter().map(|x| x / n).sum::<f64>();
    // A second pass takes back the rounding of the first.
    rough + xs.iter().map(|x| (x - rough) / n).sum::<f64>()
}

/// The smallest two-sided p of a sign-flip test of n differences: all alike, 2 · 2⁻ⁿ. At least the
/// smallest normal number, never 0.
pub(crate) fn sign_flip_floor(n: usize) -> f64 {
    let exponent = i32::try_from(n).unwrap_or(i32::MAX);
    libm::ldexp(1.0, 1i32.saturating_sub(exponent)).max(f64::MIN_POSITIVE)
}

pub(crate) fn square(x: f64) -> f64 {
    x * x
}

/// Refuses confidence levels outside (0, 1).
pub(crate) fn check_confidence(confidence: f64) -> Result<(), Untestable> {
    if 0.0 < confidence && confidence < 1.0 {
        Ok(())
    } else {
        Err(Untestable::bad(format!(
            "a confidence level lies strictly between 0 and 1, not at {confidence}"
        )))
    }
}
