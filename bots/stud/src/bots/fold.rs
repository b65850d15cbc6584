//! The bot `fold`, a baseline: puts in only the chips that it must.

use crate::range::Range;
use hattari_plugin::stud::{self, Block, Stud, Turn, bot};
use hattari_plugin::{Choice, Declared, NoConfig};

/// Declaration of the bot `fold`.
pub const FOLD: Declared<Stud, Fold> =
    bot("fold", "1.0.0", "Checks if this is free, otherwise folds");

/// A bot that never puts in more chips than it must.
pub struct Fold;

impl stud::Bot for Fold {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Fold, String> {
        Ok(Fold)
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        Range::of(turn).give_up()
    }
}
