//! How many blocks a difference needs: power of the paired (or one-sample) t-test, from the
//! noncentral t.

use crate::dist::{noncentral, normal, student};
use crate::summary::check_confidence;
use crate::{TTest, Untestable};

/// The most blocks that the power is computed for.
const BLOCKS_MAX: f64 = 1e12;

/// From so many blocks on the required number comes from the normal distribution, which is then off
/// by two blocks.
const NORMAL_FROM: f64 = 1e10;

/// The chance that a two-sided paired t-test at level `alpha` rejects when n blocks show an effect
/// of size d_z (mean difference over standard deviation of the differences). n may be fractional.
///
/// # Errors
/// When n is not in `[2, 1e12]`, alpha not strictly between 0 and 1, or the effect not finite.
pub fn power(n: f64, effect_size: f64, alpha: f64) -> Result<f64, Untestable> {
    if !(2.0..=BLOCKS_MAX).contains(&n) {
        return Err(Untestable::bad(format!(
            "power needs 2 to 1e12 blocks, not {n}"
        )));
    }
    check_level(alpha)?;
    if !effect_size.is_finite() {
        return Err(Untestable::NotFinite);
    }
    let df = n - 1.0;
    let critical = student::isf(0.5 * alpha, df)?;
    let shift = effect_size * n.sqrt();
    Ok(noncentral::two_sided_sf(critical, df, shift)?)
}

/// The number of blocks (fractional, at least 2) at which a two-sided paired t-test at level
/// `alpha` finds an effect of size d_z with the given power.
///
/// # Errors
/// [`Untestable::ZeroVariance`] for an effect of zero, which no number of blocks resolves; a bad
/// level or power; an effect that is not finite.
pub fn required_blocks(effect_size: f64, alpha: f64, target: f64) -> Result<f64, Untestable> {
    check_level(alpha)?;
    if !(alpha < target && target < 1.0) {
        return Err(Untestable::bad(format!(
            "a power lies between the level {alpha} and 1, not at {target}"
        )));
    }
    if !effect_size.is_finite() {
        return Err(Untestable::NotFinite);
    }
    if effect_size == 0.0 {
        return Err(Untestable::ZeroVariance);
    }
    // Anything smaller would need more blocks than a double can count.
    let effect = effect_size.abs().max(1e-150);
    // With the variance known, √n = (z_{α/2} + z_power) / d; estimating it costs about z²/2 blocks
    // more.
    let z_level = normal::isf(0.5 * alpha)?;
    let z_target = normal::quantile(target)?;
    let known = (z_level + z_target).max(0.0) / effect;
    // With the variance known no more blocks are needed than with it estimated, so only few can
    // come down to two.
    if known < 2.0 && target <= power(2.0, effect, alpha)? {
        return Ok(2.0);
    }
    // The rejections on the wrong side count, too, as they do in the power itself.
    let power_at = |x: f64| {
        if x * x < NORMAL_FROM {
            power((x * x).max(2.0), effect, alpha)
        } else {
            Ok(normal::sf(z_level - effect * x) + normal::sf(z_level + effect * x))
        }
    };
    // In x = √n the probit of the power is almost a straight line of slope d, so a secant needs few
    // steps.
    let mut x =
        libm::hypot(known, z_level * std::f64::consts::FRAC_1_SQRT_2).max(std::f64::consts::SQRT_2);
    let (mut low, mut high) = (std::f64::consts::SQRT_2, 4.0 * x + 10.0 / effect + 10.0);
    let mut slope = effect;
    let mut previous: Option<(f64, f64)> = None;
    for _ in 0..100 {
        // Powers that round to 1 keep at least the direction of the step.
        let reached = power_at(x)?.clamp(1e-300, 1.0 - f64::EPSILON);
        let miss = normal::quantile(reached)? - z_target;
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
        // The secant squares its error about, so the step after this one would be lost in rounding.
        if (next - x).abs() <= 1e-8 * x {
            return Ok(next * next);
        }
        x = next;
    }
    Ok(x * x)
}

/// [`required_blocks`] rounded up to whole blocks, for a report.
///
/// # Errors
/// As [`required_blocks`].
pub fn required_whole_blocks(effect_size: f64, alpha: f64, target: f64) -> Result<u64, Untestable> {
    required_blocks(effect_size, alpha, target).map(ceil_to_u64)
}

/// A number of blocks with how little is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Required {
    /// If the effect is as large as [`TTest::unbiased_effect`] says.
    pub blocks: u64,
    /// If it is as large as it may well be.
    pub low: u64,
    /// If it is as small as it may well be; `None` where there may be none at all, or one to the
    /// other side.
    pub high: Option<u64>,
}

impl TTest {
    /// The effect size without the bias that few blocks give it (Hedges, "Distribution theory for
    /// Glass's estimator of effect size"): Cohen's d_z is too large on average, by 4 % at 20
    /// blocks, because the deviation is estimated. 0 at one degree of freedom, where d_z has no
    /// mean.
    pub fn unbiased_effect(&self) -> f64 {
        self.effect_size * (1.0 - 3.0 / (4.0 * self.df - 1.0)).max(0.0)
    }
}

/// The blocks that a test like this one needs at `level` to find its effect with the power
/// `target`, and the interval that the effect's own uncertainty gives: the required blocks at the
/// ends of its confidence interval, by the normal approximation to the noncentral t (Johnson and
/// Welch, "Applications of the non-central t-distribution").
///
/// # Errors
/// As [`required_blocks`]; a bad confidence.
pub fn required(
    test: &TTest,
    level: f64,
    target: f64,
    confidence: f64,
) -> Result<Required, Untestable> {
    check_confidence(confidence)?;
    let blocks = required_whole_blocks(test.unbiased_effect(), level, target)?;
    let z = normal::isf(0.5 * (1.0 - confidence))?;
    let (t, root_n) = (test.t.abs(), (test.effect_size / test.t).abs().recip());
    let centre = t * (1.0 - 0.25 / test.df);
    let half = z * (1.0 + t * t / (2.0 * test.df)).sqrt();
    let needed = |noncentrality: f64| required_whole_blocks(noncentrality / root_n, level, target);
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

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to what a u64 holds exactly"
)]
fn ceil_to_u64(x: f64) -> u64 {
    x.ceil().clamp(0.0, 9e15) as u64
}

fn check_level(alpha: f64) -> Result<(), Untestable> {
    if 0.0 < alpha && alpha < 1.0 {
        Ok(())
    } else {
        Err(Untestable::bad(format!(
            "a level of significance lies strictly between 0 and 1, not at {alpha}"
        )))
    }
}
