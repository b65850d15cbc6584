//! The bot `random`: a baseline.

use hattari_plugin::holdem::{self, Block, Holdem, Turn, bot, kind};
use hattari_plugin::{Choice, Declared, NoConfig, Rng};

/// Declaration of the bot `random`.
pub const RANDOM: Declared<Holdem, Random> = bot(
    "random",
    "1.0.0",
    "Plays a random legal action with a random amount; never folds if a check is free",
);

/// A bot that takes a random legal action, but does not fold if a check is free. All actions are
/// equally likely, and so are all amounts of a raise. The seed of the block determines its choices.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl holdem::Bot for Random {
    type Config = NoConfig;

    fn new(_: NoConfig, block: &Block) -> Result<Random, String> {
        Ok(Random(block.rng()))
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        let is_free = turn.view().to_call == 0;
        let sensible = |action: usize| !(is_free && turn.legal()[action].kind == kind::FOLD);
        let actions: Vec<usize> = (0..turn.legal().len())
            .filter(|&action| sensible(action))
            .collect();
        let action = self.0.pick(&actions).copied().unwrap_or(0);
        let chosen = turn.legal()[action];
        let span = u32::try_from(chosen.highest - chosen.lowest)
            .map_or(u32::MAX, |span| span.saturating_add(1));
        Choice {
            action,
            amount: chosen.lowest + i64::from(self.0.below(span)),
        }
    }
}
