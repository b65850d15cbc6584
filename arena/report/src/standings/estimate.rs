//! Estimates, and results that may be missing.

use hattari_stats::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use hattari_stats::compare::BotSummary;
use hattari_stats::{Interval, Untestable};
use serde::Serialize;

/// A result, or the reason why it could not be computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestResult<T> {
    /// The result.
    Tested(T),
    /// The reason why there is no result, as text.
    NotTestable(String),
}

impl<T> TestResult<T> {
    /// Returns the result, if there is one.
    pub fn tested(&self) -> Option<&T> {
        if let TestResult::Tested(result) = self {
            Some(result)
        } else {
            None
        }
    }

    /// Returns the reason why there is no result.
    pub(crate) fn reason(&self) -> Option<&str> {
        if let TestResult::NotTestable(why) = self {
            Some(why)
        } else {
            None
        }
    }

    /// Returns the result for modification, if there is one.
    pub(super) fn tested_mut(&mut self) -> Option<&mut T> {
        if let TestResult::Tested(result) = self {
            Some(result)
        } else {
            None
        }
    }
}

impl<T> Default for TestResult<T> {
    fn default() -> Self {
        TestResult::NotTestable(String::new())
    }
}

impl<T, E: ToString> From<Result<T, E>> for TestResult<T> {
    fn from(result: Result<T, E>) -> Self {
        match result {
            Ok(result) => TestResult::Tested(result),
            Err(reason) => TestResult::NotTestable(reason.to_string()),
        }
    }
}

/// An estimate with its standard error. All fields are finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Standard error.
    pub se: f64,
    /// Lower end of the confidence interval.
    pub low: f64,
    /// Upper end of the confidence interval.
    pub high: f64,
}

impl Estimate {
    /// Creates an estimate from its parts.
    pub(super) fn new(value: f64, se: f64, interval: Interval) -> Estimate {
        let Interval { low, high } = interval;
        Estimate {
            value,
            se,
            low,
            high,
        }
    }

    /// Returns the estimate of a mean.
    ///
    /// # Errors
    /// Returns an error if the confidence level is out of range.
    pub(super) fn of_mean(mean: &ClusteredMean, confidence: f64) -> Result<Estimate, Untestable> {
        Ok(Estimate::new(
            mean.mean,
            mean.se,
            mean.interval(confidence)?,
        ))
    }

    /// Returns the ends of the confidence interval.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }
}

/// Number and sum of observations. Sums of payoffs are whole numbers, which are exact.
#[derive(Clone, Copy, Default)]
pub(super) struct CountAndSum {
    pub count: u64,
    pub sum: f64,
}

impl CountAndSum {
    /// Adds an observation.
    pub(super) fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
    }

    /// Returns the sum over blocks, each given with its cluster, and the mean over all their
    /// observations. The results do not depend on the order of the blocks.
    pub(super) fn over_blocks(
        blocks: &[(usize, CountAndSum)],
        confidence: f64,
    ) -> (CountAndSum, Result<Estimate, Untestable>) {
        let mut blocks = blocks.to_vec();
        blocks.sort_by(|(a, x), (b, y)| {
            (a, x.count)
                .cmp(&(b, y.count))
                .then_with(|| x.sum.total_cmp(&y.sum))
        });
        let total = CountAndSum {
            count: blocks.iter().map(|(_, block)| block.count).sum(),
            sum: blocks.iter().map(|(_, block)| block.sum).sum(),
        };
        let scale = blocks
            .iter()
            .fold(0.0, |most: f64, (_, block)| most.max(block.sum.abs()));
        let stratum = Stratum::alone(
            blocks
                .into_iter()
                .map(|(cluster, CountAndSum { count, sum })| Block {
                    cluster,
                    n: count as f64,
                    sum,
                })
                .collect(),
        );
        let mean = clustered_mean(&[stratum], scale);
        (
            total,
            mean.and_then(|mean| Estimate::of_mean(&mean, confidence)),
        )
    }
}

/// Returns the mean of a bot with its standard error, or the reason why it cannot be estimated.
pub(super) fn estimate_of(bot: &BotSummary) -> TestResult<Estimate> {
    (bot.mean.zip(bot.se).zip(bot.interval))
        .map(|((value, se), interval)| Estimate::new(value, se, interval))
        .ok_or_else(|| bot.note.clone().unwrap_or(Untestable::MissingScores))
        .into()
}
