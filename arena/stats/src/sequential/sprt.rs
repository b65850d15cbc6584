//! Wald's sequential probability ratio test ("Sequential tests of statistical hypotheses").

use super::{Bias, Decision, Evidence, Running, Standing};
use crate::Untestable;
use crate::compare::BLOCKS_MIN;
use serde::{Deserialize, Serialize};

/// What the numbers are taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtModel {
    /// Differences that are normal around the mean of a hypothesis. Their standard deviation is the one stated, or, in a
    /// generalised ratio as engine testers use, the likeliest one under each hypothesis; the error rates then hold
    /// nearly.
    Normal {
        /// The standard deviation, if it is known.
        #[serde(default)]
        sd: Option<f64>,
    },
    /// Wins (1) and losses (0) with the probability of a hypothesis. A draw as ½ counts as half of each, which is
    /// cautious.
    Bernoulli,
}

/// The two hypotheses and the error rates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtOptions {
    /// What the numbers are.
    pub model: SprtModel,
    /// The mean (or probability of a win) under the first hypothesis.
    pub h0: f64,
    /// That under the second.
    pub h1: f64,
    /// Chance of accepting the second when the first is true.
    #[serde(default = "default_error")]
    pub alpha: f64,
    /// Chance of accepting the first when the second is true.
    #[serde(default = "default_error")]
    pub beta: f64,
}

fn default_error() -> f64 {
    0.05
}

impl SprtOptions {
    fn check(&self, numbers: &[f64]) -> Result<(), Untestable> {
        let rate = |x: f64| 0.0 < x && x < 0.5;
        if !(rate(self.alpha) && rate(self.beta)) {
            return Err(Untestable::bad("the error rates of a probability ratio test lie between 0 and one half"));
        }
        if !(self.h0.is_finite() && self.h1.is_finite()) || self.h0 == self.h1 {
            return Err(Untestable::bad("the hypotheses of a probability ratio test are two different numbers"));
        }
        match self.model {
            SprtModel::Normal { sd: Some(sd) } if !(sd.is_finite() && 0.0 < sd) => {
                Err(Untestable::bad("a standard deviation must be positive"))
            }
            SprtModel::Bernoulli if ![self.h0, self.h1].iter().all(|&p| 0.0 < p && p < 1.0) => {
                Err(Untestable::bad("probabilities of a win lie strictly between 0 and 1"))
            }
            SprtModel::Bernoulli if numbers.iter().any(|x| !(0.0..=1.0).contains(x)) => {
                Err(Untestable::bad("wins and losses are numbers from 0 to 1"))
            }
            _ => Ok(()),
        }
    }

    /// Blocks before the first decision: an estimated deviation needs some.
    fn blocks_min(&self) -> usize {
        if self.model == (SprtModel::Normal { sd: None }) { BLOCKS_MIN } else { 1 }
    }

    /// ln of the ratio after what has come in; `None` while it has no value.
    fn ln_ratio(&self, running: &Running) -> Option<f64> {
        let n = running.n as f64;
        match self.model {
            SprtModel::Normal { sd: Some(sd) } => {
                Some((self.h1 - self.h0) / sd * (n * (running.mean - 0.5 * (self.h0 + self.h1)) / sd))
            }
            SprtModel::Normal { sd: None } => {
                // Each hypothesis with the deviation that suits it best.
                running.sd()?;
                let squares = |h: f64| running.squares / n + (running.mean - h) * (running.mean - h);
                Some(0.5 * n * (squares(self.h0) / squares(self.h1)).ln())
            }
            SprtModel::Bernoulli => {
                let wins = running.mean;
                let gain = wins * (self.h1 / self.h0).ln() + (1.0 - wins) * ((1.0 - self.h1) / (1.0 - self.h0)).ln();
                Some(n * gain)
            }
        }
    }
}

/// The test, block by block.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    options: SprtOptions,
    running: Running,
    ratio: Option<f64>,
}

impl Watch {
    pub fn new(options: &SprtOptions) -> Result<Self, Untestable> {
        options.check(&[])?;
        Ok(Self { options: *options, running: Running::default(), ratio: None })
    }

    pub fn push(&mut self, x: f64) -> Result<Decision, Untestable> {
        let options = &self.options;
        options.check(&[x])?;
        self.running.push(x);
        self.ratio = options.ln_ratio(&self.running).filter(|_| options.blocks_min() <= self.running.n);
        let upper = ((1.0 - options.beta) / options.alpha).ln();
        let lower = (options.beta / (1.0 - options.alpha)).ln();
        Ok(match self.ratio {
            Some(r) if upper <= r => Decision::AcceptH1,
            Some(r) if r <= lower => Decision::AcceptH0,
            _ => Decision::Continue,
        })
    }
}

/// Goes through the blocks and stops at the first boundary.
pub(super) fn apply(numbers: &[f64], options: &SprtOptions) -> Result<(Standing, Option<Untestable>), Untestable> {
    options.check(numbers)?;
    let mut watch = Watch::new(options)?;
    let mut decision = Decision::Continue;
    for &x in numbers {
        decision = watch.push(x)?;
        if decision != Decision::Continue {
            break;
        }
    }
    let Watch { running, ratio, .. } = watch;
    let stopped = decision != Decision::Continue;
    let standing = Standing {
        decision,
        blocks: running.n,
        estimate: (0 < running.n).then_some(running.mean),
        interval: None,
        evidence: ratio.map(Evidence::LogLikelihoodRatio),
        bias: if stopped { Bias::Biased } else { Bias::None },
    };
    let note = if ratio.is_some() { None } else { running.reason(options.blocks_min()) };
    Ok((standing, note))
}
