//! Ratings fitted to the orders of finish.
//!
//! A bot of strength γ finishes ahead of a bot of strength δ with probability γ / (γ + δ). The
//! other bots in the line-up do not matter (Bradley and Terry, "Rank analysis of incomplete block
//! designs"). This also holds for any two bots in the models of Plackett, "The analysis of
//! permutations", and Luce, "Individual Choice Behavior".
//!
//! Log strengths are centred at zero. A difference of θ means odds of e^θ. A tie counts as half a
//! win for each.

mod fit;

use crate::clustered::{Block, ClusteredMean, Stratum, mean_of_strata};
use crate::compare::BLOCKS_MIN;
use crate::max_t::max_t;
use crate::summary::{ROUNDING_NOISE, check_confidence, largest, pairs_below, square};
use crate::{Correction, Interval, Untestable};

/// An observed order of two bots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ahead {
    /// The bot that finished ahead.
    pub first: usize,
    /// The bot that finished behind.
    pub second: usize,
    /// Number of times that this order was observed.
    pub times: f64,
}

/// Options of [`rate`]: prior information, confidence level and random numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingOptions {
    /// Number of virtual drawn games added between every two bots. With 0, the fit is the maximum
    /// of the likelihood, which does not exist if some bots never lost to the others. With a
    /// positive number, the fit always exists, but the ratings are shrunk towards each other.
    pub virtual_draws: f64,
    /// Confidence level of the intervals, and of all rank sets together.
    pub confidence: f64,
    /// Number of random sign patterns for the rank sets, if there are too many patterns to
    /// enumerate.
    pub samples: usize,
    /// Seed of the random sign patterns.
    pub seed: u64,
}

/// Fitted strengths with their uncertainty.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// Log strength of each bot, centred at zero.
    pub log_strength: Vec<f64>,
    /// Confidence interval of each log strength; `None` if all blocks have the same influence on it,
    /// because their variation is then unknown.
    pub intervals: Vec<Option<Interval>>,
    /// Possible ranks of each bot, simultaneous for all bots at the confidence level. They are not
    /// restricted with fewer than [`BLOCKS_MIN`] blocks.
    pub rank_sets: Vec<RankSet>,
}

/// The possible ranks of a bot, both ends included; 1 is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankSet {
    /// Best rank: one more than the number of bots significantly above.
    pub best: usize,
    /// Worst rank: the number of bots minus the number significantly below.
    pub worst: usize,
}

/// Elo points per unit of log strength: 400 points are odds of ten to one.
pub const ELO_PER_LOG_STRENGTH: f64 = 400.0 / std::f64::consts::LN_10;

