//! The comparison of all bots of a league (or of one line-up): what a report prints, from one score
//! per bot and block.

use crate::Untestable;
use crate::congeniality::Outcome;
use crate::correction::Correction;
use crate::dist::student;
use crate::max_t::{Flips, max_t, normalised};
use crate::power::{Required, required};
use crate::summary::{Interval, check_confidence};
use crate::t_test::{TTest, TestKind};
use serde::Serialize;

/// What is known of one bot.
#[derive(Debug, Clone, Copy, Default)]
pub struct BotSample<'a> {
    /// The bot's mean score per game in each block; `None` where it did not play or has no score.
    /// Entry i is the same block for every bot, so differences within blocks are differences
    /// under the same deals.
    pub scores: &'a [Option<f64>],
    /// Whether the bot forfeited the block; empty when no block was. A forfeited block may still
    /// have a score, the price that the league set.
    pub forfeited: &'a [bool],
    /// Games played, for the record.
    pub games: u64,
    /// How often the bot came first, second, …; for the record, may be empty.
    pub placements: &'a [u64],
}

/// How a comparison is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompareOptions {
    /// Confidence level of the intervals; 1 minus it is the level of significance.
    pub confidence: f64,
    /// Adjustment of p over the family of all pairs.
    pub correction: Correction,
    /// Power for which the required blocks are computed.
    pub power: f64,
    /// Fewer blocks than this give numbers but no verdict.
    pub blocks_min: usize,
    /// Two bots whose difference in points per game is surely smaller than this are equal for the
    /// league's purposes; without it nobody is ever called equal.
    pub equal_within: Option<f64>,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            confidence: 0.95,
            correction: Correction::MaxT,
            power: 0.8,
            blocks_min: BLOCKS_MIN,
            equal_within: None,
        }
    }
}

/// The fewest blocks from which a verdict is drawn by default: below, a t interval leans on the
/// shape of the scores.
pub const BLOCKS_MIN: usize = 10;

/// A bot's line in the standings.
#[derive(Debug, Clone, PartialEq)]
pub struct BotSummary {
    /// Games played.
    pub games: u64,
    /// Blocks with a score.
    pub blocks: usize,
    /// Blocks that the bot forfeited.
    pub forfeited_blocks: usize,
    /// Mean over blocks of the mean score per game; `None` without a score.
    pub mean: Option<f64>,
    /// Standard error of the mean over blocks.
    pub se: Option<f64>,
    /// Confidence interval of the mean.
    pub interval: Option<Interval>,
    /// How often the bot came first, second, ….
    pub placements: Vec<u64>,
    /// Why numbers are missing or should not be trusted.
    pub note: Option<Untestable>,
}

/// What can be said of the first bot of a pair against the second.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Significantly ahead after adjustment.
    Ahead,
    /// Significantly behind after adjustment.
    Behind,
    /// Not significantly different, and significantly closer than [`CompareOptions::equal_within`].
    Equal,
    /// The test was made and claims nothing: a difference is neither shown nor ruled out.
    Undecided,
    /// Too little, or nothing, to go by.
    CannotTell {
        /// Why.
        reason: Untestable,
    },
}

impl Verdict {
    /// The verdict for the pair in the other order.
    pub fn mirrored(&self) -> Self {
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

/// A pair: the first bot against the second.
#[derive(Debug, Clone, PartialEq)]
pub struct PairSummary {
    /// Index of the first bot.
    pub a: usize,
    /// Index of the second bot.
    pub b: usize,
    /// Blocks in which both have a score.
    pub shared_blocks: usize,
    /// Mean difference of their scores per game: over line-ups of the difference in shared blocks,
    /// or of their means where they share none.
    pub mean_difference: Option<f64>,
    /// The test over shared blocks, or over blocks against the same opposition where no block is
    /// shared; `None` where neither is possible.
    pub test: Option<TTest>,
    /// p adjusted over the family of all unordered pairs that could be tested.
    pub p_adjusted: Option<f64>,
    /// The method that the adjusted p comes from: in a family adjusted by max-T Holm's, where no
    /// pattern of signs was as extreme.
    pub adjusted_by: Option<Correction>,
    /// The level that the pair's own p has to meet for a verdict, given how those of the rest of
    /// the family came out.
    pub level: Option<f64>,
    /// What speaks for a difference smaller than [`CompareOptions::equal_within`].
    pub equivalence: Option<Equivalence>,
    /// What can be said, by the adjusted p.
    pub verdict: Verdict,
}

/// Two one-sided t-tests (Schuirmann, "A comparison of the two one-sided tests procedure and the
/// power approach for assessing the equivalence of average bioavailability"): a difference this
/// large or larger, to either side, is refuted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Equivalence {
    /// The larger p of the two tests.
    pub p: f64,
    /// The same adjusted over the family, as that of the differences is.
    pub p_adjusted: f64,
}

impl PairSummary {
    /// The pair in the other order.
    #[must_use]
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

