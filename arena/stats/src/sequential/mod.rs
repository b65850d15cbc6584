//! Sequential comparisons: stopping rules that keep their error rate.
//!
//! Testing with a fixed-sample p value after every block, and stopping when it is small, finds
//! differences that do not exist. The rules in this module are valid however often the data are
//! examined.
//!
//! They take the block differences of two bots **in the order of the blocks**, without gaps. A
//! runner with several threads must pass the longest complete prefix. Each comparison has its own
//! level: for k simultaneous comparisons use confidence 1 − α/k for each.

mod confidence;
mod mixture;
mod one_sided;
mod sprt;

pub use confidence::{ConfidenceSequenceOptions, confidence_sequence};
pub(crate) use one_sided::OneSided;
pub use sprt::{SprtModel, SprtOptions};

use crate::summary::{ROUNDING_NOISE, no_variance, scaled_unit, sign_flip_floor};
use crate::{Interval, Untestable};
use confidence::Sequence;
use serde::{Deserialize, Serialize};
use sprt::RatioTest;

/// The rule that ends a comparison. It is part of the league and is stored with its results.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum StoppingRule {
    /// Stops when an asymptotic confidence sequence excludes zero. This is the default.
    ConfidenceSequence(ConfidenceSequenceOptions),
    /// A rule of version 0.2 that new leagues cannot use. [`StoppingRule::current`] replaces it.
    Betting(BettingOptions),
    /// Wald's sequential probability ratio test of two given differences.
    Sprt(SprtOptions),
}

/// Options of a rule of version 0.2, kept so that old stores can be read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BettingOptions {
    low: f64,
    high: f64,
    confidence: f64,
    grid: usize,
}

/// The decision of a rule about the first bot relative to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// There is no decision yet.
    Continue,
    /// The first bot is ahead.
    Ahead,
    /// The first bot is behind.
    Behind,
    /// The difference is smaller than the requested precision. Either the interval lies within the
    /// precision on both sides, after ten blocks with a difference, or a two-sided probability
    /// ratio test rejects its second hypothesis in both directions.
    EqualWithin,
    /// A one-sided probability ratio test rejects the second hypothesis and all values beyond it.
    AcceptH0,
    /// A one-sided probability ratio test rejects the first hypothesis and all values beyond it.
    AcceptH1,
}

/// The bias of the estimate caused by the stopping rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bias {
    /// No bias: the number of blocks did not depend on the scores, or the rule has not stopped.
    None,
    /// The estimate is biased away from zero because the comparison stopped when a bot was ahead.
    /// The interval is valid.
    EstimateLeans,
    /// The estimate is biased towards zero because the comparison stopped when the bots were shown
    /// to be equal. The interval is valid.
    EstimateLeansToZero,
    /// The estimate is biased. No interval is given, because the usual one is not valid.
    Biased,
}

/// The evidence after the last used block.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
pub enum Evidence {
    /// Always-valid p value: the smallest level at which the sequence would have stopped by now.
    /// Never 0.
    AlwaysValidP(f64),
    /// Natural logarithm of the likelihood ratio of the second hypothesis to the first.
    LogLikelihoodRatio(f64),
}

/// The state of a sequential comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The decision of the rule.
    pub decision: Decision,
    /// Number of blocks used: those up to the stop, or all if the rule has not stopped.
    pub blocks: usize,
    /// Mean difference over the used blocks; `None` without a block.
    pub estimate: Option<f64>,
    /// Confidence interval of the mean difference at the level of the rule; `None` until the rule
    /// can be applied, and for a probability ratio test.
    pub interval: Option<Interval>,
    /// The evidence; `None` until the rule can be applied.
    pub evidence: Option<Evidence>,
    /// The bias of the estimate.
    pub bias: Bias,
    /// The reason why the rule cannot be applied: too few blocks, or no variance. `None` if it can
    /// be applied.
    pub note: Option<Untestable>,
}

impl Evidence {
    /// Returns the number: the p value or the logarithm of the likelihood ratio.
    pub fn value(self) -> f64 {
        let (Self::AlwaysValidP(value) | Self::LogLikelihoodRatio(value)) = self;
        value
    }
}

impl StoppingRule {
    /// Applies the rule to block differences (first bot minus second) in the order of the blocks.
    /// Blocks after the stop are ignored.
    ///
    /// # Errors
    /// Returns an error if a difference up to the stop is not finite, or if an option is out of
    /// range.
    pub fn apply(&self, differences: &[f64]) -> Result<Standing, Untestable> {
        let mut test = self.start()?;
        for &difference in differences {
            if test.push(difference)? != Decision::Continue {
                break;
            }
        }
        test.standing()
    }

    /// Creates the state of the rule before the first block.
    ///
    /// # Errors
    /// Returns an error if an option is out of range.
    pub fn start(&self) -> Result<SequentialTest, Untestable> {
        Ok(SequentialTest {
            kind: match self {
                Self::ConfidenceSequence(options) => {
                    RuleState::ConfidenceSequence(Sequence::new(options)?)
                }
                Self::Betting(_) => return self.current().start(),
                Self::Sprt(options) => RuleState::Sprt(RatioTest::new(options)?),
            },
            running: Running::default(),
            decision: Decision::Continue,
        })
    }

