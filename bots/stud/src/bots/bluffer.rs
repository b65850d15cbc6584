//! The bot `bluffer`, whose high bets say little about its hand.

use crate::chances::{opening, win_chance};
use crate::honest::bet_by_strength;
use crate::range::Range;
use hattari_plugin::stud::{self, Block, Stud, Turn, bot};
use hattari_plugin::{Choice, Declared, Rng};
use serde::{Deserialize, Serialize};

/// Declaration of the bot `bluffer`.
pub const BLUFFER: Declared<Stud, Bluffer> = bot(
    "bluffer",
    "1.0.0",
    "Bets the maximum on weak hands with probability `bluff`, otherwise plays like honest",
);

hattari_plugin::games::defaults! {
    /// Settings of the bot `bluffer`.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Config {
        /// Probability of a bluff at a decision with a weak hand, 0 to 1.
        pub bluff: f64 = 0.6,
        /// Probability of winning, 0 to 1, below which a hand counts as weak.
        pub weak: f64 = 0.5,
    }
}

/// A bot that bluffs frequently. It turns up the card with the highest potential.
pub struct Bluffer {
    config: Config,
    rng: Rng,
}

impl stud::Bot for Bluffer {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        let is_chance = |x: f64| (0.0..=1.0).contains(&x);
        if is_chance(config.bluff) && is_chance(config.weak) {
            Ok(())
        } else {
            Err("`bluff` and `weak` must be probabilities from 0 to 1".into())
        }
    }

    fn new(config: Config, block: &Block) -> Result<Bluffer, String> {
        Ok(Bluffer {
            config,
            rng: block.rng(),
        })
    }

    fn open(&mut self, turn: &Turn) -> usize {
        opening(turn.view(), true)
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        let chance = win_chance(turn.view());
        // A number is drawn for every hand, so that the random sequence of a block does not depend
        // on the cards.
        let bluffs = self.rng.unit() < self.config.bluff;
        if bluffs && chance < self.config.weak {
            let range = Range::of(turn);
            return range.nearest(range.highest);
        }
        bet_by_strength(turn, chance, 0.0)
    }
}
