//! Comparison of all bots of a league or a line-up: the numbers and verdicts that a report prints,
//! computed from one score per bot and block.

use crate::dist::student;
use crate::max_t::{EXACT_MAX, max_t, normalised};
pub use crate::summary::BLOCKS_MIN;
use crate::summary::{ROUNDING_NOISE, check_confidence, check_power};
use crate::{Correction, Interval, Method, Required, TTest, Untestable, required};
use serde::Serialize;

/// The data of one bot.
#[derive(Debug, Clone, Copy, Default)]
pub struct BotSample<'a> {
    /// Mean score per deal of the bot in each block. `None` if the bot did not play the block or
    /// has no score in it. Entry i is the same block for all bots, so differences within a block
    /// are differences on the same deals.
    pub scores: &'a [Option<f64>],
    /// For each block, true if the bot forfeited it. Empty if no block was forfeited. A forfeited
    /// block can still have a score: the penalty that the league configures.
    pub forfeited: &'a [bool],
}

/// Options of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompareOptions {
    /// Confidence level of the intervals. The significance level is 1 minus this value.
    pub confidence: f64,
    /// Adjustment of p values for the number of pairs.
    pub correction: Correction,
    /// Power for which the required number of blocks is computed.
    pub power: f64,
    /// Equivalence margin in points per deal: two bots are equal if their difference is
    /// significantly smaller. With `None`, no pair is called equal.
    pub equal_within: Option<f64>,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            confidence: 0.95,
            correction: Correction::MaxT,
            power: 0.8,
            equal_within: None,
        }
    }
}

/// The row of a bot in the standings.
#[derive(Debug, Clone, PartialEq)]
pub struct BotSummary {
    /// Number of blocks with a score.
    pub blocks: usize,
    /// Mean over blocks of the mean score per deal. `None` if the bot has no score.
    pub mean: Option<f64>,
    /// Standard error of the mean over blocks.
    pub se: Option<f64>,
    /// Confidence interval of the mean.
    pub interval: Option<Interval>,
    /// The reason why numbers are missing or unreliable.
    pub note: Option<Untestable>,
}

/// The conclusion about the first bot of a pair relative to the second.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The first bot is significantly ahead after adjustment.
    Ahead,
    /// The first bot is significantly behind after adjustment.
    Behind,
    /// The bots do not differ significantly, and their difference is significantly smaller than
    /// [`CompareOptions::equal_within`].
    Equal,
    /// The test neither shows nor rules out a difference.
    Undecided,
    /// The data do not allow a verdict.
    CannotTell {
        /// The reason why there is no verdict, for example too few blocks.
        reason: Untestable,
    },
}

impl Verdict {
    /// Returns the verdict for the pair in reverse order.
    pub(crate) fn mirrored(&self) -> Self {
        match self {
            Self::Ahead => Self::Behind,
            Self::Behind => Self::Ahead,
            Self::CannotTell {
                reason:
                    Untestable::ConstantDifference {
                        difference,
                        permutation_p,
                    },
            } => {
                let reason = Untestable::ConstantDifference {
                    difference: -difference,
                    permutation_p: *permutation_p,
                };
                Self::CannotTell { reason }
            }
            other => other.clone(),
        }
    }
}

/// The comparison of the first bot of a pair with the second.
#[derive(Debug, Clone, PartialEq)]
pub struct PairSummary {
    /// Index of the first bot.
    pub a: usize,
    /// Index of the second bot.
    pub b: usize,
    /// Number of blocks in which both have a score.
    pub shared_blocks: usize,
    /// Mean difference of the scores per deal. The mean is taken over line-ups: of the differences
    /// within shared blocks, or of the bots' means if they share no block.
    pub mean_difference: Option<f64>,
    /// The test over shared blocks. If no block is shared, the test over blocks against the same
    /// opposition. `None` if neither is possible.
    pub test: Option<TTest>,
    /// p value adjusted over all unordered pairs that could be tested.
    pub p_adjusted: Option<f64>,
    /// The method that gave the adjusted p value. In a family adjusted by max-T, Holm's method is
    /// used for a pair if no sign pattern was as extreme as the data.
    pub adjusted_by: Option<Correction>,
    /// The level that the unadjusted p value must not exceed for a verdict, given the results of
    /// the other pairs.
    pub level: Option<f64>,
    /// Test for a difference smaller than [`CompareOptions::equal_within`].
    pub equivalence: Option<Equivalence>,
    /// The conclusion from the adjusted p value.
    pub verdict: Verdict,
}

