//! Bots for daihinmin (大貧民).
//!
//! A bot returns an index into `turn.legal()`. `turn.view()` contains the whole situation, so a bot
//! need not keep state between calls. `turn.history()` contains all plays in order.
//!
//! ```
//! use hattari_plugin::{NoConfig, daihinmin, daihinmin::{Block, Turn}};
//!
//! /// Sheds as many cards as it can, weakest first.
//! struct Greedy;
//!
//! impl daihinmin::Bot for Greedy {
//!     type Config = NoConfig;
//!     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
//!         Ok(Greedy)
//!     }
//!     fn act(&mut self, turn: &Turn) -> usize {
//!         let cost = |i: &usize| {
//!             let action = &turn.legal()[*i];
//!             (std::cmp::Reverse(action.count), action.column)
//!         };
//!         (0..turn.legal().len()).min_by_key(cost).unwrap_or(0)
//!     }
//! }
//! ```

use crate::games::daihinmin as rules;
use crate::interface::interface;

pub use rules::{
    Action, Daihinmin, Event, NONE, Options, PLAYERS, View, card, effect, event, flag, kind, phase,
    rule,
};

interface! {
    Daihinmin,
    /// The start of a deal, after cards are dealt and before the exchange.
    deal_start,
    /// Plays or passes. Returns an index into `turn.legal()`.
    act -> usize,
    /// Chooses the cards to give away. Returns an index into `turn.legal()`; all actions are of
    /// kind [`kind::GIVE`]. The default is the weakest cards.
    exchange in phase::EXCHANGE => weakest_gift
}

/// Returns the index of the legal gift with the weakest cards. Weak ranks are given first, and
/// within a rank clubs, diamonds, hearts, then spades, which reverses the order for tributes. The
/// joker is given last.
#[must_use]
pub fn weakest_gift(turn: &Turn) -> usize {
    // Strengths are distinct and any set of the right size is legal, so the minimum sum is the
    // weakest.
    let strength = |cards| -> u32 { card::cells(cards).map(|cell| u32::from(cell ^ 3)).sum() };
    let gifts = turn.legal().iter().enumerate();
    gifts
        .min_by_key(|(_, gift)| strength(gift.cards))
        .map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    fn check_gift(gifts: &[&str], expected: usize) {
        let give = |cards: &&str| Action {
            cards: card::parse_set(cards).unwrap(),
            kind: kind::GIVE,
            count: 2,
            ..Action::zeroed()
        };
        let legal: Vec<Action> = gifts.iter().map(give).collect();
        let view = View {
            phase: phase::EXCHANGE,
            ..View::zeroed()
        };
        assert_eq!(
            weakest_gift(&Turn::new(&view, &[], &legal)),
            expected,
            "{gifts:?}"
        );
    }

    #[test]
    fn weakest_cards_are_given_by_rank_then_suit_and_the_joker_last() {
        check_gift(&["S5 H5", "S3 S4", "S4 D2"], 1);
        check_gift(&["S3 H3", "S3 C3", "D3 C3"], 2);
        check_gift(&["S2 JK", "H2 JK", "S2 H2"], 2);
    }
}
