//! The one-sided asymptotic confidence sequence: tests whether the mean is above a value, with the
//! one-sided [`mixture`](super::mixture). With many comparisons, one-sided tests need less evidence
//! than two-sided ones.

use super::Running;
use super::mixture::{Mixture, Sides};
use crate::Untestable;
use libm::log;

/// The boundary of one-sided tests with the same mixture and any level.
#[derive(Debug)]
pub(crate) struct OneSided {
    mixture: Mixture,
    blocks_min: usize,
    /// ln of the largest level of any test.
    ln_level_max: f64,
}

impl OneSided {
    /// Creates a boundary that is most sensitive at the one-sided level `level` after `tuned_for`
    /// numbers. No test is made at a level above `level_max` or with fewer than `blocks_min`
    /// numbers.
    pub(crate) fn new(
        level: f64,
        level_max: f64,
        tuned_for: f64,
        blocks_min: usize,
    ) -> Result<Self, Untestable> {
        Ok(Self {
            mixture: Mixture::new(Sides::One, 2.0 * level, tuned_for)?,
            blocks_min,
            ln_level_max: log(level_max),
        })
    }

    /// Returns ln of the smallest level at which the mean is shown to be above `value`. Returns 0
    /// if there are too few numbers, if all are equal, or if the level would be above the maximum.
    pub(crate) fn ln_p_above(&self, running: &Running, value: f64) -> Result<f64, Untestable> {
        let sd = running.sd_from(self.blocks_min);
        let Some(sd) = sd.filter(|_| value < running.mean) else {
            return Ok(0.0);
        };
        let t = running.n as f64;
        let errors = (running.mean - value) / sd * t.sqrt();
        // Fast check: a t deviate is weaker evidence than an equal normal deviate. If the evidence
        // would be too weak even with a known standard deviation, no further computation is needed.
        if -self.mixture.ln_evidence(t, errors) > self.ln_level_max {
            return Ok(0.0);
        }
        let ln_p = self.mixture.ln_p(running.n, errors)?;
        Ok(if ln_p <= self.ln_level_max { ln_p } else { 0.0 })
    }

    /// Returns approximately how many numbers are needed to show that a mean is above a value, if
    /// it is `deviations` standard deviations above. `ln_level` is ln of the level of the test.
    pub(crate) fn needed(&self, deviations: f64, ln_level: f64) -> f64 {
        let is_enough = |t: f64| self.mixture.boundary(t, ln_level) <= deviations * t.sqrt();
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
    use crate::dist::normal;

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
    fn one_sided_evidence_equals_the_mixture_over_positive_effects() {
        let one_sided = OneSided::new(LEVEL, 0.05, 100.0, 10).expect("valid");
        let rho = one_sided.mixture.rho_squared.sqrt();
        // ∫ 2 φ(λ/ρ)/ρ exp(λ S − λ² t/2) dλ over λ > 0 with S = z √t, by the midpoint rule.
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
            let (ours, theirs) = (one_sided.mixture.ln_evidence(t, z), log(sum * step));
            assert!((ours - theirs).abs() < 1e-6, "{t} {z}: {ours} {theirs}");
        }
    }

    #[test]
    fn the_p_value_interval_and_required_blocks_are_consistent() {
        let one_sided = OneSided::new(LEVEL, 0.05, 100.0, 10).expect("valid");
        for n in [10, 50, 400] {
            let running = numbers(n, 0.3);
            let ln_level = log(LEVEL);
            let sd = running.sd().expect("they differ");
            let half = one_sided
                .mixture
                .half_width(n, sd, ln_level)
                .expect("valid");
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
        let needed = one_sided.needed(0.1, log(LEVEL));
        assert!(one_sided.mixture.boundary(needed, log(LEVEL)) <= 0.1 * needed.sqrt());
        assert!(one_sided.mixture.boundary(needed - 2.0, log(LEVEL)) > 0.1 * (needed - 2.0).sqrt());
    }

    #[test]
    fn few_equal_or_smaller_numbers_give_no_evidence() {
        let one_sided = OneSided::new(LEVEL, 0.05, 100.0, 10).expect("valid");
        let p = |running: &Running| one_sided.ln_p_above(running, 0.0).expect("valid");
        assert_eq!(p(&numbers(9, 5.0)).to_bits(), 0.0f64.to_bits());
        assert_eq!(p(&numbers(300, -5.0)).to_bits(), 0.0f64.to_bits());
        let mut equal = Running::default();
        (0..50).for_each(|_| equal.push(1.0));
        assert_eq!(p(&equal).to_bits(), 0.0f64.to_bits());
        assert!(p(&numbers(10, 5.0)) < log(LEVEL));
    }
}
