//! @NAME@: raises when it is well ahead, calls when the price is right, else checks or folds.
#![forbid(unsafe_code)]

use hattari_plugin::holdem::{self, Block, Moves, Turn, win_rate};
use hattari_plugin::{Choice, NoConfig, Rng};

/// Showdowns drawn for a win rate; more is more exact and slower.
const SAMPLES: u64 = 200;
/// It raises from this share of the pot on, if two are left.
const RAISES_FROM: f64 = 0.65;

/// The bot. One value plays one block: what it keeps in its fields is gone with the block.
struct @TYPE@ {
    /// Chance from the block's seed: the same block is played alike every time.
    rng: Rng,
}

impl holdem::Bot for @TYPE@ {
    type Config = NoConfig;

    fn new(_: NoConfig, block: &Block) -> Result<Self, String> {
        Ok(@TYPE@ { rng: block.rng() })
    }

    /// Your turn. A raise has an amount, the total of the street.
    fn act(&mut self, turn: &Turn) -> Choice {
        let (view, moves) = (turn.view(), Moves::of(turn.legal()));
        let opponents = view.in_play_count().saturating_sub(1);
        let share = win_rate(view.hand, view.community, opponents, SAMPLES, SAMPLES, &mut self.rng).share;
        if view.raises < 3
            && share > RAISES_FROM * 2.0 / f64::from(opponents + 1)
            && let Some(raise) = moves.raise_to(view.level + view.pot / 2)
        {
            return raise;
        }
        // A call costs `to_call` and wins the pot with it.
        let (price, pot) = (view.to_call as f64, (view.pot + view.to_call) as f64);
        if share * pot > price { moves.check_or_call() } else { moves.check_or_fold(view) }
    }
}

hattari_plugin::export_bots![holdem::bot::<@TYPE@>("@NAME@", "0.1.0", "Plays by its win rate and the odds")];

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::blank;
    use holdem::{Action, Bot, Options, View, card, kind};

    /// The answer on the river to a bet of 900 into 200.
    fn answer(hand: &str) -> Choice {
        let set = |text| card::parse_set(text).unwrap();
        let view = View {
            hand: set(hand),
            community: set("2c7d9hQs3c"),
            in_play: 0b11,
            pot: 1100,
            level: 900,
            to_call: 900,
            raises: 1,
            ..blank()
        };
        let legal =
            [Action::new(kind::FOLD, 0, 0), Action::new(kind::CALL, 900, 900), Action::new(kind::RAISE, 1800, 10_000)];
        let block = Block::new(2, 0, 1, 0, &Options::default());
        let mut bot = @TYPE@::new(NoConfig {}, &block).unwrap();
        bot.act(&Turn::new(&view, &[], &legal))
    }

    #[test]
    fn nothing_is_folded_to_a_big_bet() {
        assert_eq!(answer("4d5h"), Choice { action: 0, amount: 0 });
    }

    #[test]
    fn three_queens_raise() {
        assert_eq!(answer("QdQh"), Choice { action: 2, amount: 1800 });
    }
}
