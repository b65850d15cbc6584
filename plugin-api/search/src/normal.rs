//! Two numbers of the standard normal distribution.

use libm::{erfc, exp, sqrt};

/// How likely a standard normal variable is above `point`.
pub(crate) fn upper_tail(point: f64) -> f64 {
    0.5 * erfc(point / core::f64::consts::SQRT_2)
}

/// The mean of its part above `point`, where the rest counts 0.
pub(crate) fn expected_above(point: f64) -> f64 {
    let density = exp(-0.5 * point * point) / sqrt(2.0 * core::f64::consts::PI);
    (density - point * upper_tail(point)).max(0.0)
}
