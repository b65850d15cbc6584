//! Ratings: one strength per bot, fitted to who finished ahead of whom.
//!
//! In the Bradley–Terry model, a bot with strength γ finishes ahead of a bot with strength δ with
//! probability γ / (γ + δ), independent of the other players. The strengths are fitted to the pairs
//! of all deals. The pairs of one table, the deals of one block and blocks with the same cards are
//! dependent, so the errors are computed from clusters of blocks.

use super::compared::ComparedLineUp;
use super::{Rating, RatingRange, Ratings, TestResult};
use hattari_stats::Untestable;
use hattari_stats::rating::{self, Ahead, ELO_PER_LOG_STRENGTH, RatingOptions};
use std::collections::BTreeMap;

/// Approximate maximum number of groups of clusters from which errors are computed. If there are
/// more clusters, neighbours form a group. This bounds the time and does not bias the errors.
const GROUPS_MAX: usize = 1000;
/// Maximum and minimum number of random sign patterns for the ranks.
const SAMPLES: (usize, usize) = (9_999, 999);
/// Approximate maximum number of additions for the random sign patterns.
const WORK_MAX: usize = 200_000_000;
/// Maximum number of pairs times line-ups for which line-ups with different deals are strata. Above
/// it, all blocks are one sample. Differences between line-ups then count as error, and the
/// intervals become slightly wider.
const STRATIFIED_MAX: usize = 30_000_000;
/// Number of fictitious drawn deals that are added for every pair of bots if some bot was never, or
/// always, ahead of the others.
const VIRTUAL_DRAWS: f64 = 1.0;

