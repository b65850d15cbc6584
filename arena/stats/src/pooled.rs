//! Comparison of all bots over several line-ups: means over line-ups with their standard errors.
//!
//! The line-ups of a league are *strata*, not a sample of possible line-ups. Every line-up has the
//! same weight, whatever its number of blocks. Only the variation of blocks within line-ups
//! contributes to the standard error. Differences between line-ups are a result (shown in the
//! congeniality table), not noise. Blocks with the same deals, in one line-up or several, count as
//! one observation ([`clustered`](crate::clustered)).

use crate::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use crate::compare::{
    BLOCKS_MIN, BotSummary, FLIPS_PAIRS, MAX_T_PAIRS, PairSummary, Verdict, all_forfeited,
    check_options, check_samples, judge, sign_flip_p,
};
use crate::max_t::EXACT_MAX;
use crate::summary::{largest, pairs_below};
use crate::{BotSample, CompareOptions, Comparison, Correction, Method, TTest, Untestable};
use std::cell::OnceCell;
use std::collections::HashSet;

/// The scores of one line-up.
#[derive(Debug, Clone, Copy)]
pub struct LineUpScores<'a> {
    /// Bot number of each entry of `samples`, without duplicates.
    pub roster: &'a [usize],
    /// Scores of each bot in the blocks of this line-up.
    pub samples: &'a [BotSample<'a>],
    /// Number that identifies the opposition of each bot in `samples`. Equal numbers, also in other
    /// line-ups, mean the same opposition. Two bots that never meet are compared on line-ups with
    /// the same opposition.
    pub opposition: &'a [usize],
    /// Cluster of each block. Blocks with equal numbers, also in other line-ups, have the same
    /// deals.
    pub clusters: &'a [usize],
}

/// Compares every bot with every other over all line-ups. Bots are numbered from 0 to `bots` − 1.
///
/// Two bots that met are compared by their score differences within the blocks that both played.
/// Two bots that never met are compared on blocks in which they faced the same opposition, if there
/// are any. These blocks are paired by their deals if the deals are shared; otherwise Welch's test
/// is used.
///
/// # Errors
/// Returns an error if lists have different lengths, a score is not finite, an option is out of
/// range, or a bot number is not less than `bots`. If only a single pair cannot be tested, its
/// verdict contains the reason.
pub fn compare(
    bots: usize,
    line_ups: &[LineUpScores<'_>],
    options: &CompareOptions,
) -> Result<Comparison, Untestable> {
    check_options(options)?;
    let mut seats: Vec<Vec<Seat<'_>>> = vec![Vec::new(); bots];
    for (line_up, scores) in line_ups.iter().enumerate() {
        check_samples(scores.samples, scores.clusters.len())?;
        if [scores.roster.len(), scores.opposition.len()] != [scores.samples.len(); 2] {
            return Err(Untestable::LengthMismatch);
        }
        for ((&bot, sample), &opposition) in scores
            .roster
            .iter()
            .zip(scores.samples)
            .zip(scores.opposition)
        {
            let seat = Seat {
                line_up,
                sample,
                opposition,
                clusters: scores.clusters,
            };
            seats
                .get_mut(bot)
                .ok_or_else(|| Untestable::bad(format!("there is no bot {bot}")))?
                .push(seat);
        }
    }
    let known: Vec<Player<'_>> = seats.iter().map(|seats| Player::of(seats)).collect();
    let mut meetings = shared_line_ups(&seats).into_iter().peekable();
    let mut together = Vec::new();
    let pair_count = bots * bots.saturating_sub(1) / 2;
    let mut pairs: Vec<PairSummary> = Vec::with_capacity(pair_count);
    // For each tested pair, one number per cluster; `None` if max-T cannot adjust the pairs
    // together.
    let mut numbers = (options.correction == Correction::MaxT).then(Vec::new);
    let mut p_least = Vec::new();
    for (a, b) in pairs_below(bots) {
        together.clear();
        while let Some((_, at)) = meetings.next_if(|(pair, _)| *pair == (a, b)) {
            together.push((&seats[a][at.0], &seats[b][at.1]));
        }
        let players = [(a, &known[a]), (b, &known[b])];
        let (pair, of_pair) = compare_pair(players, &together, options);
        if let Some(test) = pair.test {
            // With very many pairs, no sign pattern of few blocks would be enough for a verdict.
            // With more blocks, only win-or-lose blocks have sign patterns that matter.
            let pairs_max = if test.n_a <= EXACT_MAX {
                MAX_T_PAIRS
            } else {
                FLIPS_PAIRS
            };
            let is_needed = BLOCKS_MIN <= test.n_a && pair_count <= pairs_max;
            let of_pair = of_pair.as_deref().filter(|_| is_needed);
            p_least.push(of_pair.map_or(0.0, sign_flip_p));
        }
        if let (Some(all), true) = (&mut numbers, pair.test.is_some()) {
            match of_pair {
                Some(of_pair) if all.len() < MAX_T_PAIRS => all.push(of_pair),
                _ => numbers = None,
            }
        }
        pairs.push(pair);
    }
    let (family, correction) = judge(&mut pairs, numbers.as_deref(), &p_least, options)?;
    let bots = known.iter().map(|player| summarise(player, options));
    Ok(Comparison {
        options: CompareOptions {
            correction,
            ..*options
        },
        bots: bots.collect(),
        pairs,
        family,
    })
}

/// One bot in one line-up.
#[derive(Clone)]
struct Seat<'a> {
    line_up: usize,
    sample: &'a BotSample<'a>,
    opposition: usize,
    clusters: &'a [usize],
}

