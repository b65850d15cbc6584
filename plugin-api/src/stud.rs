//! Bots for seven-card stud: at fixed limit, or in seven turns as in an experiment with a
//! fuzzy-logic player.
//!
//! A bot returns an index into `turn.legal()` and, for a raise, an amount within its range. The
//! type [`Moves`] finds the actions by kind and limits amounts to their range. If the rules require
//! it, [`Bot::open`] chooses a card to turn up. `turn.view()` contains the whole situation, so a
//! bot need not keep state between calls. `turn.history()` contains the actions and cards in order.
//!
//! ```
//! use hattari_plugin::{Choice, NoConfig, stud, stud::{Block, Moves, Turn}};
//!
//! /// Bets with a pair, else stays in as cheaply as it can.
//! struct Pairs;
//!
//! impl stud::Bot for Pairs {
//!     type Config = NoConfig;
//!     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
//!         Ok(Pairs)
//!     }
//!     fn act(&mut self, turn: &Turn) -> Choice {
//!         let (view, moves) = (turn.view(), Moves::of(turn.legal()));
//!         let ranks: Vec<u8> = stud::card::cards(view.hand).map(stud::card::rank).collect();
//!         if ranks.windows(2).any(|pair| pair[0] == pair[1]) {
//!             return moves.raise_to(view.level + view.bet).unwrap_or(moves.stay());
//!         }
//!         moves.stay()
//!     }
//! }
//! ```

use crate::Choice;
use crate::games::stud as rules;
use crate::interface::interface;

pub use crate::games::poker::{Category, Group, NOBODY, Strength, Tally, card, event};
pub use crate::poker::{Moves, random_choice};
pub use rules::{
    Action, Event, Opener, Options, PLAYERS_MAX, Stud, Variant, View, kind, limit, phase,
};

interface! {
    Stud,
    /// The start of a deal, after antes are posted and the first cards are dealt.
    deal_start,
    /// Folds, checks, calls, raises, or posts the bring-in.
    act -> Choice,
    /// Chooses the hidden card to turn up. Returns an index into `turn.legal()`; all actions are of
    /// kind [`kind::OPEN`], lowest card first. The default is the lowest card.
    open in phase::OPEN => lowest
}

/// Returns the index of the lowest hidden card, the default for bots that do not choose.
fn lowest(_: &Turn) -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_found_when_a_bet_is_required() {
        let raise = |action, amount| Choice { action, amount };
        let bring_in = Moves::of(&[
            Action::new(kind::BRING_IN, 15, 15),
            Action::new(kind::RAISE, 40, 40),
        ]);
        assert_eq!((bring_in.stay(), bring_in.fold()), (0.into(), 0.into()));
        assert_eq!(bring_in.raise_to(1000), Some(raise(1, 40)));
        let must_bet = Moves::of(&[
            Action::new(kind::FOLD, 0, 0),
            Action::new(kind::RAISE, 10, 34),
        ]);
        assert_eq!(
            (must_bet.stay(), must_bet.fold(), must_bet.raise()),
            (raise(1, 10), 0.into(), Some((10, 34)))
        );
        let facing = Moves::of(&[Action::new(kind::FOLD, 0, 0), Action::new(kind::CALL, 7, 7)]);
        assert_eq!(
            (facing.stay(), facing.fold(), facing.raise_to(9)),
            (1.into(), 0.into(), None)
        );
    }
}
