//! The race: who is best, for as few blocks as it takes.
//!
//! Every **arm** plays blocks of its own against the same field, numbered from 1, and each block
//! gives one number, or none. Arms are compared by the differences of their blocks of the same
//! number, whether these were dealt the same cards or not: both times the differences are
//! independent and have the mean that is asked for, and with shared deals they vary less. So a race
//! need not be told how cards are dealt. (An arm that has played on where another was left behind
//! is compared with it over the blocks that both have; comparisons with the surplus would be
//! narrower with own deals, but not valid, for how many blocks an arm has played depends on what it
//! scored.)
//!
//! A race goes in **rounds**. The next one is a function of the options and the scores of the
//! rounds before ([`Race::next_round`]); in what order the scores of a round come in changes
//! nothing, nor do blocks that were played beyond it: those wait until a round asks for them. Ties
//! go to the smaller index.
//!
//! ```
//! use hattari_stats::race::{Goal, Race, RaceOptions, Side};
//!
//! // Three arms whose scores go up and down; the second is best by a half.
//! let score = |arm: usize, block: u32| [0.0, 0.5, -1.0][arm] + f64::from(block * (7 + 4 * arm as u32) % 10) / 5.0;
//! let mut race = Race::new(3, RaceOptions::new(Goal::Best))?;
//! let mut played = [0; 3];
//! while race.end().is_none() {
//!     for (arm, target) in race.next_round() {
//!         for block in played[arm]..target {
//!             race.push(arm, Some(score(arm, block)))?;
//!         }
//!         played[arm] = target;
//!     }
//! }
//! let standing = race.standing()?;
//! assert_eq!(standing.order[0], 1);
//! assert_eq!(standing.arms[1].side, Some(Side::In));
//! # Ok::<(), hattari_stats::Untestable>(())
//! ```
//!
//! # What is promised
//!
//! All that follows holds at once, after every round and however the race ends, but with
//! probability [`RaceOptions::error`], for block scores that are independent from block to block;
//! the promise is asymptotic (see [`crate::sequential::confidence_sequence`]):
//! `leagues/results/race.md` counts how it is kept. What strains it is not few blocks but skewed
//! ones, among many arms and to both sides; longer blocks are less skewed. M is the margin.
//!
//! * [`Goal::Best`] and [`Goal::Top`]: an arm *in* is at most M worse than the k-th best, an arm
//!   *out* is not among the k best, not even tied with the k-th. With no margin an arm is in only
//!   when it stands alone among the k best. The race is over with k arms in. With a margin more may
//!   be in and others open: then k within the margin of the k best are known, and nothing more was
//!   asked for.
//! * [`Goal::Pairs`]: a pair said to be in an order is in that order, a pair said to be *equal*
//!   differs by at most M. Over when all are decided.
//! * [`Goal::Ranking`]: the same, and over when arms that are neighbours in the order found are
//!   decided.
//!
//! With no margin arms of equal strength are never decided: such a race ends by
//! [`RaceOptions::max_blocks`] alone, and so does one between arms whose scores are the same in
//! every block.
//!
//! The error is shared out among those one-sided statements about two arms that could make a false
//! claim. For one of K arms among the best these are at first K(K − 1). What has been claimed rules
//! some out: with c arms in and s not yet out c(K − c) + (s − c)(K − 1 − c) are left, which for
//! `Best` ends at 2(K − 1); for orders each pair that is in an order has one instead of two. That
//! this may be done, claims being taken for true, is the sequential rejection principle (Goeman and
//! Solari, "The sequential rejection principle of familywise error control", theorem 1; Holm's and
//! Shaffer's procedures are of that kind), with p that hold at any time in place of fixed ones.
//!
//! The intervals of [`Standing`] hold at once with the same error, by a share for every pair; they
//! and the claims are two promises.
//!
//! # Who plays
//!
//! For `Best` and `Top` the arms that are still in question are parted by their means into those
//! that would be in and those that would not; each pair across that is not settled plays a batch
//! (the differences to the leader, for `Best`; after LUCB of Kalyanakrishnan, Tewari, Auer and
//! Stone, "PAC subset selection in stochastic multi-armed bandits", with all unsettled pairs
//! instead of the most urgent one, as Maron and Moore's "Hoeffding races" have it, so that a round
//! is wide enough for many machines). Orders play their undecided neighbours, or all undecided
//! pairs. Of a pair the arm that has fewer blocks plays, or both.

mod contest;
mod evidence;
mod options;
mod order;
mod standing;

pub use options::{Allocation, Goal, RaceOptions};
pub use standing::{ArmStanding, End, PairStanding, Relation, Side, Standing};

use crate::Untestable;
use crate::sequential::OneSided;
use contest::Contest;
use evidence::Evidence;
use order::Order;

/// A batch is at least one in so many of the blocks that an arm has. For 20 arms evenly apart this
/// takes 7 to 8 % more blocks than batches of 10 throughout, in far fewer rounds: each is a point
/// where machines wait for each other.
const BATCH_SHARE: u32 = 10;

