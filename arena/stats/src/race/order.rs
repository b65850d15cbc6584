//! Claims of a race about the order of arms.

use super::evidence::Evidence;
use super::standing::Relation;
use crate::summary::pairs_below;

/// The claims about all pairs of arms.
#[derive(Debug)]
pub(super) struct Order {
    arms: usize,
    /// True if only neighbours in the order have to be decided.
    is_ranking: bool,
    /// `ahead[a * arms + b]` is true if arm a is known to be better than arm b, directly or by
    /// conclusion from other pairs.
    ahead: Vec<bool>,
    /// `not_behind[a * arms + b]` is true if arm a is known to be worse than arm b by at most the
    /// margin.
    not_behind: Vec<bool>,
}

impl Order {
    pub(super) fn new(arms: usize, is_ranking: bool) -> Self {
        Self {
            arms,
            is_ranking,
            ahead: vec![false; arms * arms],
            not_behind: vec![false; arms * arms],
        }
    }

    pub(super) fn relation(&self, a: usize, b: usize) -> Relation {
        let (there, back) = (a * self.arms + b, b * self.arms + a);
        match (self.ahead[there], self.ahead[back]) {
            (true, false) => Relation::Ahead,
            (false, true) => Relation::Behind,
            _ if self.not_behind[there] && self.not_behind[back] => Relation::Equal,
            _ => Relation::Open,
        }
    }

    /// Returns the number of arms known to be better than `arm`, and of arms known to be worse.
    pub(super) fn better_and_worse(&self, arm: usize) -> (usize, usize) {
        let count = |relation: Relation| {
            (0..self.arms)
                .filter(|&b| self.relation(arm, b) == relation)
                .count()
        };
        (count(Relation::Behind), count(Relation::Ahead))
    }

    /// Returns ln of the error of each statement about two arms. There are two statements per pair,
    /// and one if its order is known.
    pub(super) fn ln_level(&self, ln_error: f64) -> f64 {
        let ordered = pairs_below(self.arms)
            .filter(|&(a, b)| matches!(self.relation(a, b), Relation::Ahead | Relation::Behind));
        ln_error - libm::log((self.arms * (self.arms - 1) - ordered.count()) as f64)
    }

    /// Adds the claims that the evidence supports. Earlier claims are never withdrawn.
    pub(super) fn update(&mut self, evidence: &Evidence, ln_error: f64) {
        let arms = self.arms;
        loop {
            let ln_level = self.ln_level(ln_error);
            for (a, b) in pairs_below(arms).flat_map(|(a, b)| [(a, b), (b, a)]) {
                self.ahead[a * arms + b] |= evidence.ahead(a, b, ln_level);
                self.not_behind[a * arms + b] |= evidence.not_behind(a, b, ln_level);
            }
            self.conclude();
            if self.ln_level(ln_error) <= ln_level {
                break;
            }
        }
    }

    /// Adds all claims that follow from others because "better than" is transitive (Warshall).
    fn conclude(&mut self) {
        let arms = self.arms;
        for via in 0..arms {
            for a in 0..arms {
                if self.ahead[a * arms + via] {
                    for b in (0..arms).filter(|&b| b != a) {
                        self.ahead[a * arms + b] |= self.ahead[via * arms + b];
                    }
                }
            }
        }
    }

    /// Returns the arms in the order found: by known relations, then by mean.
    pub(super) fn arms_in_order(&self, evidence: &Evidence) -> Vec<usize> {
        let known: Vec<isize> = (0..self.arms)
            .map(|arm| self.better_and_worse(arm))
            .map(|(better, worse)| better.cast_signed() - worse.cast_signed())
            .collect();
        let mut arms: Vec<usize> = (0..self.arms).collect();
        arms.sort_by(|&a, &b| known[a].cmp(&known[b]).then(evidence.by_mean(a, b)));
        arms
    }

    /// Returns the undecided pairs that have to be decided, the arm with the higher mean first.
    pub(super) fn unsettled(&self, evidence: &Evidence) -> Vec<(usize, usize)> {
        let order = self.arms_in_order(evidence);
        let most = if self.is_ranking { 1 } else { self.arms };
        order
            .iter()
            .enumerate()
            .flat_map(|(k, &a)| order[k + 1..].iter().take(most).map(move |&b| (a, b)))
            .filter(|&(a, b)| self.relation(a, b) == Relation::Open)
            .collect()
    }
}
