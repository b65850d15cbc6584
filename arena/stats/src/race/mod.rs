//! Races: adaptive allocation of blocks, to find the best arms with as few blocks as possible.
//!
//! Every **arm** plays its own blocks against the same field, numbered from 1. Each block gives one
//! score. Arms are compared by the differences of blocks with the same number, whether or
//! not these have the same deals. In both cases the differences are independent and have the
//! correct mean; with shared deals they vary less. A race therefore does not need to know how cards
//! are dealt.
//!
//! If one arm has played more blocks than another, only the blocks with the same numbers are
//! compared. Using the additional blocks would give narrower intervals for separate deals, but they
//! would not be valid, because the number of blocks of an arm depends on its scores.
//!
//! A race consists of **rounds**. The next round is a function of the options and of the scores of
//! earlier rounds ([`Race::next_round`]). The order in which the scores of a round arrive does not
//! matter. Scores of blocks that were played in advance are kept until a round needs them. Ties are
//! decided by the smaller index.
//!
//! ```
//! use hattari_stats::race::{Goal, Race, RaceOptions, Side};
//!
//! // Three arms whose scores go up and down; the second is best by a half.
//! let score = |arm: usize, block: u32| {
//!     [0.0, 0.5, -1.0][arm] + f64::from(block * (7 + 4 * arm as u32) % 10) / 5.0
//! };
//! let mut race = Race::new(3, RaceOptions::new(Goal::Best))?;
//! let mut played = [0; 3];
//! while race.end().is_none() {
//!     for (arm, target) in race.next_round() {
//!         for block in played[arm]..target {
//!             race.push(arm, score(arm, block))?;
//!         }
//!         played[arm] = target;
//!     }
//! }
//! let standing = race.standing();
//! assert_eq!(standing.order[0], 1);
//! assert_eq!(standing.arms[1].side, Some(Side::In));
//! # Ok::<(), hattari_stats::Untestable>(())
//! ```
//!
//! # Guarantees
//!
//! All of the following claims are true at the same time, after every round and at the end of the
//! race, with probability 1 − [`RaceOptions::error`]. Block scores must be independent from block
//! to block.
//!
//! The guarantee is asymptotic (see [`crate::sequential::confidence_sequence`]);
//! `leagues/results/race.md` lists the measured error rates. They are too high if the scores of
//! many arms are strongly skewed, in both directions; few blocks alone do not increase them. Longer
//! blocks are less skewed. M is the margin.
//!
//! * [`Goal::Best`] and [`Goal::Top`]: an arm *in* is at most M worse than the k-th best. An arm
//!   *out* is not one of the k best and not tied with the k-th. Without a margin, an arm is in only
//!   if it is strictly better than the (k + 1)-th. The race ends when k arms are in. With a margin,
//!   more than k arms can be in while others are still open.
//! * [`Goal::Pairs`]: if a pair is claimed to be in an order, this order is correct. If it is
//!   claimed to be *equal*, it differs by at most M. The race ends when all pairs are decided.
//! * [`Goal::Ranking`]: the same claims. The race ends when all neighbours in the order found are
//!   decided.
//!
//! Without a margin, arms of equal strength are never decided. Such a race ends only by
//! [`RaceOptions::max_blocks`]. The same is true for arms with the same score in every block.
//!
//! The error is divided among the one-sided statements about two arms that could cause a false
//! claim. For the best k of K arms there are K(K − 1) such statements at first. Each claim removes
//! some of them: with c arms in and s arms not yet out, c(K − c) + (s − c)(K − 1 − c) are left. For
//! `Best` this ends at 2(K − 1). For orders, a pair whose order is claimed has one statement
//! instead of two.
//!
//! Treating claims as true is justified by the sequential rejection principle, here with
//! always-valid p values instead of fixed ones. Source: Goeman and Solari, "The sequential
//! rejection principle of familywise error control", theorem 1. The procedures of Holm and Shaffer
//! are special cases.
//!
//! # Allocation
//!
//! For `Best` and `Top`, the undecided arms are divided by their means into candidates for *in* and
//! candidates for *out*. Each unsettled pair of a candidate for *in* and a candidate for *out*
//! plays a batch. For `Best`, these are the pairs with the leader.
//!
//! This follows LUCB (Kalyanakrishnan, Tewari, Auer and Stone, "PAC subset selection in stochastic
//! multi-armed bandits"). All unsettled pairs play instead of only the most urgent one, as in Maron
//! and Moore, "Hoeffding races", so that a round has enough work for many machines. For orders, the
//! undecided neighbours play (`Ranking`), or all undecided pairs (`Pairs`). Of each pair, the arm
//! with fewer blocks plays, or both.

mod contest;
mod evidence;
mod options;
mod order;
mod standing;

pub use options::{Allocation, Goal, RaceOptions};
pub use standing::{ArmStanding, End, Relation, Side, Standing};

use crate::Untestable;
use crate::sequential::OneSided;
use contest::Contest;
use evidence::Evidence;
use order::Order;