/// The data of one bot that do not depend on the other bot of a pair.
struct Player<'a> {
    /// Entries of the bot, in the order of the line-ups.
    seats: &'a [Seat<'a>],
    /// Largest absolute score of the bot.
    scale: f64,
    /// The reason why the bot cannot be tested: it forfeited every block, or has no score.
    missing: Option<Untestable>,
    /// The oppositions that the bot faced, computed only if there is a bot that it never met.
    faced: OnceCell<HashSet<usize>>,
}

impl<'a> Player<'a> {
    fn of(seats: &'a [Seat<'a>]) -> Self {
        Player {
            seats,
            scale: largest(seats.iter().flat_map(|seat| seat.sample.scores).flatten()),
            missing: if !seats.is_empty() && seats.iter().all(|seat| all_forfeited(seat.sample)) {
                Some(Untestable::AllForfeited)
            } else {
                let has_none = seats.iter().all(|seat| seat.blocks().is_empty());
                has_none.then_some(Untestable::MissingScores)
            },
            faced: OnceCell::new(),
        }
    }

    fn faced(&self) -> &HashSet<usize> {
        self.faced
            .get_or_init(|| self.seats.iter().map(|seat| seat.opposition).collect())
    }
}

impl Seat<'_> {
    /// Returns the scores of the bot, each with the cluster of its block.
    fn blocks(&self) -> Vec<Block> {
        self.clusters
            .iter()
            .zip(self.sample.scores)
            .filter_map(|(&cluster, x)| Some(Block::one(cluster, (*x)?)))
            .collect()
    }

    /// Returns the score differences to `other` in the same blocks.
    fn differences_to(&self, other: &Seat<'_>) -> Vec<Block> {
        let scores = self.sample.scores.iter().zip(other.sample.scores);
        self.clusters
            .iter()
            .zip(scores)
            .filter_map(|(&cluster, (x, y))| Some(Block::one(cluster, (*x)? - (*y)?)))
            .collect()
    }
}

/// Returns one stratum for each line-up with blocks. The strata have equal weights, which add up to
/// `weight`.
fn strata(weight: f64, line_ups: impl Iterator<Item = Vec<Block>>) -> Vec<Stratum> {
    let line_ups: Vec<Vec<Block>> = line_ups.filter(|blocks| !blocks.is_empty()).collect();
    let weight = weight / line_ups.len() as f64;
    line_ups
        .into_iter()
        .map(|blocks| Stratum { weight, blocks })
        .collect()
}

fn block_count(strata: &[Stratum]) -> usize {
    strata.iter().map(|stratum| stratum.blocks.len()).sum()
}

