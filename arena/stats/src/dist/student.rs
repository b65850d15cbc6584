//! Student's t distribution for any positive, also fractional, degrees of freedom.

use super::normal;
use super::roots::monotone_root;
use super::special::{incomplete_beta_fraction, ln_beta_half};
use crate::Untestable;
use crate::summary::check_share;
use libm::{exp, log, log1p};
use std::cell::RefCell;
use std::collections::HashMap;
use std::f64::consts::LN_2;

/// Returns P(T > t) with full relative precision in the upper tail.
///
/// # Errors
/// Returns an error if `df` is not positive and finite, or if `t` is NaN.
pub fn sf(t: f64, df: f64) -> Result<f64, Untestable> {
    ln_sf(t, df).map(exp)
}

/// Returns ln P(T > t). Finite also where the probability underflows.
///
/// # Errors
/// Returns an error if `df` is not positive and finite, or if `t` is NaN.
pub fn ln_sf(t: f64, df: f64) -> Result<f64, Untestable> {
    check_df(df)?;
    Untestable::require(!t.is_nan(), "t must be a number")?;
    let tail = Tail::new(t.abs(), df);
    Ok(if t < 0.0 {
        log1p(-exp(tail.ln_upper))
    } else {
        tail.ln_upper
    })
}

/// Returns the two-sided p value of a t statistic, P(|T| > |t|). The result is never 0: values
/// below the smallest normal `f64` (2.2e-308) are replaced by that number.
///
/// # Errors
/// Returns an error if `df` is not positive and finite, or if `t` is NaN.
pub fn two_sided_p(t: f64, df: f64) -> Result<f64, Untestable> {
    let ln_p = ln_sf(t.abs(), df)? + LN_2;
    Ok(exp(ln_p).clamp(f64::MIN_POSITIVE, 1.0))
}

/// Returns the t with P(T > t) = q. Accurate also for q so small that `1 − q` rounds to 1.
///
/// # Errors
/// Returns an error if `q` is not strictly between 0 and 1, if `df` is not positive and finite, or
/// if t is beyond the range of `f64`.
pub fn isf(q: f64, df: f64) -> Result<f64, Untestable> {
    thread_local! {
        /// Cache of computed quantiles. A league uses one confidence level and few different
        /// degrees of freedom.
        static KNOWN: RefCell<HashMap<[u64; 2], f64>> = RefCell::default();
    }
    let at = [q.to_bits(), df.to_bits()];
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&at).copied()) {
        return Ok(known);
    }
    let found = isf_uncached(q, df)?;
    KNOWN.with_borrow_mut(|known| {
        if KNOWN_MAX <= known.len() {
            known.clear();
        }
        known.insert(at, found);
    });
    Ok(found)
}

/// Maximum number of quantiles in the cache of a thread.
const KNOWN_MAX: usize = 1000;

/// Computes the result of [`isf`] without the cache.
fn isf_uncached(q: f64, df: f64) -> Result<f64, Untestable> {
    check_df(df)?;
    check_share("a probability", q)?;
    if q == 0.5 {
        return Ok(0.0);
    }
    if 0.5 < q {
        return isf(1.0 - q, df).map(|t| -t);
    }
    // Both branches solve for u = ln t, because a power-law tail is a straight line in u. Near the
    // median, the probability between −t and t is small, so it can be matched more accurately.
    let (low, high) = (-700.0, log(f64::MAX));
    let start = log(normal::isf(q)?.max(1e-300));
    let (target, central) = if 0.25 < q {
        (log(1.0 - 2.0 * q), true)
    } else {
        (log(q), false)
    };
    let value = |tail: &Tail| {
        if central {
            tail.ln_central
        } else {
            tail.ln_upper
        }
    };
    let farthest = value(&Tail::new(f64::MAX, df));
    Untestable::require(
        (farthest < target) != central,
        "this quantile is beyond the range of floating-point numbers",
    )?;
    let u = monotone_root(low, high, start, central, |u| {
        let t = exp(u);
        let tail = Tail::new(t, df);
        let ln_value = value(&tail);
        let slope = exp(u + ln_pdf(t, df) - ln_value);
        (
            ln_value - target,
            if central { 2.0 * slope } else { -slope },
        )
    });
    Ok(exp(u))
}

