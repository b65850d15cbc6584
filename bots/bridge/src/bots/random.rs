//! The bot `random`: a baseline.

use hattari_plugin::bridge::{self, Block, Bridge, Turn, bot};
use hattari_plugin::{Declared, NoConfig, Rng};

/// Declaration of the bot `random`.
pub const RANDOM: Declared<Bridge, Random> = bot(
    "random",
    "1.0.0",
    "Plays a random legal card; all have the same probability",
);

/// A bot that plays a random legal card. The seed of the block determines the choices of the bot.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl bridge::Bot for Random {
    type Config = NoConfig;

    fn new(_: NoConfig, block: &Block) -> Result<Random, String> {
        Ok(Random(block.rng()))
    }

    fn act(&mut self, turn: &Turn) -> usize {
        self.0.index(turn.legal().len())
    }
}
