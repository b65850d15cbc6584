//! @NAME@: wins a trick as cheaply as it can, unless partner wins it already; else plays its lowest card.
#![forbid(unsafe_code)]

use hattari_plugin::NoConfig;
use hattari_plugin::bridge::{self, Action, Block, Card, Turn, View, card_of, strain_of, winner};

/// The bot. One value plays one block: what it keeps in its fields is gone with the block.
struct @TYPE@;

impl bridge::Bot for @TYPE@ {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
        Ok(@TYPE@)
    }

    /// A card is to be played: an index of `turn.legal()`. Declarer is asked for dummy's cards, too.
    fn act(&mut self, turn: &Turn) -> usize {
        choose(&turn.view().table(), turn.view(), turn.legal())
    }
}

/// The choice with these cards on the table, the first led.
fn choose(table: &[Card], view: &View, legal: &[Action]) -> usize {
    let strain = strain_of(view);
    let partner_wins = table.len() >= 2 && winner(table, strain) == table.len() - 2;
    let wins = |&index: &usize| {
        let tried: Vec<Card> = table.iter().copied().chain([card_of(&legal[index])]).collect();
        winner(&tried, strain) == table.len()
    };
    let rank = |&index: &usize| card_of(&legal[index]).rank();
    let winners = (0..legal.len()).filter(|index| !partner_wins && wins(index));
    winners.min_by_key(rank).or((0..legal.len()).min_by_key(rank)).unwrap_or(0)
}

hattari_plugin::export_bots![bridge::bot::<@TYPE@>("@NAME@", "0.1.0", "Wins as cheaply as it can")];

#[cfg(test)]
mod tests {
    use super::*;
    use bridge::strain;
    use hattari_plugin::blank;

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    /// The card that is played in no trumps, of these.
    fn answer(table: &[&str], hand: &[&str]) -> String {
        let view = View { strain: strain::NO_TRUMP, ..blank() };
        let table: Vec<Card> = table.iter().map(|text| card(text)).collect();
        let legal: Vec<Action> =
            hand.iter().map(|text| Action { card: card(text).index(), ..blank() }).collect();
        hand[choose(&table, &view, &legal)].to_owned()
    }

    #[test]
    fn a_trick_is_won_as_cheaply_as_can_be() {
        assert_eq!(answer(&["S9"], &["SA", "SJ", "S2"]), "SJ");
    }

    #[test]
    fn partner_s_trick_is_left_to_partner() {
        assert_eq!(answer(&["SQ", "S9"], &["SA", "SJ", "S2"]), "S2");
    }
}
