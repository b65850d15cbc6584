//! Learning by counterfactual regret minimisation (Zinkevich and others, "Regret Minimization in
//! Games with Incomplete Information", 2007).
//!
//! The choices of the other player and all chance events are sampled (external sampling: Lanctot
//! and others, "Monte Carlo Sampling for Regret Minimization in Extensive Games", 2009). A deal has
//! its number as weight (linear weights: Brown and Sandholm, "Solving Imperfect-Information Games
//! via Discounted Regret Minimization", 2019).

use super::betting::{ACTIONS, Betting, BettingStep, FOLD, RAISE, START, STAY, STREETS};
use super::classes::Bounds;
use super::strategy::Strategy;
use hattari_plugin::Rng;
use hattari_plugin::holdem::Strength;
use hattari_plugin::holdem::card::{self, DECK};
use hattari_plugin::holdem::equity::SampleDeck;
use std::cmp::Ordering;

/// Number of hands sampled on each street to compute the bounds of its classes.
const HANDS: usize = 60_000;
/// Number of passes through the betting of a deal for each player. There are several passes because
/// computing the classes of the hands takes longer than a pass.
const PASSES: usize = 4;

/// The state of learning.
#[derive(Clone, Debug)]
pub struct Learner {
    bounds: Bounds,
    rng: Rng,
    regrets: Vec<[f64; ACTIONS]>,
    sums: Vec<[f64; ACTIONS]>,
    deals: u64,
    pack: SampleDeck,
}

/// The facts about the cards of a deal on which learning depends.
struct Cards {
    /// Classes of the hands, first by player, then by street.
    classes: [[usize; STREETS]; 2],
    /// Comparison of the first player's hand with the second player's hand at the showdown.
    first: Ordering,
}

impl Learner {
    /// Creates a learner. Learning depends only on `seed` and the number of deals.
    #[must_use]
    pub fn new(seed: u64) -> Learner {
        let mut rng = Rng::new(seed);
        let bounds = Bounds::sampled(HANDS, &mut rng);
        let count = START[STREETS];
        let nothing = || vec![[0.0; ACTIONS]; count];
        Learner {
            bounds,
            rng,
            regrets: nothing(),
            sums: nothing(),
            deals: 0,
            pack: SampleDeck::new(DECK),
        }
    }

    /// Learns from one more deal.
    pub fn deal(&mut self) {
        self.deals += 1;
        let drawn = self.pack.draw(9, &mut self.rng);
        let hands = [card::set_of(&drawn[..2]), card::set_of(&drawn[2..4])];
        let board = |cards: usize| card::set_of(&drawn[4..4 + cards]);
        let boards = [0, board(3), board(4), board(5)];
        let classes =
            hands.map(|hand| boards.map(|board| self.bounds.class(hand, board, &mut self.rng)));
        let [one, other] = hands.map(|hand| Strength::of(hand | boards[3]));
        let cards = Cards {
            classes,
            first: one.cmp(&other),
        };
        for _ in 0..PASSES {
            for learner in 0..2 {
                self.pass(&Betting::new(), &cards, learner);
            }
        }
    }

    /// Updates regrets and sums from this decision to the end of the deal. Returns the value of the
    /// deal for the player who learns, in small bets.
    fn pass(&mut self, betting: &Betting, cards: &Cards, learner: usize) -> f64 {
        let player = betting.player();
        let decision = betting
            .situation()
            .decision(cards.classes[player][betting.street()]);
        let chances = chances(betting, &self.regrets[decision]);
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2⁵³ deals")]
        let weight = self.deals as f64;
        if player != learner {
            let mut left = self.rng.unit();
            let mut chosen = STAY;
            for (action, (sum, chance)) in self.sums[decision].iter_mut().zip(chances).enumerate() {
                *sum += weight * chance;
                if chance > 0.0 && left >= 0.0 {
                    chosen = action;
                }
                left -= chance;
            }
            return self.after(betting, chosen, cards, learner);
        }
        let mut worth = [0.0; ACTIONS];
        let mut mean = 0.0;
        for action in (0..ACTIONS).filter(|&action| betting.allows(action)) {
            worth[action] = self.after(betting, action, cards, learner);
            mean += chances[action] * worth[action];
        }
        for action in (0..ACTIONS).filter(|&action| betting.allows(action)) {
            self.regrets[decision][action] += weight * (worth[action] - mean);
        }
        mean
    }

    fn after(&mut self, betting: &Betting, action: usize, cards: &Cards, learner: usize) -> f64 {
        match betting.after(action) {
            BettingStep::Decide(next) => self.pass(&next, cards, learner),
            BettingStep::Folded(player, lost) => {
                if player == learner {
                    -lost
                } else {
                    lost
                }
            }
            BettingStep::Showdown(stake) => {
                let ordering = if learner == 0 {
                    cards.first
                } else {
                    cards.first.reverse()
                };
                stake * f64::from(ordering as i8)
            }
        }
    }

    /// Returns the average strategy of all deals so far.
    #[must_use]
    pub fn strategy(&self) -> Strategy {
        let chances = self.sums.iter().map(|sums| {
            let all: f64 = sums.iter().sum();
            (all > 0.0).then(|| [sums[FOLD] / all, sums[RAISE] / all])
        });
        Strategy::new(self.bounds.clone(), chances)
    }
}

/// Returns the probabilities of the actions, in proportion to positive regrets. If no regret is
/// positive, all allowed actions have the same probability.
fn chances(betting: &Betting, regrets: &[f64; ACTIONS]) -> [f64; ACTIONS] {
    let mut chances = [0.0; ACTIONS];
    let allowed = || (0..ACTIONS).filter(|&action| betting.allows(action));
    let all: f64 = allowed().map(|action| regrets[action].max(0.0)).sum();
    let alike = 1.0 / allowed().map(|_| 1.0).sum::<f64>();
    for action in allowed() {
        chances[action] = if all > 0.0 {
            regrets[action].max(0.0) / all
        } else {
            alike
        };
    }
    chances
}