/// Result of two one-sided t-tests, one for each direction, against differences of at least the
/// equivalence margin.
///
/// Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach
/// for assessing the equivalence of average bioavailability".
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Equivalence {
    /// Larger p value of the two tests.
    pub p: f64,
    /// `p`, adjusted over the family like the p values of the differences.
    pub p_adjusted: f64,
}

impl PairSummary {
    /// Returns the comparison with the bots in reverse order.
    pub fn mirrored(&self) -> PairSummary {
        PairSummary {
            a: self.b,
            b: self.a,
            mean_difference: self.mean_difference.map(|d| -d),
            test: self.test.map(|test| test.mirrored()),
            verdict: self.verdict.mirrored(),
            ..self.clone()
        }
    }

    /// Returns the number of blocks needed to detect the observed effect with the requested power
    /// at the level of this pair. Returns `None` without a test, if the observed difference is
    /// zero, and for Welch's test, because its blocks are not shared.
    pub fn required(&self, options: &CompareOptions) -> Option<Required> {
        let test = self.test.filter(|test| test.kind != Method::WelchBlocks)?;
        required(&test, self.level?, options.power, options.confidence).ok()
    }
}

/// The comparison of all bots and all pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The options that were applied. The correction is Holm's if max-T was requested but not all
    /// pairs have the same clusters.
    pub options: CompareOptions,
    /// One entry per bot, in the order of the input.
    pub bots: Vec<BotSummary>,
    /// All pairs with a < b, sorted by a, then b.
    pub pairs: Vec<PairSummary>,
    /// Number of tests in the family: the unordered pairs that could be tested.
    pub family: usize,
}

impl Comparison {
    /// Returns the comparison of `a` with `b`. Returns `None` if `a` and `b` are equal or out of
    /// range.
    pub fn pair(&self, a: usize, b: usize) -> Option<PairSummary> {
        let bots = self.bots.len();
        if bots <= a || bots <= b || a == b {
            return None;
        }
        let (low, high) = (a.min(b), a.max(b));
        // Row `low` starts after the rows of lower bots, each one pair shorter than the one before.
        let found = self
            .pairs
            .get(low * (2 * bots - low - 1) / 2 + high - low - 1)?;
        Some(if a < b {
            found.clone()
        } else {
            found.mirrored()
        })
    }
}

/// Checks that the options are in range.
pub(crate) fn check_options(options: &CompareOptions) -> Result<(), Untestable> {
    check_confidence(options.confidence)?;
    check_power(1.0 - options.confidence, options.power)?;
    Untestable::require(
        options
            .equal_within
            .is_none_or(|margin| margin.is_finite() && 0.0 < margin),
        "the equivalence margin must be a positive number",
    )
}

