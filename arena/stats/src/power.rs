//! Power of the paired or one-sample t-test and required number of blocks, from the noncentral t
//! distribution.

use crate::dist::{noncentral, normal, student};
use crate::summary::{BLOCKS_MIN, ceil_to_u64, check_confidence, check_power, check_share};
use crate::{TTest, Untestable};

/// Maximum number of blocks for which the power is computed.
const BLOCKS_MAX: f64 = 1e12;

/// Number of blocks from which on the normal distribution is used to compute the required number.
/// Its error is then about two blocks.
const NORMAL_FROM: f64 = 1e10;

/// Returns the power of a two-sided paired t-test at level `alpha` with `n` blocks. `effect_size`
/// is the true d_z: the mean difference divided by the standard deviation of the differences. `n`
/// can be fractional.
///
/// # Errors
/// Returns an error if `n` is not in `[2, 1e12]`, if `alpha` is not strictly between 0 and 1, or if
/// `effect_size` is not finite.
pub fn power(n: f64, effect_size: f64, alpha: f64) -> Result<f64, Untestable> {
    if !(2.0..=BLOCKS_MAX).contains(&n) {
        return Err(Untestable::bad(format!(
            "the number of blocks must be between 2 and 1e12 (got {n})"
        )));
    }
    check_share("the significance level", alpha)?;
    if !effect_size.is_finite() {
        return Err(Untestable::NotFinite);
    }
    let df = n - 1.0;
    let critical = student::isf(0.5 * alpha, df)?;
    let shift = effect_size * n.sqrt();
    noncentral::two_sided_sf(critical, df, shift)
}

/// Returns the number of blocks (fractional, at least 2) with which a two-sided paired t-test at
/// level `alpha` detects an effect of size d_z with power `target`.
///
/// # Errors
/// Returns [`Untestable::ZeroVariance`] if the effect size is zero, because no number of blocks is
/// enough. Returns an error if the level or the power is out of range, or if the effect size is not
/// finite.
pub fn required_blocks(effect_size: f64, alpha: f64, target: f64) -> Result<f64, Untestable> {
    check_share("the significance level", alpha)?;
    check_power(alpha, target)?;
    if !effect_size.is_finite() {
        return Err(Untestable::NotFinite);
    }
    if effect_size == 0.0 {
        return Err(Untestable::ZeroVariance);
    }
    // A smaller effect would need more blocks than a double can represent.
    let effect = effect_size.abs().max(1e-150);
    // With known variance, √n = (z_{α/2} + z_power) / d. Estimating the variance costs about z²/2
    // additional blocks.
    let z_level = normal::isf(0.5 * alpha)?;
    let z_target = -normal::isf(target)?;
    let known = (z_level + z_target).max(0.0) / effect;
    // The number for known variance is a lower limit, so only small numbers can give the minimum of
    // 2.
    if known < 2.0 && target <= power(2.0, effect, alpha)? {
        return Ok(2.0);
    }
    // Rejections in the wrong direction are included, as in `power`.
    let power_at = |x: f64| {
        if x * x < NORMAL_FROM {
            power((x * x).max(2.0), effect, alpha)
        } else {
            Ok(normal::sf(z_level - effect * x) + normal::sf(z_level + effect * x))
        }
    };
    // As a function of x = √n, the probit of the power is almost a straight line with slope d, so a
    // secant method needs few steps.
    let mut x =
        libm::hypot(known, z_level * std::f64::consts::FRAC_1_SQRT_2).max(std::f64::consts::SQRT_2);
    let (mut low, mut high) = (std::f64::consts::SQRT_2, 4.0 * x + 10.0 / effect + 10.0);
    let mut slope = effect;
    let mut previous: Option<(f64, f64)> = None;
    for _ in 0..100 {
        // If the power rounds to 1, at least the direction of the step is correct.
        let reached = power_at(x)?.clamp(1e-300, 1.0 - f64::EPSILON);
        let miss = -normal::isf(reached)? - z_target;
        if miss < 0.0 {
            low = x;
        } else {
            high = x;
        }
        if let Some((x_before, miss_before)) = previous
            && x != x_before
        {
            let secant = (miss - miss_before) / (x - x_before);
            slope = if secant.is_finite() && 0.0 < secant {
                secant
            } else {
                effect
            };
        }
        previous = Some((x, miss));
        let step = x - miss / slope;
        let next = if low < step && step < high {
            step
        } else {
            0.5 * (low + high)
        };
        // The secant method roughly squares the error, so a further step would only change rounding
        // errors.
        if (next - x).abs() <= 1e-8 * x {
            return Ok(next * next);
        }
        x = next;
    }
    Ok(x * x)
}

/// Returns [`required_blocks`], rounded up to whole blocks.
///
/// # Errors
/// Returns the same errors as [`required_blocks`].
pub fn required_whole_blocks(effect_size: f64, alpha: f64, target: f64) -> Result<u64, Untestable> {
    required_blocks(effect_size, alpha, target).map(ceil_to_u64)
}

/// A required number of blocks with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Required {
    /// Number of blocks if the effect is [`TTest::unbiased_effect`].
    pub blocks: u64,
    /// Number of blocks for the largest effect in the confidence interval.
    pub low: u64,
    /// Number of blocks for the smallest effect in the confidence interval. `None` if the interval
    /// contains zero.
    pub high: Option<u64>,
}

impl TTest {
    /// Returns the effect size without the bias of small samples (Hedges, "Distribution theory for
    /// Glass's estimator of effect size").
    ///
    /// Cohen's d_z is too large on average, by 4 % with 20 blocks, because the standard deviation
    /// is estimated. Returns 0 with one degree of freedom, where d_z has no mean.
    pub fn unbiased_effect(&self) -> f64 {
        self.effect_size * (1.0 - 3.0 / (4.0 * self.df - 1.0)).max(0.0)
    }
}

/// Returns the number of blocks with which a test like `test` at `level` detects its effect with
/// power `target`, and a confidence interval of this number.
///
/// The ends of the interval are the required blocks at the ends of the confidence interval of the
/// effect. The latter comes from the normal approximation to the noncentral t distribution (Johnson
/// and Welch, "Applications of the non-central t-distribution").
///
/// # Errors
/// Returns the errors of [`required_blocks`], and an error if `confidence` is out of range.
pub fn required(
    test: &TTest,
    level: f64,
    target: f64,
    confidence: f64,
) -> Result<Required, Untestable> {
    check_confidence(confidence)?;
    // No test has a verdict with fewer blocks.
    let whole = |effect: f64| {
        required_whole_blocks(effect, level, target).map(|blocks| blocks.max(BLOCKS_MIN as u64))
    };
    let blocks = whole(test.unbiased_effect())?;
    let z = normal::isf(0.5 * (1.0 - confidence))?;
    let (t, root_n) = (test.t.abs(), (test.effect_size / test.t).abs().recip());
    let centre = t * (1.0 - 0.25 / test.df);
    let half = z * (1.0 + t * t / (2.0 * test.df)).sqrt();
    let needed = |noncentrality: f64| whole(noncentrality / root_n);
    let high = if half < centre {
        Some(needed(centre - half)?)
    } else {
        None
    };
    Ok(Required {
        blocks,
        low: needed(centre + half)?,
        high,
    })
}
