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
pub fn league_difference(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    samples: &Samples,
) -> Option<LeagueDifference> {
    let (pairs, is_same_seats) = pairs(plan, samples);
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
    let line_ups = pairs.iter().flat_map(|pair| [pair.other, pair.reviewed]);
    Some(LeagueDifference {
        estimate: if is_luck_adjusted { adjusted } else { raw }?,
        is_same_seats,
        is_luck_adjusted,
        blocks: line_ups.map(|line_up| line_up.blocks.len()).sum(),
    })
}

/// Returns the line-ups of the reviewed bot in which it does not meet the other bot, each with the
/// line-up in which the other bot has its seats, and `true`. If there are none, returns the
/// line-ups in which both bots play, and `false`; both items of each pair are the same line-up.
fn pairs<'s>(plan: &ReviewPlan, samples: &'s Samples) -> (Vec<PerBot<&'s LineUpSample>>, bool) {
    let swap = |&entrant: &usize| {
        if entrant == plan.reviewed {
            plan.other
        } else {
            entrant
        }
    };
    let played = || {
        let line_ups = samples.line_ups.iter();
        line_ups.filter(|line_up| !line_up.blocks.is_empty())
    };
    let (mut in_same_seats, mut at_common_tables) = (Vec::new(), Vec::new());
    for reviewed in played().filter(|line_up| line_up.entrants.contains(&plan.reviewed)) {
        // If the other bot is also an opponent, its score includes all its copies and cannot be
        // compared.
        if reviewed.entrants.contains(&plan.other) {
            let other = reviewed;
            at_common_tables.push(PerBot { other, reviewed });
            continue;
        }
        let swapped: Vec<usize> = reviewed.entrants.iter().map(swap).collect();
        if let Some(other) = played().find(|line_up| line_up.entrants == swapped) {
            in_same_seats.push(PerBot { other, reviewed });
        }
    }
    if in_same_seats.is_empty() {
        (at_common_tables, false)
    } else {
        (in_same_seats, true)
    }
}

/// Returns the mean difference over pairs of line-ups: the other bot in its line-up minus the
/// reviewed bot in its line-up. Returns `None` if there are no pairs or if a score is missing.
fn difference(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    pairs: &[PerBot<&LineUpSample>],
    is_luck_adjusted: bool,
) -> Option<Estimate> {
    if pairs.is_empty() {
        return None;
    }
    let weight = 1.0 / pairs.len() as f64;
    let (mut strata, mut scale, mut value) = (Vec::new(), 0.0_f64, 0.0);
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
            strata.push(stratum);
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
