//! The noncentral t distribution: the distribution of a t statistic if the true difference is not
//! zero. Used to compute power.
//!
//! T = (Z + δ) / S with Z standard normal, S² a chi-square variable divided by its degrees of
//! freedom, and δ the noncentrality. The probability is the mean of a normal tail over S,
//! integrated by Gauss-Legendre panels over ln S.

use super::special::{LN_SQRT_2PI, exp_m1_minus, stirling_remainder};
use crate::Untestable;
use libm::erfc;
use std::f64::consts::{FRAC_1_SQRT_2, LN_2};

/// Decrease of the log density of ln S at the ends of the integration interval. Beyond these ends,
/// less than 1e-17 of the mass is left.
const EXPONENT_MAX: f64 = 41.0;

/// Returns P(|T| > t) for t ≥ 0 and df ≥ 1, with an absolute error of about 1e-12: the power of a
/// two-sided test with critical value `t`.
///
/// # Errors
/// Returns an error if `t` is negative, if `t` or `noncentrality` is not finite, or if `df` is not
/// in `[1, 1e15]`.
pub fn two_sided_sf(t: f64, df: f64, noncentrality: f64) -> Result<f64, Untestable> {
    Untestable::require(
        t.is_finite() && noncentrality.is_finite(),
        "t and the noncentrality must be finite",
    )?;
    Untestable::require(
        (1.0..=1e15).contains(&df),
        "the degrees of freedom of the noncentral t must be between 1 and 1e15",
    )?;
    Untestable::require(
        0.0 <= t,
        "the critical value of a two-sided test must not be negative",
    )?;
    // By symmetry the sign of the noncentrality does not matter. The panels are placed for a
    // positive one.
    let shift = noncentrality.abs();
    Ok(mean_over_scale(t, df, shift, |s| {
        upper_tail(t * s - shift) + upper_tail(t * s + shift)
    }))
}

/// Returns P(Z > x) with a small absolute error, which is sufficient for an average.
fn upper_tail(x: f64) -> f64 {
    if 9.0 < x {
        0.0
    } else {
        0.5 * erfc(x * FRAC_1_SQRT_2)
    }
}

/// Returns E[f(S)]. `f` must change from one limit to the other near S = δ / t, over the width of a
/// normal tail.
fn mean_over_scale(t: f64, df: f64, noncentrality: f64, f: impl Fn(f64) -> f64) -> f64 {
    // ln S has the density exp(peak − df/2 · (e^{2w} − 1 − 2w)). It is nearly normal around 0 with
    // this spread, a power law on the left and a double exponential on the right.
    let spread = 1.0 / (2.0 * df).sqrt();
    let half = 0.5 * df;
    let ln_peak = LN_2 + 0.5 * libm::log(half) - LN_SQRT_2PI - stirling_remainder(half);
    let edge = |step: f64| {
        let mut w = step;
        while half * exp_m1_minus(2.0 * w) < EXPONENT_MAX {
            w += step.signum() * (0.25 * w.abs()).max(step.abs());
        }
        w
    };
    let (low, high) = (edge(-spread), edge(spread));
    let weighted = |w: f64| libm::exp(ln_peak - half * exp_m1_minus(2.0 * w)) * f(libm::exp(w));

    panels(low, high, spread, t, noncentrality)
        .iter()
        .map(|&(from, to)| gauss_legendre(from, to, &weighted))
        .sum::<f64>()
        .clamp(0.0, 1.0)
}

/// Divides the integration interval into panels so narrow that the density and the normal tail are
/// smooth in each.
fn panels(low: f64, high: f64, spread: f64, t: f64, noncentrality: f64) -> Vec<(f64, f64)> {
    let mut cuts = vec![low, high];
    let width = (3.0 * spread).min(0.5);
    let mut cut = low + width;
    while cut < high {
        cuts.push(cut);
        cut += width;
    }
    // The normal tail changes where t·S passes the noncentrality, over a few multiples of 1/|δ| in
    // ln S.
    let turn = libm::log(noncentrality / t);
    if turn.is_finite() {
        let unit = 1.0 / noncentrality.abs().max(1.0);
        cuts.extend(
            (-5..=5)
                .map(|k| turn + 2.0 * f64::from(k) * unit)
                .filter(|&w| low < w && w < high),
        );
    }
    cuts.sort_by(f64::total_cmp);
    cuts.windows(2)
        .map(|pair| (pair[0], pair[1]))
        .filter(|(from, to)| from < to)
        .collect()
}

/// Integrates `f` over one panel with the 16-point Gauss-Legendre rule.
fn gauss_legendre(from: f64, to: f64, f: &impl Fn(f64) -> f64) -> f64 {
    const NODES: [(f64, f64); 8] = [
        (0.095_012_509_837_637_44, 0.189_450_610_455_068_64),
        (0.281_603_550_779_258_9, 0.182_603_415_044_923_64),
        (0.458_016_777_657_227_37, 0.169_156_519_395_002_65),
        (0.617_876_244_402_643_8, 0.149_595_988_816_576_7),
        (0.755_404_408_355_003, 0.124_628_971_255_534_07),
        (0.865_631_202_387_831_8, 0.095_158_511_682_492_6),
        (0.944_575_023_073_232_6, 0.062_253_523_938_647_456),
        (0.989_400_934_991_649_9, 0.027_152_459_411_754_176),
    ];
    let centre = 0.5 * (from + to);
    let half = 0.5 * (to - from);
    half * NODES
        .iter()
        .map(|&(x, weight)| weight * (f(centre - half * x) + f(centre + half * x)))
        .sum::<f64>()
}
