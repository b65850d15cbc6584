//! The asymptotic confidence sequence to one side alone: is the mean above a value? With many
//! comparisons each is made to the side that matters, at half the price.
//!
//! The boundary is the one-sided normal mixture of Howard, Ramdas, McAuliffe and Sekhon
//! ("Time-uniform, nonparametric, nonasymptotic confidence sequences", section 3): the effects
//! mixed over are a normal's larger half, so that after t numbers z standard errors above the value
//! the evidence is e = 2 (1 + tρ²)^(-1/2) exp(r z²/2) Φ(z √r) with r = tρ²/(1 + tρ²), and 1/e is a
//! p that holds at any time. It is used with an estimated deviation as
//! [`super::confidence_sequence`] is, and its ρ and its t deviates for few blocks are the same.

use super::{ConfidenceSequenceOptions, Running};
use crate::Untestable;
use crate::dist::{normal, student};
use std::f64::consts::LN_2;

/// The boundary for tests that all have the same ρ, whatever their levels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OneSided {
    rho_squared: f64,
    blocks_min: usize,
    /// ln of the largest level that anybody asks for.
    ln_level_max: f64,
}

impl OneSided {
    /// A boundary that is narrowest, at the level `level` to one side, at `tuned_for` numbers; no
    /// test is made at a level above `level_max`, nor with fewer numbers than `blocks_min`.
    pub(crate) fn new(
        level: f64,
        level_max: f64,
        tuned_for: f64,
        blocks_min: usize,
    ) -> Result<Self, Untestable> {
        let two_sided = ConfidenceSequenceOptions {
            confidence: 1.0 - 2.0 * level,
            tuned_for,
            blocks_min,
            precision: None,
        };
        two_sided.check()?;
        Ok(Self {
            rho_squared: two_sided.rho_squared(),
            blocks_min,
            ln_level_max: libm::log(level_max),
        })
    }

    /// 1 + tρ² and r after t numbers.
    fn spread(&self, t: f64) -> (f64, f64) {
        let spread = t.mul_add(self.rho_squared, 1.0);
        (spread, t * self.rho_squared / spread)
    }

    /// ln e at z standard errors.
    fn ln_evidence(&self, t: f64, z: f64) -> f64 {
        let (spread, r) = self.spread(t);
        LN_2 - 0.5 * libm::log(spread) + 0.5 * r * z * z + libm::log(normal::cdf(z * r.sqrt()))
    }

    /// The z after t numbers whose evidence is just enough for a level.
    fn boundary(&self, t: f64, ln_level: f64) -> f64 {
        let (spread, r) = self.spread(t);
        let without_phi = 0.5 * libm::log(spread) - LN_2 - ln_level;
        let mut z = (2.0 * without_phi.max(0.0) / r).sqrt();
        // Φ is nearly 1 at any z of interest, so that a few rounds settle what it takes away.
        for _ in 0..30 {
            let next =
                (2.0 * (without_phi - libm::log(normal::cdf(z * r.sqrt()))).max(0.0) / r).sqrt();
            if (next - z).abs() <= 1e-14 * next {
                break;
            }
            z = next;
        }
        z
    }

    /// ln of the smallest level at which the mean is shown to lie above `value`; 0 where nothing is
    /// shown: too few numbers, none that differ, or no level that anybody asks for.
    pub(crate) fn ln_p_above(&self, running: &Running, value: f64) -> Result<f64, Untestable> {
        let Some(sd) = running
            .sd()
            .filter(|_| self.blocks_min <= running.n && value < running.mean)
        else {
            return Ok(0.0);
        };
        let t = running.n as f64;
        let errors = (running.mean - value) / sd * t.sqrt();
        // A t deviate is worth less than the same normal one: what is not enough with the deviation
        // known is not enough.
        if -self.ln_evidence(t, errors) > self.ln_level_max {
            return Ok(0.0);
        }
        let tail = student::sf(errors, t - 1.0)?.max(f64::MIN_POSITIVE);
        let ln_p = -self.ln_evidence(t, normal::isf(tail)?);
        Ok(if ln_p <= self.ln_level_max { ln_p } else { 0.0 })
    }