/// Returns the weighted sum of the means of the strata, for data that cannot be tested; `None`
/// without strata.
fn plain_mean(strata: &[Stratum]) -> Option<f64> {
    (!strata.is_empty()).then(|| {
        strata
            .iter()
            .map(|stratum| stratum.weight * stratum.mean())
            .sum()
    })
}

fn summarise(player: &Player<'_>, options: &CompareOptions) -> BotSummary {
    let strata = strata(1.0, player.seats.iter().map(Seat::blocks));
    let blocks = block_count(&strata);
    let tested = clustered_mean(&strata, player.scale);
    let note = match &tested {
        _ if player.missing.is_some() => player.missing.clone(),
        Err(Untestable::ConstantDifference { .. }) => Some(Untestable::ZeroVariance),
        Err(reason) => Some(reason.clone()),
        Ok(found) => {
            let blocks = observations(found, blocks);
            Untestable::require_blocks(blocks, BLOCKS_MIN).err()
        }
    };
    // If the score is the same in every block, there is a mean but no standard error and no
    // interval, because the variation of further blocks is unknown.
    let tested = tested.ok();
    BotSummary {
        blocks,
        mean: plain_mean(&strata),
        se: tested.as_ref().map(|found| found.se),
        interval: tested.and_then(|found| found.interval(options.confidence).ok()),
        note,
    }
}

/// Returns the number of blocks, or of clusters if some cluster has several blocks.
fn observations(found: &ClusteredMean, blocks: usize) -> usize {
    if found.is_shared {
        found.influence.len()
    } else {
        blocks
    }
}

