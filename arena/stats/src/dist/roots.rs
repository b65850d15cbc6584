//! Newton's method with bisection as a safeguard, shared by all quantiles.

/// Maximum number of evaluations. Bisection alone needs about 60.
const EVALUATIONS_MAX: u32 = 200;

/// Number of evaluations after which only bisection is used.
const NEWTON_STEPS_MAX: u32 = 40;

/// Returns the argument in `[low, high]` where a monotone function crosses zero, to within a few
/// units in the last place of 1 + |argument|.
///
/// `f` returns the value and the slope. The values at the two ends must have opposite signs;
/// `rising` is true if the function increases. A Newton step that is not a number or leaves the
/// bracket is replaced by a bisection step.
pub(super) fn monotone_root(
    low: f64,
    high: f64,
    start: f64,
    rising: bool,
    f: impl Fn(f64) -> (f64, f64),
) -> f64 {
    let (mut low, mut high) = (low, high);
    let mut x = start.clamp(low, high);
    for evaluation in 0..EVALUATIONS_MAX {
        let (value, slope) = f(x);
        if value == 0.0 {
            return x;
        }
        if (value < 0.0) == rising {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next =
            if newton.is_finite() && low < newton && newton < high && evaluation < NEWTON_STEPS_MAX
            {
                newton
            } else {
                low + 0.5 * (high - low)
            };
        if (next - x).abs() <= 2.0 * f64::EPSILON * (1.0 + x.abs()) || next <= low || high <= next {
            return next.clamp(low, high);
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_root_where_newton_alone_diverges() {
        // Newton's method diverges for the arc tangent when started at 3.
        let root = monotone_root(-10.0, 50.0, 3.0, true, |x| {
            (libm::atan(x), 1.0 / (1.0 + x * x))
        });
        assert!(root.abs() < 1e-15, "{root}");
        let falling = monotone_root(0.0, 10.0, 9.0, false, |x| (2.0 - x * x, -2.0 * x));
        assert!((falling - std::f64::consts::SQRT_2).abs() < 1e-15);
    }

    #[test]
    fn finds_a_root_with_a_slope_of_zero() {
        let root = monotone_root(0.0, 1.0, 0.9, true, |x| (x - 0.25, 0.0));
        assert!((root - 0.25).abs() < 1e-15, "{root}");
    }
}