/// Checks that the lists of all bots have one entry for each of the blocks, and that all scores are
/// finite.
pub(crate) fn check_samples(samples: &[BotSample<'_>], blocks: usize) -> Result<(), Untestable> {
    for sample in samples {
        if sample.scores.len() != blocks || ![0, blocks].contains(&sample.forfeited.len()) {
            return Err(Untestable::LengthMismatch);
        }
        if sample
            .scores
            .iter()
            .flatten()
            .any(|score| !score.is_finite())
        {
            return Err(Untestable::NotFinite);
        }
    }
    Ok(())
}

/// Returns `true` if the bot took part in at least one block and forfeited all of its blocks.
pub(crate) fn all_forfeited(sample: &BotSample<'_>) -> bool {
    let mut blocks = sample.scores.iter().zip(sample.forfeited);
    sample.forfeited.contains(&true)
        && blocks.all(|(score, is_forfeited)| score.is_none() || *is_forfeited)
}

/// Maximum number of pairs for max-T; with more pairs, Holm's method is used.
pub(crate) const MAX_T_PAIRS: usize = 300;
/// Approximate maximum number of additions for the sign patterns of max-T.
const MAX_T_WORK: usize = 200_000_000;
/// Maximum and minimum number of sign patterns that are drawn.
const MAX_T_DRAWN: (usize, usize) = (19_999, 999);
/// Maximum number of groups of clusters whose signs are flipped together.
const MAX_T_GROUPS: usize = 500;

/// An adjusted p value with the method that gave it.
type Adjusted = (f64, Correction);

/// Adjusts the p values of all tested pairs by sign flips. Also returns the level that each
/// unadjusted p value must not exceed. `numbers[k]` holds the (cluster, number) pairs of the k-th
/// tested pair. Returns `None` if the pairs do not all have the same clusters.
fn adjust_by_max_t(
    p: &[f64],
    numbers: &[Vec<(usize, f64)>],
    alpha: f64,
) -> Option<(Vec<Adjusted>, Vec<f64>)> {
    let first = numbers.first()?;
    if numbers.len() < 2
        || !numbers.iter().all(|of| {
            first
                .iter()
                .map(|(cluster, _)| cluster)
                .eq(of.iter().map(|(cluster, _)| cluster))
        })
    {
        return None;
    }
    let size = first.len().div_ceil(MAX_T_GROUPS).max(1);
    let grouped = |of: &[(usize, f64)]| {
        of.chunks(size)
            .map(|group| group.iter().map(|(_, x)| x).sum())
            .collect()
    };
    let columns: Vec<Vec<f64>> = numbers.iter().map(|of| normalised(grouped(of))).collect();
    let groups = columns[0].len();
    let samples = (MAX_T_WORK / (groups * columns.len())).clamp(MAX_T_DRAWN.1, MAX_T_DRAWN.0);
    let means: Vec<usize> = (0..columns.len()).collect();
    let found = max_t(&means, &columns, (samples, 1), true, |at, sums| sums[at]);
    // If no sign pattern is as extreme as the data, the patterns only give an upper limit of p;
    // Holm's method can give a smaller one. An adjusted p is never smaller than the unadjusted p.
    let holm = Correction::Holm.adjust(p);
    let least = found.least;
    let adjusted = |((&together, holm), &alone): ((&f64, f64), &f64)| {
        let is_holm = together <= least && holm < together;
        let (p, by) = if is_holm {
            (holm, Correction::Holm)
        } else {
            (together, Correction::MaxT)
        };
        (p.max(alone), by)
    };
    let adjusted = found.p.iter().zip(holm).zip(p).map(adjusted).collect();
    Some((adjusted, found.levels(alpha)))
}

/// Maximum number of pairs for [`sign_flip_p`] with more than [`EXACT_MAX`] clusters.
pub(crate) const FLIPS_PAIRS: usize = 1_000;
/// Maximum number of clusters for [`sign_flip_p`].
const FLIPS_CLUSTERS: usize = 200;
/// Maximum number of different sums per cluster, for more than [`EXACT_MAX`] clusters.
const FLIPS_SUMS: usize = 5;

/// Returns the share of sign patterns whose |t| is at least as large as that of the data. If blocks
/// happen to be almost equal, or are only won or lost, t tests give much too small p values. An
/// example are matches that end with all chips of one player.
///
/// Returns 0 for very many clusters, and if the numbers of more than [`EXACT_MAX`] clusters have
/// many different sums: then t tests are accurate enough.
pub(crate) fn sign_flip_p(numbers: &[(usize, f64)]) -> f64 {
    if FLIPS_CLUSTERS < numbers.len() {
        return 0.0;
    }
    let numbers = normalised(numbers.iter().map(|(_, x)| *x).collect());
    // The sums of the first numbers with all signs, sorted, with their probabilities.
    let mut sums = vec![(0.0, 1.0)];
    for (count, x) in (1..).zip(&numbers) {
        let moved = |by: f64| sums.iter().map(move |(sum, p)| (sum + by, p / 2.0));
        let mut next: Vec<(f64, f64)> = moved(-x.abs()).chain(moved(x.abs())).collect();
        next.sort_by(|(sum, _), (other, _)| sum.total_cmp(other));
        next.dedup_by(|(sum, p), (known, together)| {
            let is_equal = *sum - *known <= ROUNDING_NOISE;
            *together += if is_equal { *p } else { 0.0 };
            is_equal
        });
        sums = next;
        if EXACT_MAX < numbers.len() && FLIPS_SUMS * count < sums.len() {
            return 0.0;
        }
    }
    let reached = numbers.iter().sum::<f64>().abs() - ROUNDING_NOISE;
    let sums = sums.iter().filter(|(sum, _)| reached <= sum.abs());
    sums.map(|(_, p)| p).sum()
}

/// Adjusts the p values of all tested pairs and sets the verdicts. Returns the size of the family
/// and the correction that was used.
///
/// `numbers` is given only for max-T: one number per cluster for each tested pair, for at most
/// [`MAX_T_PAIRS`] pairs. `p_least` contains the smallest p value of each tested pair for Holm's
/// method ([`sign_flip_p`]).
pub(crate) fn judge(
    pairs: &mut [PairSummary],
    numbers: Option<&[Vec<(usize, f64)>]>,
    p_least: &[f64],
    options: &CompareOptions,
) -> Result<(usize, Correction), Untestable> {
    let alpha = 1.0 - options.confidence;
    let tests = || pairs.iter().filter_map(|pair| pair.test);
    let mut p: Vec<f64> = tests().map(|test| test.p).collect();
    let together = numbers.and_then(|numbers| adjust_by_max_t(&p, numbers, alpha));
    let correction = match options.correction {
        Correction::MaxT if together.is_none() => Correction::Holm,
        other => other,
    };
    if correction == Correction::Holm {
        for (p, least) in p.iter_mut().zip(p_least) {
            *p = p.max(*least);
        }
    }
    let (adjusted, levels) = together.unwrap_or_else(|| {
        (
            correction
                .adjust(&p)
                .into_iter()
                .map(|p| (p, correction))
                .collect(),
            correction.levels(&p, alpha),
        )
    });
    let mut equivalences = vec![None; p.len()];
    if let Some(margin) = options.equal_within {
        let p: Vec<f64> = tests()
            .map(|test| equivalence_p(&test, margin))
            .collect::<Result<_, _>>()?;
        equivalences = p
            .iter()
            .zip(options.correction.adjust(&p))
            .map(|(&p, p_adjusted)| Some(Equivalence { p, p_adjusted }))
            .collect();
    }
    let tested = pairs
        .iter_mut()
        .filter_map(|pair| pair.test.map(|test| (pair, test)));
    for (at, (pair, test)) in tested.enumerate() {
        let (p_adjusted, by) = adjusted[at];
        (pair.p_adjusted, pair.adjusted_by) = (Some(p_adjusted), Some(by));
        pair.level = Some(levels[at]);
        pair.equivalence = equivalences[at];
        let blocks = test.n_a.min(test.n_b);
        let enough = Untestable::require_blocks(blocks, BLOCKS_MIN);
        pair.verdict = if let Err(reason) = enough {
            Verdict::CannotTell { reason }
        } else {
            match test.mean_difference {
                lead if p_adjusted <= alpha && 0.0 < lead => Verdict::Ahead,
                lead if p_adjusted <= alpha && lead < 0.0 => Verdict::Behind,
                _ if pair
                    .equivalence
                    .is_some_and(|equal| equal.p_adjusted <= alpha) =>
                {
                    Verdict::Equal
                }
                _ => Verdict::Undecided,
            }
        };
    }
    Ok((p.len(), correction))
}

/// Returns the larger p value of the two one-sided tests of a difference of at least `margin`.
///
/// If the true difference is at the margin, scores of bots that rarely differ are skewed. A t-test
/// would call them equal in 18 to 25 % of leagues. The statistics are transformed, which removes
/// the skewness (Hall, "On the removal of skewness by transformation"). At 5 %, at most 5 % of
/// leagues with win-or-lose blocks have a false claim then, and 10 % with rare exponential
/// differences.
fn equivalence_p(test: &TTest, margin: f64) -> Result<f64, Untestable> {
    let g = test.skewness;
    let transformed = |distance: f64| {
        let t = (distance / test.se).clamp(-1e99, 1e99);
        t * (1.0 + g * t / 3.0 + g * t * (g * t) / 27.0) + g / 6.0
    };
    let below = transformed(test.mean_difference - margin);
    let above = transformed(test.mean_difference + margin);
    let nearer = above.min(-below);
    Ok(student::sf(nearer, test.df)?.clamp(f64::MIN_POSITIVE, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_flip_p_of_win_or_lose_blocks_is_binomial() {
        // 12 of 14 blocks are won: 2 · (1 + 14 + 91) of 2¹⁴ patterns are as extreme.
        let matches = |won: usize, all: usize| -> Vec<(usize, f64)> {
            (0..all)
                .map(|block| (block, if block < won { 0.1 } else { -0.1 }))
                .collect()
        };
        let p = sign_flip_p(&matches(12, 14));
        assert!((p - 212.0 / 16_384.0).abs() < 1e-15, "{p}");
        let p = sign_flip_p(&matches(40, 40));
        assert!((p / libm::ldexp(1.0, -39) - 1.0).abs() < 1e-12, "{p}");
        // Draws leave the number of patterns of the other blocks.
        let drawn = (14..20).map(|block| (block, 0.0));
        let p = sign_flip_p(&matches(12, 14).into_iter().chain(drawn).collect::<Vec<_>>());
        assert!((p - 212.0 / 16_384.0).abs() < 1e-15, "{p}");
    }

    /// SciPy's t distribution at the statistics of Hall's formula, for win-or-lose blocks.
    #[test]
    fn rare_differences_do_not_show_equality() {
        let p = |lost: usize, margin: f64| {
            let blocks: Vec<f64> = (0..100).map(|k| f64::from(u8::from(k < lost))).collect();
            let test = crate::one_sample_t(&blocks, 0.95).expect("they differ");
            let p = equivalence_p(&test, margin).expect("in range");
            let mirrored = equivalence_p(&test.mirrored(), margin).expect("in range");
            assert_eq!(p.to_bits(), mirrored.to_bits());
            p
        };
        for (lost, margin, expected) in [
            (1, 0.027, 0.223_477_543_804_920_5),
            (1, 0.07, 0.039_286_064_250_328_545),
            (10, 0.16, 0.054_824_259_897_928_43),
            (10, 0.2, 0.009_358_618_847_270_342),
        ] {
            let p = p(lost, margin);
            assert!((p - expected).abs() < 1e-9, "{lost} {margin}: {p}");
        }
    }

    #[test]
    fn sign_flips_are_not_counted_for_many_different_numbers() {
        let numbers: Vec<(usize, f64)> = (0..20).map(|k| (k, 1.0 + (k as f64).sqrt())).collect();
        assert_eq!(sign_flip_p(&numbers), 0.0);
        assert_eq!(sign_flip_p(&numbers[..13]), libm::ldexp(1.0, -12));
    }
}
