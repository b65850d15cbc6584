//! The comparison of all bots of a league (or of one line-up): what a report prints, from one score per bot and block.

use crate::Untestable;
use crate::congeniality::{Cell, Outcome};
use crate::correction::Correction;
use crate::power::required_whole_blocks;
use crate::summary::{Interval, check_confidence, mean, summarise};
use crate::t_test::{TTest, paired_t, welch_t};
use serde::{Deserialize, Serialize};

/// What is known of one bot.
#[derive(Debug, Clone, Copy, Default)]
pub struct BotSample<'a> {
    /// The bot's mean score per game in each block; `None` where it did not play or has no score. Entry i is the same
    /// block for every bot, so differences within blocks are differences under the same deals.
    pub scores: &'a [Option<f64>],
    /// Whether the bot forfeited the block; empty when no block was. A forfeited block may still have a score, the
    /// price that the league set.
    pub forfeited: &'a [bool],
    /// Games played, for the record.
    pub games: u64,
    /// How often the bot came first, second, …; for the record, may be empty.
    pub placements: &'a [u64],
}

/// How a comparison is made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompareOptions {
    /// Confidence level of the intervals; 1 minus it is the level of significance.
    pub confidence: f64,
    /// Adjustment of p over the family of all pairs.
    pub correction: Correction,
    /// Power for which the required blocks are computed.
    pub power: f64,
    /// Fewer blocks than this give numbers but no verdict.
    pub blocks_min: usize,
    /// A difference in points per game that the league wants to resolve, beside the one that it observes.
    pub resolve: Option<f64>,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { confidence: 0.95, correction: Correction::Holm, power: 0.8, blocks_min: BLOCKS_MIN, resolve: None }
    }
}

/// The fewest blocks from which a verdict is drawn by default: below, a t interval leans on the shape of the scores.
pub const BLOCKS_MIN: usize = 10;

/// A bot's line in the standings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BotSummary {
    /// Index of the bot in the input.
    pub bot: usize,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Significantly ahead after adjustment.
    Ahead,
    /// Significantly behind after adjustment.
    Behind,
    /// No significant difference.
    NoDifference,
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
            Self::CannotTell { reason: Untestable::ConstantDifference { difference, permutation_p } } => {
                let reason = Untestable::ConstantDifference { difference: -difference, permutation_p: *permutation_p };
                Self::CannotTell { reason }
            }
            other => other.clone(),
        }
    }
}

/// An ordered pair: the first bot against the second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairSummary {
    /// Index of the first bot.
    pub a: usize,
    /// Index of the second bot.
    pub b: usize,
    /// Blocks in which both have a score.
    pub shared_blocks: usize,
    /// Mean difference of their scores per game over shared blocks (difference of their means where none is shared).
    pub mean_difference: Option<f64>,
    /// The paired t-test over shared blocks, or Welch's where no block is shared; `None` when neither is possible.
    pub test: Option<TTest>,
    /// p adjusted over the family of all unordered pairs that could be tested.
    pub p_adjusted: Option<f64>,
    /// Blocks (of both bots, in the same deals) that would show the observed effect at the power and level asked for;
    /// `None` without a test or at no difference at all, and for Welch's test, whose blocks are not shared.
    pub required_blocks: Option<u64>,
    /// How many blocks more than played that is; 0 when there are enough.
    pub more_blocks: Option<u64>,
    /// As `required_blocks`, for the stated difference [`CompareOptions::resolve`].
    pub required_blocks_to_resolve: Option<u64>,
    /// What can be said, by the adjusted p.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// All bots and all ordered pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// How it was made.
    pub options: CompareOptions,
    /// Blocks of the league, scored or not.
    pub blocks: usize,
    /// One entry per bot, in the order of the input.
    pub bots: Vec<BotSummary>,
    /// Every ordered pair, by first bot, then second.
    pub pairs: Vec<PairSummary>,
    /// Tests in the family over which p was adjusted: the unordered pairs that could be tested.
    pub family: usize,
}

impl Comparison {
    /// The entry for an ordered pair; `None` for a bot against itself or an index out of range.
    pub fn pair(&self, a: usize, b: usize) -> Option<&PairSummary> {
        let bots = self.bots.len();
        if bots <= a || bots <= b || a == b {
            return None;
        }
        self.pairs.get(a * (bots - 1) + b - usize::from(a < b))
    }
}

