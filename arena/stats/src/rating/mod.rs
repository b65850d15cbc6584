//! Ratings fitted to placements: Bradley-Terry for two players, Plackett-Luce for more.
//!
//! A bot of strength γ comes first among a set with probability γ over the sum of the set's strengths; the rest of the
//! order follows by striking the first and asking again (Plackett, "The analysis of permutations"; Luce, "Individual
//! Choice Behavior"). For two bots this is the model of Bradley and Terry. Log strengths are given centred at zero; a
//! difference of θ means odds of e^θ.
//!
//! **Ties** are averaged: a shared placement counts as every order of the tied bots, with equal parts of its weight. For
//! two bots this is the usual half a win each.

mod choices;
mod fit;
mod rank;

pub use rank::{RankSet, rank_sets};

use crate::Untestable;
use crate::bootstrap::{BootstrapOptions, block_bootstrap, percentile_interval, quantile};
use crate::compare::BLOCKS_MIN;
use crate::linear::centre;
use crate::summary::Interval;
use choices::Choices;
use serde::{Deserialize, Serialize};

/// An observed order of finish.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Bots by placement, best first; bots in one group tied. Bots that did not take part are absent.
    pub groups: Vec<Vec<usize>>,
    /// How often this order was observed.
    pub weight: f64,
}

impl Ranking {
    /// A strict order, observed once.
    pub fn strict(order: &[usize]) -> Self {
        Self { groups: order.iter().map(|&bot| vec![bot]).collect(), weight: 1.0 }
    }

    /// The order of finish by score, highest first; equal scores tie. Bots without a score are absent.
    pub fn from_scores(scores: &[Option<f64>]) -> Self {
        let mut scored: Vec<(usize, f64)> =
            scores.iter().enumerate().filter_map(|(bot, score)| score.map(|s| (bot, s))).collect();
        scored.sort_by(|x, y| y.1.total_cmp(&x.1));
        let groups = scored.chunk_by(|x, y| x.1 == y.1).map(|tied| tied.iter().map(|&(bot, _)| bot).collect());
        Self { groups: groups.collect(), weight: 1.0 }
    }
}

/// The strict rankings of two that a table of wins holds: `wins[i][j]` games that i won against j. Draws are half a win
/// for each.
pub fn rankings_from_wins(wins: &[Vec<f64>]) -> Vec<Ranking> {
    let games = wins.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, &w)| (i, j, w)));
    games
        .filter(|&(i, j, w)| i != j && w != 0.0)
        .map(|(i, j, weight)| Ranking { groups: vec![vec![i], vec![j]], weight })
        .collect()
}

/// How a rating is made.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RatingOptions {
    /// Imaginary drawn games added between every two bots. 0 gives the maximum of the likelihood, which does not exist
    /// when some bots never lost to the rest; anything above draws all ratings together a little and always exists.
    pub virtual_draws: f64,
    /// The cluster bootstrap that gives the intervals.
    pub bootstrap: BootstrapOptions,
}

/// Fitted strengths with their uncertainty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Log strength of each bot, centred at zero.
    pub log_strength: Vec<f64>,
    /// Percentile interval of each log strength.
    pub intervals: Vec<Interval>,
    /// The ranks that each bot may hold, at the same confidence for all bots together.
    pub rank_sets: Vec<RankSet>,
    /// Blocks that the bootstrap drew from.
    pub blocks: usize,
    /// Why the ranks are left open: with fewer than [`BLOCKS_MIN`] blocks a bootstrap shows too little of what blocks can
    /// differ by.
    pub note: Option<Untestable>,
    /// Bootstrap samples that had no fit and were left out.
    pub samples_without_fit: usize,
}

impl Rating {
    /// The fitted probability that the first bot finishes before the second.
    pub fn win_probability(&self, a: usize, b: usize) -> Option<f64> {
        let (x, y) = (self.log_strength.get(a)?, self.log_strength.get(b)?);
        Some(1.0 / (1.0 + (y - x).exp()))
    }
}

/// Points of an Elo-like scale in one unit of log strength: 400 points are odds of ten to one.
pub const ELO_PER_LOG_STRENGTH: f64 = 400.0 / std::f64::consts::LN_10;

