//! Ratings fitted to who finished ahead of whom.
//!
//! A bot of strength γ finishes ahead of one of strength δ with probability γ / (γ + δ), whoever
//! else takes part (Bradley and Terry, "Rank analysis of incomplete block designs"; it is what the
//! orders of finish of Plackett, "The analysis of permutations", and of Luce, "Individual Choice
//! Behavior", have for any two). Log strengths are given centred at zero; a difference of θ means
//! odds of e^θ. A tie is half a win for each.

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

/// An observed order of finish of two bots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ahead {
    /// The bot that finished first.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// Number of times that this order was observed.
    pub times: f64,
}

/// How a rating is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingOptions {
    /// Imaginary drawn games added between every two bots. 0 gives the maximum of the likelihood,
    /// which does not exist when some bots never lost to the rest; anything above draws all
    /// ratings together a little and always exists.
    pub virtual_draws: f64,
    /// Confidence level of the intervals, and of all rank sets together.
    pub confidence: f64,
    /// Patterns of signs that are drawn for the rank sets, where there are too many to be counted.
    pub samples: usize,
    /// Seed of these draws.
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
    /// The ranks that each bot may hold, at the same confidence for all bots together.
    pub rank_sets: Vec<RankSet>,
    /// Blocks with an observed order.
    pub blocks: usize,
    /// Why the ranks are left open: fewer than [`BLOCKS_MIN`] blocks.
    pub note: Option<Untestable>,
}

/// Points of an Elo-like scale in one unit of log strength: 400 points are odds of ten to one.
pub const ELO_PER_LOG_STRENGTH: f64 = 400.0 / std::f64::consts::LN_10;

/// Fits strengths and gives intervals and rank sets. `strata[s]` holds the blocks of a line-up, or
/// of all line-ups where these share their deals; all blocks are independent of each other, the
/// orders within one need not be.
///
/// The errors are those of an estimate that solves a sum of equations, one for each block (White,
/// "Maximum likelihood estimation of misspecified models"): to first order a block moves the
/// strengths by the inverse curvature times its gradient. So each block has one number a bot, and
/// intervals are those of [`clustered_mean`] on these: what is known of a bot that sat at
/// one of many line-ups is known from the blocks of that one.
///
/// Rank sets: a bot's best rank is one more than the number of bots that are above it, its worst
/// one less than all minus those below it, where "above" means that the difference of log strengths
/// is significant when all differences are tested together (after Mogstad, Romano, Shaikh and
/// Wilhelm, "Inference for ranks"): by signs of blocks flipped where there is one stratum, by
/// Holm's method where differences rest on blocks of their own.
///
/// # Errors
/// [`Untestable::Unbounded`] when some group of bots was never beaten by the rest (or never met it)
/// and there are no virtual draws; an order that names a bot out of range or twice; times that are
/// not positive and finite; fewer than two blocks; a bad confidence.
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
    // Virtual draws have a gradient, too; what is left are deviations that add up to nothing.
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
        // Blocks that are all alike.
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

/// What each block moves the strengths by, by stratum, block and bot.
struct Moved<'a> {
    strata: Vec<&'a [Vec<f64>]>,
}

impl Moved<'_> {
    /// The error of what blocks move by `of`; the means of line-ups, which a misfit of the model
    /// leaves over, are no error.
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
            // The mean of so many numbers is the sum of what the blocks move.
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

/// A list in pieces of the sizes given.
fn chunks<'a, T>(mut list: &'a [T], sizes: &[usize]) -> Vec<&'a [T]> {
    let piece = |&size: &usize| {
        let (piece, rest) = list.split_at(size);
        list = rest;
        piece
    };
    sizes.iter().map(piece).collect()
}

/// Which bots are above which, by the t-test of each difference, adjusted over all.
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
        // Blocks that are all alike tell nothing of their spread.
        Err(Untestable::ZeroVariance | Untestable::ConstantDifference { .. }) => Ok(1.0),
        Err(other) => Err(other),
    };
    let p: Vec<f64> = pairs.iter().map(p).collect::<Result<_, _>>()?;
    let pairs = pairs.into_iter().map(<[usize; 2]>::from);
    let tested = pairs.zip(Correction::Holm.adjust(&p));
    Ok(significantly_above(strength, tested, confidence))
}

/// From adjusted p of pairs to who is above whom.
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

/// Which bots are above which by blocks of one stratum, all statements holding together at the
/// confidence given. `moved[k][i]` is what block k moves the strength of bot i by.
fn simultaneously_above(
    strength: &[f64],
    moved: &[Vec<f64>],
    options: &RatingOptions,
) -> Vec<Vec<bool>> {
    let bots = strength.len();
    let blocks = moved.len() as f64;
    // One number a block, with the strength as its mean and an error of the mean as above.
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

/// Two bots whose strengths are compared; there are many.
#[derive(Clone, Copy)]
struct Difference {
    bots: [u32; 2],
    /// The root of the blocks times the sum of the squared differences of their numbers.
    root: f64,
}

/// Returns all pairs of bots, whose numbers by block are given.
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

/// Centred copy.
fn centred(mut values: Vec<f64>) -> Vec<f64> {
    centre(&mut values);
    values
}