/// Compares every bot with every other.
///
/// Blocks are the unit, so dependence between the games of a block does not matter. Over pooled line-ups the spread
/// includes what line-ups differ by.
///
/// # Errors
/// Lists of different length, a score that is not finite, or options out of range. What a single pair lacks is said in
/// its verdict instead.
pub fn compare(samples: &[BotSample<'_>], options: &CompareOptions) -> Result<Comparison, Untestable> {
    check_input(samples, options)?;
    let alpha = 1.0 - options.confidence;
    let blocks = samples.first().map_or(0, |sample| sample.scores.len());
    let bots: Vec<BotSummary> = samples.iter().enumerate().map(|(bot, s)| summarise_bot(bot, s, options)).collect();
    let mut upper: Vec<PairSummary> = Vec::new();
    for a in 0..samples.len() {
        for b in a + 1..samples.len() {
            upper.push(compare_pair((a, &samples[a]), (b, &samples[b]), options));
        }
    }
    let family = judge(&mut upper, options, alpha);

    let mut pairs: Vec<PairSummary> = upper.iter().map(mirror).chain(upper.iter().cloned()).collect();
    pairs.sort_by_key(|pair| (pair.a, pair.b));
    Ok(Comparison { options: *options, blocks, bots, pairs, family })
}

/// Refuses options out of range, lists of different length and scores that are not finite.
pub(crate) fn check_input(samples: &[BotSample<'_>], options: &CompareOptions) -> Result<(), Untestable> {
    check_confidence(options.confidence)?;
    let alpha = 1.0 - options.confidence;
    if !(alpha < options.power && options.power < 1.0) {
        return Err(Untestable::bad(format!("power lies between the level {alpha} and 1, not at {}", options.power)));
    }
    if options.resolve.is_some_and(|d| !(d.is_finite() && d != 0.0)) {
        return Err(Untestable::bad("the difference to resolve must be a finite number other than zero"));
    }
    let blocks = samples.first().map_or(0, |sample| sample.scores.len());
    for sample in samples {
        if sample.scores.len() != blocks || !(sample.forfeited.is_empty() || sample.forfeited.len() == blocks) {
            return Err(Untestable::LengthMismatch);
        }
        if sample.scores.iter().flatten().any(|score| !score.is_finite()) {
            return Err(Untestable::NotFinite);
        }
    }
    Ok(())
}

fn summarise_bot(bot: usize, sample: &BotSample<'_>, options: &CompareOptions) -> BotSummary {
    let scores: Vec<f64> = sample.scores.iter().flatten().copied().collect();
    let described = summarise(&scores);
    // A bot with the same score in every block has a mean but no standard error and no interval: nothing tells how far
    // another block could be.
    let (se, interval) = match &described {
        Ok(summary) => (Some(summary.se), summary.interval(options.confidence).ok()),
        Err(_) => (None, None),
    };
    let note = if all_forfeited(sample) {
        Some(Untestable::AllForfeited)
    } else if scores.is_empty() {
        Some(Untestable::MissingScores)
    } else {
        match described {
            Err(Untestable::ZeroVariance | Untestable::ConstantDifference { .. }) => Some(Untestable::ZeroVariance),
            Err(reason) => Some(reason),
            Ok(summary) if summary.n < options.blocks_min => {
                Some(Untestable::TooFewBlocks { blocks: summary.n, needed: options.blocks_min })
            }
            Ok(_) => None,
        }
    };
    BotSummary {
        bot,
        games: sample.games,
        blocks: scores.len(),
        forfeited_blocks: sample.forfeited.iter().filter(|&&forfeited| forfeited).count(),
        mean: (!scores.is_empty()).then(|| mean(&scores)),
        se,
        interval,
        placements: sample.placements.to_vec(),
        note,
    }
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

/// A pair before the family is known: the verdict is final only where no test was possible.
fn compare_pair(
    (a, sample_a): (usize, &BotSample<'_>),
    (b, sample_b): (usize, &BotSample<'_>),
    options: &CompareOptions,
) -> PairSummary {
    let (shared_a, shared_b): (Vec<f64>, Vec<f64>) =
        sample_a.scores.iter().zip(sample_b.scores).filter_map(|(&x, &y)| x.zip(y)).unzip();
    let shared_blocks = shared_a.len();
    let own = |sample: &BotSample<'_>| sample.scores.iter().flatten().copied().collect::<Vec<f64>>();
    let (alone_a, alone_b) = if shared_blocks == 0 { (own(sample_a), own(sample_b)) } else { Default::default() };

    let mean_difference = if 0 < shared_blocks {
        Some(mean(&shared_a.iter().zip(&shared_b).map(|(x, y)| x - y).collect::<Vec<f64>>()))
    } else if alone_a.is_empty() || alone_b.is_empty() {
        None
    } else {
        Some(mean(&alone_a) - mean(&alone_b))
    };
    let tested = if all_forfeited(sample_a) || all_forfeited(sample_b) {
        Err(Untestable::AllForfeited)
    } else if mean_difference.is_none() {
        Err(Untestable::MissingScores)
    } else if 0 < shared_blocks {
        paired_t(&shared_a, &shared_b, options.confidence)
    } else {
        welch_t(&alone_a, &alone_b, options.confidence)
    };

    let alpha = 1.0 - options.confidence;
    let paired = tested.as_ref().ok().filter(|_| 0 < shared_blocks);
    let needed = |effect: f64| required_whole_blocks(effect, alpha, options.power).ok();
    let required_blocks = paired.and_then(|test| needed(test.effect_size));
    let required_blocks_to_resolve = paired.zip(options.resolve).and_then(|(test, difference)| {
        let sd = test.se * (test.n_a as f64).sqrt();
        needed(difference / sd)
    });
    let verdict = match &tested {
        Ok(_) => Verdict::NoDifference,
        Err(reason) => Verdict::CannotTell { reason: reason.clone() },
    };
    PairSummary {
        a,
        b,
        shared_blocks,
        mean_difference,
        test: tested.ok(),
        p_adjusted: None,
        required_blocks,
        more_blocks: required_blocks.map(|required| required.saturating_sub(shared_blocks as u64)),
        required_blocks_to_resolve,
        verdict,
    }
}

/// Adjusts p over the pairs with a test and draws the verdicts; gives the size of the family.
pub(crate) fn judge(pairs: &mut [PairSummary], options: &CompareOptions, alpha: f64) -> usize {
    let p: Vec<f64> = pairs.iter().filter_map(|pair| pair.test.map(|test| test.p)).collect();
    let adjusted = options.correction.adjust(&p);
    let tested = pairs.iter_mut().filter_map(|pair| pair.test.map(|test| (pair, test)));
    for ((pair, test), &p_adjusted) in tested.zip(&adjusted) {
        pair.p_adjusted = Some(p_adjusted);
        let blocks = if 0 < pair.shared_blocks { test.n_a } else { test.n_a.min(test.n_b) };
        pair.verdict = if blocks < options.blocks_min {
            Verdict::CannotTell { reason: Untestable::TooFewBlocks { blocks, needed: options.blocks_min } }
        } else {
            match Outcome::of(test.mean_difference, p_adjusted, alpha) {
                Outcome::Ahead => Verdict::Ahead,
                Outcome::Behind => Verdict::Behind,
                Outcome::Undecided | Outcome::Untestable => Verdict::NoDifference,
            }
        };
    }
    p.len()
}

pub(crate) fn mirror(pair: &PairSummary) -> PairSummary {
    PairSummary {
        a: pair.b,
        b: pair.a,
        mean_difference: pair.mean_difference.map(|d| -d),
        test: pair.test.map(|test| test.mirrored()),
        verdict: pair.verdict.mirrored(),
        ..pair.clone()
    }
}

/// Which p a congeniality table judges by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Significance {
    /// Every pair of every line-up on its own, as in the paper.
    #[default]
    Raw,
    /// Adjusted over the pairs of the line-up.
    Adjusted,
}

/// The congeniality table over line-ups: cell `[a][b]` for bots 0 … `bots` − 1, `None` on the diagonal and where no
/// line-up with both could be tested. Each line-up comes with its roster: `roster[i]` is the bot that the comparison
/// calls i. All are compared at the same confidence. A pair with a verdict "cannot tell" counts as untestable there.
pub fn congeniality_table(
    bots: usize,
    line_ups: &[(&[usize], &Comparison)],
    significance: Significance,
) -> Vec<Vec<Option<Cell>>> {
    let mut tests = vec![vec![Vec::new(); bots]; bots];
    let alpha = line_ups.first().map_or(0.05, |(_, comparison)| 1.0 - comparison.options.confidence);
    for (roster, comparison) in line_ups {
        for pair in &comparison.pairs {
            let places = roster.get(pair.a).zip(roster.get(pair.b)).filter(|&(&a, &b)| a < bots && b < bots);
            if let Some((&a, &b)) = places {
                tests[a][b].push(judged(pair, significance));
            }
        }
    }
    let cell = |a: usize, b: usize| if a == b { None } else { Cell::of_tests(&tests[a][b], alpha) };
    (0..bots).map(|a| (0..bots).map(|b| cell(a, b)).collect()).collect()
}

/// The difference and the p that it is judged by; `None` where nothing can be told.
fn judged(pair: &PairSummary, significance: Significance) -> Option<(f64, f64)> {
    let p = match significance {
        Significance::Raw => pair.test.map(|test| test.p),
        Significance::Adjusted => pair.p_adjusted,
    };
    match pair.verdict {
        Verdict::CannotTell { .. } => None,
        _ => pair.mean_difference.zip(p),
    }
}
