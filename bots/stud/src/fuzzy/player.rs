//! The whole player: configuration, what it has learnt, and the estimates of the game under way.

use crate::fuzzy::config::Config;
use crate::fuzzy::decide::{Estimate, Opening, Reason, Situation, bet, drops, open};
use crate::fuzzy::infer::Tendencies;
use crate::fuzzy::learn::Learner;
use crate::fuzzy::score::score;
use hattari_plugin::games::poker::card::CardSet;
use rand::Rng;

/// What to do in a betting interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Leave the pot to the opponent.
    Drop,
    /// Put in this amount; the lower limit is a call.
    Bet(u64),
}

/// A player that lives for one block of games. All chance comes from the generator it is given.
#[derive(Clone, Debug)]
pub struct Player {
    config: Config,
    learner: Learner,
    /// The estimates of this game, at most one a turn.
    estimates: Vec<Estimate>,
    /// The newest card was opened without a prospect.
    gave_up: bool,
}

impl Player {
    /// A player that has learnt nothing yet.
    ///
    /// # Errors
    /// As [`Config::check`].
    pub fn new(config: Config) -> Result<Player, String> {
        config.check()?;
        Ok(Player {
            learner: Learner::new(&config),
            config,
            estimates: Vec::new(),
            gave_up: false,
        })
    }

    /// The tendency values as they are now.
    #[must_use]
    pub fn tendencies(&self) -> &Tendencies {
        &self.learner.tendencies
    }

    /// The estimates of this game, by turn.
    #[must_use]
    pub fn estimates(&self) -> &[Estimate] {
        &self.estimates
    }

    /// Chooses the hole card to open, by the newest estimate: that of the turn before, or one made
    /// now if there is none.
    ///
    /// # Panics
    /// There is no hole card, or the situation does not [`check`](Situation::check).
    pub fn open(&mut self, situation: &Situation, rng: &mut impl Rng) -> Opening {
        let superior = match self.estimates.last() {
            Some(estimate) => estimate.superior(),
            None => Estimate::of(situation, self.tendencies(), &self.config).superior(),
        };
        let opening = open(situation, superior, &self.config, rng);
        self.gave_up = opening.reason == Reason::GiveUp;
        opening
    }

    /// Drops or bets within `limits`. Asked twice in a turn, the second estimate takes the place of
    /// the first.
    ///
    /// # Panics
    /// The situation does not [`check`](Situation::check).
    pub fn act(&mut self, situation: &Situation, limits: (u64, u64), rng: &mut impl Rng) -> Action {
        let estimate = Estimate::of(situation, self.tendencies(), &self.config);
        self.estimates.retain(|made| made.turn != situation.turn);
        self.estimates.push(estimate);
        if drops(situation, &estimate, self.gave_up, &self.config, rng) {
            return Action::Drop;
        }
        Action::Bet(bet(situation, &estimate, limits, &self.config, rng))
    }

    /// Ends the game: learns from its estimates if `opponent` tells the cards that the other held
    /// at last, and forgets them. `dropped` says that there was no showdown.
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
