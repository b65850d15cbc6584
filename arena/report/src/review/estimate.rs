//! Means over blocks with their intervals, and the division of the blocks into a training half and
//! a reported half.

use hattari_play::review::{Review, ReviewBatch, mean_of};
use hattari_stats::Untestable;
use hattari_stats::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use serde::Serialize;

/// Confidence level of intervals. The intervals of all classes hold simultaneously.
pub(super) const CONFIDENCE: f64 = 0.95;

/// A mean with its standard error, in points per deal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Standard error; `None` if there are too few blocks or no variation.
    pub se: Option<f64>,
    /// Ends of the confidence interval; `None` if there is no standard error.
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
}

/// Returns the mean per deal over batches. `sum` returns the sum over the games of a batch.
pub(super) fn estimate<'b>(
    batches: impl Iterator<Item = &'b ReviewBatch> + Clone,
    sum: impl Fn(&ReviewBatch) -> f64,
    confidence: f64,
) -> Estimate {
    let games: u64 = batches.clone().map(|batch| batch.games).sum();
    let value = batches.clone().map(&sum).sum::<f64>() / games.max(1) as f64;
    Estimate::of(mean_of(batches, sum), value, confidence)
}

/// Returns the mean gain over independent deals.
pub(super) fn estimate_of_deals(gains: &[i64]) -> Estimate {
    let scale = gains.iter().map(|gain| gain.unsigned_abs()).max();
    let deals = gains.iter().enumerate();
    let deals = deals.map(|(number, &gain)| Block::one(number, gain as f64));
    let stratum = Stratum::alone(deals.collect());
    let mean = clustered_mean(&[stratum], scale.unwrap_or(0) as f64);
    let value = gains.iter().sum::<i64>() as f64 / gains.len().max(1) as f64;
    Estimate {
        value,
        ..Estimate::of(mean, value, CONFIDENCE)
    }
}

/// Returns, for each batch, `true` if it is in the reported half (odd indices) and `false` if it is
/// in the training half, from which the tree grows.
pub(super) fn reported_half(review: &Review) -> Vec<bool> {
    (0..review.batches.len())
        .map(|index| index % 2 == 1)
        .collect()
}
