//! Comparisons that may stop early and still mean what they say.
//!
//! Looking at a fixed-sample p after every block and stopping when it is small finds differences
//! where there are none. The rules here hold however often one looks. They take the block
//! differences of two bots **in the order of the blocks**, without gaps: a runner with several
//! threads hands over the longest complete beginning. Each comparison has its own level: for k of
//! them together give each the confidence 1 − α/k.

mod confidence;
mod mixture;
mod one_sided;
mod sprt;

pub use confidence::{ConfidenceSequenceOptions, confidence_sequence};
pub(crate) use one_sided::OneSided;
pub use sprt::{SprtModel, SprtOptions};

use crate::Untestable;
use crate::summary::{Interval, ROUNDING_NOISE, no_variance, scaled_unit, sign_flip_floor};
use confidence::Sequence;
use serde::{Deserialize, Serialize};
use sprt::Ratio;

/// When a comparison ends. Part of the league and recorded with the result.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum StoppingRule {
    /// Stop when an asymptotic confidence sequence leaves zero out. The default among the rules.
    ConfidenceSequence(ConfidenceSequenceOptions),
    /// A rule of version 0.2, which no new league has ([`StoppingRule::current`]).
    Betting(BettingOptions),
    /// Wald's sequential probability ratio test of two stated differences.
    Sprt(SprtOptions),
}

/// The settings of a rule of version 0.2, as stores have them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BettingOptions {
    low: f64,
    high: f64,
    confidence: f64,
    grid: usize,
}

impl BettingOptions {
    /// The options of the rule that stands in place of this one.
    fn instead(&self) -> ConfidenceSequenceOptions {
        ConfidenceSequenceOptions {
            confidence: self.confidence,
            ..ConfidenceSequenceOptions::default()
        }
    }
}

/// What a rule says of the first bot against the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Nothing yet: play on, or accept that the league ended without a decision.
    Continue,
    /// The first bot is ahead.
    Ahead,
    /// The first bot is behind.
    Behind,
    /// The difference is smaller than what was asked for: the interval lies within the precision to
    /// both sides, or a two-sided probability ratio test refutes its second hypothesis to both
    /// sides.
    EqualWithin,
    /// A one-sided probability ratio test refutes the second hypothesis and all that lies beyond
    /// it.
    AcceptH0,
    /// A one-sided probability ratio test refutes the first hypothesis and all that lies beyond it.
    AcceptH1,
}

/// How the estimate suffers from the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bias {
    /// Not at all: the number of blocks did not depend on the scores, or nothing has stopped yet.
    None,
    /// The point estimate leans away from zero because the comparison stopped on a lead; the
    /// interval holds all the same.
    EstimateLeans,
    /// The point estimate leans towards zero because the comparison stopped on equality; the
    /// interval holds all the same.
    EstimateLeansToZero,
    /// The estimate is biased by the stopping rule, and no interval is given because the usual one
    /// does not hold.
    Biased,
}

/// The evidence at the last block looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Evidence {
    /// A p that holds at any time: the smallest level at which the sequence would have stopped by
    /// now. Never 0.
    AlwaysValidP(f64),
    /// ln of the ratio of the likelihoods, the second hypothesis over the first.
    LogLikelihoodRatio(f64),
}

/// Where a sequential comparison stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// What the rule says.
    pub decision: Decision,
    /// Blocks used: those up to the stop, or all that there are.
    pub blocks: usize,
    /// Mean difference over the blocks used; `None` without a block.
    pub estimate: Option<f64>,
    /// Interval of the mean difference at the rule's level; `None` where the rule gives none
    /// (yet).
    pub interval: Option<Interval>,
    /// The evidence; `None` where there is none yet.
    pub evidence: Option<Evidence>,
    /// How the estimate suffers.
    pub bias: Bias,
    /// Why there is no decision, when it is not just that more blocks are needed.
    pub note: Option<Untestable>,
}

impl StoppingRule {
    /// Applies the rule to the block differences (first bot minus second, in the order of the
    /// blocks), block by block, and stops where it stops: blocks beyond the stop change
    /// nothing.
    ///
    /// # Errors
    /// A difference that is not finite, or options out of range.
    pub fn apply(&self, differences: &[f64]) -> Result<Standing, Untestable> {
        if differences.iter().any(|d| !d.is_finite()) {
            return Err(Untestable::NotFinite);
        }
        let mut watch = self.watch()?;
        for &difference in differences {
            if watch.push(difference)? != Decision::Continue {
                break;
            }
        }
        watch.standing()
    }

