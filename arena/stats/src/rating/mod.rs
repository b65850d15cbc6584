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
mod pairs;
mod rank;

pub use rank::{RankSet, rank_sets};

use crate::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use crate::compare::BLOCKS_MIN;
use crate::linear::{LANES, Lanes, centre};
use crate::max_t::{Flips, max_t};
use crate::summary::{Interval, check_confidence, square};
use crate::{Correction, Untestable};
use pairs::Pairs;

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

/// Options of a rating.
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

impl Default for RatingOptions {
    fn default() -> Self {
        Self {
            virtual_draws: 0.0,
            confidence: 0.95,
            samples: 1999,
            seed: 1,
        }
    }
}

/// Fitted strengths with their uncertainty.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// Log strength of each bot, centred at zero.
    pub log_strength: Vec<f64>,
    /// Confidence interval of each log strength.
    pub intervals: Vec<Interval>,
    /// Possible ranks of each bot, simultaneous for all bots at the confidence level.
    pub rank_sets: Vec<RankSet>,
    /// Number of blocks with an observed order.
    pub blocks: usize,
    /// Set if the rank sets are not restricted because there are fewer than [`BLOCKS_MIN`] blocks.
    pub note: Option<Untestable>,
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
/// per bot and block, and intervals are those of [`clustered_mean`] on these numbers. Information
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
    let filled =
        |stratum: &Vec<Vec<Ahead>>| stratum.iter().filter(|block| !block.is_empty()).count();
    let sizes: Vec<usize> = strata.iter().map(filled).filter(|&size| 0 < size).collect();
    let filled: Vec<&[Ahead]> = strata
        .iter()
        .flatten()
        .map(Vec::as_slice)
        .filter(|block| !block.is_empty())
        .collect();
    let pairs = Pairs::new(bots, &filled, options.virtual_draws)?;
    let total = pairs.total();
    let log_strength = fit::maximise(&total)?;
    let blocks = filled.len();
    if blocks < 2 {
        return Err(Untestable::TooFewBlocks { blocks, needed: 2 });
    }
    let mut moved =
        fit::influences(&total, &log_strength, pairs.parts()).ok_or(Untestable::NoConvergence)?;
    // The virtual draws have a gradient as well. Subtracting the mean makes the influences sum to
    // zero.
    let mean: Vec<f64> = (0..bots)
        .map(|bot| moved.iter().map(|block| block[bot]).sum::<f64>() / blocks as f64)
        .collect();
    moved
        .iter_mut()
        .for_each(|block| block.iter_mut().zip(&mean).for_each(|(x, mean)| *x -= mean));
    let moved = Moved {
        strata: chunks(&moved, &sizes),
    };
    let interval = |bot: usize| match moved.error(|block| block[bot]) {
        Ok(error) => error.interval(options.confidence).map(|around| {
            let half = 0.5 * (around.high - around.low);
            Interval::around(log_strength[bot], half)
        }),
        // All blocks are equal.
        Err(Untestable::ZeroVariance | Untestable::ConstantDifference { .. }) => {
            Ok(Interval::around(log_strength[bot], 0.0))
        }
        Err(other) => Err(other),
    };
    let above = match () {
        () if blocks < BLOCKS_MIN => Vec::new(),
        () if sizes.len() == 1 => simultaneously_above(&log_strength, moved.strata[0], options),
        () => above_by_holm(&log_strength, &moved, options.confidence)?,
    };
    Ok(Rating {
        intervals: (0..bots).map(interval).collect::<Result<_, _>>()?,
        rank_sets: rank_sets(bots, |a, b| {
            above.get(a).is_some_and(|row: &Vec<bool>| row[b])
        }),
        note: (blocks < BLOCKS_MIN).then_some(Untestable::TooFewBlocks {
            blocks,
            needed: BLOCKS_MIN,
        }),
        blocks,
        log_strength,
    })
}

/// The influence of each block on the strengths, indexed by stratum, block and bot.
struct Moved<'a> {
    strata: Vec<&'a [Vec<f64>]>,
}

impl Moved<'_> {
    /// Returns the error of the function `of` of the influences. Differences between the means of
    /// line-ups are a misfit of the model and do not contribute.
    fn error(&self, of: impl Fn(&[f64]) -> f64) -> Result<ClusteredMean, Untestable> {
        let largest = self
            .strata
            .iter()
            .copied()
            .flatten()
            .map(|block| of(block).abs())
            .fold(0.0, f64::max);
        let mut cluster = 0;
        let stratum = |blocks: &&[Vec<f64>]| {
            // With this scaling, the mean over the blocks is the sum of the influences.
            let n = blocks.len() as f64;
            let block = |block: &Vec<f64>| {
                cluster += 1;
                Block::one(cluster, n * of(block))
            };
            Stratum {
                weight: 1.0,
                blocks: blocks.iter().map(block).collect(),
            }
        };
        clustered_mean(
            &self.strata.iter().map(stratum).collect::<Vec<_>>(),
            largest,
        )
    }
}

