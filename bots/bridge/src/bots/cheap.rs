//! The bot `cheap`: wins tricks as cheaply as possible.

use hattari_plugin::bridge::{
    self, Action, Block, Bridge, Turn, View, bot, card_of, strain_of, winner_index, wins_trick,
};
use hattari_plugin::{Declared, NoConfig};

/// Declaration of the bot `cheap`.
pub const CHEAP: Declared<Bridge, Cheap> = bot(
    "cheap",
    "1.0.0",
    "Wins tricks with its lowest winning card, otherwise plays its lowest card",
);

/// A bot with one rule of thumb. It leads its highest card. If it does not lead, it plays its
/// lowest winning card, or its lowest card if no card wins or partner is already winning.
pub struct Cheap;

impl bridge::Bot for Cheap {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Cheap, String> {
        Ok(Cheap)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        choose(turn.view(), turn.legal())
    }
}

/// Returns the index of the card that the rule of thumb selects among `legal`.
pub fn choose(view: &View, legal: &[Action]) -> usize {
    let (table, strain) = (view.table(), strain_of(view));
    let rank = |&index: &usize| card_of(&legal[index]).rank();
    if table.is_empty() {
        return (0..legal.len()).max_by_key(rank).unwrap_or(0);
    }
    let partner_wins = table.len() >= 2 && winner_index(&table, strain) == table.len() - 2;
    let wins = |&index: &usize| wins_trick(&table, card_of(&legal[index]), strain);
    let winners = (0..legal.len()).filter(|index| !partner_wins && wins(index));
    winners
        .min_by_key(rank)
        .or((0..legal.len()).min_by_key(rank))
        .unwrap_or(0)
}
