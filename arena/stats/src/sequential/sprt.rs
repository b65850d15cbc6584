//! Wald's sequential probability ratio test ("Sequential tests of statistical hypotheses").

use super::{Bias, Decision, Evidence, Running, Standing};
use crate::Untestable;
use crate::compare::BLOCKS_MIN;
use serde::{Deserialize, Serialize};

/// What the numbers are taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtModel {
    /// Differences that are normal around the mean of a hypothesis. Their standard deviation is the
    /// one stated, or, in a generalised ratio as engine testers use, the likeliest one under
    /// each hypothesis; the error rates then hold nearly.
    Normal {
        /// The standard deviation, if it is known.
        #[serde(default)]
        sd: Option<f64>,
    },
    /// Wins (1) and losses (0) with the probability of a hypothesis. A draw as ½ counts as half of
    /// each, which is cautious.
    Bernoulli,
}

/// The two hypotheses and the error rates.
///
/// Two-sided, the hypotheses are of the size of the difference, whoever is ahead: two tests are
/// made, of h0 against h1 and of their mirror images, each at half of `alpha` (after Sobel and
/// Wald, "A sequential decision procedure for choosing one of three hypotheses concerning the
/// unknown mean of a normal distribution"). Where one accepts its second hypothesis, that side
/// is ahead; where both accept their first, the difference is smaller than h1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtOptions {
    /// What the numbers are.
    pub model: SprtModel,
    /// The mean (or probability of a win) under the first hypothesis.
    pub h0: f64,
    /// That under the second.
    pub h1: f64,
    /// Whether only a difference to the side of the second hypothesis is looked for; what lies on
    /// the other side of the first is then not told from it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_sided: bool,
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
            return Err(Untestable::bad(
                "the error rates of a probability ratio test lie between 0 and one half",
            ));
        }
        if !(self.h0.is_finite() && self.h1.is_finite()) || self.h0 == self.h1 {
            return Err(Untestable::bad(
                "the hypotheses of a probability ratio test are two different numbers",
            ));
        }
        let level = self.mirrored(0.0) / 2.0;
        let are_sizes = level <= self.h0 && self.h0 < self.h1;
        if !(self.one_sided || are_sizes) {
            return Err(Untestable::bad(format!(
                "the hypotheses of a two-sided probability ratio test are {level} or more, the second larger than the first"
            )));
        }
        match self.model {
            SprtModel::Normal { sd: Some(sd) } if !(sd.is_finite() && 0.0 < sd) => {
                Err(Untestable::bad("a standard deviation must be positive"))
            }
            SprtModel::Bernoulli if ![self.h0, self.h1].iter().all(|&p| 0.0 < p && p < 1.0) => Err(
                Untestable::bad("probabilities of a win lie strictly between 0 and 1"),
            ),
            SprtModel::Bernoulli if numbers.iter().any(|x| !(0.0..=1.0).contains(x)) => {
                Err(Untestable::bad("wins and losses are numbers from 0 to 1"))
            }
            _ => Ok(()),
        }
    }

    /// What the mean is if the bots change places.
    fn mirrored(&self, mean: f64) -> f64 {
        if self.model == SprtModel::Bernoulli {
            1.0 - mean
        } else {
            -mean
        }
    }

    /// Blocks before the first decision: an estimated deviation needs some.
    fn blocks_min(&self) -> usize {
        if self.model == (SprtModel::Normal { sd: None }) {
            BLOCKS_MIN
        } else {
            1
        }
    }

    /// ln of the ratio of h1 over h0 after what has come in; `None` while it has no value.
    fn ln_ratio(&self, running: &Running, h0: f64, h1: f64) -> Option<f64> {
        let n = running.n as f64;
        match self.model {
            SprtModel::Normal { sd: Some(sd) } => {
                Some((h1 - h0) / sd * (n * (running.mean - 0.5 * (h0 + h1)) / sd))
            }
            SprtModel::Normal { sd: None } => {
                // Each hypothesis with the deviation that suits it best.
                running.sd()?;
                Some(
                    0.5 * n
                        * libm::log(running.mean_square_about(h0) / running.mean_square_about(h1)),
                )
            }
            SprtModel::Bernoulli => {
                let wins = running.mean;
                let gain =
                    wins * libm::log(h1 / h0) + (1.0 - wins) * libm::log((1.0 - h1) / (1.0 - h0));
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
    /// The ratio of the side that decided, else the larger one.
    ratio: Option<f64>,
    /// Of a two-sided test whether each side has accepted its first hypothesis.
    is_refuted: [bool; 2],
}

impl Watch {
    pub(super) fn new(options: &SprtOptions) -> Result<Self, Untestable> {
        options.check(&[])?;
        Ok(Self {
            options: *options,
            running: Running::default(),
            ratio: None,
            is_refuted: [false; 2],
        })
    }

    pub(super) fn push(&mut self, x: f64) -> Result<Decision, Untestable> {
        let options = self.options;
        options.check(&[x])?;
        self.running.push(x);
        let alpha = if options.one_sided {
            options.alpha
        } else {
            0.5 * options.alpha
        };
        let upper = libm::log((1.0 - options.beta) / alpha);
        let lower = libm::log(options.beta / (1.0 - alpha));
        let is_early = self.running.n < options.blocks_min();
        let running = &self.running;
        let ratio = |h0: f64, h1: f64| options.ln_ratio(running, h0, h1).filter(|_| !is_early);
        let (h0, h1) = (options.h0, options.h1);
        let up = ratio(h0, h1);
        if options.one_sided {
            self.ratio = up;
            return Ok(match up {
                Some(r) if upper <= r => Decision::AcceptH1,
                Some(r) if r <= lower => Decision::AcceptH0,
                _ => Decision::Continue,
            });
        }
        let down = ratio(options.mirrored(h0), options.mirrored(h1));
        let (Some(up), Some(down)) = (up, down) else {
            self.ratio = None;
            return Ok(Decision::Continue);
        };
        self.ratio = Some(up.max(down));
        for (is_refuted, (ratio, decision)) in self
            .is_refuted
            .iter_mut()
            .zip([(up, Decision::Ahead), (down, Decision::Behind)])
        {
            if !*is_refuted && upper <= ratio {
                self.ratio = Some(ratio);
                return Ok(decision);
            }
            *is_refuted |= ratio <= lower;
        }
        Ok(if self.is_refuted == [true; 2] {
            Decision::EqualWithin
        } else {
            Decision::Continue
        })
    }
}

/// Goes through the blocks and stops at the first boundary.
pub(super) fn apply(
    numbers: &[f64],
    options: &SprtOptions,
) -> Result<(Standing, Option<Untestable>), Untestable> {
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
    let note = if ratio.is_some() {
        None
    } else {
        running.reason(options.blocks_min())
    };
    Ok((standing, note))
}
