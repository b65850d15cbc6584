//! Where a race stands: sets, pairs, estimates, and what it would cost to go on.

use super::evidence::differences;
use super::{Claims, Race};
use crate::Untestable;
use crate::sequential::Running;
use crate::summary::Interval;

/// How a race ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All that was asked is known.
    Decided,
    /// Whoever is still open has played the most blocks that the options allow.
    MaxBlocks,
}

/// On which side of the line between the k best and the rest an arm stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Certainly among the k best, or within the margin of them.
    In,
    /// Certainly not among the k best.
    Out,
    /// Unknown.
    Open,
}

/// What is known of the first arm of a pair against the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// It is better.
    Ahead,
    /// It is worse.
    Behind,
    /// They differ by no more than the margin.
    Equal,
    /// Nothing yet.
    Open,
}

/// An arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArmStanding {
    /// Blocks that the rounds have used.
    pub blocks: u32,
    /// Mean over them, in points per game; `None` where none gave a number. Over shared deals an
    /// arm that left early has seen fewer of them: compare arms by
    /// [`PairStanding::difference`].
    pub mean: Option<f64>,
    /// Interval of the mean; all arms' hold at once. `None` before there is one.
    pub interval: Option<Interval>,
    /// Where it stands, for `Best` and `Top`.
    pub side: Option<Side>,
    /// The round, counted from 1, in which it ceased to be open, for `Best` and `Top`.
    pub since: Option<u32>,
    /// The best and the worst rank it may have, 1 the best, for `Ranking` and `Pairs`.
    pub ranks: Option<(usize, usize)>,
}

/// Two arms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairStanding {
    /// The first, by index.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// Blocks in which both have a number.
    pub blocks: usize,
    /// Mean of `a` minus `b` over them, in points per game. It leans away from zero, for a race
    /// stops where a lead is large.
    pub difference: Option<f64>,
    /// Interval of the difference; all pairs' hold at once. `None` before there is one.
    pub interval: Option<Interval>,
    /// What is known, for `Ranking` and `Pairs`.
    pub relation: Option<Relation>,
}

/// Where a race stands after the rounds that are complete.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// How it ended; `None` while it goes on.
    pub end: Option<End>,
    /// Rounds that are complete.
    pub rounds: u32,
    /// Blocks of all arms that they used.
    pub blocks: u64,
    /// The arms by index.
    pub arms: Vec<ArmStanding>,
    /// The arms as they stand, the best first: those in before those open before those out, or in
    /// the order found; the means say the rest.
    pub order: Vec<usize>,
    /// All pairs, by the first index and then by the second.
    pub pairs: Vec<PairStanding>,
    /// Blocks of all arms that it would take about, from here, to decide all that is open, if
    /// means and deviations are what they seem; 0 when nothing is. `None` where they give no
    /// end, and before the first round is complete.
    pub to_go: Option<u64>,
}

impl Race {
    /// Where the race stands. The promises are those of [the module](super).
    ///
    /// # Errors
    /// None that scores which were taken in can cause.
    pub fn standing(&self) -> Result<Standing, Untestable> {
        let arms = self.arms();
        Ok(Standing {
            end: self.end,
            rounds: self.rounds,
            blocks: self.used.iter().map(|&n| u64::from(n)).sum(),
            arms: (0..arms)
                .map(|arm| self.arm(arm))
                .collect::<Result<_, _>>()?,
            order: self.order(),
            pairs: (0..arms)
                .flat_map(|a| (a + 1..arms).map(move |b| (a, b)))
                .map(|(a, b)| self.pair(a, b))
                .collect::<Result<_, _>>()?,
            to_go: self.to_go(),
        })
    }

    fn arm(&self, arm: usize) -> Result<ArmStanding, Untestable> {
        let running = self.evidence.running(arm);
        let (side, since, ranks) = match &self.claims {
            Claims::Contest(contest) => (Some(contest.side(arm)), contest.since(arm), None),
            Claims::Order(order) => {
                let (better, worse) = order.better_and_worse(arm);
                (None, None, Some((1 + better, self.arms() - worse)))
            }
        };
        Ok(ArmStanding {
            blocks: self.used[arm],
            mean: self.evidence.mean(arm),
            interval: self.around(running, 2 * self.arms())?,
            side,
            since,
            ranks,
        })
    }

    fn pair(&self, a: usize, b: usize) -> Result<PairStanding, Untestable> {
        // Of pairs that a contest has no question about the evidence is as old as their last
        // question.
        let used =
            |arm: usize| &self.scores[arm][..usize::try_from(self.used[arm]).unwrap_or(usize::MAX)];
        let mut running = Running::default();
        differences(used(a), used(b)).for_each(|d| running.push(d));
        Ok(PairStanding {
            a,
            b,
            blocks: running.n,
            difference: (0 < running.n).then_some(running.mean),
            interval: self.around(&running, self.arms() * (self.arms() - 1))?,
            relation: match &self.claims {
                Claims::Contest(_) => None,
                Claims::Order(order) => Some(order.relation(a, b)),
            },
        })
    }

    /// The interval of a mean when so many limits are to hold at once.
    fn around(&self, running: &Running, limits: usize) -> Result<Option<Interval>, Untestable> {
        let half = self
            .bound
            .half_width(running, libm::log(self.options.error / limits as f64))?;
        Ok(half.map(|half| Interval::around(running.mean, half)))
    }

    fn order(&self) -> Vec<usize> {
        let means = self.means();
        match &self.claims {
            Claims::Contest(contest) => {
                let by_mean = super::evidence::by_mean(&means);
                let place = |arm: usize| match contest.side(arm) {
                    Side::In => 0,
                    Side::Open => 1,
                    Side::Out => 2,
                };
                let mut arms: Vec<usize> = (0..self.arms()).collect();
                arms.sort_by(|a, b| place(*a).cmp(&place(*b)).then_with(|| by_mean(a, b)));
                arms
            }
            Claims::Order(order) => order.found(&means),
        }
    }

    fn to_go(&self) -> Option<u64> {
        if self.rounds == 0 {
            return None;
        }
        let ln_error = libm::log(self.options.error);
        let ln_level = match &self.claims {
            Claims::Contest(contest) => contest.ln_level(ln_error),
            Claims::Order(order) => order.ln_level(ln_error),
        };
        let margin = self.evidence.margin();
        let mut needed: Vec<f64> = self.used.iter().map(|&n| f64::from(n)).collect();
        for (a, b) in self.unsettled() {
            let (difference, sd) = self.evidence.difference(a, b)?;
            let distance = match self.claims {
                Claims::Contest(_) => difference + margin,
                // To be told apart, or shown to be equal: whichever is nearer.
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
        let more: f64 = needed
            .iter()
            .zip(&self.used)
            .map(|(needed, &used)| needed - f64::from(used))
            .sum();
        // Beyond this a number of blocks says nothing any more.
        const MOST: f64 = 1e12;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative, and at most 1e12"
        )]
        (more <= MOST).then_some(more.ceil() as u64)
    }
}
