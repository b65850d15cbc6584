//! The bot `random`: a baseline.

use hattari_plugin::stud::{self, Block, Stud, Turn, bot, random_choice};
use hattari_plugin::{Choice, Declared, NoConfig, Rng};

/// Declaration of the bot `random`.
pub const RANDOM: Declared<Stud, Random> = bot(
    "random",
    "1.0.0",
    "Plays a random legal action with a random amount; turns up a random card",
);

/// A bot that takes a random legal action, but does not fold if a check is free. All actions are
/// equally likely, and so are all amounts of a raise and all cards to turn up. The seed of the
/// block determines its choices.
pub struct Random(Rng);

impl stud::Bot for Random {
    type Config = NoConfig;

    fn new(_: NoConfig, block: &Block) -> Result<Random, String> {
        Ok(Random(block.rng()))
    }

    fn open(&mut self, turn: &Turn) -> usize {
        self.0.index(turn.legal().len())
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        random_choice(turn.legal(), &mut self.0)
    }
}
