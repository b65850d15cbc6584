//! @NAME@: bets with a pair or better, pays little for less. It plays ordinary stud and the game of seven turns.
#![forbid(unsafe_code)]

use hattari_plugin::stud::{self, Block, Moves, Turn, card};
use hattari_plugin::{Choice, NoConfig};

/// The bot. One value plays one block: what it keeps in its fields is gone with the block.
struct @TYPE@;

impl stud::Bot for @TYPE@ {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
        Ok(@TYPE@)
    }

    /// Your turn to bet. A raise has an amount, the total of the street.
    fn act(&mut self, turn: &Turn) -> Choice {
        let (view, moves) = (turn.view(), Moves::of(turn.legal()));
        if has_pair(view.hand) {
            let raise = moves.raise_to(0).filter(|_| view.raises < 2);
            return raise.unwrap_or(moves.stay());
        }
        if view.to_call * 4 > view.pot { moves.fold() } else { moves.stay() }
    }
}

/// Whether two of the cards are of one rank.
fn has_pair(hand: card::CardSet) -> bool {
    let mut ranks: Vec<_> = card::cards(hand).map(card::rank).collect();
    ranks.sort_unstable();
    ranks.windows(2).any(|two| two[0] == two[1])
}

hattari_plugin::export_bots![stud::bot::<@TYPE@>("@NAME@", "0.1.0", "Bets with a pair or better")];

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::blank;
    use stud::{Action, Bot, Options, View, kind};

    /// The answer to a bet of 20 into a pot that holds `pot` with it.
    fn answer(hand: &str, pot: i64) -> Choice {
        let view = View { hand: card::parse_set(hand).unwrap(), pot, to_call: 20, ..blank() };
        let legal = [Action::new(kind::FOLD, 0, 0), Action::new(kind::CALL, 20, 20), Action::new(kind::RAISE, 40, 40)];
        let block = Block::new(2, 0, 1, 0, &Options::default());
        let mut bot = @TYPE@::new(NoConfig {}, &block).unwrap();
        bot.act(&Turn::new(&view, &[], &legal))
    }

    #[test]
    fn a_pair_bets() {
        assert_eq!(answer("9c9hKd", 60), Choice { action: 2, amount: 40 });
    }

    #[test]
    fn nothing_pays_little() {
        assert_eq!(answer("2c9hKd", 60), Choice { action: 0, amount: 0 });
        assert_eq!(answer("2c9hKd", 100), Choice { action: 1, amount: 0 });
    }
}
