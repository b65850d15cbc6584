//! The bot `honest`, whose bets show the strength of its hand.

use crate::chances::win_chance;
use crate::honest::bet_by_strength;
use hattari_plugin::stud::{self, Block, Stud, Turn, bot};
use hattari_plugin::{Choice, Declared, Rng};
use serde::{Deserialize, Serialize};

/// Declaration of the bot `honest`.
pub const HONEST: Declared<Stud, Honest> = bot(
    "honest",
    "1.0.0",
    "Bets in proportion to its probability of winning, folds if a call is not worth its price",
);

/// Settings of the bot `honest`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Minimum difference between the probability of winning and the probability with which staying
    /// in breaks even. With negative values, the bot stays in with worse hands.
    pub caution: f64,
}

/// A bot that never bluffs: the better its hand, the higher its bet, without randomness. Turns up a
/// random hole card.
pub struct Honest {
    config: Config,
    rng: Rng,
}

impl stud::Bot for Honest {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        if (-1.0..=1.0).contains(&config.caution) {
            Ok(())
        } else {
            Err("`caution` must be from -1 to 1".into())
        }
    }

    fn new(config: Config, block: &Block) -> Result<Honest, String> {
        Ok(Honest {
            config,
            rng: block.rng(),
        })
    }

    fn open(&mut self, turn: &Turn) -> usize {
        self.rng.index(turn.legal().len())
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        bet_by_strength(turn, win_chance(turn.view()), self.config.caution)
    }
}