/// Returns the ratings of the bots that have met another bot; `None` if no two bots have met.
pub(super) fn ratings(
    names: &[String],
    line_ups: &[ComparedLineUp<'_>],
    confidence: f64,
    seed: u64,
) -> Option<Ratings> {
    let mut has_met = vec![false; names.len()];
    for pair in line_ups.iter().flat_map(|line_up| &line_up.sample.pairs) {
        let any = pair
            .ahead
            .iter()
            .any(|[first, second]| first + second > 0.0);
        has_met[pair.a] |= any;
        has_met[pair.b] |= any;
    }
    let bots: Vec<usize> = (0..names.len()).filter(|&bot| has_met[bot]).collect();
    if bots.is_empty() {
        return None;
    }
    let groups = groups(line_ups, &bots);
    let samples = (WORK_MAX
        / (bots.len() * (groups.iter().map(Vec::len).sum::<usize>() + bots.len())))
    .clamp(SAMPLES.1, SAMPLES.0);
    let rate = |virtual_draws| {
        rating::rate(
            bots.len(),
            &groups,
            &RatingOptions {
                virtual_draws,
                confidence,
                samples,
                seed,
            },
        )
    };
    let (virtual_draws, fit) = match rate(0.0) {
        Err(Untestable::Unbounded { .. }) => (VIRTUAL_DRAWS, rate(VIRTUAL_DRAWS)),
        fit => (0.0, fit),
    };
    let fit = match fit {
        Err(reason) => TestResult::NotTestable(reason.to_string()),
        Ok(fit) => {
            let played = line_ups
                .iter()
                .map(|line_up| (line_up.roster().collect(), line_up.sample.blocks.len()));
            let has_ranges = have_same_opponents(played, bots.len());
            let rating = |(index, &bot): (usize, &usize)| Rating {
                name: names[bot].clone(),
                strength: fit.log_strength[index],
                elo: fit.log_strength[index] * ELO_PER_LOG_STRENGTH,
                range: fit.intervals[index]
                    .filter(|_| has_ranges)
                    .map(|interval| RatingRange {
                        low: interval.low,
                        high: interval.high,
                        best_rank: fit.rank_sets[index].best as u64,
                        worst_rank: fit.rank_sets[index].worst as u64,
                    }),
            };
            let mut ratings: Vec<Rating> = bots.iter().enumerate().map(rating).collect();
            // Equal ratings differ by rounding errors. Such bots keep their order in the league.
            let place = |rating: &Rating| (rating.strength * 1e9).round() + 0.0;
            ratings.sort_by(|x, y| place(y).total_cmp(&place(x)));
            TestResult::Tested(ratings)
        }
    };
    Some(Ratings {
        samples: (groups.len() == 1).then_some(samples as u64),
        virtual_draws,
        fit,
    })
}

/// Returns `true` if any two bots met the same opponents: line-ups of three or more different bots
/// contain all choices of as many bots. Their smallest number of blocks must be at least three
/// quarters of the largest, as in a league that is almost finished. Otherwise equal bots can have
/// different strengths, because the strength of a third bot at a table affects who finishes ahead.
/// `line_ups` contains the different bots and the number of blocks of each line-up.
fn have_same_opponents(line_ups: impl Iterator<Item = (Vec<usize>, usize)>, bots: usize) -> bool {
    let mut blocks: BTreeMap<usize, BTreeMap<Vec<usize>, usize>> = BTreeMap::new();
    for (mut roster, number) in line_ups {
        roster.sort_unstable();
        let of_size = blocks.entry(roster.len()).or_default();
        *of_size.entry(roster).or_default() += number;
    }
    blocks.range(3..).all(|(&size, of_size)| {
        let choices = (0..size).fold(1.0, |all, chosen| {
            all * (bots - chosen) as f64 / (chosen + 1) as f64
        });
        let [fewest, most] = [of_size.values().min(), of_size.values().max()];
        of_size.len() as f64 == choices.round()
            && fewest.map(|fewest| 4 * fewest) >= most.map(|most| 3 * most)
    })
}

/// Returns how often each bot finished ahead of each other bot, by stratum and group of blocks. A
/// stratum is a line-up, or all line-ups if they share their deals or are too many. Bots are
/// numbered by their index in `bots`.
fn groups(line_ups: &[ComparedLineUp<'_>], bots: &[usize]) -> Vec<Vec<Vec<Ahead>>> {
    let clusters = |line_ups: &[ComparedLineUp<'_>]| {
        let mut clusters: Vec<usize> = line_ups.iter().flat_map(ComparedLineUp::clusters).collect();
        clusters.sort_unstable();
        clusters.dedup();
        clusters
    };
    let all = clusters(line_ups).len();
    let size = all.div_ceil(GROUPS_MAX).max(1);
    let are_shared = all
        < line_ups
            .iter()
            .map(|line_up| clusters(std::slice::from_ref(line_up)).len())
            .sum();
    let is_one = are_shared || bots.len() * bots.len() / 2 * line_ups.len() > STRATIFIED_MAX;
    line_ups
        .chunks(if is_one { line_ups.len() } else { 1 })
        .map(|stratum| stratum_of(stratum, &clusters(stratum), size, bots))
        .collect()
}

/// Returns the groups of one stratum. Each group consists of `size` successive elements of the
/// sorted `clusters`.
fn stratum_of(
    line_ups: &[ComparedLineUp<'_>],
    clusters: &[usize],
    size: usize,
    bots: &[usize],
) -> Vec<Vec<Ahead>> {
    let number = |entrant: usize| bots.binary_search(&entrant).ok();
    let group = |cluster: usize| {
        clusters
            .binary_search(&cluster)
            .map_or(0, |index| index / size)
    };
    let mut ahead: Vec<BTreeMap<(usize, usize), f64>> =
        vec![BTreeMap::new(); clusters.len().div_ceil(size)];
    for line_up in line_ups {
        for pair in &line_up.sample.pairs {
            let (Some(a), Some(b)) = (number(pair.a), number(pair.b)) else {
                continue;
            };
            for (cluster, [first, second]) in line_up.clusters().zip(&pair.ahead) {
                let counts = &mut ahead[group(cluster)];
                *counts.entry((a, b)).or_default() += first;
                *counts.entry((b, a)).or_default() += second;
            }
        }
    }
    ahead
        .into_iter()
        .map(|ahead| {
            ahead
                .into_iter()
                .filter(|(_, times)| *times > 0.0)
                .map(|((first, second), times)| Ahead {
                    first,
                    second,
                    times,
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_have_the_same_opponents_if_line_ups_are_complete() {
        let all = [[0, 1, 2], [3, 0, 1], [0, 2, 3], [1, 2, 3]];
        for (blocks, expected) in [
            ([5, 5, 5, 5], true),
            ([9, 12, 10, 11], true),
            ([5, 7, 5, 5], false),
            ([5, 5, 5, 0], false),
        ] {
            let played = all.iter().zip(blocks).filter(|(_, number)| 0 < *number);
            let played = played.map(|(roster, number)| (roster.to_vec(), number));
            assert_eq!(have_same_opponents(played, 4), expected, "{blocks:?}");
        }
        // There is no third bot at a table of two.
        let pairs = [(vec![0, 1], 9), (vec![0, 2], 1)];
        assert!(have_same_opponents(pairs.into_iter(), 3));
    }
}
