//! The asymptotic confidence sequence of the [`mixture`](super::mixture) to both sides.

use super::mixture::{Mixture, Sides};
use super::{Bias, Decision, Evidence, Running, Standing};
use crate::Untestable;
use crate::compare::BLOCKS_MIN;
use crate::summary::{Interval, check_confidence};
use serde::{Deserialize, Serialize};

/// How a confidence sequence is made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConfidenceSequenceOptions {
    /// Confidence level for all times together.
    pub confidence: f64,
    /// The number of blocks at which the sequence is narrowest for its kind. It holds at all
    /// others, too.
    pub tuned_for: f64,
    /// No interval is given before so many blocks: the theory is of large samples.
    pub blocks_min: usize,
    /// Stop also when the interval lies within this distance of zero, in points per game: the two
    /// are equal within it.
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

/// The interval after each block: entry t − 1 covers the first t differences. `None` before
/// `blocks_min` and while all differences are equal. With the stated confidence all intervals hold
/// the true mean together.
///
/// # Errors
/// A difference that is not finite, or options out of range.
pub fn confidence_sequence(
    differences: &[f64],
    options: &ConfidenceSequenceOptions,
) -> Result<Vec<Option<Interval>>, Untestable> {
    if differences.iter().any(|d| !d.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    let sequence = Sequence::new(options)?;
    let mut running = Running::default();
    let interval = |&d: &f64| {
        running.push(d);
        sequence.interval(&running)
    };
    differences.iter().map(interval).collect()
}

/// The sequence, block by block.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    options: ConfidenceSequenceOptions,
    mixture: Mixture,
    smallest_p: Option<f64>,
}

impl Sequence {
    pub(super) fn new(options: &ConfidenceSequenceOptions) -> Result<Self, Untestable> {
        check_confidence(options.confidence)?;
        if options
            .precision
            .is_some_and(|precision| !(precision.is_finite() && 0.0 < precision))
        {
            return Err(Untestable::bad("a precision must be positive"));
        }
        Ok(Self {
            options: *options,
            mixture: Mixture::new(Sides::Two, 1.0 - options.confidence, options.tuned_for)?,
            smallest_p: None,
        })
    }

    /// The deviation of numbers that are enough for an interval.
    fn sd(&self, running: &Running) -> Option<f64> {
        running
            .sd()
            .filter(|_| self.options.blocks_min <= running.n)
    }

    fn half_width(&self, n: usize, sd: f64) -> Result<f64, Untestable> {
        let ln_level = libm::log(1.0 - self.options.confidence);
        self.mixture.half_width(n, sd, ln_level)
    }

    fn interval(&self, running: &Running) -> Result<Option<Interval>, Untestable> {
        let around = |sd| {
            Ok(Interval::around(
                running.mean,
                self.half_width(running.n, sd)?,
            ))
        };
        self.sd(running).map(around).transpose()
    }

    /// Looks at all that has come so far.
    pub(super) fn look(&mut self, running: &Running) -> Result<Decision, Untestable> {
        let Some(sd) = self.sd(running) else {
            return Ok(Decision::Continue);
        };
        let errors = (running.mean / sd).abs() * (running.n as f64).sqrt();
        let p = libm::exp(self.mixture.ln_p(running.n, errors)?).clamp(f64::MIN_POSITIVE, 1.0);
        self.smallest_p = Some(self.smallest_p.map_or(p, |before| before.min(p)));
        // p at most α is the same as an interval without zero, and quicker to find.
        Ok(if p <= 1.0 - self.options.confidence {
            if 0.0 < running.mean {
                Decision::Ahead
            } else {
                Decision::Behind
            }
        } else if let Some(precision) = self.options.precision
            && running.mean.abs() + self.half_width(running.n, sd)? <= precision
        {
            Decision::EqualWithin
        } else {
            Decision::Continue
        })
    }

    /// Adds what the sequence knows to where a comparison stands.
    pub(super) fn complete(
        &self,
        running: &Running,
        standing: Standing,
    ) -> Result<Standing, Untestable> {
        Ok(Standing {
            interval: self.interval(running)?,
            evidence: self.smallest_p.map(Evidence::AlwaysValidP),
            bias: match standing.decision {
                Decision::Ahead | Decision::Behind => Bias::EstimateLeans,
                Decision::EqualWithin => Bias::EstimateLeansToZero,
                _ => Bias::None,
            },
            note: running.reason(self.options.blocks_min),
            ..standing
        })
    }
}
