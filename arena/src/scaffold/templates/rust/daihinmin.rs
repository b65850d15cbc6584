//! @NAME@: plays its weakest cards first, and as many of them as it can.
#![forbid(unsafe_code)]

use hattari_plugin::NoConfig;
use hattari_plugin::daihinmin::{self, Action, Block, Turn};
use std::cmp::Reverse;

/// The bot. One value plays one block: what it keeps in its fields is gone with the block.
struct @TYPE@;

impl daihinmin::Bot for @TYPE@ {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
        Ok(@TYPE@)
    }

    /// Your turn: an index of `turn.legal()`.
    fn act(&mut self, turn: &Turn) -> usize {
        let view = turn.view();
        let reversed = view.revolution != view.eleven_back;
        let actions = turn.legal().iter().enumerate();
        actions.min_by_key(|(_, action)| cost(action, reversed)).map_or(0, |(index, _)| index)
    }
}

/// What a play costs; the cheapest one is made. Passes come last, the joker before them; a revolution turns ranks round.
fn cost(action: &Action, reversed: bool) -> (bool, bool, u8, Reverse<u8>) {
    let strength = if reversed { 15_u8.saturating_sub(action.column) } else { action.column };
    (action.is_pass(), action.uses_joker(), strength, Reverse(action.count))
}

hattari_plugin::export_bots![daihinmin::bot::<@TYPE@>("@NAME@", "0.1.0", "Plays its weakest cards first")];

#[cfg(test)]
mod tests {
    use super::*;
    use daihinmin::{Bot, Options, View, kind};
    use hattari_plugin::blank;

    /// A play of so many cards of the column: 1 is the threes, 13 the twos.
    fn play(column: u8, count: u8) -> Action {
        let kind = if count == 1 { kind::SINGLE } else { kind::GROUP };
        Action { kind, column, count, ..blank() }
    }

    fn answer(view: View, legal: &[Action]) -> usize {
        let block = Block::new(5, 0, 1, 0, &Options::default());
        let mut bot = @TYPE@::new(NoConfig {}, &block).unwrap();
        bot.act(&Turn::new(&view, &[], legal))
    }

    #[test]
    fn the_weakest_cards_go_first_and_as_many_as_can() {
        assert_eq!(answer(blank(), &[Action::PASS, play(12, 1), play(3, 1)]), 2);
        assert_eq!(answer(blank(), &[play(3, 1), play(3, 2)]), 1);
    }

    #[test]
    fn a_revolution_turns_the_order_round() {
        let view = View { revolution: 1, ..blank() };
        assert_eq!(answer(view, &[Action::PASS, play(12, 1), play(3, 1)]), 1);
    }
}
