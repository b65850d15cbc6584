//! The asymptotic confidence sequence with a normal mixture boundary (Waudby-Smith, Arbour, Sinha,
//! Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences",
//! theorem 2.2).
//!
//! The theory is of many blocks. With few the estimated deviation is itself uncertain, so the
//! boundary, a normal deviate, is replaced by the t deviate of equal tail: the same in the limit,
//! and what keeps the promise before it.

use super::{Bias, Decision, Evidence, Running, Standing};
use crate::Untestable;
use crate::compare::BLOCKS_MIN;
use crate::dist::{normal, student};
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

impl ConfidenceSequenceOptions {
    pub(super) fn check(&self) -> Result<(), Untestable> {
        check_confidence(self.confidence)?;
        if !(self.tuned_for.is_finite() && 1.0 <= self.tuned_for) {
            return Err(Untestable::bad(
                "a confidence sequence is tuned for one block or more",
            ));
        }
        if self.precision.is_some_and(|p| !(p.is_finite() && 0.0 < p)) {
            return Err(Untestable::bad("a precision must be positive"));
        }
        Ok(())
    }

    /// ρ², the variance of the mixture: the paper's choice that makes the boundary narrowest at
    /// `tuned_for`.
    pub(super) fn rho_squared(&self) -> f64 {
        let twice_ln = -2.0 * libm::log(1.0 - self.confidence);
        (twice_ln + libm::log(1.0 + twice_ln)) / self.tuned_for
    }

    /// The boundary after t blocks, in standard errors of the mean with the deviation known.
    fn boundary(&self, t: f64) -> f64 {
        let spread = t * self.rho_squared() + 1.0;
        let ln_boundary = 0.5 * libm::log(spread) - libm::log(1.0 - self.confidence);
        (2.0 * spread / (t * self.rho_squared()) * ln_boundary).sqrt()
    }

    /// Half the width of the interval after n blocks of this standard deviation.
    fn half_width(&self, n: usize, sd: f64) -> Result<f64, Untestable> {
        let t = n as f64;
        let tail = normal::sf(self.boundary(t)).max(f64::MIN_POSITIVE);
        Ok(student::isf(tail, t - 1.0)? * sd / t.sqrt())
    }

    /// The level at which the interval would just end at zero.
    fn p(&self, n: usize, mean: f64, sd: f64) -> Result<f64, Untestable> {
        let t = n as f64;
        let spread = t * self.rho_squared() + 1.0;
        let tail = student::sf((mean / sd).abs() * t.sqrt(), t - 1.0)?.max(f64::MIN_POSITIVE);
        let z = normal::isf(tail)?;
        let ln_p = 0.5 * libm::log(spread) - 0.5 * z * z * t * self.rho_squared() / spread;
        Ok(libm::exp(ln_p).clamp(f64::MIN_POSITIVE, 1.0))
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
    options.check()?;
    if differences.iter().any(|d| !d.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    let mut running = Running::default();
    differences
        .iter()
        .map(|&d| {
            running.push(d);
            interval(&running, options)
        })
        .collect()
}

fn interval(
    running: &Running,
    options: &ConfidenceSequenceOptions,
) -> Result<Option<Interval>, Untestable> {
    match running.sd().filter(|_| options.blocks_min <= running.n) {
        Some(sd) => Ok(Some(Interval::around(
            running.mean,
            options.half_width(running.n, sd)?,
        ))),
        None => Ok(None),
    }
}

/// The sequence, block by block.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    options: ConfidenceSequenceOptions,
    running: Running,
    smallest_p: Option<f64>,
}

impl Watch {
    pub(super) fn new(options: &ConfidenceSequenceOptions) -> Result<Self, Untestable> {
        options.check()?;
        Ok(Self {
            options: *options,
            running: Running::default(),
            smallest_p: None,
        })
    }

    pub(super) fn push(&mut self, d: f64) -> Result<Decision, Untestable> {
        self.running.push(d);
        let (running, options) = (&self.running, &self.options);
        let Some(sd) = running.sd().filter(|_| options.blocks_min <= running.n) else {
            return Ok(Decision::Continue);
        };
        let p = options.p(running.n, running.mean, sd)?;
        self.smallest_p = Some(self.smallest_p.map_or(p, |before| before.min(p)));
        // p at most α is the same as an interval without zero, and quicker to find.
        Ok(if p <= 1.0 - options.confidence {
            if 0.0 < running.mean {
                Decision::Ahead
            } else {
                Decision::Behind
            }
        } else if let Some(precision) = options.precision
            && running.mean.abs() + options.half_width(running.n, sd)? <= precision
        {
            Decision::EqualWithin
        } else {
            Decision::Continue
        })
    }
}

/// Goes through the blocks and stops when zero is out, or all that is left is within the precision.
pub(super) fn apply(
    differences: &[f64],
    options: &ConfidenceSequenceOptions,
) -> Result<(Standing, Option<Untestable>), Untestable> {
    let mut watch = Watch::new(options)?;
    let mut decision = Decision::Continue;
    for &d in differences {
        decision = watch.push(d)?;
        if decision != Decision::Continue {
            break;
        }
    }
    let Watch {
        running,
        smallest_p,
        ..
    } = watch;
    let standing = Standing {
        decision,
        blocks: running.n,
        estimate: (0 < running.n).then_some(running.mean),
        interval: interval(&running, options)?,
        evidence: smallest_p.map(Evidence::AlwaysValidP),
        bias: match decision {
            Decision::Ahead | Decision::Behind => Bias::EstimateLeans,
            Decision::EqualWithin => Bias::EstimateLeansToZero,
            _ => Bias::None,
        },
    };
    Ok((standing, running.reason(options.blocks_min)))
}
