//! The score ratio h₁ / (h₁ + h₂): the share of the first bot in the total score of two bots.

use crate::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use crate::summary::{check_confidence, largest, mean};
use crate::{Interval, Untestable};

/// A score ratio with its uncertainty.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreRatio {
    /// Total score of the first bot divided by the total score of both.
    pub ratio: f64,
    /// Standard error by the delta method.
    pub se: f64,
    /// t interval with this standard error, clipped to [0, 1].
    pub interval: Interval,
}

/// Computes the score ratio R of two bots with an interval by the delta method.
///
/// To first order, the error of R is the mean of h₁ − R (h₁ + h₂) divided by the mean total. `a[i]`
/// and `b[i]` are the scores of the two bots in block i, and `clusters[i]` is the cluster of this
/// block. Blocks with the same cluster have the same deals and count as one observation.
///
/// # Errors
/// Returns an error if:
///
/// - lists have different lengths,
/// - there are fewer than two blocks,
/// - a score is negative or not finite,
/// - the total is zero,
/// - all blocks have the same share,
/// - the confidence level is out of range.
pub fn score_ratio(
    a: &[f64],
    b: &[f64],
    clusters: &[usize],
    confidence: f64,
) -> Result<ScoreRatio, Untestable> {
    check_confidence(confidence)?;
    if clusters.len() != a.len() || a.len() != b.len() {
        return Err(Untestable::LengthMismatch);
    }
    let scores = || a.iter().chain(b);
    let total = mean(a) + mean(b);
    if scores().any(|x| !x.is_finite()) || !total.is_finite() {
        return Err(Untestable::NotFinite);
    }
    if scores().any(|&x| x < 0.0) {
        return Err(Untestable::NegativeScores);
    }
    Untestable::require_blocks(a.len(), 2)?;
    if total == 0.0 {
        return Err(Untestable::ZeroTotal);
    }
    let ratio = mean(a) / total;
    let scale = largest(scores());
    let blocks = a
        .iter()
        .zip(b)
        .zip(clusters)
        .map(|((x, y), &cluster)| Block::one(cluster, (1.0 - ratio) * x - ratio * y))
        .collect();
    let spread = match clustered_mean(&[Stratum::alone(blocks)], scale) {
        Err(Untestable::ConstantDifference { .. }) => return Err(Untestable::ZeroVariance),
        other => other?,
    };
    let se = spread.se / total;
    let wide = ClusteredMean::with_known_error(ratio, se, spread.df).interval(confidence)?;
    let interval = Interval {
        low: wide.low.max(0.0),
        high: wide.high.min(1.0),
    };
    Ok(ScoreRatio {
        ratio,
        se,
        interval,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untestable_score_ratios_return_the_reason() {
        assert_eq!(
            score_ratio(&[0.0; 3], &[0.0; 3], &[0, 1, 2], 0.95),
            Err(Untestable::ZeroTotal)
        );
        assert_eq!(
            score_ratio(&[1.0, -1.0], &[1.0, 1.0], &[0, 1], 0.95),
            Err(Untestable::NegativeScores)
        );
        assert_eq!(
            score_ratio(&[1.0; 3], &[2.0; 3], &[0, 1, 2], 0.95),
            Err(Untestable::ZeroVariance)
        );
        assert_eq!(
            score_ratio(&[1.0], &[2.0], &[0], 0.95),
            Err(Untestable::TooFewBlocks {
                blocks: 1,
                needed: 2
            })
        );
        assert_eq!(
            score_ratio(&[1.0], &[], &[0], 0.95),
            Err(Untestable::LengthMismatch)
        );
    }

    #[test]
    fn ratio_blocks_with_the_same_deals_count_as_one_observation() {
        let (a, b) = (
            [3.0, 1.0, 4.0, 2.0, 6.0, 5.0],
            [2.0, 2.0, 5.0, 1.0, 4.0, 5.0],
        );
        let ratio = score_ratio(&a, &b, &[0, 0, 1, 1, 2, 2], 0.95).expect("testable");
        let sums =
            score_ratio(&[4.0, 6.0, 11.0], &[4.0, 6.0, 9.0], &[0, 1, 2], 0.95).expect("testable");
        assert!(
            (ratio.se - sums.se).abs() < 1e-15
                && (ratio.interval.low - sums.interval.low).abs() < 1e-15
        );
    }

    #[test]
    fn score_ratio_intervals_stay_between_zero_and_one() {
        let (a, b) = ([0.0, 0.0, 0.1, 0.0], [5.0, 4.0, 6.0, 5.0]);
        let ratio = score_ratio(&a, &b, &[0, 1, 2, 3], 0.99).expect("testable");
        assert!(
            0.0 <= ratio.interval.low && ratio.interval.contains(ratio.ratio),
            "{ratio:?}"
        );
    }
}
