//! Bots at tables of stud.

use crate::table::bot_at;
use hattari_plugin::Player;
use hattari_plugin::stud::{Options, Stud};

/// Returns the options of the paper's game.
pub(crate) fn seven_turns() -> Options {
    Options::preset("fuzzy-2002").unwrap()
}

/// Creates a bot for the first block of a game with two players and seven turns.
pub(crate) fn bot<B: Player<Stud>>(config: B::Config) -> B {
    bot_at(config, 2, &seven_turns()).unwrap()
}
