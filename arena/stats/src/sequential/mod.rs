//! Comparisons that may stop early and still mean what they say.
//!
//! Looking at a fixed-sample p after every block and stopping when it is small finds differences
//! where there are none. The rules here hold however often one looks. They take the block
//! differences of two bots **in the order of the blocks**, without gaps: a runner with several
//! threads hands over the longest complete beginning. Each comparison has its own level: for k of
//! them together give each the confidence 1 − α/k.

mod betting;
mod confidence;
mod one_sided;
mod sprt;

pub use betting::{BettingOptions, betting_sequence};
pub use confidence::{ConfidenceSequenceOptions, confidence_sequence};
pub(crate) use one_sided::OneSided;
pub use sprt::{SprtModel, SprtOptions};

use crate::compare::BLOCKS_MIN;
use crate::summary::{Interval, ROUNDING_NOISE, from_sd, mean, scaled_unit};
use crate::{Untestable, one_sample_t};
use serde::{Deserialize, Serialize};

/// When a comparison ends. Part of the league and recorded with the result.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum StoppingRule {
    /// Play the number of blocks fixed beforehand and test once.
    FixedSample(FixedSampleOptions),
    /// Stop when an asymptotic confidence sequence leaves zero out. The default among the
    /// sequential rules.
    ConfidenceSequence(ConfidenceSequenceOptions),
    /// Stop when betting against "no difference" has won enough: exact for bounded scores, from the
    /// first block on.
    Betting(BettingOptions),
    /// Wald's sequential probability ratio test of two stated differences.
    Sprt(SprtOptions),
}

/// A fixed-sample test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixedSampleOptions {
    /// Blocks to play.
    pub blocks: usize,
    /// Confidence level; 1 minus it is the level of significance.
    #[serde(default = "default_confidence")]
    pub confidence: f64,
}

fn default_confidence() -> f64 {
    0.95
}

/// What a rule says of the first bot against the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Nothing yet: play on, or accept that the league ended without a decision.
    Continue,
    /// The first bot is ahead.
    Ahead,
    /// The first bot is behind.
    Behind,
    /// The fixed sample shows no difference, nor that there is none.
    NoDifference,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// A fixed-sample p.
    P(f64),
    /// A p that holds at any time: the smallest level at which the sequence would have stopped by
    /// now. Never 0.
    AlwaysValidP(f64),
    /// The largest stake that a bettor against "no difference" has held so far; 1/e is an
    /// always-valid p. Capped at the largest `f64`.
    EValue(f64),
    /// ln of the ratio of the likelihoods, the second hypothesis over the first.
    LogLikelihoodRatio(f64),
}

/// Where a sequential comparison stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
}

/// A sequential comparison with the rule that was used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sequential {
    /// The rule, as recorded.
    pub rule: StoppingRule,
    /// Where it stands.
    pub standing: Standing,
    /// Why there is no decision, when it is not just that more blocks are needed.
    pub note: Option<Untestable>,
}

impl StoppingRule {
    /// Applies the rule to the block differences (first bot minus second, in the order of the
    /// blocks), block by block, and stops where it stops: blocks beyond the stop change
    /// nothing.
    ///
    /// # Errors
    /// A difference that is not finite, one outside the bounds of a betting rule, or options out of
    /// range.
    pub fn apply(&self, differences: &[f64]) -> Result<Sequential, Untestable> {
        if differences.iter().any(|d| !d.is_finite()) {
            return Err(Untestable::NotFinite);
        }
        let (standing, note) = match self {
            Self::FixedSample(options) => fixed_sample(differences, options)?,
            Self::ConfidenceSequence(options) => confidence::apply(differences, options)?,
            Self::Betting(options) => (betting::apply(differences, options)?, None),
            Self::Sprt(options) => sprt::apply(differences, options)?,
        };
        Ok(Sequential {
            rule: *self,
            standing,
            note,
        })
    }
}

/// A rule that is given the block differences one at a time, as a runner has them: in constant time
/// each.
#[derive(Debug, Clone)]
pub struct Watch(Kind);

#[derive(Debug, Clone)]
enum Kind {
    FixedSample(FixedSampleOptions, Vec<f64>),
    ConfidenceSequence(confidence::Watch),
    Betting(betting::Watch),
    Sprt(sprt::Watch),
}

impl StoppingRule {
    /// The rule before the first block.
    ///
    /// # Errors
    /// Options out of range.
    pub fn watch(&self) -> Result<Watch, Untestable> {
        Ok(Watch(match self {
            Self::FixedSample(options) => Kind::FixedSample(*options, Vec::new()),
            Self::ConfidenceSequence(options) => {
                Kind::ConfidenceSequence(confidence::Watch::new(options)?)
            }
            Self::Betting(options) => Kind::Betting(betting::Watch::new(options)?),
            Self::Sprt(options) => Kind::Sprt(sprt::Watch::new(options)?),
        }))
    }
}

impl Watch {
    /// Takes in the difference of the next block; what the rule says is what
    /// [`StoppingRule::apply`] says of all differences so far. After a decision there is
    /// nothing more to be pushed.
    ///
    /// # Errors
    /// A difference that is not finite, or one outside the bounds of a betting rule.
    pub fn push(&mut self, difference: f64) -> Result<Decision, Untestable> {
        if !difference.is_finite() {
            return Err(Untestable::NotFinite);
        }
        match &mut self.0 {
            Kind::FixedSample(options, differences) => {
                differences.push(difference);
                if differences.len() < options.blocks {
                    return Ok(Decision::Continue);
                }
                Ok(fixed_sample(differences, options)?.0.decision)
            }
            Kind::ConfidenceSequence(watch) => watch.push(difference),
            Kind::Betting(watch) => watch.push(difference),
            Kind::Sprt(watch) => watch.push(difference),
        }
    }
}

fn fixed_sample(
    differences: &[f64],
    options: &FixedSampleOptions,
) -> Result<(Standing, Option<Untestable>), Untestable> {
    crate::summary::check_confidence(options.confidence)?;
    let used = &differences[..options.blocks.min(differences.len())];
    let open = Standing {
        decision: Decision::Continue,
        blocks: used.len(),
        estimate: (!used.is_empty()).then(|| mean(used)),
        interval: None,
        evidence: None,
        bias: Bias::None,
    };
    if used.len() < options.blocks {
        return Ok((
            open,
            Some(Untestable::TooFewBlocks {
                blocks: used.len(),
                needed: options.blocks,
            }),
        ));
    }
    match one_sample_t(used, options.confidence) {
        Err(reason) => Ok((open, Some(reason))),
        Ok(_) if used.len() < BLOCKS_MIN => Ok((
            open,
            Some(Untestable::TooFewBlocks {
                blocks: used.len(),
                needed: BLOCKS_MIN,
            }),
        )),
        Ok(test) => {
            let decision = match test.p <= 1.0 - options.confidence {
                false => Decision::NoDifference,
                true if 0.0 < test.mean_difference => Decision::Ahead,
                true => Decision::Behind,
            };
            let evidence = Some(Evidence::P(test.p));
            Ok((
                Standing {
                    decision,
                    interval: Some(test.interval),
                    evidence,
                    ..open
                },
                None,
            ))
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
            from_sd(self.n, self.mean, 0.0, self.largest).err()
        }
    }
}
