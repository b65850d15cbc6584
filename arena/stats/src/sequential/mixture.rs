//! Anytime-valid evidence that a mean differs from a value, from a mixture over effect sizes. The
//! evidence is valid however often the data are examined.
//!
//! The evidence after t numbers whose mean is z standard errors from the value is e:
//!
//! ```text
//! e = (1 + tρ²)^(-1/2) exp(r z²/2),  r = tρ²/(1 + tρ²)
//! ```
//!
//! 1/e is an always-valid p value (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform
//! central limit theory and asymptotic confidence sequences", theorem 2.2).
//!
//! For one-sided tests, the mixture is a half-normal distribution, and the evidence is multiplied
//! by 2 Φ(z √r) (Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic
//! confidence sequences", section 3).
//!
//! The theory is asymptotic. With few numbers, the estimated standard deviation is itself
//! uncertain. Normal deviates are therefore replaced by t deviates with the same tail probability.
//! For many numbers, both are equal; for few numbers, the replacement keeps the error rate.

use crate::Untestable;
use crate::dist::{normal, student};
use libm::log;
use std::f64::consts::LN_2;

/// The direction of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sides {
    /// The mean is above the value.
    One,
    /// The mean is above or below the value.
    Two,
}

/// A mixture over effect sizes.
#[derive(Debug, Clone)]
pub(super) struct Mixture {
    sides: Sides,
    /// Variance of the mixture.
    pub rho_squared: f64,
}

impl Mixture {
    /// Creates the mixture that is most sensitive after `tuned_for` numbers at the two-sided level
    /// `level`. The mixture is valid for all other numbers and levels.
    pub(super) fn new(sides: Sides, level: f64, tuned_for: f64) -> Result<Self, Untestable> {
        Untestable::require(
            tuned_for.is_finite() && 1.0 <= tuned_for,
            "a confidence sequence must be tuned for at least one block",
        )?;
        let twice_ln = -2.0 * log(level);
        Ok(Self {
            sides,
            rho_squared: (twice_ln + log(1.0 + twice_ln)) / tuned_for,
        })
    }

    /// Returns 1 + tρ² and r after t numbers.
    fn spread(&self, t: f64) -> (f64, f64) {
        let spread = t.mul_add(self.rho_squared, 1.0);
        (spread, t * self.rho_squared / spread)
    }

    /// Returns ln e after t numbers, at z standard errors.
    pub(super) fn ln_evidence(&self, t: f64, z: f64) -> f64 {
        let (spread, r) = self.spread(t);
        let to_both = 0.5 * r * z * z - 0.5 * log(spread);
        match self.sides {
            Sides::Two => to_both,
            Sides::One => to_both + LN_2 + log(normal::sf(-z * r.sqrt())),
        }
    }

    /// Returns the z at which the evidence after t numbers just reaches a level.
    pub(super) fn boundary(&self, t: f64, ln_level: f64) -> f64 {
        let (spread, r) = self.spread(t);
        let needed = 0.5 * log(spread) - ln_level;
        let z_of = |needed: f64| (2.0 * needed.max(0.0) / r).sqrt();
        if self.sides == Sides::Two {
            return z_of(needed);
        }
        let mut z = z_of(needed - LN_2);
        // Φ is nearly 1 for all relevant z, so the fixed-point iteration converges within a few
        // steps.
        for _ in 0..30 {
            let next = z_of(needed - LN_2 - log(normal::sf(-z * r.sqrt())));
            if (next - z).abs() <= 1e-14 * next {
                break;
            }
            z = next;
        }
        z
    }

    /// Returns ln of the level that n numbers just reach if their mean is `errors` estimated
    /// standard errors from the value.
    pub(super) fn ln_p(&self, n: usize, errors: f64) -> Result<f64, Untestable> {
        let t = n as f64;
        let tail = student::sf(errors, t - 1.0)?.max(f64::MIN_POSITIVE);
        Ok(-self.ln_evidence(t, normal::isf(tail)?))
    }

    /// Returns the half width of the confidence interval around the mean of n numbers with standard
    /// deviation `sd`.
    pub(super) fn half_width(&self, n: usize, sd: f64, ln_level: f64) -> Result<f64, Untestable> {
        let t = n as f64;
        let tail = normal::sf(self.boundary(t, ln_level)).max(f64::MIN_POSITIVE);
        Ok(student::isf(tail, t - 1.0)? * sd / t.sqrt())
    }
}