/// What is known, by the kind of goal.
#[derive(Debug, Clone)]
enum Claims {
    Contest(Contest),
    Order(Order),
}

/// A race and all scores that it has been given.
#[derive(Debug, Clone)]
pub struct Race {
    options: RaceOptions,
    bound: OneSided,
    /// Of every arm what its blocks gave.
    scores: Vec<Vec<Option<f64>>>,
    /// Blocks of every arm that the rounds closed so far have used.
    used: Vec<u32>,
    /// Those that the open round wants; the same when the race is over.
    target: Vec<u32>,
    /// Rounds closed.
    rounds: u32,
    evidence: Evidence,
    claims: Claims,
    end: Option<End>,
}

impl Race {
    /// A race before its first block.
    ///
    /// # Errors
    /// Options out of range, or no race of so many arms.
    pub fn new(arms: usize, options: RaceOptions) -> Result<Self, Untestable> {
        options.check(arms)?;
        let all = (arms * (arms - 1)) as f64;
        let blocks_min = usize::try_from(options.first_blocks).unwrap_or(usize::MAX);
        Ok(Self {
            options,
            bound: OneSided::new(
                options.error / all,
                options.error,
                options.tuned_for,
                blocks_min,
            )?,
            scores: vec![Vec::new(); arms],
            used: vec![0; arms],
            target: vec![options.first_blocks; arms],
            rounds: 0,
            evidence: Evidence::new(arms, options.margin),
            claims: match options.goal.slots() {
                Some(slots) => Claims::Contest(Contest::new(arms, slots)),
                None => Claims::Order(Order::new(arms, options.goal == Goal::Ranking)),
            },
            end: None,
        })
    }

    /// The options.
    pub fn options(&self) -> &RaceOptions {
        &self.options
    }

    /// How many arms there are.
    pub fn arms(&self) -> usize {
        self.scores.len()
    }

    /// Takes in the score of an arm's next block; `None` for a block that gave no number, which
    /// counts as played and is left out of every comparison. Closes the round when it was the
    /// last block that the round wanted.
    ///
    /// # Errors
    /// No such arm, or a score that is not finite; the race is then as before.
    pub fn push(&mut self, arm: usize, score: Option<f64>) -> Result<(), Untestable> {
        if score.is_some_and(|score| !score.is_finite()) {
            return Err(Untestable::NotFinite);
        }
        let arms = self.arms();
        let blocks = self.scores.get_mut(arm).ok_or_else(|| {
            Untestable::bad(format!(
                "there is no arm {arm} in a race of {arms}; they are counted from 0"
            ))
        })?;
        blocks.push(score);
        while self.end.is_none() && self.missing().next().is_none() {
            self.close_round()?;
        }
        Ok(())
    }

    /// Which arms are to play up to how many blocks now, by index; those that have them already are
    /// not named. Empty when the race is over.
    pub fn next_round(&self) -> Vec<(usize, u32)> {
        self.missing().collect()
    }

    /// Rounds that are complete.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// How the race ended; `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    fn missing(&self) -> impl Iterator<Item = (usize, u32)> {
        let held = self
            .scores
            .iter()
            .map(|blocks| u32::try_from(blocks.len()).unwrap_or(u32::MAX));
        self.target
            .iter()
            .zip(held)
            .enumerate()
            .filter(|(_, (target, held))| held < target)
            .map(|(i, (t, _))| (i, *t))
    }

    fn close_round(&mut self) -> Result<(), Untestable> {
        self.rounds += 1;
        self.used.copy_from_slice(&self.target);
        let ln_error = libm::log(self.options.error);
        let (scores, used) = (&self.scores, &self.used);
        match &mut self.claims {
            Claims::Contest(contest) => {
                self.evidence
                    .take_in(scores, used, &self.bound, |arm| contest.is_in_question(arm))?;
                contest.update(&self.evidence, ln_error, self.rounds);
            }
            Claims::Order(order) => {
                self.evidence.take_in(scores, used, &self.bound, |_| true)?;
                order.update(&self.evidence, ln_error);
            }
        }
        self.aim();
        Ok(())
    }

    /// Sets the targets of the next round, or the end.
    fn aim(&mut self) {
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

    /// The pairs that stand in the way of an end, the first of them thought to be better.
    fn unsettled(&self) -> Vec<(usize, usize)> {
        let means = self.means();
        match &self.claims {
            Claims::Contest(contest) => {
                contest.unsettled(&self.evidence, libm::log(self.options.error), &means)
            }
            Claims::Order(order) => order.unsettled(&means),
        }
    }

    /// The mean of every arm over the blocks that rounds have used; `None` where none gave a
    /// number.
    fn means(&self) -> Vec<Option<f64>> {
        (0..self.arms())
            .map(|arm| self.evidence.mean(arm))
            .collect()
    }
}
