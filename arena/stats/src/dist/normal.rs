//! The standard normal distribution.

use super::roots::monotone_root;
use super::special::LN_SQRT_2PI;
use crate::Untestable;
use crate::summary::check_share;
use libm::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// Smallest x at which the tail is computed by a continued fraction. The fraction needs few terms
/// there and avoids cancellation.
const FRACTION_FROM: f64 = 4.0;

/// Returns P(Z > x) with full relative precision down to the smallest positive number (x about 38).
/// Infinite arguments give the limits, NaN gives NaN.
pub fn sf(x: f64) -> f64 {
    if x < FRACTION_FROM {
        0.5 * erfc(x * FRAC_1_SQRT_2)
    } else {
        pdf(x) / inverse_mills_fraction(x)
    }
}

/// Returns ln P(Z > x). Like [`sf`], but also finite where [`sf`] underflows.
pub fn ln_sf(x: f64) -> f64 {
    if x < FRACTION_FROM {
        libm::log(sf(x))
    } else {
        ln_pdf(x) - libm::log(inverse_mills_fraction(x))
    }
}

/// Returns the density at x.
pub fn pdf(x: f64) -> f64 {
    // The rounding error of x² would be magnified by the exponential for large x. The square is
    // therefore split into two exact parts.
    const SPLIT: f64 = 134_217_729.0; // 2²⁷ + 1
    if 50.0 < x.abs() {
        // The density is far below the smallest positive number.
        return 0.0;
    }
    let scaled = SPLIT * x;
    let head = scaled - (scaled - x);
    let rest = x - head;
    libm::exp(-0.5 * head * head) * libm::exp(-0.5 * rest * (head + x) - LN_SQRT_2PI)
}

fn ln_pdf(x: f64) -> f64 {
    -0.5 * x * x - LN_SQRT_2PI
}

/// Returns φ(x) / P(Z > x) = x + 1/(x + 2/(x + 3/(x + …))) (Laplace; DLMF 7.9), evaluated from the
/// last term backwards.
fn inverse_mills_fraction(x: f64) -> f64 {
    // Full precision needs 32 terms for x ≥ 4 and 16 terms for x ≥ 6.
    let terms: u32 = if x < 6.0 { 36 } else { 20 };
    (1..=terms).rev().fold(x, |tail, k| x + f64::from(k) / tail)
}

/// Returns the x with P(Z > x) = q. Accurate also for q so small that `1 − q` rounds to 1.
///
/// # Errors
/// Returns an error if `q` is not strictly between 0 and 1.
pub fn isf(q: f64) -> Result<f64, Untestable> {
    check_share("a probability", q)?;
    if 0.5 < q {
        return isf(1.0 - q).map(|x| -x);
    }
    let ln_q = libm::log(q);
    // Leading term of the tail expansion; exactly 0 for q = 1/2.
    let start = (-2.0 * ln_q - 2.0 * std::f64::consts::LN_2).max(0.0).sqrt();
    Ok(monotone_root(0.0, 40.0, start, false, |x| {
        let ln_tail = ln_sf(x);
        (ln_tail - ln_q, -libm::exp(ln_pdf(x) - ln_tail))
    }))
}
