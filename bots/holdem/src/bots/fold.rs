//! The bot `fold`, a baseline: only pays its blinds.

use hattari_plugin::holdem::{self, Block, Holdem, Moves, Turn, bot};
use hattari_plugin::{Choice, Declared, NoConfig};

/// Declaration of the bot `fold`.
pub const FOLD: Declared<Holdem, Fold> =
    bot("fold", "1.0.0", "Checks if this is free, otherwise folds");

/// A bot that never puts in more than its blinds.
pub struct Fold;

impl holdem::Bot for Fold {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Fold, String> {
        Ok(Fold)
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        Moves::of(turn.legal()).check_or_fold(turn.view())
    }
}
