//! The difference of two bots in the same seats, computed from the stored games of a league as an
//! independent check of a review.

use super::estimate::Estimate;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{OTHER, PerBot, REVIEWED, Review, ReviewPlan};
use hattari_play::samples::{BotSample, LineUpSample, Samples};
use hattari_stats::clustered::{Block, Stratum, clustered_mean};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The difference of two bots in a league.
#[derive(Debug, Serialize)]
pub struct LeagueDifference {
    /// The difference in points per deal.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// `true` if both bots sat in the same seats against the same opponents; otherwise they shared
    /// tables, and the difference is not comparable.
    pub is_same_seats: bool,
    /// `true` if the difference is luck-adjusted.
    pub is_luck_adjusted: bool,
    /// Number of blocks of both bots together.
    pub blocks: usize,
}

impl LeagueDifference {
    /// Returns a warning if the review differs from the league by more than chance explains.
    pub(super) fn warning(&self, review: &Estimate) -> Option<String> {
        // With three standard errors, one review in 370 gets a false warning.
        const ERRORS: f64 = 3.0;
        if !self.is_same_seats {
            return None;
        }
        let apart = self.estimate.value - review.value;
        let se = self.estimate.se?.hypot(review.se.unwrap_or(0.0));
        (ERRORS * se < apart.abs()).then(|| {
            format!(
                "the difference is {:.3} in the games of the league and {:.3} in this review. \
                 Chance does not explain this ({:.1} standard errors). The bots or the host may \
                 have changed since, or a fault may have cost more in the league.",
                self.estimate.value,
                review.value,
                apart.abs() / se
            )
        })
    }
}

/// Computes the difference of the two bots of a review from the samples of a store. Compares games
/// in the same seats if the league has them for every line-up of the review, otherwise games at
/// common tables. Returns `None` if there are neither.
pub fn league_difference(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    samples: &Samples,
) -> Option<LeagueDifference> {
    let (pairs, is_same_seats) = pairs(prepared, plan, review, samples);
    let raw = difference(prepared, plan, &pairs, false);
    // With the same deals, both bots have the same luck.
    let adjusted = if prepared.league.same_deals {
        None
    } else {
        difference(prepared, plan, &pairs, true)
    };
    let errors = [raw, adjusted].map(|estimate| estimate?.se);
    let is_luck_adjusted =
        matches!(errors, [Some(of_raw), Some(of_adjusted)] if of_adjusted < of_raw);
    let line_ups = pairs.iter().flat_map(|pair| pair.line_ups);
    Some(LeagueDifference {
        estimate: if is_luck_adjusted { adjusted } else { raw }?,
        is_same_seats,
        is_luck_adjusted,
        blocks: line_ups.map(|line_up| line_up.blocks.len()).sum(),
    })
}

/// A line-up of the reviewed bot, and the line-up of the other bot with which it is compared.
struct LineUpPair<'s> {
    line_ups: PerBot<&'s LineUpSample>,
    /// Weight in the mean over pairs.
    weight: f64,
}

