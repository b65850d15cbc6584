//! The two-sided asymptotic confidence sequence, based on the [`mixture`](super::mixture).

use super::mixture::{Mixture, Sides};
use super::{Decision, Running};
use crate::compare::BLOCKS_MIN;
use crate::summary::check_confidence;
use crate::{Interval, Untestable};
use serde::{Deserialize, Serialize};

/// Options of a confidence sequence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConfidenceSequenceOptions {
    /// Confidence level, for all numbers of blocks together.
    pub confidence: f64,
    /// Number of blocks at which the interval is narrowest. Intervals are valid at any number.
    pub tuned_for: f64,
    /// Minimum number of blocks for an interval, because the theory is asymptotic.
    pub blocks_min: usize,
    /// Equivalence margin in points per deal. If set, the rule also stops when the interval lies
    /// within this distance of zero: the two bots are then equal.
    pub precision: Option<f64>,
}

impl Default for ConfidenceSequenceOptions {
    fn default() -> Self {
        Self {
            confidence: 0.95,
            tuned_for: 100.0,
            blocks_min: BLOCKS_MIN,
            precision: None,
        }
    }
}

/// Returns the interval after each block: entry t − 1 covers the first t differences. The entry is
/// `None` before `blocks_min` and while all differences are equal. All intervals contain the true
/// mean at the same time with probability `confidence`.
///
/// # Errors
/// Returns an error if a difference is not finite or an option is out of range.
pub fn confidence_sequence(
    differences: &[f64],
    options: &ConfidenceSequenceOptions,
) -> Result<Vec<Option<Interval>>, Untestable> {
    if differences.iter().any(|d| !d.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    let sequence = Sequence::new(options)?;
    let mut running = Running::default();
    differences
        .iter()
        .map(|&d| {
            running.push(d);
            sequence.interval(&running)
        })
        .collect()
}

/// A confidence sequence that is updated block by block.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    pub options: ConfidenceSequenceOptions,
    mixture: Mixture,
    pub smallest_p: Option<f64>,
}

impl Sequence {
    pub(super) fn new(options: &ConfidenceSequenceOptions) -> Result<Self, Untestable> {
        check_confidence(options.confidence)?;
        Untestable::require(
            options
                .precision
                .is_none_or(|precision| precision.is_finite() && 0.0 < precision),
            "a precision must be positive",
        )?;
        Ok(Self {
            options: *options,
            mixture: Mixture::new(Sides::Two, 1.0 - options.confidence, options.tuned_for)?,
            smallest_p: None,
        })
    }

    /// Returns the half width of the interval around the mean.
    fn half_width(&self, n: usize, sd: f64) -> Result<f64, Untestable> {
        let ln_level = libm::log(1.0 - self.options.confidence);
        self.mixture.half_width(n, sd, ln_level)
    }

    pub(super) fn interval(&self, running: &Running) -> Result<Option<Interval>, Untestable> {
        let Some(sd) = running.sd_from(self.options.blocks_min) else {
            return Ok(None);
        };
        let half = self.half_width(running.n, sd)?;
        Ok(Some(Interval::around(running.mean, half)))
    }

    /// Returns the decision after the blocks so far.
    pub(super) fn update(&mut self, running: &Running) -> Result<Decision, Untestable> {
        let Some(sd) = running.sd_from(self.options.blocks_min) else {
            return Ok(Decision::Continue);
        };
        let errors = (running.mean / sd).abs() * (running.n as f64).sqrt();
        let p = libm::exp(self.mixture.ln_p(running.n, errors)?).clamp(f64::MIN_POSITIVE, 1.0);
        self.smallest_p = Some(self.smallest_p.map_or(p, |before| before.min(p)));
        // p ≤ α is equivalent to an interval that excludes zero, but faster to compute.
        Ok(if p <= 1.0 - self.options.confidence {
            if 0.0 < running.mean {
                Decision::Ahead
            } else {
                Decision::Behind
            }
        } else if let Some(precision) = self.options.precision
            // With fewer, the standard deviation says little about rare differences.
            && BLOCKS_MIN <= running.nonzero
            && running.mean.abs() + self.half_width(running.n, sd)? <= precision
        {
            Decision::EqualWithin
        } else {
            Decision::Continue
        })
    }
}
