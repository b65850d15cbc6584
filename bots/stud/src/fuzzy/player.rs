//! The complete player: settings, learned tendencies, and the estimates of the current game.

use crate::fuzzy::config::Config;
use crate::fuzzy::decide::{Estimate, Opening, Reason, Situation, bet, drops, open};
use crate::fuzzy::infer::Tendencies;
use crate::fuzzy::learn::Learner;
use crate::fuzzy::score::score;
use hattari_plugin::games::poker::card::CardSet;
use rand::Rng;

/// An action in a betting interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Leaves the pot to the opponent (a fold).
    Drop,
    /// Puts in this number of chips; the lower limit is a call.
    Bet(u64),
}

/// A player for one block of games. The caller passes the random number generator.
#[derive(Debug)]
pub struct Player {
    config: Config,
    learner: Learner,
    /// Estimates of the current game, at most one per turn.
    estimates: Vec<Estimate>,
    /// True if the reason for opening the latest card was [`Reason::GiveUp`].
    gave_up: bool,
}

impl Player {
    /// Creates a player without learned tendencies.
    ///
    /// # Errors
    /// Returns the errors of `Config::check`.
    pub fn new(config: Config) -> Result<Player, String> {
        config.check()?;
        Ok(Player {
            learner: Learner::new(&config),
            config,
            estimates: Vec::new(),
            gave_up: false,
        })
    }

    /// Returns the current tendency values.
    pub fn tendencies(&self) -> &Tendencies {
        &self.learner.tendencies
    }

    /// Returns the estimates of the current game, one per turn so far.
    pub fn estimates(&self) -> &[Estimate] {
        &self.estimates
    }

    /// Chooses the hole card to open by the latest estimate of the game, or by a new estimate if
    /// there is none.
    ///
    /// # Panics
    /// Panics if there is no hole card, or in the same cases as [`Estimate::of`].
    pub fn open(&mut self, situation: &Situation, rng: &mut impl Rng) -> Opening {
        let superior = match self.estimates.last() {
            Some(estimate) => estimate.is_superior(),
            None => Estimate::of(situation, self.tendencies(), &self.config).is_superior(),
        };
        let opening = open(situation, superior, &self.config, rng);
        self.gave_up = opening.reason == Reason::GiveUp;
        opening
    }

    /// Chooses between a drop and a bet within `limits`. On a second call in the same turn, the new
    /// estimate replaces the first one.
    ///
    /// # Panics
    /// Panics in the same cases as [`Estimate::of`].
    pub fn act(&mut self, situation: &Situation, limits: (u64, u64), rng: &mut impl Rng) -> Action {
        let estimate = Estimate::of(situation, self.tendencies(), &self.config);
        self.estimates.retain(|made| made.turn != situation.turn);
        self.estimates.push(estimate);
        if drops(situation, &estimate, self.gave_up, &self.config, rng) {
            return Action::Drop;
        }
        Action::Bet(bet(situation, &estimate, limits, &self.config, rng))
    }

    /// Ends the game. If `opponent` contains the opponent's final cards, learns from the estimates
    /// of the game. `dropped` is true if there was no showdown.
    pub fn end(&mut self, opponent: Option<CardSet>, dropped: bool) {
        if let Some(cards) = opponent
            && self.config.learning
            && (self.config.learn_from_drops || !dropped)
        {
            let score = score(cards);
            for made in &self.estimates {
                let superiority = made.superiority;
                self.learner.learn(
                    superiority.rule,
                    superiority.result,
                    made.actual(score),
                    &self.config,
                );
            }
        }
        self.estimates.clear();
        self.gave_up = false;
    }
}
