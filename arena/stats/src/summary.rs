//! Mean, spread and interval of one list of numbers.

use crate::Untestable;
use crate::dist::student;
use serde::{Deserialize, Serialize};

/// Numbers whose spread is below this part of their size differ by rounding alone and count as
/// equal.
pub(crate) const ROUNDING_NOISE: f64 = 1e-12;

/// A confidence interval, in the unit of what it estimates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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

/// What describes a list of at least two numbers that are not all equal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many numbers.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Standard deviation (divisor n − 1).
    pub sd: f64,
    /// Standard error of the mean, from the variance and n alone: right when the numbers are
    /// independent.
    pub se: f64,
}

impl Summary {
    /// Confidence interval of the mean by Student's t with n − 1 degrees of freedom.
    ///
    /// # Errors
    /// When the confidence is not strictly between 0 and 1.
    pub fn interval(&self, confidence: f64) -> Result<Interval, Untestable> {
        check_confidence(confidence)?;
        let t = student::isf(0.5 * (1.0 - confidence), (self.n - 1) as f64)?;
        Ok(Interval::around(self.mean, t * self.se))
    }
}

/// Describes a list of numbers.
///
/// # Errors
/// Fewer than two numbers, a number that is not finite, or numbers that are all equal:
/// [`Untestable::ZeroVariance`] when they are all zero, [`Untestable::ConstantDifference`]
/// otherwise.
pub fn summarise(xs: &[f64]) -> Result<Summary, Untestable> {
    let scale = xs.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    summarise_scaled(xs, scale)
}

/// [`summarise`] for numbers that were computed from others as large as `scale`, whose rounding
/// they carry.
pub(crate) fn summarise_scaled(xs: &[f64], scale: f64) -> Result<Summary, Untestable> {
    if xs.iter().any(|x| !x.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    let n = xs.len();
    if n < 2 {
        return Err(Untestable::TooFewBlocks {
            blocks: n,
            needed: 2,
        });
    }
    let mean = mean(xs);
    let unit = scaled_unit(scale);
    let squares = xs
        .iter()
        .map(|x| ((x - mean) / unit) * ((x - mean) / unit))
        .sum::<f64>();
    from_sd(n, mean, unit * (squares / (n - 1) as f64).sqrt(), scale)
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

/// A summary from its parts, unless there is no spread beyond rounding of numbers as large as
/// `scale`.
pub(crate) fn from_sd(n: usize, mean: f64, sd: f64, scale: f64) -> Result<Summary, Untestable> {
    if !(mean.is_finite() && sd.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    let noise = ROUNDING_NOISE * scale;
    if sd <= noise {
        return Err(if mean.abs() <= noise {
            Untestable::ZeroVariance
        } else {
            Untestable::ConstantDifference {
                difference: mean,
                permutation_p: sign_flip_floor(n),
            }
        });
    }
    Ok(Summary {
        n,
        mean,
        sd,
        se: sd / (n as f64).sqrt(),
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_noise_counts_as_no_spread() {
        let xs: Vec<f64> = (0..50)
            .map(|k| 0.1 * f64::from(k) - (f64::from(k) - 1.0) * 0.1)
            .collect();
        assert!(
            xs.windows(2).any(|w| w[0] != w[1]),
            "the numbers do carry rounding"
        );
        assert!(
            matches!(summarise_scaled(&xs, 5.0), Err(Untestable::ConstantDifference { difference, .. })
            if (difference - 0.1).abs() < 1e-12)
        );
    }

    #[test]
    fn equal_numbers_have_stated_answers() {
        assert_eq!(summarise(&[0.0; 4]), Err(Untestable::ZeroVariance));
        let constant = Untestable::ConstantDifference {
            difference: 2.5,
            permutation_p: 0.125,
        };
        assert_eq!(summarise(&[2.5; 4]), Err(constant));
        assert_eq!(
            summarise(&[1.0]),
            Err(Untestable::TooFewBlocks {
                blocks: 1,
                needed: 2
            })
        );
        assert_eq!(summarise(&[1.0, f64::NAN]), Err(Untestable::NotFinite));
        // Squares of these would vanish, or be too large.
        for size in [1e-200, 1e200, f64::MAX, 1e-300] {
            let spread = summarise(&[size, -size, 0.0]).expect("they differ");
            assert!(
                (spread.sd / size - 1.0).abs() < 1e-15 && spread.mean == 0.0,
                "{spread:?}"
            );
        }
    }
}
