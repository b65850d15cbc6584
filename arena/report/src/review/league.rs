//! The difference of two bots in the same seats, computed from the stored games of a league as an
//! independent check of a review.

use super::estimate::Estimate;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{PerBot, ReviewPlan};
use hattari_play::samples::{BotSample, LineUpSample, Samples};
use hattari_stats::clustered::{Block, Stratum, clustered_mean};
use serde::Serialize;

/// The difference of two bots in a league.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// Computes the difference of the two bots of a review from the samples of a store. Returns `None`
/// if the bots have played neither in the same seats nor at the same table.
#[must_use]
pub fn league_difference(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    samples: &Samples,
) -> Option<LeagueDifference> {
    let pairs = pairs_in_same_seats(plan, samples);
    let is_same_seats = !pairs.is_empty();
    let pairs = if is_same_seats {
        pairs
    } else {
        common_line_ups(plan, samples)
    };
    let raw = difference(prepared, plan, &pairs, false);
    // With the same deals, both bots have the same luck.
    let adjusted = if prepared.league.same_deals {
        None
    } else {
        difference(prepared, plan, &pairs, true)
    };
    let error = |difference: &Option<LeagueDifference>| difference.as_ref()?.estimate.se;
    let is_luck_adjusted =
        matches!((error(&raw), error(&adjusted)), (Some(raw), Some(adjusted)) if adjusted < raw);
    let difference = if is_luck_adjusted { adjusted } else { raw }?;
    Some(LeagueDifference {
        is_same_seats,
        ..difference
    })
}

/// Returns the line-ups of the reviewed bot in which it does not meet the other bot, each with the
/// line-up in which the other bot has its seats.
fn pairs_in_same_seats<'s>(
    plan: &ReviewPlan,
    samples: &'s Samples,
) -> Vec<PerBot<&'s LineUpSample>> {
    let swap = |&entrant: &usize| {
        if entrant == plan.reviewed {
            plan.other
        } else {
            entrant
        }
    };
    let mut pairs = Vec::new();
    for reviewed in &samples.line_ups {
        // If the other bot is also an opponent, its score includes all its copies and cannot be
        // compared.
        let is_opponent = reviewed.entrants.contains(&plan.other);
        if reviewed.blocks.is_empty() || is_opponent || !reviewed.entrants.contains(&plan.reviewed)
        {
            continue;
        }
        let swapped: Vec<usize> = reviewed.entrants.iter().map(swap).collect();
        let is_swapped =
            |line_up: &&LineUpSample| line_up.entrants == swapped && !line_up.blocks.is_empty();
        if let Some(other) = samples.line_ups.iter().find(is_swapped) {
            pairs.push(PerBot { other, reviewed });
        }
    }
    pairs
}

/// Returns the line-ups in which both bots play. Both items of each result are the same line-up.
fn common_line_ups<'s>(plan: &ReviewPlan, samples: &'s Samples) -> Vec<PerBot<&'s LineUpSample>> {
    let mut pairs = Vec::new();
    for line_up in &samples.line_ups {
        let has_both = [plan.reviewed, plan.other]
            .iter()
            .all(|bot| line_up.entrants.contains(bot));
        if has_both && !line_up.blocks.is_empty() {
            pairs.push(PerBot {
                other: line_up,
                reviewed: line_up,
            });
        }
    }
    pairs
}

/// Returns the mean difference over pairs of line-ups: the other bot in its line-up minus the
/// reviewed bot in its line-up. Returns `None` if there are no pairs or if a score is missing.
fn difference(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    pairs: &[PerBot<&LineUpSample>],
    is_luck_adjusted: bool,
) -> Option<LeagueDifference> {
    if pairs.is_empty() {
        return None;
    }
    let weight = 1.0 / pairs.len() as f64;
    let (mut strata, mut blocks, mut scale, mut value) = (Vec::new(), 0, 0.0_f64, 0.0);
    for pair in pairs {
        for (line_up, entrant, weight) in [
            (pair.other, plan.other, weight),
            (pair.reviewed, plan.reviewed, -weight),
        ] {
            let bot: &BotSample = line_up.bot(entrant)?;
            if is_luck_adjusted && bot.luck.is_empty() {
                return None;
            }
            let count = line_up.blocks.len().max(1) as f64;
            let mut stratum = Stratum {
                weight,
                blocks: Vec::new(),
            };
            for (index, (info, mean)) in line_up.blocks.iter().zip(&bot.means).enumerate() {
                let luck = if is_luck_adjusted {
                    bot.luck.iter().map(|kind| kind[index]).sum()
                } else {
                    0.0
                };
                let score = (*mean)? - luck;
                scale = scale.max(score.abs());
                value += weight * score / count;
                stratum.blocks.push(Block::one(info.cluster, score));
            }
            blocks += stratum.blocks.len();
            strata.push(stratum);
        }
    }
    // Blocks that do not vary have no standard error.
    let confidence = prepared.league.report.confidence;
    let estimate = Estimate::of(clustered_mean(&strata, scale), value, confidence);
    Some(LeagueDifference {
        estimate,
        is_same_seats: false,
        is_luck_adjusted,
        blocks,
    })
}
