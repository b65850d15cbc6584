//! An opponent whose bets say what it holds.

use crate::chances::win_chance;
use crate::honest::answer;
use hattari_plugin::stud::{self, Block, Stud, Turn, bot};
use hattari_plugin::{Choice, Declared, Rng};
use serde::{Deserialize, Serialize};

/// `honest`.
pub const HONEST: Declared<Stud, Honest> = bot(
    "honest",
    "1.0.0",
    "Always bets as its chance of winning is, drops where that is not worth the price",
);

/// What a league may set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// How far its chance must be above the price of staying in; below 0 it stays in for less.
    pub caution: f64,
}

/// Never bluffs: the better its hand the higher its bet, without noise. Turns up any hole card.
#[derive(Clone, Debug)]
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
            Err("`caution` is from -1 to 1".into())
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
        answer(turn, win_chance(turn.view()), self.config.caution)
    }
}