/// Log strengths, centred at zero, that maximise the likelihood of the rankings.
///
/// # Errors
/// [`Untestable::Unbounded`] when some group of bots was never beaten by the rest (or never met it) and there are no
/// virtual draws; a ranking that names a bot out of range or twice; a weight that is not positive and finite; too large
/// a tie.
pub fn fit(bots: usize, rankings: &[Ranking], virtual_draws: f64) -> Result<Vec<f64>, Untestable> {
    let choices = Choices::new(bots, &[rankings], virtual_draws)?;
    fit::maximise(&choices.total(), None)
}

/// Fits strengths and gives intervals and rank sets by drawing blocks with replacement.
///
/// Rank sets: a bot's best rank is one more than the number of bots that are above it, its worst one less than all minus
/// those below it, where "above" means that the difference of log strengths exceeds its bootstrap error times a factor
/// so chosen that all differences hold together (after Mogstad, Romano, Shaikh and Wilhelm, "Inference for ranks").
///
/// # Errors
/// As [`fit`]; fewer than two blocks; too many samples without a fit.
pub fn rate(bots: usize, blocks: &[Vec<Ranking>], options: &RatingOptions) -> Result<Rating, Untestable> {
    let slices: Vec<&[Ranking]> = blocks.iter().map(Vec::as_slice).collect();
    let choices = Choices::new(bots, &slices, options.virtual_draws)?;
    let log_strength = fit::maximise(&choices.total(), None)?;
    let draws = block_bootstrap(blocks.len(), &options.bootstrap, |times| {
        fit::maximise(&choices.resampled(times), Some(&log_strength)).ok()
    })?;
    let confidence = options.bootstrap.confidence;
    let interval = |bot: usize| percentile_interval(&draws.iter().map(|d| d[bot]).collect::<Vec<f64>>(), confidence);
    let above = simultaneously_above(&log_strength, &draws, confidence);
    let enough = BLOCKS_MIN <= blocks.len();
    Ok(Rating {
        intervals: (0..bots).map(interval).collect(),
        rank_sets: rank_sets(bots, |a, b| enough && above[a][b]),
        note: (!enough).then_some(Untestable::TooFewBlocks { blocks: blocks.len(), needed: BLOCKS_MIN }),
        blocks: blocks.len(),
        samples_without_fit: options.bootstrap.samples - draws.len(),
        log_strength,
    })
}

/// Which bots are above which, all statements holding together at the confidence given.
fn simultaneously_above(estimate: &[f64], draws: &[Vec<f64>], confidence: f64) -> Vec<Vec<bool>> {
    let bots = estimate.len();
    let pairs: Vec<(usize, usize)> = (0..bots).flat_map(|a| (a + 1..bots).map(move |b| (a, b))).collect();
    let deviation = |draw: &[f64], (a, b): (usize, usize)| (draw[a] - draw[b]) - (estimate[a] - estimate[b]);
    let errors: Vec<f64> = pairs
        .iter()
        .map(|&pair| {
            let squares: f64 = draws.iter().map(|draw| deviation(draw, pair).powi(2)).sum();
            (squares / draws.len() as f64).sqrt()
        })
        .collect();
    let mut largest: Vec<f64> = draws
        .iter()
        .map(|draw| {
            let ratios = pairs.iter().zip(&errors).filter(|(_, error)| 0.0 < **error);
            ratios.map(|(&pair, error)| deviation(draw, pair).abs() / error).fold(0.0, f64::max)
        })
        .collect();
    largest.sort_by(f64::total_cmp);
    let factor = quantile(&largest, confidence);
    let mut above = vec![vec![false; bots]; bots];
    for (&(a, b), error) in pairs.iter().zip(&errors) {
        let difference = estimate[a] - estimate[b];
        above[a][b] = 0.0 < *error && factor * error < difference;
        above[b][a] = 0.0 < *error && factor * error < -difference;
    }
    above
}

/// Centred copy.
fn centred(mut values: Vec<f64>) -> Vec<f64> {
    centre(&mut values);
    values
}
