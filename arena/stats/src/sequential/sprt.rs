//! Wald's sequential probability ratio test ("Sequential tests of statistical hypotheses").

use super::{Decision, Running};
use crate::Untestable;
use crate::compare::BLOCKS_MIN;
use serde::{Deserialize, Serialize};

/// The distribution of the differences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtModel {
    /// Normal distribution around the mean of each hypothesis. Without a given standard deviation,
    /// each hypothesis uses its maximum likelihood estimate (a generalised ratio, as in engine
    /// testing); the error rates are then approximate.
    Normal {
        /// Standard deviation, if it is known.
        #[serde(default)]
        sd: Option<f64>,
    },
}

/// The two hypotheses and the error rates.
///
/// A two-sided test is about the absolute difference. It consists of two tests, of h0 against h1
/// and of −h0 against −h1, each at half of `alpha`. If one of them accepts its second hypothesis,
/// that side is ahead. If both accept their first hypothesis, the difference is smaller than h1.
///
/// Source: Sobel and Wald, "A sequential decision procedure for choosing one of three hypotheses
/// concerning the unknown mean of a normal distribution".
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtOptions {
    /// Distribution of the differences.
    pub model: SprtModel,
    /// Mean difference under the first hypothesis.
    pub h0: f64,
    /// Mean difference under the second hypothesis.
    pub h1: f64,
    /// True for a one-sided test: differences beyond `h0`, on the side away from `h1`, count as
    /// `h0`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_sided: bool,
    /// Probability of accepting the second hypothesis if the first is true.
    #[serde(default = "default_error")]
    pub alpha: f64,
    /// Probability of accepting the first hypothesis if the second is true.
    #[serde(default = "default_error")]
    pub beta: f64,
}

fn default_error() -> f64 {
    0.05
}

impl SprtOptions {
    fn check(&self) -> Result<(), Untestable> {
        let is_rate = |x: f64| 0.0 < x && x < 0.5;
        Untestable::require(
            is_rate(self.alpha) && is_rate(self.beta),
            "the error rates of a probability ratio test must be strictly between 0 and 0.5",
        )?;
        Untestable::require(
            self.h0.is_finite() && self.h1.is_finite() && self.h0 != self.h1,
            "the hypotheses of a probability ratio test must be two different numbers",
        )?;
        Untestable::require(
            self.one_sided || 0.0 <= self.h0 && self.h0 < self.h1,
            "the hypotheses of a two-sided probability ratio test must be 0 or more, with h0 \
             below h1",
        )?;
        Untestable::require(
            self.sd().is_none_or(|sd| sd.is_finite() && 0.0 < sd),
            "a standard deviation must be positive",
        )
    }

    /// Returns the standard deviation, if it is known.
    fn sd(&self) -> Option<f64> {
        let SprtModel::Normal { sd } = self.model;
        sd
    }

    /// Returns the minimum number of blocks for a decision. It is larger if the standard deviation
    /// must be estimated.
    pub(super) fn blocks_min(&self) -> usize {
        self.sd().map_or(BLOCKS_MIN, |_| 1)
    }

    /// Returns ln of the likelihood ratio of `h1` to `h0`, or `None` if it is not defined yet.
    fn ln_ratio(&self, running: &Running, h0: f64, h1: f64) -> Option<f64> {
        self.sd().or(running.sd())?;
        let n = running.n as f64;
        Some(match self.sd() {
            Some(sd) => (h1 - h0) / sd * (n * (running.mean - 0.5 * (h0 + h1)) / sd),
            // Each hypothesis uses its own maximum likelihood standard deviation.
            None => {
                let square = |centre| running.mean_square_about(centre);
                0.5 * n * libm::log(square(h0) / square(h1))
            }
        })
    }
}

/// The state of a test, which is updated block by block.
#[derive(Debug, Clone)]
pub(super) struct RatioTest {
    pub options: SprtOptions,
    /// The ratio of the test that has decided; without a decision, the larger ratio.
    pub ratio: Option<f64>,
    /// For a two-sided test, true for each direction whose test has accepted its first hypothesis.
    is_refuted: [bool; 2],
}

impl RatioTest {
    pub(super) fn new(options: &SprtOptions) -> Result<Self, Untestable> {
        options.check()?;
        Ok(Self {
            options: *options,
            ratio: None,
            is_refuted: [false; 2],
        })
    }

    /// Returns the decision after the blocks so far.
    pub(super) fn update(&mut self, running: &Running) -> Decision {
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
}
