//! Functions of the standard normal distribution.

use libm::{erfc, exp, sqrt};

/// Returns the probability that a standard normal variable exceeds `point`.
pub(crate) fn upper_tail(point: f64) -> f64 {
    0.5 * erfc(point / core::f64::consts::SQRT_2)
}

/// Returns the mean of max(0, x - `point`) for a standard normal variable x.
pub(crate) fn expected_excess(point: f64) -> f64 {
    let density = exp(-0.5 * point * point) / sqrt(2.0 * core::f64::consts::PI);
    (density - point * upper_tail(point)).max(0.0)
}