/// Fits strengths and computes intervals and rank sets.
///
/// `strata[s]` holds the blocks of a line-up, or of all line-ups if these share their deals.
/// Different blocks must be independent; the orders within a block can depend on each other.
///
/// Standard errors are those of an estimate that solves a sum of equations, one for each block
/// (White, "Maximum likelihood estimation of misspecified models"). The first-order influence of a
/// block on the strengths is the inverse of the curvature times its gradient. This gives one number
/// per bot and block, and intervals are t intervals of clustered means of these numbers. Blocks have
/// the weights of their numbers of observations. Information
/// about a bot in only one line-up therefore comes only from the blocks of that line-up.
///
/// Rank sets: the best rank of a bot is one more than the number of bots above it. Its worst rank
/// is the number of bots minus the number of bots below it. A bot is above another if the
/// difference of log strengths is significant when all differences are tested together. This
/// follows Mogstad, Romano, Shaikh and Wilhelm, "Inference for ranks". With one stratum the test is
/// max-T by sign flips of blocks, with several strata it is Holm's method.
///
/// # Errors
/// Returns [`Untestable::Unbounded`] if there are no virtual draws and some group of bots never
/// lost to the others (or never met them). Returns another error if:
///
/// - an order names a bot that is out of range, or the same bot twice,
/// - `times` is not positive and finite,
/// - there are fewer than two blocks,
/// - the confidence level is out of range.
pub fn rate(
    bots: usize,
    strata: &[Vec<Vec<Ahead>>],
    options: &RatingOptions,
) -> Result<Rating, Untestable> {
    check_confidence(options.confidence)?;
    let filled: Vec<Vec<&[Ahead]>> = strata
        .iter()
        .map(|blocks| {
            blocks
                .iter()
                .map(Vec::as_slice)
                .filter(|block| !block.is_empty())
                .collect()
        })
        .collect();
    let blocks = filled.concat();
    let orders = fit::count_orders(bots, &blocks, options.virtual_draws)?;
    let log_strength = fit::maximise(&orders, bots)?;
    Untestable::require_blocks(blocks.len(), 2)?;
    let moved =
        fit::influences(&orders, &blocks, &log_strength).ok_or(Untestable::NoConvergence)?;
    let times = |block: &&[Ahead]| block.iter().map(|ahead| ahead.times).sum::<f64>();
    let total: f64 = blocks.iter().map(times).sum();
    let shares = blocks.iter().map(|block| times(block) / total);
    let influence = |(share, moved)| Influence { share, moved };
    let mut influences: Vec<Influence> = shares.zip(moved).map(influence).collect();
    // The virtual draws have a gradient as well. Distributing the sum makes the influences sum to
    // zero.
    for bot in 0..bots {
        let sum: f64 = influences.iter().map(|block| block.moved[bot]).sum();
        influences
            .iter_mut()
            .for_each(|block| block.moved[bot] -= block.share * sum);
    }
    let mut rest = &influences[..];
    let strata: Vec<&[Influence]> = filled
        .iter()
        .filter(|blocks| !blocks.is_empty())
        .filter_map(|blocks| rest.split_off(..blocks.len()))
        .collect();
    let interval = |bot: usize| {
        estimate(&strata, log_strength[bot], |block| block[bot])?
            .map(|estimate| estimate.interval(options.confidence))
            .transpose()
    };
    let tested = match &strata[..] {
        _ if blocks.len() < BLOCKS_MIN => Vec::new(),
        [_] => tested_by_max_t(&log_strength, &influences, options),
        _ => tested_by_holm(&log_strength, &strata)?,
    };
    Ok(Rating {
        intervals: (0..bots).map(interval).collect::<Result<_, _>>()?,
        rank_sets: rank_sets(&log_strength, tested, 1.0 - options.confidence),
        log_strength,
    })
}

/// The influence of a block on the log strengths.
struct Influence {
    /// Share of all observations that the block contains.
    share: f64,
    /// Influence on the log strength of each bot.
    moved: Vec<f64>,
}

/// Returns an estimate of a function of the strengths whose value is `mean`, with its standard
/// error. `strata` contains the influences by stratum and block, and `of` returns the influence of
/// a block on the function. Returns `None` if all blocks have the same influence for their size,
/// because their variation is then unknown. Differences between the means of line-ups are a misfit
/// of the model and do not contribute.
fn estimate(
    strata: &[&[Influence]],
    mean: f64,
    of: impl Fn(&[f64]) -> f64,
) -> Result<Option<ClusteredMean>, Untestable> {
    // Strengths are logarithms, so differences far below 1 are rounding errors.
    let (mut cluster, mut scale) = (0, mean.abs().max(1.0));
    let mut stratum = |blocks: &&[Influence]| {
        let block = |block: &Influence| {
            cluster += 1;
            let sum = of(&block.moved);
            scale = scale.max((sum / block.share).abs());
            Block {
                cluster,
                n: block.share,
                sum,
            }
        };
        // With this weight, the mean over the blocks is the sum of the influences.
        Stratum {
            weight: blocks.iter().map(|block| block.share).sum(),
            blocks: blocks.iter().map(block).collect(),
        }
    };
    let strata: Vec<Stratum> = strata.iter().map(&mut stratum).collect();
    // Influences are deviations from the fit, so blocks of one line-up say nothing about the errors
    // of another.
    match mean_of_strata(&strata, scale, 2) {
        Ok(estimate) => Ok(Some(ClusteredMean { mean, ..estimate })),
        Err(
            Untestable::ZeroVariance
            | Untestable::ConstantDifference { .. }
            | Untestable::SingleBlock,
        ) => Ok(None),
        Err(other) => Err(other),
    }
}

/// A tested pair of bots, with its adjusted p value.
type Tested = ([usize; 2], f64);