/// Returns the line-ups of the review, each with the line-up in which the other bot has the seats of
/// the reviewed bot, and `true`. They have the same weights as in the review. If one of them is
/// missing, returns the line-ups in which both bots play with equal chances, and `false`; both items
/// of each pair are the same line-up.
fn pairs<'s>(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    samples: &'s Samples,
) -> (Vec<LineUpPair<'s>>, bool) {
    let played = || {
        samples
            .line_ups
            .iter()
            .filter(|line_up| !line_up.blocks.is_empty())
    };
    let seatings = |entrants: &[usize]| {
        let rotations = prepared.league.rotations(entrants.len()) as usize;
        seatings(entrants, rotations)
    };
    let by_seatings: BTreeMap<_, _> = played()
        .map(|line_up| (seatings(&line_up.entrants), line_up))
        .collect();
    // The number of reviewed blocks of each line-up, once for each seat.
    let mut seats: BTreeMap<&[usize], usize> = BTreeMap::new();
    for job in review.jobs() {
        let entrants = prepared.line_up(job);
        let copies = entrants.iter().filter(|&&bot| bot == plan.reviewed);
        *seats.entry(entrants).or_default() += copies.count();
    }
    let in_same_seats = |(&entrants, &seats): (&&[usize], &usize)| {
        // If the other bot is also an opponent, its score includes all its copies and cannot be
        // compared.
        if entrants.contains(&plan.other) {
            return None;
        }
        let swapped: Vec<usize> = entrants
            .iter()
            .map(|&entrant| {
                if entrant == plan.reviewed {
                    plan.other
                } else {
                    entrant
                }
            })
            .collect();
        Some(LineUpPair {
            line_ups: [
                by_seatings.get(&seatings(&swapped))?,
                by_seatings.get(&seatings(entrants))?,
            ],
            weight: seats as f64,
        })
    };
    let in_same_seats: Option<Vec<_>> = seats.iter().map(in_same_seats).collect();
    if let Some(pairs) = in_same_seats.filter(|pairs| !pairs.is_empty()) {
        return (pairs, true);
    }
    let at_common_tables = played()
        .filter(|line_up| line_up.has_equal_chances)
        .filter_map(|line_up| {
            let bot = |bot: usize| line_up.entrants.contains(&bot).then_some(line_up);
            Some(LineUpPair {
                line_ups: [bot(plan.other)?, bot(plan.reviewed)?],
                weight: 1.0,
            })
        });
    (at_common_tables.collect(), false)
}

/// Returns the orders in which a line-up plays its deals: one for each rotation.
fn seatings(entrants: &[usize], rotations: usize) -> BTreeSet<Vec<usize>> {
    (0..rotations)
        .map(|rotation| {
            let mut rotated = entrants.to_vec();
            rotated.rotate_left(rotation % entrants.len().max(1));
            rotated
        })
        .collect()
}

/// Returns the mean difference over pairs of line-ups: the other bot in its line-up minus the
/// reviewed bot in its line-up. Returns `None` if there are no pairs or if a score is missing.
fn difference(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    pairs: &[LineUpPair<'_>],
    is_luck_adjusted: bool,
) -> Option<Estimate> {
    if pairs.is_empty() {
        return None;
    }
    let weights: f64 = pairs.iter().map(|pair| pair.weight).sum();
    let (mut strata, mut scale, mut value) = (Vec::new(), 0.0_f64, 0.0);
    for LineUpPair { line_ups, weight } in pairs {
        let weight = weight / weights;
        for (line_up, entrant, weight) in [
            (line_ups[OTHER], plan.other, weight),
            (line_ups[REVIEWED], plan.reviewed, -weight),
        ] {
            let bot: &BotSample = line_up.bot(entrant)?;
            if is_luck_adjusted && bot.luck.is_empty() {
                return None;
            }
            let count = line_up.blocks.len().max(1) as f64;
            let mut blocks = Vec::new();
            for (index, (info, mean)) in line_up.blocks.iter().zip(&bot.means).enumerate() {
                let luck = if is_luck_adjusted {
                    bot.luck.iter().map(|kind| kind[index]).sum()
                } else {
                    0.0
                };
                let score = (*mean)? - luck;
                scale = scale.max(score.abs());
                value += weight * score / count;
                blocks.push(Block::one(info.cluster, score));
            }
            strata.push(Stratum { weight, blocks });
        }
    }
    // Blocks that do not vary have no standard error.
    let confidence = prepared.league.report.confidence;
    Some(Estimate::of(
        clustered_mean(&strata, scale),
        value,
        confidence,
    ))
}

#[cfg(test)]
mod tests {
    use super::seatings;

    #[test]
    fn line_ups_of_duplicate_deals_have_the_same_seats_if_they_are_rotations() {
        for (a, b, rotations, is_same) in [
            (&[1, 2][..], &[2, 1][..], 1, false),
            (&[1, 2], &[2, 1], 2, true),
            (&[1, 2, 3], &[3, 1, 2], 3, true),
            (&[1, 2, 3], &[2, 1, 3], 3, false),
            (&[1, 2, 1, 2], &[2, 1, 2, 1], 2, true),
        ] {
            let is_equal = seatings(a, rotations) == seatings(b, rotations);
            assert_eq!(is_equal, is_same, "{a:?} {b:?}");
        }
    }
}
