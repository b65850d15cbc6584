//! Wald's sequential probability ratio test ("Sequential tests of statistical hypotheses").

use super::{Bias, Decision, Evidence, Running, Standing};
use crate::Untestable;
use crate::compare::BLOCKS_MIN;
use serde::{Deserialize, Serialize};

/// The distribution that the numbers are taken to have.
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
    /// The mean under the first hypothesis.
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
    fn check(&self) -> Result<(), Untestable> {
        let is_rate = |x: f64| 0.0 < x && x < 0.5;
        if !(is_rate(self.alpha) && is_rate(self.beta)) {
            return Err(Untestable::bad(
                "the error rates of a probability ratio test lie between 0 and one half",
            ));
        }
        if !(self.h0.is_finite() && self.h1.is_finite()) || self.h0 == self.h1 {
            return Err(Untestable::bad(
                "the hypotheses of a probability ratio test are two different numbers",
            ));
        }
        if !(self.one_sided || 0.0 <= self.h0 && self.h0 < self.h1) {
            return Err(Untestable::bad(
                "the hypotheses of a two-sided probability ratio test are 0 or more, the second larger than the first",
            ));
        }
        match self.model {
            SprtModel::Normal { sd: Some(sd) } if !(sd.is_finite() && 0.0 < sd) => {
                Err(Untestable::bad("a standard deviation must be positive"))
            }
            SprtModel::Normal { .. } => Ok(()),
        }
    }

    /// Blocks before the first decision: an estimated deviation needs some.
    fn blocks_min(&self) -> usize {
        match self.model {
            SprtModel::Normal { sd: None } => BLOCKS_MIN,
            SprtModel::Normal { sd: Some(_) } => 1,
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
        }
    }
}

/// The test, block by block.
#[derive(Debug, Clone)]
pub(super) struct Ratio {
    options: SprtOptions,
    /// The ratio of the side that decided, else the larger one.
    ratio: Option<f64>,
    /// Of a two-sided test whether each side has accepted its first hypothesis.
    is_refuted: [bool; 2],
}

impl Ratio {
    pub(super) fn new(options: &SprtOptions) -> Result<Self, Untestable> {
        options.check()?;
        Ok(Self {
            options: *options,
            ratio: None,
            is_refuted: [false; 2],
        })
    }

    /// Looks at all that has come so far.
    pub(super) fn look(&mut self, running: &Running) -> Decision {
        let options = self.options;
        let alpha = if options.one_sided {
            options.alpha
        } else {
            0.5 * options.alpha
        };
        let upper = libm::log((1.0 - options.beta) / alpha);
        let lower = libm::log(options.beta / (1.0 - alpha));
        let is_early = running.n < options.blocks_min();
        let ratio = |h0: f64, h1: f64| options.ln_ratio(running, h0, h1).filter(|_| !is_early);
        let (h0, h1) = (options.h0, options.h1);
        let up = ratio(h0, h1);
        if options.one_sided {
            self.ratio = up;
            return match up {
                Some(r) if upper <= r => Decision::AcceptH1,
                Some(r) if r <= lower => Decision::AcceptH0,
                _ => Decision::Continue,
            };
        }
        let (Some(up), Some(down)) = (up, ratio(-h0, -h1)) else {
            self.ratio = None;
            return Decision::Continue;
        };
        self.ratio = Some(up.max(down));
        for (is_refuted, (ratio, decision)) in self
            .is_refuted
            .iter_mut()
            .zip([(up, Decision::Ahead), (down, Decision::Behind)])
        {
            if !*is_refuted && upper <= ratio {
                self.ratio = Some(ratio);
                return decision;
            }
            *is_refuted |= ratio <= lower;
        }
        if self.is_refuted == [true; 2] {
            Decision::EqualWithin
        } else {
            Decision::Continue
        }
    }

    /// Adds what the test knows to where a comparison stands.
    pub(super) fn complete(&self, running: &Running, standing: Standing) -> Standing {
        Standing {
            evidence: self.ratio.map(Evidence::LogLikelihoodRatio),
            bias: match standing.decision {
                Decision::Continue => Bias::None,
                _ => Bias::Biased,
            },
            note: match self.ratio {
                Some(_) => None,
                None => running.reason(self.options.blocks_min()),
            },
            ..standing
        }
    }
}
