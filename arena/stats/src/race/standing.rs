//! State of a race: claims, estimates and expected remaining cost.

use super::{Claims, Race};
use crate::summary::ceil_to_u64;

/// The reason why a race ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All claims that the goal requires are decided.
    Decided,
    /// All undecided arms have played the maximum number of blocks.
    MaxBlocks,
}

/// The claim about an arm in a race for the k best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The arm is one of the k best, or within the margin of them.
    In,
    /// The claim about the arm is not decided yet.
    Open,
    /// The arm is not one of the k best.
    Out,
}

/// The claim about the first arm of a pair relative to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The first arm is better.
    Ahead,
    /// The first arm is worse.
    Behind,
    /// The arms differ by at most the margin.
    Equal,
    /// The order of the arms is not known yet.
    Open,
}

/// The state of an arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArmStanding {
    /// Number of the arm's blocks that the closed rounds have used.
    pub blocks: u32,
    /// Mean over these blocks, in points per deal; 0 without a block. If deals are shared, an arm
    /// that left the race early has played fewer of the shared deals.
    pub mean: f64,
    /// The claim about the arm, for `Best` and `Top`.
    pub side: Option<Side>,
    /// Best and worst possible rank, where 1 is the best, for `Ranking` and `Pairs`.
    pub ranks: Option<(usize, usize)>,
}

/// The state of a race after the closed rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The state of each arm, by index.
    pub arms: Vec<ArmStanding>,
    /// The arms, best first: by claim (in, open, out) or in the order found, then by mean.
    pub order: Vec<usize>,
    /// Expected number of further blocks, summed over all arms, until everything is decided, if the
    /// current means and deviations are correct. 0 if everything is decided. `None` if no end is
    /// expected with the current means, and before the first round is closed.
    pub to_go: Option<u64>,
}

impl Race {
    /// Returns the state of the race. See the [module](super) for the guarantees.
    pub fn standing(&self) -> Standing {
        let arms = 0..self.used.len();
        let order = match &self.claims {
            Claims::Contest(contest) => {
                let mut arms: Vec<usize> = arms.clone().collect();
                let claim = |arm: usize| contest.side(arm) as usize;
                let evidence = &self.evidence;
                arms.sort_by(|&a, &b| claim(a).cmp(&claim(b)).then(evidence.by_mean(a, b)));
                arms
            }
            Claims::Order(order) => order.arms_in_order(&self.evidence),
        };
        Standing {
            arms: arms.map(|arm| self.arm(arm)).collect(),
            order,
            to_go: self.to_go(),
        }
    }

    /// Returns the claim about two arms, for `Ranking` and `Pairs`; `None` for other goals.
    pub fn relation(&self, a: usize, b: usize) -> Option<Relation> {
        match &self.claims {
            Claims::Contest(_) => None,
            Claims::Order(order) => Some(order.relation(a, b)),
        }
    }

    fn arm(&self, arm: usize) -> ArmStanding {
        let (side, ranks) = match &self.claims {
            Claims::Contest(contest) => (Some(contest.side(arm)), None),
            Claims::Order(order) => {
                let (better, worse) = order.better_and_worse(arm);
                (None, Some((1 + better, self.used.len() - worse)))
            }
        };
        ArmStanding {
            blocks: self.used[arm],
            mean: self.evidence.mean(arm),
            side,
            ranks,
        }
    }

    fn to_go(&self) -> Option<u64> {
        let ln_error = libm::log(self.options.error);
        let ln_level = match &self.claims {
            Claims::Contest(contest) => contest.ln_level(ln_error),
            Claims::Order(order) => order.ln_level(ln_error),
        };
        let margin = self.evidence.margin;
        let mut needed: Vec<f64> = self.used.iter().map(|&n| f64::from(n)).collect();
        for (a, b) in self.unsettled() {
            let (difference, sd) = self.evidence.difference(a, b)?;
            let distance = match self.claims {
                Claims::Contest(_) => difference + margin,
                // A pair is decided by an order or by equality, whichever is closer.
                Claims::Order(_) => difference.abs().max(margin - difference.abs()),
            };
            if distance <= 0.0 {
                return None;
            }
            let blocks = self.bound.needed(distance / sd, ln_level);
            for arm in [a, b] {
                needed[arm] = needed[arm].max(blocks);
            }
        }
        let used = self.used.iter().map(|&n| f64::from(n));
        let more: f64 = needed
            .iter()
            .zip(used)
            .map(|(needed, used)| needed - used)
            .sum();
        // Larger estimates are not useful.
        const MOST: f64 = 1e12;
        (more <= MOST).then(|| ceil_to_u64(more))
    }
}
