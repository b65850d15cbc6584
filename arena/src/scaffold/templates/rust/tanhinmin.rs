//! @NAME@: keeps its weakest card for the end, and plays the next weakest where it can.
#![forbid(unsafe_code)]

use hattari_plugin::NoConfig;
use hattari_plugin::tanhinmin::{self, Action, Block, Turn};

/// The bot. One value plays one block: what it keeps in its fields is gone with the block.
struct @TYPE@;

impl tanhinmin::Bot for @TYPE@ {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
        Ok(@TYPE@)
    }

    /// Your turn: an index of `turn.legal()`, where a pass comes first and then cards from the weakest on.
    fn act(&mut self, turn: &Turn) -> usize {
        let hand = turn.view().hand;
        let weakest = hand.trailing_zeros();
        let is_wanted = |action: &Action| !action.is_pass() && (u32::from(action.card) != weakest || hand.count_ones() == 1);
        turn.legal().iter().position(is_wanted).unwrap_or(0)
    }
}

hattari_plugin::export_bots![tanhinmin::bot::<@TYPE@>("@NAME@", "0.1.0", "Keeps its weakest card for the end")];

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::blank;
    use tanhinmin::{Bot, NONE, Options, View, kind};

    const PASS: Action = Action { kind: kind::PASS, card: NONE, reserved: 0 };

    /// The answer with a hand of these cards.
    fn answer(hand: &[u8], legal: &[Action]) -> usize {
        let view = View { hand: hand.iter().map(|card| 1 << card).sum(), ..blank() };
        let block = Block::new(4, 0, 1, 0, &Options::default());
        let mut bot = @TYPE@::new(NoConfig {}, &block).unwrap();
        bot.act(&Turn::new(&view, &[], legal))
    }

    #[test]
    fn the_weakest_card_is_kept() {
        assert_eq!(answer(&[3, 9], &[PASS, Action::play(3), Action::play(9)]), 2);
        assert_eq!(answer(&[3, 9], &[PASS, Action::play(3)]), 0);
    }

    #[test]
    fn the_last_card_is_played() {
        assert_eq!(answer(&[3], &[PASS, Action::play(3)]), 1);
    }
}
