//! The bot `random`: a baseline.

use hattari_plugin::daihinmin::{self, Block, Daihinmin, Turn, bot};
use hattari_plugin::{Declared, NoConfig, Rng};

/// Declaration of the bot `random`.
pub const RANDOM: Declared<Daihinmin, Random> = bot(
    "random",
    "1.0.0",
    "Plays a random legal action; all have the same probability",
);

/// A bot that takes a random action among all legal ones, including passes and gifts, with the same
/// probability. The seed of the block determines the choices of the bot.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl daihinmin::Bot for Random {
    type Config = NoConfig;

    fn new(_: NoConfig, block: &Block) -> Result<Random, String> {
        Ok(Random(block.rng()))
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        self.0.index(turn.legal().len())
    }

    fn act(&mut self, turn: &Turn) -> usize {
        self.0.index(turn.legal().len())
    }
}
