//! The cluster bootstrap: whole blocks are drawn with replacement, so whatever dependence there is inside a block stays
//! in the sample (Davison and Hinkley, "Bootstrap Methods and Their Application", section 3.8).

use crate::summary::{Interval, check_confidence};
use crate::{Rng, Untestable};
use serde::{Deserialize, Serialize};

/// How a bootstrap is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BootstrapOptions {
    /// Samples drawn.
    pub samples: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// Confidence level of the intervals.
    pub confidence: f64,
}

impl Default for BootstrapOptions {
    fn default() -> Self {
        Self { samples: 1000, seed: 1, confidence: 0.95 }
    }
}

/// Samples without a value that a bootstrap tolerates, as a part of the error that the interval allows: beyond it the
/// quantiles would describe only the samples that happened to work.
const FAILED_SHARE_MAX: f64 = 0.2;

impl BootstrapOptions {
    fn check(&self, blocks: usize) -> Result<(), Untestable> {
        check_confidence(self.confidence)?;
        if (self.samples as f64) * (1.0 - self.confidence) < 4.0 {
            return Err(Untestable::bad(format!(
                "{} bootstrap samples are too few for the {} interval",
                self.samples, self.confidence
            )));
        }
        if blocks < 2 {
            return Err(Untestable::TooFewBlocks { blocks, needed: 2 });
        }
        Ok(())
    }
}

/// Draws blocks with replacement and collects what `statistic` makes of each draw. It is given how often each block was
/// drawn, and answers `None` where the draw has no value. Gives the values that there are.
///
/// # Errors
/// Fewer than two blocks, bad options, or more failures than a fifth of the interval's error.
pub fn block_bootstrap<T>(
    blocks: usize,
    options: &BootstrapOptions,
    mut statistic: impl FnMut(&[u32]) -> Option<T>,
) -> Result<Vec<T>, Untestable> {
    options.check(blocks)?;
    let mut rng = Rng::new(options.seed);
    let mut times = vec![0u32; blocks];
    let mut values = Vec::with_capacity(options.samples);
    for _ in 0..options.samples {
        times.fill(0);
        for _ in 0..blocks {
            times[rng.below(blocks)] += 1;
        }
        values.extend(statistic(&times));
    }
    let failed = options.samples - values.len();
    if FAILED_SHARE_MAX * (1.0 - options.confidence) * (options.samples as f64) < failed as f64 {
        return Err(Untestable::BootstrapFailed { failed, samples: options.samples });
    }
    Ok(values)
}

/// The interval between the two quantiles of bootstrap values that leave equal tails. Values must be finite and not
/// empty, as [`block_bootstrap`] gives them.
pub fn percentile_interval(values: &[f64], confidence: f64) -> Interval {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let tail = 0.5 * (1.0 - confidence);
    Interval { low: quantile(&sorted, tail), high: quantile(&sorted, 1.0 - tail) }
}

/// The quantile of a sorted list, linear between its entries (Hyndman and Fan's type 7).
pub(crate) fn quantile(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let place = (p.clamp(0.0, 1.0) * last as f64).min(last as f64);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the last index")]
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_numpy_s_default() {
        // numpy.quantile([1, 2, 4, 8], [0, 0.1, 0.5, 1])
        let sorted = [1.0, 2.0, 4.0, 8.0];
        let ours = [0.0, 0.1, 0.5, 1.0].map(|p| quantile(&sorted, p));
        assert!(ours.iter().zip([1.0, 1.3, 3.0, 8.0]).all(|(a, b)| (a - b).abs() < 1e-15), "{ours:?}");
    }

    #[test]
    fn each_sample_draws_as_many_blocks_as_there_are_and_failures_are_counted() {
        let options = BootstrapOptions { samples: 200, ..BootstrapOptions::default() };
        let sums = block_bootstrap(7, &options, |times| Some(times.iter().sum::<u32>())).expect("valid");
        assert_eq!(sums, vec![7; 200]);
        assert_eq!(
            block_bootstrap(7, &options, |times| (times[0] == 0).then_some(())).err(),
            Some(Untestable::BootstrapFailed { failed: 200 - block_count(&options), samples: 200 })
        );
        assert!(matches!(block_bootstrap(1, &options, |_| Some(())), Err(Untestable::TooFewBlocks { .. })));
        let few = BootstrapOptions { samples: 20, ..options };
        assert!(matches!(block_bootstrap(7, &few, |_| Some(())), Err(Untestable::BadParameter { .. })));
    }

    fn block_count(options: &BootstrapOptions) -> usize {
        let mut count = 0;
        block_bootstrap(7, options, |times| {
            count += usize::from(times[0] == 0);
            Some(())
        })
        .expect("valid");
        count
    }
}