/// Smallest allowed df: below it, halves and reciprocals of df leave the range of `f64`. No test
/// has so few degrees of freedom.
const DF_MIN: f64 = 1e-300;

fn check_df(df: f64) -> Result<(), Untestable> {
    Untestable::require(
        (DF_MIN..=f64::MAX).contains(&df),
        "degrees of freedom must be positive and finite",
    )
}

/// Returns ln of the density at t.
fn ln_pdf(t: f64, df: f64) -> f64 {
    -0.5 * (df + 1.0) * ln_one_plus_square(t, df) - 0.5 * log(df) - ln_beta_half(0.5 * df)
}

/// Returns ln(1 + t²/df) without overflow, for t ≥ 0.
fn ln_one_plus_square(t: f64, df: f64) -> f64 {
    let r = t / df.sqrt();
    if 1e8 < r {
        2.0 * log(t) - log(df)
    } else {
        log1p(r * r)
    }
}

/// Logarithms of the two parts of the distribution at some t ≥ 0.
struct Tail {
    /// ln P(T > t).
    ln_upper: f64,
    /// ln P(−t < T < t); minus infinity at t = 0.
    ln_central: f64,
}

impl Tail {
    fn new(t: f64, df: f64) -> Self {
        if t == f64::INFINITY {
            return Self {
                ln_upper: f64::NEG_INFINITY,
                ln_central: 0.0,
            };
        }
        if t < 1e-100 {
            // The density is constant here, and r² would underflow.
            let ln_central = log(t) + LN_2 + ln_pdf(0.0, df);
            return Self {
                ln_upper: -LN_2,
                ln_central,
            };
        }
        if 2000.0 < df && t * t < 0.04 * df && 0.01 < t {
            return Self::near_normal(t, df);
        }
        let a = 0.5 * df;
        let ln_x = -ln_one_plus_square(t, df);
        let ln_y = 2.0 * log(t) - log(df) + ln_x;
        let ln_front = a * ln_x + 0.5 * ln_y - ln_beta_half(a);
        let x = exp(ln_x);
        if x * (a + 2.5) < a + 1.0 {
            let ln_both = ln_front + log(incomplete_beta_fraction(a, 0.5, x)) - log(a);
            Self {
                ln_upper: ln_both - LN_2,
                ln_central: log1p(-exp(ln_both)),
            }
        } else {
            let ln_central = ln_front + log(incomplete_beta_fraction(0.5, a, exp(ln_y))) + LN_2;
            Self {
                ln_upper: log1p(-exp(ln_central)) - LN_2,
                ln_central,
            }
        }
    }

    /// Computes the tail for many degrees of freedom from the normal deviate with the same tail
    /// (Hill, "Algorithm 395: Student's t-distribution"). The continued fraction of the beta
    /// function would lose digits here, because it uses 1 − x. The error is below 1e-12 in the
    /// region of use.
    fn near_normal(t: f64, df: f64) -> Self {
        let a = df - 0.5;
        let b = 48.0 * a * a;
        let z = (a * ln_one_plus_square(t, df)).sqrt();
        let [z2, z3] = [z * z, z * z * z];
        let second = (((4.0 * z2 + 33.0) * z2 + 240.0) * z2 + 855.0) * z
            / (10.0 * b * (b + 0.8 * z2 * z2 + 100.0));
        let z = z + (z3 + 3.0 * z) / b - second;
        let ln_upper = normal::ln_sf(z);
        Self {
            ln_upper,
            ln_central: log1p(-exp(ln_upper + LN_2)),
        }
    }
}
