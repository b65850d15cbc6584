//! Ratings: one strength per bot, fitted to who finished ahead of whom.
//!
//! Under the model of Plackett and Luce a bot of strength γ finishes ahead of one of strength δ with probability
//! γ / (γ + δ), whoever else sits at the table. The strengths are fitted to these pairs of all deals (for two players
//! that is the model of Bradley and Terry); the pairs of one table depend on each other, as do the deals of a block, so
//! the intervals come from drawing whole blocks with replacement.

use super::line_ups::Compared;
use super::types::{Answer, Rating, Ratings};
use hattari_stats::Untestable;
use hattari_stats::bootstrap::BootstrapOptions;
use hattari_stats::rating::{self, ELO_PER_LOG_STRENGTH, Ranking, RatingOptions};

/// Groups of blocks that the bootstrap draws from, about; where there are more blocks, neighbours in a line-up are drawn
/// together, which changes nothing about the error and keeps the time in bounds.
const GROUPS_MAX: usize = 4000;
/// Samples of the bootstrap; more where the confidence asks for it.
const SAMPLES: f64 = 1000.0;
/// Imaginary drawn deals between every two bots, where some bot was never (or always) ahead of the rest.
const VIRTUAL_DRAWS: f64 = 1.0;

/// Rates the bots that met somebody; `None` where nobody did.
pub fn ratings(names: &[String], line_ups: &[Compared<'_>], confidence: f64, seed: u64) -> Option<Ratings> {
    let mut met = vec![false; names.len()];
    for pair in line_ups.iter().flat_map(|line_up| &line_up.sample.pairs) {
        let any = pair.ahead.iter().any(|[first, second]| first + second > 0.0);
        met[pair.a] |= any;
        met[pair.b] |= any;
    }
    let bots: Vec<usize> = (0..names.len()).filter(|&bot| met[bot]).collect();
    if bots.is_empty() {
        return None;
    }
    let groups = groups(line_ups, &bots);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand")]
    let samples = (5.0 / (1.0 - confidence)).ceil().clamp(SAMPLES, 1e6) as usize;
    let bootstrap = BootstrapOptions { samples, seed, confidence };
    let rate = |virtual_draws| rating::rate(bots.len(), &groups, &RatingOptions { virtual_draws, bootstrap });
    let (virtual_draws, fit) = match rate(0.0) {
        Err(Untestable::Unbounded { .. } | Untestable::BootstrapFailed { .. }) => (VIRTUAL_DRAWS, rate(VIRTUAL_DRAWS)),
        fit => (0.0, fit),
    };
    let fit = match fit {
        Err(reason) => Answer::NotTestable(reason.to_string()),
        Ok(fit) => {
            let rating = |(at, &bot): (usize, &usize)| Rating {
                name: names[bot].clone(),
                strength: fit.log_strength[at],
                low: fit.intervals[at].low,
                high: fit.intervals[at].high,
                elo: fit.log_strength[at] * ELO_PER_LOG_STRENGTH,
                best_rank: fit.rank_sets[at].best as u64,
                worst_rank: fit.rank_sets[at].worst as u64,
            };
            let mut ratings: Vec<Rating> = bots.iter().enumerate().map(rating).collect();
            ratings.sort_by(|x, y| y.strength.total_cmp(&x.strength));
            Answer::Tested(ratings)
        }
    };
    Some(Ratings { samples: samples as u64, virtual_draws, fit })
}

/// For each group of blocks who was how often ahead of whom; bots are numbered as in `bots`.
fn groups(line_ups: &[Compared<'_>], bots: &[usize]) -> Vec<Vec<Ranking>> {
    let number = |entrant: usize| bots.binary_search(&entrant).ok();
    let blocks: usize = line_ups.iter().map(|line_up| line_up.sample.blocks.len()).sum();
    let size = blocks.div_ceil(GROUPS_MAX).max(1);
    let mut groups = Vec::new();
    for line_up in line_ups {
        let here = line_up.sample.blocks.len();
        for start in (0..here).step_by(size) {
            let mut rankings = Vec::new();
            for pair in &line_up.sample.pairs {
                let (Some(a), Some(b)) = (number(pair.a), number(pair.b)) else { continue };
                let times = &pair.ahead[start..here.min(start + size)];
                let sum = |side: usize| times.iter().map(|times| times[side]).sum::<f64>();
                let order = |first, second, weight| Ranking { groups: vec![vec![first], vec![second]], weight };
                let both = [order(a, b, sum(0)), order(b, a, sum(1))];
                rankings.extend(both.into_iter().filter(|ranking| ranking.weight > 0.0));
            }
            groups.push(rankings);
        }
    }
    groups
}
