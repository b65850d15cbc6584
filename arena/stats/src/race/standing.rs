//! State of a race: claims, estimates and expected remaining cost.

use super::evidence::differences;
use super::{Claims, Race};
use crate::Untestable;
use crate::sequential::Running;
use crate::summary::Interval;

/// The reason why a race ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All claims that the goal requires are decided.
    Decided,
    /// All undecided arms have played the maximum number of blocks.
    MaxBlocks,
}

/// The claim whether an arm is one of the k best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The arm is one of the k best, or within the margin of them.
    In,
    /// The arm is not one of the k best.
    Out,
    /// Not yet known.
    Open,
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
    /// Not yet known.
    Open,
}

/// The state of an arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArmStanding {
    /// Number of blocks that the rounds have used.
    pub blocks: u32,
    /// Mean over these blocks, in points per game. `None` if no block gave a score. If deals are
    /// shared, an arm that left the race early has played fewer of them: use
    /// [`PairStanding::difference`] to compare arms.
    pub mean: Option<f64>,
    /// Confidence interval of the mean, simultaneous for all arms. `None` if there is too little
    /// data.
    pub interval: Option<Interval>,
    /// The claim about the arm, for `Best` and `Top`.
    pub side: Option<Side>,
    /// Round, counted from 1, in which the arm stopped being open, for `Best` and `Top`.
    pub since: Option<u32>,
    /// Best and worst possible rank, where 1 is the best, for `Ranking` and `Pairs`.
    pub ranks: Option<(usize, usize)>,
}

/// The state of a pair of arms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairStanding {
    /// Index of the first arm.
    pub a: usize,
    /// Index of the second arm.
    pub b: usize,
    /// Number of blocks in which both have a score.
    pub blocks: usize,
    /// Mean of `a` minus `b` over these blocks, in points per game. Biased away from zero, because
    /// a race stops when a lead is large.
    pub difference: Option<f64>,
    /// Confidence interval of the difference, simultaneous for all pairs. `None` if there is too
    /// little data.
    pub interval: Option<Interval>,
    /// The claim about the pair, for `Ranking` and `Pairs`.
    pub relation: Option<Relation>,
}

/// The state of a race after the closed rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The reason why the race ended, or `None` if it has not.
    pub end: Option<End>,
    /// Number of closed rounds.
    pub rounds: u32,
    /// Number of blocks that they used, summed over all arms.
    pub blocks: u64,
    /// The arms by index.
    pub arms: Vec<ArmStanding>,
    /// The arms, best first: by claim (in, open, out) or in the order found, then by mean.
    pub order: Vec<usize>,
    /// All pairs, sorted by the first index, then by the second.
    pub pairs: Vec<PairStanding>,
    /// Expected number of further blocks, summed over all arms, until everything is decided, if the
    /// current means and deviations are correct. 0 if everything is decided. `None` if the means
    /// give no end, and before the first round is closed.
    pub to_go: Option<u64>,
}

impl Race {
    /// Returns the state of the race. See the [module](super) for the guarantees.
    ///
    /// # Errors
    /// Returns no error for scores that [`Race::push`] accepted.
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
        // The evidence is updated only for pairs that are in question, so the differences are
        // computed again here.
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

    /// Returns the interval of a mean if `limits` confidence limits have to hold simultaneously.
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
                // Decided by an order or by equality, whichever is closer.
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
        // Larger estimates are not useful.
        const MOST: f64 = 1e12;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative, and at most 1e12"
        )]
        (more <= MOST).then_some(more.ceil() as u64)
    }
}
