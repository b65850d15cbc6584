//! Tiers: groups of bots that cannot be told apart.
//!
//! The bots are sorted by their means. A tier boundary lies where *every* bot above is significantly
//! ahead of *every* bot below. So if two bots are not told apart, they share a tier with all bots
//! ranked between them (transitive closure along the ranking), and a tier can contain pairs that are
//! told apart. The verdicts of all pairs are one family, so the probability that any boundary
//! separates bots in the wrong order is at most the level of the tests. This makes tiers the coarse
//! form of the simultaneous rank sets of Mogstad, Romano, Shaikh and Wilhelm ("Inference for ranks",
//! Review of Economic Studies 91, 2024): no rank set crosses a boundary. Overlapping groups, such as
//! a compact letter display (Piepho, Journal of Computational and Graphical Statistics 13, 2004),
//! would not be an order of groups.

use super::types::{Standings, Testable, VerdictKind};
use hattari_stats::Correction;
use hattari_stats::sequential::StoppingRule;
use serde::Serialize;

/// The bots in groups that cannot be told apart, the best group first.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    #[must_use]
    pub fn tier_of(&self, name: &str) -> Option<usize> {
        let place = self
            .groups
            .iter()
            .position(|group| group.iter().any(|bot| bot == name));
        place.map(|place| place + 1)
    }
}

/// The ordered pairs of ranks in which the higher-ranked bot is significantly ahead.
pub(super) struct SignificantLeads {
    bots: usize,
    leads: Vec<bool>,
}

impl SignificantLeads {
    /// Starts without leads among this number of bots.
    pub(super) fn new(bots: usize) -> SignificantLeads {
        SignificantLeads {
            bots,
            leads: vec![false; bots * bots],
        }
    }

    /// Notes the verdict on the bots with two ranks, the higher-ranked bot first.
    pub(super) fn note(&mut self, [above, below]: [usize; 2], kind: VerdictKind) {
        self.leads[above * self.bots + below] = kind == VerdictKind::Ahead;
    }

    /// Returns the ranks at which tiers start.
    fn starts(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        // The lowest rank that shares a tier with the bots so far.
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

impl Standings {
    /// Divides the bots into tiers by the verdicts on all pairs.
    pub(super) fn find_tiers(&mut self, leads: &SignificantLeads) {
        let level = match self.sequential.map(|rule| rule.rule.current()) {
            None => self.settings.alpha(),
            Some(StoppingRule::ConfidenceSequence(options)) => 1.0 - options.confidence,
            Some(StoppingRule::Sprt(_) | StoppingRule::Betting(_)) => {
                self.tiers = Testable::NotTestable(
                    "the stopping rule decides between two given differences, not about an order"
                        .to_owned(),
                );
                return;
            }
        };
        let starts = leads.starts();
        let ends = starts.iter().skip(1).copied().chain([self.bots.len()]);
        let name = |bot: &super::BotStanding| bot.name.clone();
        let groups = starts
            .iter()
            .zip(ends)
            .map(|(&start, end)| self.bots[start..end].iter().map(name).collect());
        self.tiers = Testable::Tested(Tiers {
            level,
            joint: self.sequential.is_some()
                || self.family <= 1
                || self.settings.correction != Correction::None,
            groups: groups.collect(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the starts of the tiers of `bots` if all pairs but `undecided` are told apart.
    fn starts(bots: usize, undecided: &[[usize; 2]]) -> Vec<usize> {
        let mut leads = SignificantLeads::new(bots);
        for above in 0..bots {
            for below in above + 1..bots {
                let kind = match undecided.contains(&[above, below]) {
                    true => VerdictKind::CannotTell,
                    false => VerdictKind::Ahead,
                };
                leads.note([above, below], kind);
            }
        }
        leads.starts()
    }

    #[test]
    fn a_boundary_needs_a_lead_of_every_bot_above_over_every_bot_below() {
        assert_eq!(starts(4, &[]), [0, 1, 2, 3]);
        assert_eq!(starts(4, &[[0, 1], [2, 3]]), [0, 2]);
        assert_eq!(starts(4, &[[0, 1], [1, 2]]), [0, 3], "chains share a tier");
        assert_eq!(starts(4, &[[0, 3]]), [0], "and so do all bots in between");
        assert_eq!(starts(5, &[[1, 3]]), [0, 1, 4]);
        assert_eq!((starts(1, &[]), starts(0, &[])), (vec![0], vec![]));
    }

    #[test]
    fn a_bot_that_is_ranked_higher_but_behind_shares_the_tier() {
        let mut leads = SignificantLeads::new(2);
        leads.note([0, 1], VerdictKind::Behind);
        assert_eq!(leads.starts(), [0]);
        leads.note([0, 1], VerdictKind::Equal);
        assert_eq!(leads.starts(), [0]);
    }
}
