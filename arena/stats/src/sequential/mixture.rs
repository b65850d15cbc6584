//! Evidence that a mean differs from a value, by mixing over the size of the difference: it holds
//! however often one looks.
//!
//! After t numbers z standard errors away from the value the evidence is
//! e = (1 + tρ²)^(-1/2) exp(r z²/2) with r = tρ²/(1 + tρ²), and 1/e is a p that holds at any time
//! (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and
//! asymptotic confidence sequences", theorem 2.2). To one side only, the effects mixed over are a
//! normal's larger half, and the evidence is 2 Φ(z √r) times that (Howard, Ramdas, McAuliffe and
//! Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", section 3).
//!
//! The theory is of many numbers. With few the estimated deviation is itself uncertain, so normal
//! deviates are replaced by the t deviates of equal tail: the same in the limit, and what keeps the
//! promise before it.

use crate::Untestable;
use crate::dist::{normal, student};
use std::f64::consts::LN_2;

/// To which sides of a value a mean is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sides {
    /// Above it only.
    One,
    /// Above it and below it.
    Two,
}

/// Evidence of one mixture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mixture {
    sides: Sides,
    /// The variance of the mixture.
    pub(super) rho_squared: f64,
}

impl Mixture {
    /// A mixture that is sharpest after `tuned_for` numbers, at the level `level` to both sides
    /// together. It holds at all other numbers and levels, too.
    pub(super) fn new(sides: Sides, level: f64, tuned_for: f64) -> Result<Self, Untestable> {
        if !(tuned_for.is_finite() && 1.0 <= tuned_for) {
            return Err(Untestable::bad(
                "a confidence sequence is tuned for one block or more",
            ));
        }
        let twice_ln = -2.0 * libm::log(level);
        Ok(Self {
            sides,
            rho_squared: (twice_ln + libm::log(1.0 + twice_ln)) / tuned_for,
        })
    }

    /// 1 + tρ² and r after t numbers.
    fn spread(&self, t: f64) -> (f64, f64) {
        let spread = t.mul_add(self.rho_squared, 1.0);
        (spread, t * self.rho_squared / spread)
    }

    /// Returns ln e at z standard errors.
    pub(super) fn ln_evidence(&self, t: f64, z: f64) -> f64 {
        let (spread, r) = self.spread(t);
        let to_both = 0.5 * r * z * z - 0.5 * libm::log(spread);
        match self.sides {
            Sides::Two => to_both,
            Sides::One => to_both + LN_2 + libm::log(normal::cdf(z * r.sqrt())),
        }
    }

    /// Returns the z after t numbers whose evidence is just enough for a level.
    pub(super) fn boundary(&self, t: f64, ln_level: f64) -> f64 {
        let (spread, r) = self.spread(t);
        let needed = 0.5 * libm::log(spread) - ln_level;
        let z_of = |needed: f64| (2.0 * needed.max(0.0) / r).sqrt();
        if self.sides == Sides::Two {
            return z_of(needed);
        }
        let mut z = z_of(needed - LN_2);
        // Φ is nearly 1 at any z of interest, so that a few rounds settle what it takes away.
        for _ in 0..30 {
            let next = z_of(needed - LN_2 - libm::log(normal::cdf(z * r.sqrt())));
            if (next - z).abs() <= 1e-14 * next {
                break;
            }
            z = next;
        }
        z
    }

    /// Returns ln of the level at which n numbers whose mean lies so many estimated standard errors
    /// away are just enough.
    pub(super) fn ln_p(&self, n: usize, errors: f64) -> Result<f64, Untestable> {
        let t = n as f64;
        let tail = student::sf(errors, t - 1.0)?.max(f64::MIN_POSITIVE);
        Ok(-self.ln_evidence(t, normal::isf(tail)?))
    }

    /// Returns how far the true mean may lie from that of n numbers with this standard deviation.
    pub(super) fn half_width(&self, n: usize, sd: f64, ln_level: f64) -> Result<f64, Untestable> {
        let t = n as f64;
        let tail = normal::sf(self.boundary(t, ln_level)).max(f64::MIN_POSITIVE);
        Ok(student::isf(tail, t - 1.0)? * sd / t.sqrt())
    }
}
