//! The standard normal distribution.

use super::roots::monotone_root;
use super::special::LN_SQRT_2PI;
use crate::OutOfDomain;
use libm::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// From here on the tail comes from a continued fraction, which needs few terms and no small
/// difference.
const FRACTION_FROM: f64 = 4.0;

/// P(Z ≤ x). Infinite arguments are limits; NaN gives NaN back.
pub fn cdf(x: f64) -> f64 {
    sf(-x)
}

/// P(Z > x), with full relative precision down to the smallest positive number (x about 38).
/// Infinite arguments are limits; NaN gives NaN back.
pub fn sf(x: f64) -> f64 {
    if x < FRACTION_FROM {
        0.5 * erfc(x * FRAC_1_SQRT_2)
    } else {
        pdf(x) / inverse_mills_fraction(x)
    }
}

/// ln P(Z > x): as [`sf`], and finite where that underflows.
pub fn ln_sf(x: f64) -> f64 {
    if x < FRACTION_FROM {
        libm::log(sf(x))
    } else {
        ln_pdf(x) - libm::log(inverse_mills_fraction(x))
    }
}

/// The density at x.
pub fn pdf(x: f64) -> f64 {
    // The square of a large x loses digits that the exponential would magnify, so it is taken in
    // two exact parts.
    const SPLIT: f64 = 134_217_729.0; // 2²⁷ + 1
    if 50.0 < x.abs() {
        // Far below the smallest positive number.
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

/// φ(x) / P(Z > x) = x + 1/(x + 2/(x + 3/(x + …))) (Laplace; DLMF 7.9), from the last of enough
/// terms backwards.
fn inverse_mills_fraction(x: f64) -> f64 {
    // Enough for the last digit: 32 from 4 on, 16 from 6 on.
    let terms: u32 = if x < 6.0 { 36 } else { 20 };
    (1..=terms).rev().fold(x, |tail, k| x + f64::from(k) / tail)
}

/// The x with P(Z ≤ x) = p.
///
/// # Errors
/// When p is not strictly between 0 and 1.
pub fn quantile(p: f64) -> Result<f64, OutOfDomain> {
    if 0.5 < p && p < 1.0 {
        isf(1.0 - p)
    } else {
        isf(p).map(|x| -x)
    }
}

/// The x with P(Z > x) = q: the upper quantile, exact for q far below what `1 − q` could hold.
///
/// # Errors
/// When q is not strictly between 0 and 1.
pub fn isf(q: f64) -> Result<f64, OutOfDomain> {
    if !(0.0 < q && q < 1.0) {
        return Err(OutOfDomain(
            "a probability must lie strictly between 0 and 1",
        ));
    }
    if 0.5 < q {
        return isf(1.0 - q).map(|x| -x);
    }
    let ln_q = libm::log(q);
    // The leading term of the tail expansion; exactly 0 at one half.
    let start = (-2.0 * ln_q - 2.0 * std::f64::consts::LN_2).max(0.0).sqrt();
    Ok(monotone_root(0.0, 40.0, start, false, |x| {
        let ln_tail = ln_sf(x);
        (ln_tail - ln_q, -libm::exp(ln_pdf(x) - ln_tail))
    }))
}