    /// The rule before the first block.
    ///
    /// # Errors
    /// Options out of range.
    pub fn watch(&self) -> Result<Watch, Untestable> {
        Ok(Watch {
            kind: match self {
                Self::ConfidenceSequence(options) => {
                    Kind::ConfidenceSequence(Sequence::new(options)?)
                }
                Self::Betting(options) => {
                    Kind::ConfidenceSequence(Sequence::new(&options.instead())?)
                }
                Self::Sprt(options) => Kind::Sprt(Ratio::new(options)?),
            },
            running: Running::default(),
            decision: Decision::Continue,
        })
    }

    /// The rule by which comparisons are judged: for one of version 0.2 the confidence sequence of
    /// the same confidence, which holds whatever it was that stopped a comparison.
    #[must_use]
    pub fn current(self) -> Self {
        match self {
            Self::Betting(options) => Self::ConfidenceSequence(options.instead()),
            rule => rule,
        }
    }
}

/// A rule that is given the block differences one at a time, as a runner has them: in constant time
/// each.
#[derive(Debug, Clone)]
pub struct Watch {
    kind: Kind,
    running: Running,
    decision: Decision,
}

#[derive(Debug, Clone)]
enum Kind {
    ConfidenceSequence(Sequence),
    Sprt(Ratio),
}

impl Watch {
    /// Takes in the difference of the next block; what the rule says is what
    /// [`StoppingRule::apply`] says of all differences so far. After a decision there is
    /// nothing more to be pushed.
    ///
    /// # Errors
    /// A difference that is not finite.
    pub fn push(&mut self, difference: f64) -> Result<Decision, Untestable> {
        if !difference.is_finite() {
            return Err(Untestable::NotFinite);
        }
        self.running.push(difference);
        self.decision = match &mut self.kind {
            Kind::ConfidenceSequence(sequence) => sequence.look(&self.running)?,
            Kind::Sprt(ratio) => ratio.look(&self.running),
        };
        Ok(self.decision)
    }

    /// Where the comparison stands.
    fn standing(&self) -> Result<Standing, Untestable> {
        let running = &self.running;
        let standing = Standing {
            decision: self.decision,
            blocks: running.n,
            estimate: (0 < running.n).then_some(running.mean),
            interval: None,
            evidence: None,
            bias: Bias::None,
            note: None,
        };
        match &self.kind {
            Kind::ConfidenceSequence(sequence) => sequence.complete(running, standing),
            Kind::Sprt(ratio) => Ok(ratio.complete(running, standing)),
        }
    }
}

/// Mean and variance of what has come so far, one number at a time (Welford, "Note on a method for
/// calculating corrected sums of squares and products").
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Running {
    pub(crate) n: usize,
    pub(crate) mean: f64,
    /// Sum of the squared deviations over that of `unit`.
    squares: f64,
    largest: f64,
    /// About the size of the first number other than zero, so that squares of tiny ones do not
    /// vanish; 0 before it.
    unit: f64,
}

impl Running {
    pub(crate) fn push(&mut self, x: f64) {
        if self.unit == 0.0 && x != 0.0 {
            self.unit = scaled_unit(x.abs());
        }
        self.n += 1;
        let before = x - self.mean;
        self.mean += before / self.n as f64;
        if self.unit != 0.0 {
            self.squares += before / self.unit * ((x - self.mean) / self.unit);
        }
        self.largest = self.largest.max(x.abs());
    }

    /// The unbiased standard deviation; `None` below two numbers and where they differ by rounding
    /// alone.
    pub(crate) fn sd(&self) -> Option<f64> {
        if self.n < 2 {
            return None;
        }
        let sd = self.unit * (self.squares.max(0.0) / (self.n - 1) as f64).sqrt();
        (sd.is_finite() && ROUNDING_NOISE * self.largest < sd).then_some(sd)
    }

    /// Mean squared distance from `centre`, over the square of the unit.
    fn mean_square_about(&self, centre: f64) -> f64 {
        let distance = (self.mean - centre) / self.unit;
        self.squares / self.n as f64 + distance * distance
    }

    /// Why there is no standard deviation, or too few blocks for a rule that wants `needed`.
    fn reason(&self, needed: usize) -> Option<Untestable> {
        let needed = needed.max(2);
        if self.n < needed {
            Some(Untestable::TooFewBlocks {
                blocks: self.n,
                needed,
            })
        } else if self.sd().is_some() {
            None
        } else {
            let noise = ROUNDING_NOISE * self.largest;
            Some(no_variance(self.mean, noise, sign_flip_floor(self.n)))
        }
    }
}