/// Tests all differences by t-tests with Holm's adjustment.
fn tested_by_holm(strength: &[f64], strata: &[&[Influence]]) -> Result<Vec<Tested>, Untestable> {
    let pairs = pairs_below(strength.len()).map(<[usize; 2]>::from);
    let p = |[a, b]: [usize; 2]| {
        let lead = strength[a] - strength[b];
        let estimate = estimate(strata, lead, |block| block[a] - block[b])?;
        estimate.map_or(Ok(1.0), |estimate| estimate.p())
    };
    let p: Vec<f64> = pairs.clone().map(p).collect::<Result<_, _>>()?;
    Ok(pairs.zip(Correction::Holm.adjust(&p)).collect())
}

/// Tests all differences in one stratum by max-T.
fn tested_by_max_t(
    strength: &[f64],
    influences: &[Influence],
    options: &RatingOptions,
) -> Vec<Tested> {
    let blocks = influences.len() as f64;
    // One number per block, such that their mean is the strength and the error of the mean is the
    // one described in [`rate`]. Each block contributes to the strength by its share: otherwise the
    // numbers of small blocks would all have the sign of the estimate.
    let row = |block: &Influence| -> Vec<f64> {
        strength
            .iter()
            .zip(&block.moved)
            .map(|(strength, moved)| blocks * (block.share * strength + moved))
            .collect()
    };
    let rows: Vec<Vec<f64>> = influences.iter().map(row).collect();
    let noise = ROUNDING_NOISE * blocks * rows.iter().map(largest).fold(1.0, f64::max);
    let columns: Vec<Vec<f64>> = (0..strength.len())
        .map(|bot| rows.iter().map(|row| row[bot]).collect())
        .collect();
    // For each pair, the root of the number of blocks times the sum of the squared differences.
    let mut roots: Vec<Tested> = Vec::new();
    for a in 0..strength.len() {
        let mut squares = vec![0.0; strength.len() - a - 1];
        for row in &rows {
            for (sum, other) in squares.iter_mut().zip(&row[a + 1..]) {
                *sum += square(row[a] - other);
            }
        }
        let pairs = (a + 1..).map(|b| [a, b]).zip(squares);
        roots.extend(pairs.map(|(pair, sum)| (pair, (blocks * sum).sqrt())));
    }
    let flips = (options.samples, options.seed);
    let tested = max_t(&roots, &columns, flips, false, |([a, b], root), sums| {
        let statistic = |lane: usize| (sums[a][lane] - sums[b][lane]) / root;
        std::array::from_fn(|lane| if noise < root { statistic(lane) } else { 0.0 })
    });
    roots
        .into_iter()
        .map(|(pair, _)| pair)
        .zip(tested.p)
        .collect()
}

/// Returns the rank set of each bot.
///
/// Bots with significant differences are stated to be in the order of their strengths. If these
/// statements are simultaneously true with some confidence, the sets contain all true ranks with
/// that confidence.
fn rank_sets(strength: &[f64], tested: Vec<Tested>, alpha: f64) -> Vec<RankSet> {
    let bots = strength.len();
    let mut sets = vec![
        RankSet {
            best: 1,
            worst: bots
        };
        bots
    ];
    for ([a, b], _) in tested.into_iter().filter(|(_, p)| *p <= alpha) {
        for (above, below) in [(a, b), (b, a)] {
            if strength[below] < strength[above] {
                sets[above].worst -= 1;
                sets[below].best += 1;
            }
        }
    }
    sets
}

/// Returns the values centred at zero.
fn centred(mut values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|value| *value -= mean);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insignificant_differences_leave_ranks_open() {
        // Bot 0 is above 2 and 3; no other difference is significant.
        let tested = vec![
            ([0, 2], 0.01),
            ([3, 0], 0.01),
            ([0, 1], 0.06),
            ([2, 3], 0.9),
        ];
        let sets = rank_sets(&[3.0, 2.0, 1.0, 0.0], tested, 0.05);
        let ends: Vec<(usize, usize)> = sets.iter().map(|set| (set.best, set.worst)).collect();
        assert_eq!(ends, vec![(1, 2), (1, 4), (2, 4), (2, 4)]);
    }
}
