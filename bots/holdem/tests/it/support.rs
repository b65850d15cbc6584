//! Bots at tables of hold'em.

use crate::table::bot_at;
use hattari_plugin::Player;
use hattari_plugin::holdem::{Holdem, Options};

/// Creates a bot for the first block of a table.
pub(crate) fn bot<B: Player<Holdem>>(config: B::Config, players: usize) -> B {
    bot_at(config, players, &Options::default()).unwrap()
}