/// Divisor for the minimum size of a batch: a batch has at least the number of blocks that the arm
/// has played, divided by this number. For 20 evenly spaced arms, such batches cost 7 to 8 % more
/// blocks than batches of 10, but need far fewer rounds. At the end of each round, machines wait
/// for each other.
const BATCH_SHARE: u32 = 10;

/// Number of blocks at which the tests have the most power. Claims are valid at any number.
const TUNED_FOR: f64 = 100.0;

/// The claims so far, by type of goal.
#[derive(Debug)]
enum Claims {
    Contest(Contest),
    Order(Order),
}

/// A race with all scores that it has received.
#[derive(Debug)]
pub struct Race {
    options: RaceOptions,
    bound: OneSided,
    /// Scores by arm and block.
    scores: Vec<Vec<f64>>,
    /// Number of blocks of each arm that the closed rounds have used.
    used: Vec<u32>,
    /// Number of blocks of each arm that the open round requires; equal to `used` if the race is
    /// over.
    target: Vec<u32>,
    evidence: Evidence,
    claims: Claims,
    end: Option<End>,
}

impl Race {
    /// Creates a race without scores.
    ///
    /// # Errors
    /// Returns an error if the options are out of range for this number of arms.
    pub fn new(arms: usize, options: RaceOptions) -> Result<Self, Untestable> {
        options.check(arms)?;
        let all = (arms * (arms - 1)) as f64;
        let blocks_min = options.first_blocks as usize;
        Ok(Self {
            options,
            bound: OneSided::new(options.error / all, options.error, TUNED_FOR, blocks_min)?,
            scores: vec![Vec::new(); arms],
            used: vec![0; arms],
            target: vec![options.first_blocks; arms],
            evidence: Evidence::new(arms, options.margin),
            claims: match options.goal.slots() {
                Some(slots) => Claims::Contest(Contest::new(arms, slots)),
                None => Claims::Order(Order::new(arms, options.goal == Goal::Ranking)),
            },
            end: None,
        })
    }

    /// Adds the score of an arm's next block. Closes the round if this was the last missing block
    /// of the round.
    ///
    /// # Errors
    /// Returns an error, and leaves the race unchanged, if there is no such arm or if the score is
    /// not finite.
    pub fn push(&mut self, arm: usize, score: f64) -> Result<(), Untestable> {
        if !score.is_finite() {
            return Err(Untestable::NotFinite);
        }
        let arms = self.scores.len();
        let blocks = self.scores.get_mut(arm).ok_or_else(|| {
            Untestable::bad(format!(
                "there is no arm {arm} in a race of {arms} arms; arms are numbered from 0"
            ))
        })?;
        blocks.push(score);
        while self.end.is_none() && self.missing().next().is_none() {
            self.close_round()?;
        }
        Ok(())
    }

    /// Returns the arms that have to play now, with the total number of blocks that each has to
    /// reach, sorted by index. Empty if the race is over.
    pub fn next_round(&self) -> Vec<(usize, u32)> {
        self.missing().collect()
    }

    fn missing(&self) -> impl Iterator<Item = (usize, u32)> {
        self.target
            .iter()
            .copied()
            .enumerate()
            .filter(|&(arm, target)| self.scores[arm].len() < target as usize)
    }

    /// Returns the reason why the race ended, or `None` if it has not.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    fn close_round(&mut self) -> Result<(), Untestable> {
        self.used.copy_from_slice(&self.target);
        let ln_error = libm::log(self.options.error);
        let (scores, used) = (&self.scores, &self.used);
        match &mut self.claims {
            Claims::Contest(contest) => {
                self.evidence
                    .process_blocks(scores, used, &self.bound, |arm| contest.is_in_question(arm))?;
                contest.update(&self.evidence, ln_error);
            }
            Claims::Order(order) => {
                self.evidence
                    .process_blocks(scores, used, &self.bound, |_| true)?;
                order.update(&self.evidence, ln_error);
            }
        }
        self.set_targets();
        Ok(())
    }

    /// Sets the targets of the next round, or ends the race.
    fn set_targets(&mut self) {
        let unsettled = self.unsettled();
        if unsettled.is_empty() {
            self.end = Some(End::Decided);
            return;
        }
        let most = self.options.max_blocks.unwrap_or(u32::MAX);
        for &(a, b) in &unsettled {
            let fewer = self.used[a].min(self.used[b]);
            let batch = self.options.batch.max(fewer / BATCH_SHARE);
            let target = fewer.saturating_add(batch).min(most);
            for arm in [a, b] {
                self.target[arm] = self.target[arm].max(target);
            }
        }
        if self.options.allocation == Allocation::Even {
            let target = self.target.iter().copied().max().unwrap_or(0);
            self.target.fill(target);
        }
        if self.target == self.used {
            self.end = Some(End::MaxBlocks);
        }
    }

    /// Returns the pairs that have to be decided before the race can end, the arm with the higher
    /// mean first.
    fn unsettled(&self) -> Vec<(usize, usize)> {
        match &self.claims {
            Claims::Contest(contest) => {
                contest.unsettled(&self.evidence, libm::log(self.options.error))
            }
            Claims::Order(order) => order.unsettled(&self.evidence),
        }
    }
}