/// Compares a pair. The verdict is final only if no test was possible; [`judge`] sets the others.
///
/// If all clusters have equal weight, also returns one number per cluster. The mean of these
/// numbers is the difference, and the standard error of this mean is that of the difference.
fn compare_pair(
    [(a, player_a), (b, player_b)]: [(usize, &Player<'_>); 2],
    meetings: &[(&Seat<'_>, &Seat<'_>)],
    options: &CompareOptions,
) -> (PairSummary, Option<Vec<(usize, f64)>>) {
    let mut numbers = None;
    let together = strata(
        1.0,
        meetings
            .iter()
            .map(|(seat_a, seat_b)| seat_a.differences_to(seat_b)),
    );
    let shared_blocks = block_count(&together);
    let (all, sides) = if shared_blocks == 0 {
        let sides = strata_without_common_blocks(player_a, player_b);
        (sides.concat(), sides)
    } else {
        (together, Default::default())
    };
    let is_comparable = 0 < shared_blocks || sides.iter().all(|side| !side.is_empty());
    let missing = [player_a, player_b]
        .map(|player| player.missing.as_ref())
        .into_iter()
        .flatten();
    // If there are two reasons, report that a bot forfeited all of its blocks.
    let tested = if let Some(reason) = missing.min_by_key(|why| **why != Untestable::AllForfeited) {
        Err(reason.clone())
    } else if !is_comparable {
        Err(Untestable::NeverMet)
    } else {
        let scale = player_a.scale.max(player_b.scale);
        clustered_mean(&all, scale).and_then(|found| {
            let kind = if found.is_shared {
                Method::ClusteredBlocks
            } else if shared_blocks == 0 {
                Method::WelchBlocks
            } else if found.is_stratified {
                Method::StratifiedBlocks
            } else {
                Method::PairedBlocks
            };
            numbers = numbers_of(&found);
            let (counts, sd) = if kind == Method::WelchBlocks {
                // The root of the mean of the two variances.
                let variance = |side: &Vec<Stratum>| match clustered_mean(side, scale) {
                    Ok(own) => Ok(own.se * own.se * block_count(side) as f64),
                    Err(Untestable::SingleBlock) => Err(Untestable::SingleBlock),
                    Err(_) => Ok(0.0),
                };
                let [a, b] = &sides;
                let sd = (0.5 * (variance(a)? + variance(b)?)).sqrt();
                ((block_count(a), block_count(b)), sd)
            } else {
                let n = observations(&found, shared_blocks);
                ((n, n), found.se * (n as f64).sqrt())
            };
            TTest::of_mean(kind, counts, &found, sd, options.confidence)
        })
    };
    let verdict = match &tested {
        Ok(_) => Verdict::Undecided,
        Err(reason) => Verdict::CannotTell {
            reason: reason.clone(),
        },
    };
    let mean_difference = tested.as_ref().ok().map(|test| test.mean_difference);
    let summary = PairSummary {
        a,
        b,
        shared_blocks,
        mean_difference: mean_difference.or_else(|| plain_mean(&all).filter(|_| is_comparable)),
        test: tested.ok(),
        p_adjusted: None,
        adjusted_by: None,
        level: None,
        equivalence: None,
        verdict,
    };
    (summary, numbers)
}

/// Returns one number per cluster such that their mean and its standard error are those of `found`.
/// Returns `None` if clusters have different weights or belong to strata without common clusters.
fn numbers_of(found: &ClusteredMean) -> Option<Vec<(usize, f64)>> {
    let clusters = found.influence.len() as f64;
    let spread = (clusters * (clusters - 1.0)).sqrt();
    (found.df == clusters - 1.0).then(|| {
        found
            .influence
            .iter()
            .map(|&(cluster, moved)| (cluster, found.mean + spread * moved))
            .collect()
    })
}

/// Returns an entry for each line-up that two bots share: the pair, smaller index first, and the
/// index of the line-up in the list of each bot. Sorted by pair, then by line-up.
fn shared_line_ups(seats: &[Vec<Seat<'_>>]) -> Vec<((usize, usize), (usize, usize))> {
    let mut places: Vec<(usize, usize, usize)> = seats
        .iter()
        .enumerate()
        .flat_map(|(bot, seats)| {
            seats
                .iter()
                .enumerate()
                .map(move |(place, seat)| (seat.line_up, bot, place))
        })
        .collect();
    places.sort_unstable();
    let mut meetings = Vec::new();
    for here in places.chunk_by(|x, y| x.0 == y.0) {
        for (number, &(_, a, place_a)) in here.iter().enumerate() {
            meetings.extend(
                here[number + 1..]
                    .iter()
                    .map(|&(_, b, place_b)| ((a, b), (place_a, place_b))),
            );
        }
    }
    meetings.sort_unstable();
    meetings
}

/// Returns the strata for comparing two bots without common blocks: line-ups in which they faced
/// the same opposition. The strata of `a` have positive weights, those of `b` negative weights.
fn strata_without_common_blocks(a: &Player<'_>, b: &Player<'_>) -> [Vec<Stratum>; 2] {
    let side = |weight: f64, own: &Player<'_>, other: &Player<'_>| {
        let other = other.faced();
        strata(
            weight,
            own.seats
                .iter()
                .filter(|seat| other.contains(&seat.opposition))
                .map(Seat::blocks),
        )
    };
    [side(1.0, a, b), side(-1.0, b, a)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::square;
    use crate::{one_sample_t, paired_t};

    fn close(x: f64, y: f64) {
        assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{x} is not {y}");
    }

    fn some(xs: &[f64]) -> Vec<Option<f64>> {
        xs.iter().map(|&x| Some(x)).collect()
    }

    /// Compares two bots in line-ups given by the scores of the first bot and the clusters of the
    /// blocks. The second bot always scores 0.
    fn first_against_nothing(line_ups: &[(&[f64], &[usize])]) -> Comparison {
        let scores: Vec<_> = line_ups
            .iter()
            .map(|(xs, _)| (some(xs), some(&vec![0.0; xs.len()])))
            .collect();
        let sample = |scores| BotSample {
            scores,
            ..BotSample::default()
        };
        let samples: Vec<_> = scores
            .iter()
            .map(|(a, b)| [sample(&a[..]), sample(&b[..])])
            .collect();
        let line_ups: Vec<LineUpScores<'_>> = (samples.iter().zip(line_ups))
            .map(|(samples, (_, clusters))| LineUpScores {
                roster: &[0, 1],
                samples,
                opposition: &[1, 0],
                clusters,
            })
            .collect();
        compare(2, &line_ups, &CompareOptions::default()).expect("valid")
    }

    fn first_test(found: &Comparison) -> TTest {
        let pair = found.pair(0, 1).expect("a pair");
        pair.test.expect("a test")
    }

    #[test]
    fn strata_have_equal_weight_and_their_differences_add_no_error() {
        // Means 2 and 12, s²/n = 0.2 and 0.4.
        let found = first_against_nothing(&[
            (&[1.0, 3.0, 1.0, 3.0, 2.0], &[0, 1, 2, 3, 4]),
            (&[10.0, 12.0, 14.0, 12.0, 12.0], &[5, 6, 7, 8, 9]),
        ]);
        let test = first_test(&found);
        assert_eq!((test.kind, test.n_a), (Method::StratifiedBlocks, 10));
        close(test.mean_difference, 7.0);
        let squared = (0.2 + 0.4) / 4.0;
        close(test.se, f64::sqrt(squared));
        // Welch's form gives 8.8, but the limit is 8: ten blocks minus two means.
        assert!(8.7 < squared * squared / ((0.05 * 0.05 + 0.1 * 0.1) / 6.0) - 2.0);
        close(test.df, 8.0);
        close(test.effect_size, 7.0 / f64::sqrt(squared * 10.0));
    }

    #[test]
    fn blocks_with_the_same_deals_count_as_one_observation() {
        // The line-ups share their deals: this is the t-test of the means per deal, whatever the
        // order of the blocks.
        let found = first_against_nothing(&[
            (&[1.0, 4.0, 2.0, 7.0], &[5, 6, 7, 8]),
            (&[3.0, 9.0, 5.0, 4.0], &[8, 6, 5, 7]),
        ]);
        let test = first_test(&found);
        let one = one_sample_t(&[3.0, 6.5, 3.0, 5.0], 0.95).expect("testable");
        assert_eq!(
            (test.kind, test.n_a, test.df),
            (Method::ClusteredBlocks, 4, 3.0)
        );
        for (ours, theirs) in [
            (test.mean_difference, one.mean_difference),
            (test.se, one.se),
            (test.p, one.p),
        ] {
            close(ours, theirs);
        }
        close(test.effect_size, one.effect_size);
        let bot = &found.bots[0];
        close(bot.se.expect("known"), one.se);
        assert_eq!(
            bot.note,
            Some(Untestable::TooFewBlocks {
                blocks: 4,
                needed: 10
            })
        );
        // The deals recur within one line-up.
        let found =
            first_against_nothing(&[(&[1.0, 4.0, 2.0, 7.0, 5.0, 9.0], &[0, 1, 2, 0, 1, 2])]);
        let test = first_test(&found);
        let one = one_sample_t(&[4.0, 4.5, 5.5], 0.95).expect("testable");
        assert_eq!(
            (test.kind, test.n_a, test.df),
            (Method::ClusteredBlocks, 3, 2.0)
        );
        close(test.p, one.p);
    }

    #[test]
    fn a_line_up_with_a_missing_deal_keeps_its_weight() {
        // The second line-up has one block fewer but the same weight.
        let found = first_against_nothing(&[
            (&[1.0, 4.0, 2.0, 7.0, 3.0, 1.0], &[0, 1, 2, 3, 4, 5]),
            (&[3.0, 9.0, 5.0, 4.0, 6.0], &[0, 1, 2, 3, 4]),
        ]);
        let test = first_test(&found);
        close(test.mean_difference, 0.5 * (3.0 + 5.4));
        // By hand: each deviation times 1/2, divided by the number of blocks, times √(6/5) or
        // √(5/4).
        let first = [-2.0, 1.0, -1.0, 4.0, 0.0, -2.0].map(|d| d / 12.0 * f64::sqrt(1.2));
        let second = [-2.4, 3.6, -0.4, -1.4, 0.6].map(|d| d / 10.0 * f64::sqrt(1.25));
        let squares: f64 = (0..6)
            .map(|k| square(first[k] + second.get(k).unwrap_or(&0.0)))
            .sum();
        close(test.se, squares.sqrt());
        assert!(4.0 < test.df && test.df < 5.0, "{}", test.df);
    }

    #[test]
    fn all_blocks_form_one_sample_if_a_line_up_has_a_single_block() {
        let lone = first_against_nothing(&[(&[1.0], &[0]), (&[2.0], &[1]), (&[6.0], &[2])]);
        let test = first_test(&lone);
        let expected = paired_t(&[1.0, 2.0, 6.0], &[0.0; 3], 0.95).expect("testable");
        assert_eq!(
            (test.kind, test.n_a, test.df),
            (Method::PairedBlocks, 3, 2.0)
        );
        close(test.p, expected.p);
        // The scores are constant within each line-up, so only the difference between the line-ups
        // is left.
        let constant = first_against_nothing(&[(&[1.0, 1.0], &[0, 1]), (&[2.0, 2.0], &[2, 3])]);
        assert_eq!(first_test(&constant).kind, Method::PairedBlocks);
        let none = first_against_nothing(&[]);
        assert_eq!(
            none.pair(0, 1).map(|pair| pair.verdict),
            Some(Verdict::CannotTell {
                reason: Untestable::MissingScores
            })
        );
    }

    #[test]
    fn bots_that_never_met_are_compared_over_common_opposition() {
        let scores = [
            some(&[3.0, 1.0, 4.0]),
            some(&[2.0, 7.0, 8.0]),
            some(&[5.0, 5.0, 6.0]),
        ];
        let sample = |k: usize| BotSample {
            scores: &scores[k],
            ..BotSample::default()
        };
        let samples = [sample(0), sample(1), sample(2)];
        let pooled = |clusters: [&[usize]; 3]| {
            let line_up = |k: usize, opposition| LineUpScores {
                roster: [&[0], &[1], &[2]][k],
                samples: &samples[k..=k],
                opposition,
                clusters: clusters[k],
            };
            let line_ups = [line_up(0, &[7]), line_up(1, &[7]), line_up(2, &[8])];
            compare(3, &line_ups, &CompareOptions::default()).expect("valid")
        };
        let own = pooled([&[0, 1, 2], &[3, 4, 5], &[6, 7, 8]]);
        let test = first_test(&own);
        assert_eq!((test.kind, test.n_a, test.n_b), (Method::WelchBlocks, 3, 3));
        // The means are 8/3 and 17/3, the variances 7/3 and 31/3, over three blocks each.
        let (of_a, of_b): (f64, f64) = (7.0 / 9.0, 31.0 / 9.0);
        close(test.t, -3.0 / f64::sqrt(of_a + of_b));
        close(
            test.df,
            2.0 * square(of_a + of_b) / (square(of_a) + square(of_b)),
        );
        close(test.effect_size, -3.0 / f64::sqrt(0.5 * (7.0 + 31.0) / 3.0));
        let never_met = &own.pair(0, 2).expect("a pair");
        assert_eq!(
            never_met.verdict,
            Verdict::CannotTell {
                reason: Untestable::NeverMet
            }
        );
        assert_eq!((never_met.mean_difference, own.family), (None, 1));
        // With the same deals, blocks are paired by deal.
        let shared = pooled([&[0, 1, 2]; 3]);
        let paired = paired_t(&[3.0, 1.0, 4.0], &[2.0, 7.0, 8.0], 0.95).expect("testable");
        let test = first_test(&shared);
        assert_eq!(
            (test.kind, test.n_a, test.df),
            (Method::ClusteredBlocks, 3, 2.0)
        );
        close(test.p, paired.p);
        close(test.effect_size, paired.effect_size);
    }

    #[test]
    fn a_pooled_bot_has_the_mean_of_its_line_up_means() {
        let scores = [some(&[1.0, 3.0]), some(&[10.0, 12.0, 14.0])];
        let forfeited = [true, false, false];
        let here = [BotSample {
            scores: &scores[0],
            ..BotSample::default()
        }];
        let there = [BotSample {
            scores: &scores[1],
            forfeited: &forfeited,
        }];
        let line_ups = [
            LineUpScores {
                roster: &[0],
                samples: &here,
                opposition: &[0],
                clusters: &[0, 1],
            },
            LineUpScores {
                roster: &[0],
                samples: &there,
                opposition: &[0],
                clusters: &[2, 3, 4],
            },
        ];
        let bot = &compare(1, &line_ups, &CompareOptions::default())
            .expect("valid")
            .bots[0];
        assert_eq!((bot.mean, bot.blocks), (Some(7.0), 5));
        // The line-ups form one sample: the deviations from 7 have the weights 1/4 and 1/6.
        close(bot.se.expect("known"), f64::sqrt(125.0 / 18.0));
    }
}
