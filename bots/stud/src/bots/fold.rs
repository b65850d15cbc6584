//! The bot `fold`, a baseline: only pays its antes.

use crate::range::Range;
use hattari_plugin::stud::{self, Block, Stud, Turn, bot};
use hattari_plugin::{Choice, Declared, NoConfig};

/// The bot `fold`.
pub const FOLD: Declared<Stud, Fold> =
    bot("fold", "1.0.0", "Checks if this is free, otherwise folds");

/// A bot that never puts in more than it is forced to.
#[derive(Clone, Copy, Debug)]
pub struct Fold;

impl stud::Bot for Fold {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Fold, String> {
        Ok(Fold)
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        Range::of(turn).give_up(turn)
    }
}