/// Splits a list into pieces of these sizes.
fn chunks<'a, T>(mut list: &'a [T], sizes: &[usize]) -> Vec<&'a [T]> {
    let piece = |&size: &usize| {
        let (piece, rest) = list.split_at(size);
        list = rest;
        piece
    };
    sizes.iter().map(piece).collect()
}

/// Returns which bots are above which, by t-tests of all differences with Holm's adjustment.
fn above_by_holm(
    strength: &[f64],
    moved: &Moved<'_>,
    confidence: f64,
) -> Result<Vec<Vec<bool>>, Untestable> {
    let bots = strength.len();
    let pairs: Vec<(usize, usize)> = (0..bots)
        .flat_map(|a| (a + 1..bots).map(move |b| (a, b)))
        .collect();
    let p = |&(a, b): &(usize, usize)| match moved.error(|block| block[a] - block[b]) {
        Ok(error) => ClusteredMean {
            mean: strength[a] - strength[b],
            ..error
        }
        .p(),
        // If all blocks are equal, their variation is unknown.
        Err(Untestable::ZeroVariance | Untestable::ConstantDifference { .. }) => Ok(1.0),
        Err(other) => Err(other),
    };
    let p: Vec<f64> = pairs.iter().map(p).collect::<Result<_, _>>()?;
    let pairs = pairs.into_iter().map(<[usize; 2]>::from);
    let tested = pairs.zip(Correction::Holm.adjust(&p));
    Ok(significantly_above(strength, tested, confidence))
}

/// Returns which bots are above which, from the adjusted p values of pairs.
fn significantly_above(
    strength: &[f64],
    tested: impl Iterator<Item = ([usize; 2], f64)>,
    confidence: f64,
) -> Vec<Vec<bool>> {
    let mut above = vec![vec![false; strength.len()]; strength.len()];
    for ([a, b], p) in tested {
        let is_significant = p <= 1.0 - confidence;
        above[a][b] = is_significant && strength[b] < strength[a];
        above[b][a] = is_significant && strength[a] < strength[b];
    }
    above
}

/// Returns which bots are above which in one stratum, by max-T at this confidence level.
/// `moved[k][i]` is the influence of block k on the strength of bot i.
fn simultaneously_above(
    strength: &[f64],
    moved: &[Vec<f64>],
    options: &RatingOptions,
) -> Vec<Vec<bool>> {
    let bots = strength.len();
    let blocks = moved.len() as f64;
    // One number per block, such that their mean is the strength and the error of the mean is the
    // one described above.
    let number = |block: &[f64], bot: usize| strength[bot] + blocks * block[bot];
    let numbers: Vec<Vec<f64>> = (0..bots)
        .map(|bot| moved.iter().map(|block| number(block, bot)).collect())
        .collect();
    let differences = differences(&numbers);
    let flips = Flips {
        samples: options.samples,
        seed: options.seed,
    };
    let tested = max_t(&differences, &numbers, flips, false, |difference, sums| {
        let Difference { bots: [a, b], root } = difference;
        let (a, b) = (&sums[a as usize], &sums[b as usize]);
        std::array::from_fn(|lane| {
            if 0.0 < root {
                (a[lane] - b[lane]) / root
            } else {
                0.0
            }
        })
    });
    let pairs = differences
        .iter()
        .map(|difference| difference.bots.map(|bot| bot as usize));
    significantly_above(strength, pairs.zip(tested.p), options.confidence)
}

/// A pair of bots whose strengths are compared. Kept small, because there can be many.
#[derive(Clone, Copy)]
struct Difference {
    bots: [u32; 2],
    /// Root of the number of blocks times the sum of the squared differences of their numbers.
    root: f64,
}

/// Returns all pairs of bots. `numbers` are indexed by bot and block.
fn differences(numbers: &[Vec<f64>]) -> Vec<Difference> {
    let blocks = numbers.first().map_or(0, Vec::len);
    let mut differences = Vec::with_capacity(numbers.len() * numbers.len() / 2);
    for (group, others) in numbers.chunks(LANES).enumerate() {
        let lanes = |block: usize| -> Lanes {
            std::array::from_fn(|lane| others.get(lane).map_or(0.0, |numbers| numbers[block]))
        };
        let lanes: Vec<Lanes> = (0..blocks).map(lanes).collect();
        let start = group * LANES;
        for (a, own) in numbers.iter().enumerate().take(start + others.len()) {
            let mut squares = [0.0; LANES];
            for (x, ys) in own.iter().zip(&lanes) {
                for (sum, y) in squares.iter_mut().zip(ys) {
                    *sum += square(x - y);
                }
            }
            for (b, sum) in (start..).zip(squares).take(others.len()) {
                if a < b {
                    differences.push(Difference {
                        bots: [a, b].map(|bot| u32::try_from(bot).expect("bots are few")),
                        root: (blocks as f64 * sum).sqrt(),
                    });
                }
            }
        }
    }
    differences
}

/// Returns the values centred at zero.
fn centred(mut values: Vec<f64>) -> Vec<f64> {
    centre(&mut values);
    values
}