    /// Returns the rule that is applied. A rule of version 0.2 is replaced by a confidence sequence
    /// with the same confidence, which is valid for every reason to stop.
    #[must_use]
    pub fn current(self) -> Self {
        match self {
            Self::Betting(options) => Self::ConfidenceSequence(ConfidenceSequenceOptions {
                confidence: options.confidence,
                ..ConfidenceSequenceOptions::default()
            }),
            rule => rule,
        }
    }
}

/// A stopping rule to which block differences are added one by one, each in constant time.
#[derive(Debug, Clone)]
pub struct SequentialTest {
    kind: RuleState,
    running: Running,
    decision: Decision,
}

/// The state of a stopping rule.
#[derive(Debug, Clone)]
enum RuleState {
    ConfidenceSequence(Sequence),
    Sprt(RatioTest),
}

impl SequentialTest {
    /// Adds the difference of the next block. Returns the decision that [`StoppingRule::apply`]
    /// would give for all differences so far. After a decision, no further differences may be
    /// added.
    ///
    /// # Errors
    /// Returns an error if the difference is not finite.
    pub fn push(&mut self, difference: f64) -> Result<Decision, Untestable> {
        if !difference.is_finite() {
            return Err(Untestable::NotFinite);
        }
        self.running.push(difference);
        self.decision = match &mut self.kind {
            RuleState::ConfidenceSequence(sequence) => sequence.update(&self.running)?,
            RuleState::Sprt(ratio) => ratio.update(&self.running),
        };
        Ok(self.decision)
    }

    /// Returns the state of the comparison.
    fn standing(&self) -> Result<Standing, Untestable> {
        let running = &self.running;
        let (interval, evidence, note) = match &self.kind {
            RuleState::ConfidenceSequence(sequence) => (
                sequence.interval(running)?,
                sequence.smallest_p.map(Evidence::AlwaysValidP),
                running.reason(sequence.options.blocks_min),
            ),
            RuleState::Sprt(RatioTest {
                ratio: Some(ratio), ..
            }) => (None, Some(Evidence::LogLikelihoodRatio(*ratio)), None),
            RuleState::Sprt(undefined) => {
                let note = running.reason(undefined.options.blocks_min());
                (None, None, note)
            }
        };
        Ok(Standing {
            decision: self.decision,
            blocks: running.n,
            estimate: (0 < running.n).then_some(running.mean),
            interval,
            evidence,
            bias: match (&self.kind, self.decision) {
                (_, Decision::Continue) => Bias::None,
                (RuleState::Sprt(_), _) => Bias::Biased,
                (_, Decision::EqualWithin) => Bias::EstimateLeansToZero,
                _ => Bias::EstimateLeans,
            },
            note,
        })
    }
}

/// Running mean and variance (Welford, "Note on a method for calculating corrected sums of squares
/// and products").
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Running {
    pub n: usize,
    /// Count of the numbers that are not zero.
    pub nonzero: usize,
    pub mean: f64,
    /// Sum of the squared deviations, divided by `unit` squared.
    squares: f64,
    largest: f64,
    /// A power of two near the first non-zero number, so that squares of tiny numbers do not
    /// underflow; 0 until there is such a number.
    unit: f64,
}

impl Running {
    pub(crate) fn push(&mut self, x: f64) {
        if self.unit == 0.0 && x != 0.0 {
            self.unit = scaled_unit(x.abs());
        }
        self.n += 1;
        self.nonzero += usize::from(x != 0.0);
        let before = x - self.mean;
        self.mean += before / self.n as f64;
        if self.unit != 0.0 {
            self.squares += before / self.unit * ((x - self.mean) / self.unit);
        }
        self.largest = self.largest.max(x.abs());
    }

    /// Returns the unbiased standard deviation. Returns `None` for fewer than two numbers, and if
    /// they differ only by rounding.
    pub(crate) fn sd(&self) -> Option<f64> {
        if self.n < 2 {
            return None;
        }
        let sd = self.unit * (self.squares.max(0.0) / (self.n - 1) as f64).sqrt();
        (sd.is_finite() && ROUNDING_NOISE * self.largest < sd).then_some(sd)
    }

    /// Returns the standard deviation like [`Running::sd`], but `None` also for fewer than
    /// `blocks_min` numbers.
    fn sd_from(&self, blocks_min: usize) -> Option<f64> {
        self.sd().filter(|_| blocks_min <= self.n)
    }

    /// Returns the mean squared distance from `centre`, divided by `unit` squared.
    fn mean_square_about(&self, centre: f64) -> f64 {
        let distance = (self.mean - centre) / self.unit;
        self.squares / self.n as f64 + distance * distance
    }

    /// Returns the reason why a rule cannot be applied, or `None`: there are fewer than `needed`
    /// blocks, or no standard deviation.
    fn reason(&self, needed: usize) -> Option<Untestable> {
        let noise = ROUNDING_NOISE * self.largest;
        Untestable::require_blocks(self.n, needed.max(2))
            .err()
            .or_else(|| {
                self.sd()
                    .is_none()
                    .then(|| no_variance(self.mean, noise, sign_flip_floor(self.n)))
            })
    }
}