    /// How far below the mean of the numbers the true one may lie at this level, and so above;
    /// `None` where that is not known.
    pub(crate) fn half_width(
        &self,
        running: &Running,
        ln_level: f64,
    ) -> Result<Option<f64>, Untestable> {
        let Some(sd) = running.sd().filter(|_| self.blocks_min <= running.n) else {
            return Ok(None);
        };
        let t = running.n as f64;
        let tail = normal::sf(self.boundary(t, ln_level)).max(f64::MIN_POSITIVE);
        Ok(Some(student::isf(tail, t - 1.0)? * sd / t.sqrt()))
    }

    /// How many numbers, about, show a mean that lies this many deviations above a value, at this
    /// level.
    pub(crate) fn needed(&self, deviations: f64, ln_level: f64) -> f64 {
        let is_enough = |t: f64| self.boundary(t, ln_level) <= deviations * t.sqrt();
        let mut high = self.blocks_min as f64;
        while !is_enough(high) && high < 1e15 {
            high *= 2.0;
        }
        let mut low = 0.5 * high;
        while 1.0 < high - low && 1e-6 * high < high - low {
            let middle = 0.5 * (low + high);
            *(if is_enough(middle) {
                &mut high
            } else {
                &mut low
            }) = middle;
        }
        high.ceil().max(self.blocks_min as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: f64 = 0.05 / 380.0;

    fn numbers(n: usize, shift: f64) -> Running {
        let mut running = Running::default();
        for k in 0..n {
            running
                .push(shift + f64::from(u32::try_from(k * 37 % 100).expect("small")) / 50.0 - 0.99);
        }
        running
    }

    #[test]
    fn evidence_is_the_mixture_over_positive_effects() {
        let one_sided = OneSided::new(LEVEL, 0.05, 100.0, 10).expect("valid");
        let rho = one_sided.rho_squared.sqrt();
        // ∫ 2 φ(λ/ρ)/ρ exp(λ S − λ² t/2) dλ over λ > 0, by the midpoint rule, S = z √t.
        for (t, z) in [
            (10.0f64, 3.0f64),
            (100.0, 4.5),
            (1000.0, -0.5),
            (1000.0, 5.0),
        ] {
            let s = z * t.sqrt();
            let step = rho / 4000.0;
            let sum: f64 = (0..40_000)
                .map(|k| (f64::from(k) + 0.5) * step)
                .map(|lambda| {
                    2.0 * normal::pdf(lambda / rho) / rho
                        * libm::exp(lambda * s - 0.5 * lambda * lambda * t)
                })
                .sum();
            let (ours, theirs) = (one_sided.ln_evidence(t, z), libm::log(sum * step));
            assert!((ours - theirs).abs() < 1e-6, "{t} {z}: {ours} {theirs}");
        }
    }

    #[test]
    fn p_interval_and_need_agree() {
        let one_sided = OneSided::new(LEVEL, 0.05, 100.0, 10).expect("valid");
        for n in [10, 50, 400] {
            let running = numbers(n, 0.3);
            let ln_level = libm::log(LEVEL);
            let half = one_sided
                .half_width(&running, ln_level)
                .expect("valid")
                .expect("they differ");
            let at_edge = one_sided
                .ln_p_above(&running, running.mean - half)
                .expect("valid");
            assert!(
                (at_edge - ln_level).abs() < 1e-8,
                "{n}: {at_edge} {ln_level}"
            );
            let within = one_sided
                .ln_p_above(&running, running.mean - 0.9 * half)
                .expect("valid");
            assert!(ln_level < within, "{within}");
        }
        let needed = one_sided.needed(0.1, libm::log(LEVEL));
        assert!(one_sided.boundary(needed, libm::log(LEVEL)) <= 0.1 * needed.sqrt());
        assert!(one_sided.boundary(needed - 2.0, libm::log(LEVEL)) > 0.1 * (needed - 2.0).sqrt());
    }

    #[test]
    fn nothing_is_shown_by_few_equal_or_smaller_numbers() {
        let one_sided = OneSided::new(LEVEL, 0.05, 100.0, 10).expect("valid");
        let p = |running: &Running| one_sided.ln_p_above(running, 0.0).expect("valid");
        assert_eq!(p(&numbers(9, 5.0)).to_bits(), 0.0f64.to_bits());
        assert_eq!(p(&numbers(300, -5.0)).to_bits(), 0.0f64.to_bits());
        let mut equal = Running::default();
        (0..50).for_each(|_| equal.push(1.0));
        assert_eq!(p(&equal).to_bits(), 0.0f64.to_bits());
        assert!(p(&numbers(10, 5.0)) < libm::log(LEVEL));
    }
}
