//! Tiers: groups of bots that are not clearly in order.
//!
//! The bots are sorted by their means. A tier boundary lies where *every* bot above is
//! significantly ahead of *every* bot below. So two bots without a significant difference share a
//! tier with all bots ranked between them (transitive closure along the ranking). A tier can
//! contain pairs with a significant difference. If p is adjusted over all pairs, the probability
//! that any boundary separates bots in the wrong order is at most the level of the tests.
//!
//! Tiers are a coarse form of simultaneous rank sets, none of which crosses a boundary (Mogstad,
//! Romano, Shaikh and Wilhelm, "Inference for ranks", Review of Economic Studies 91, 2024).
//! Overlapping groups, such as a compact letter display (Piepho, Journal of Computational and
//! Graphical Statistics 13, 2004), would not be an order of groups.

use hattari_stats::sequential::StoppingRule;
use serde::Serialize;

/// The bots in tiers, the best tier first.
#[derive(Debug, Serialize)]
pub struct Tiers {
    /// Significance level of the verdicts.
    pub level: f64,
    /// `true` if the level is the probability that any boundary is wrong; `false` if it applies to
    /// each pair alone, because p is not adjusted.
    pub joint: bool,
    /// Names of the bots, by tier and in the order of the standings.
    pub groups: Vec<Vec<String>>,
}

impl Tiers {
    /// Returns the number of the tier of a bot, from 1.
    pub(crate) fn tier_of(&self, name: &str) -> Option<usize> {
        let mut groups = self.groups.iter();
        Some(1 + groups.position(|group| group.iter().any(|bot| bot == name))?)
    }
}

/// The pairs of ranks in which the bot with the better rank is significantly ahead.
pub(super) struct SignificantLeads {
    bots: usize,
    leads: Vec<bool>,
}

impl SignificantLeads {
    /// Creates a table for `bots` bots, without leads.
    pub(super) fn new(bots: usize) -> SignificantLeads {
        SignificantLeads {
            bots,
            leads: vec![false; bots * bots],
        }
    }

    /// Records that the bot with the first, better rank is significantly ahead of the other bot.
    pub(super) fn add(&mut self, [above, below]: [usize; 2]) {
        self.leads[above * self.bots + below] = true;
    }

    /// Returns the ranks at which tiers start.
    fn starts(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        // The worst rank that shares a tier with the bots so far.
        let mut last = 0;
        for above in 0..self.bots {
            if above == 0 || last < above {
                starts.push(above);
            }
            let undecided = (above..self.bots)
                .rev()
                .find(|&below| !self.leads[above * self.bots + below]);
            last = last.max(undecided.unwrap_or(above));
        }
        starts
    }
}

/// Divides bots, given by name in the order of their ranks, into tiers. `level` is the significance
/// level of the tests, and `joint` is `true` if it applies to all tests together. In a sequential
/// league, the level of its stopping rule is used instead.
///
/// # Errors
/// Returns the reason why the verdicts do not give tiers.
pub(super) fn tiers(
    names: &[String],
    leads: &SignificantLeads,
    (level, joint): (f64, bool),
    rule: Option<StoppingRule>,
) -> Result<Tiers, &'static str> {
    let (level, joint) = match rule.map(StoppingRule::current) {
        None => (level, joint),
        Some(StoppingRule::ConfidenceSequence(options)) => (1.0 - options.confidence, true),
        Some(StoppingRule::Sprt(_) | StoppingRule::Betting(_)) => {
            return Err(
                "the stopping rule decides between two given differences, not about an order",
            );
        }
    };
    let starts = leads.starts();
    let ends = starts.iter().skip(1).copied().chain([names.len()]);
    let groups = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| names[start..end].to_vec());
    Ok(Tiers {
        level,
        joint,
        groups: groups.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the starts of the tiers of `bots` if all pairs but `undecided` are told apart.
    fn starts(bots: usize, undecided: &[[usize; 2]]) -> Vec<usize> {
        let mut leads = SignificantLeads::new(bots);
        for above in 0..bots {
            for below in above + 1..bots {
                if !undecided.contains(&[above, below]) {
                    leads.add([above, below]);
                }
            }
        }
        leads.starts()
    }

    #[test]
    fn a_tier_boundary_requires_every_upper_bot_to_lead_every_lower_bot() {
        assert_eq!(starts(4, &[]), [0, 1, 2, 3]);
        assert_eq!(starts(4, &[[0, 1], [2, 3]]), [0, 2]);
        assert_eq!(starts(4, &[[0, 1], [1, 2]]), [0, 3], "chains share a tier");
        assert_eq!(starts(4, &[[0, 3]]), [0], "and so do all bots in between");
        assert_eq!(starts(5, &[[1, 3]]), [0, 1, 4]);
        assert_eq!((starts(1, &[]), starts(0, &[])), (vec![0], vec![]));
    }
}
