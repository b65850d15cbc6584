//! Means over blocks with their intervals.

use crate::numbers;
use hattari_play::review::mean_of;
use hattari_stats::Untestable;
use hattari_stats::clustered::ClusteredMean;
use hattari_stats::compare::BLOCKS_MIN;
use serde::Serialize;

/// Default confidence level of intervals. The intervals of all classes below the
/// root hold simultaneously.
pub const CONFIDENCE: f64 = 0.95;

/// A mean with its standard error, in points per deal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Standard error; `None` if there are too few blocks or no variation.
    pub se: Option<f64>,
    /// Ends of the confidence interval; `None` if there is no standard error, or there are fewer
    /// than [`BLOCKS_MIN`] blocks, whose interval may be narrow by chance.
    pub ci: Option<[f64; 2]>,
}

impl Estimate {
    /// Returns the estimate of a mean. If it cannot be tested, there is only `value`.
    pub(super) fn of(
        mean: Result<ClusteredMean, Untestable>,
        value: f64,
        confidence: f64,
    ) -> Estimate {
        let mean = mean.ok();
        let interval = mean
            .as_ref()
            .and_then(|mean| mean.interval(confidence).ok());
        Estimate {
            value: mean.as_ref().map_or(value, |mean| mean.mean),
            se: mean.map(|mean| mean.se),
            ci: interval.map(|interval| [interval.low, interval.high]),
        }
    }

    /// Returns `true` if the interval excludes zero.
    pub fn is_clear(&self) -> bool {
        self.ci.is_some_and(|[low, high]| low * high > 0.0)
    }

    /// Returns the interval as text; `None` if there is no interval.
    pub fn range(&self, decimals: usize) -> Option<String> {
        self.ci
            .map(|[low, high]| numbers::interval((low, high), decimals))
    }
}

/// Returns the mean per deal. `sums` contains the number of games of each batch, and the sum over
/// these games.
pub(super) fn estimate(
    sums: impl Iterator<Item = (u64, f64)> + Clone,
    confidence: f64,
) -> Estimate {
    let games: u64 = sums.clone().map(|(games, _)| games).sum();
    let value = sums.clone().map(|(_, sum)| sum).sum::<f64>() / games.max(1) as f64;
    let is_enough = BLOCKS_MIN <= sums.clone().count();
    let estimate = Estimate::of(mean_of(sums), value, confidence);
    Estimate {
        ci: estimate.ci.filter(|_| is_enough),
        ..estimate
    }
}

/// Returns the mean gain over independent deals.
pub(super) fn estimate_of_deals(gains: &[i64]) -> Estimate {
    let value = gains.iter().sum::<i64>() as f64 / gains.len().max(1) as f64;
    let mean = mean_of(gains.iter().map(|&gain| (1, gain as f64)));
    Estimate {
        value,
        ..Estimate::of(mean, value, CONFIDENCE)
    }
}