    /// The difference and its own p, by which a line-up is judged alone; `None` where nothing can
    /// be told.
    #[must_use]
    pub fn judged_alone(&self) -> Option<(f64, f64)> {
        match self.verdict {
            Verdict::CannotTell { .. } => None,
            _ => self.mean_difference.zip(self.test.map(|test| test.p)),
        }
    }

    /// How many blocks would show the observed effect at the power asked for, judged as this pair
    /// was; `None` without a test, at no difference at all, and for Welch's test, whose blocks
    /// are not shared.
    pub fn required(&self, options: &CompareOptions) -> Option<Required> {
        let test = self.test.filter(|test| test.kind != TestKind::Welch)?;
        required(&test, self.level?, options.power, options.confidence).ok()
    }
}

/// All bots and all pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// How it was made; the correction is Holm's where max-T was asked for and pairs do not share
    /// all their clusters.
    pub options: CompareOptions,
    /// One entry per bot, in the order of the input.
    pub bots: Vec<BotSummary>,
    /// Every pair once, the lower bot first; by first bot, then second.
    pub pairs: Vec<PairSummary>,
    /// Tests in the family over which p was adjusted: the unordered pairs that could be tested.
    pub family: usize,
}

impl Comparison {
    /// The entry for an ordered pair; `None` for a bot against itself or an index out of range.
    pub fn pair(&self, a: usize, b: usize) -> Option<PairSummary> {
        let bots = self.bots.len();
        if bots <= a || bots <= b || a == b {
            return None;
        }
        let (low, high) = (a.min(b), a.max(b));
        // Rows before that of the lower one get shorter by one each.
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

/// Refuses options out of range, lists of different length and scores that are not finite.
pub(crate) fn check_input(
    samples: &[BotSample<'_>],
    options: &CompareOptions,
) -> Result<(), Untestable> {
    check_confidence(options.confidence)?;
    let alpha = 1.0 - options.confidence;
    if !(alpha < options.power && options.power < 1.0) {
        return Err(Untestable::bad(format!(
            "power lies between the level {alpha} and 1, not at {}",
            options.power
        )));
    }
    if options
        .equal_within
        .is_some_and(|margin| !(margin.is_finite() && 0.0 < margin))
    {
        return Err(Untestable::bad(
            "the difference within which bots are equal must be a positive number",
        ));
    }
    let blocks = samples.first().map_or(0, |sample| sample.scores.len());
    for sample in samples {
        if sample.scores.len() != blocks
            || !(sample.forfeited.is_empty() || sample.forfeited.len() == blocks)
        {
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

/// Whether the bot forfeited every block that it took part in, and took part in one.
pub(crate) fn all_forfeited(sample: &BotSample<'_>) -> bool {
    let mut forfeited_any = false;
    for (block, score) in sample.scores.iter().enumerate() {
        let forfeited = sample.forfeited.get(block).copied().unwrap_or(false);
        forfeited_any |= forfeited;
        if score.is_some() && !forfeited {
            return false;
        }
    }
    forfeited_any
}

/// Pairs beyond which max-T gives way to Holm, and additions that its draws come to at most, about.
pub(crate) const MAX_T_PAIRS: usize = 300;
const MAX_T_WORK: usize = 200_000_000;
/// Patterns of signs that are drawn at most and at least.
const MAX_T_DRAWN: (usize, usize) = (19_999, 999);
/// Groups of clusters whose signs are flipped together at most.
const MAX_T_GROUPS: usize = 500;

/// An adjusted p with the method that it comes from.
type Adjusted = (f64, Correction);

/// Adjusts the p of all tested pairs by flipped signs; gives also the level that each has to meet.
/// `None` where their numbers are not of the same clusters. `numbers[k]` holds those of the k-th
/// tested pair, by cluster.
fn adjust_together(
    p: &[f64],
    numbers: &[Vec<(usize, f64)>],
    alpha: f64,
) -> Option<(Vec<Adjusted>, Vec<f64>)> {
    let clusters = |of: &[(usize, f64)]| {
        of.iter()
            .map(|(cluster, _)| *cluster)
            .collect::<Vec<usize>>()
    };
    let first = clusters(numbers.first()?);
    if numbers.len() < 2 || numbers.iter().any(|of| clusters(of) != first) {
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
    let flips = Flips { samples, seed: 1 };
    let found = max_t(&means, &columns, flips, true, |at, sums| sums[at]);
    // Where no pattern is as extreme as the one at hand, patterns cannot say how small p is; Holm's
    // method can. Among others nothing is surer than alone.
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

/// Adjusts p over the pairs with a test and draws the verdicts; gives the size of the family and
/// the correction that was made. `numbers` are those of each tested pair by cluster, where max-T is
/// asked for, each has one number for each cluster, and they are no more than [`MAX_T_PAIRS`].
pub(crate) fn judge(
    pairs: &mut [PairSummary],
    numbers: Option<&[Vec<(usize, f64)>]>,
    options: &CompareOptions,
) -> Result<(usize, Correction), Untestable> {
    let alpha = 1.0 - options.confidence;
    let tests = || pairs.iter().filter_map(|pair| pair.test);
    let p: Vec<f64> = tests().map(|test| test.p).collect();
    let together = numbers.and_then(|numbers| adjust_together(&p, numbers, alpha));
    let correction = match options.correction {
        Correction::MaxT if together.is_none() => Correction::Holm,
        other => other,
    };
    let (adjusted, levels) = together.unwrap_or_else(|| {
        let adjusted = correction.adjust(&p).into_iter().map(|p| (p, correction));
        (adjusted.collect(), correction.levels(&p, alpha))
    });
    let closeness = |margin: f64| {
        tests()
            .map(move |test| p_of_closeness(&test, margin))
            .collect::<Result<Vec<f64>, _>>()
    };
    let equal = options.equal_within.map(closeness).transpose()?;
    let equal_adjusted = equal.as_ref().map(|p| options.correction.adjust(p));
    let tested = pairs
        .iter_mut()
        .filter_map(|pair| pair.test.map(|test| (pair, test)));
    for (at, (pair, test)) in tested.enumerate() {
        let (p_adjusted, by) = adjusted[at];
        (pair.p_adjusted, pair.adjusted_by) = (Some(p_adjusted), Some(by));
        pair.level = Some(levels[at]);
        pair.equivalence = equal
            .as_ref()
            .zip(equal_adjusted.as_ref())
            .map(|(p, adjusted)| Equivalence {
                p: p[at],
                p_adjusted: adjusted[at],
            });
        let blocks = if test.kind == TestKind::Welch {
            test.n_a.min(test.n_b)
        } else {
            test.n_a
        };
        pair.verdict = if blocks < options.blocks_min {
            Verdict::CannotTell {
                reason: Untestable::TooFewBlocks {
                    blocks,
                    needed: options.blocks_min,
                },
            }
        } else {
            match Outcome::of(test.mean_difference, p_adjusted, alpha) {
                Outcome::Ahead => Verdict::Ahead,
                Outcome::Behind => Verdict::Behind,
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

/// The larger p of the two one-sided tests of a difference of `margin` or more.
fn p_of_closeness(test: &TTest, margin: f64) -> Result<f64, Untestable> {
    let nearer = (margin - test.mean_difference.abs()) / test.se;
    Ok(student::sf(nearer, test.df)?.clamp(f64::MIN_POSITIVE, 1.0))
}
