//! Bots for the card play of bridge.
//!
//! A bot returns an index into `turn.legal()`. Declarer's bot also plays dummy's cards;
//! `turn.view().turn` is the seat of the card. `turn.view()` contains the whole situation, so a bot
//! need not keep state between calls. `turn.history()` contains the calls and cards in order.
//!
//! ```
//! use hattari_plugin::{NoConfig, bridge, bridge::{Block, Turn, winner_index, wins_trick}};
//!
//! /// Wins the trick with its lowest winner, unless partner wins it; otherwise plays low.
//! struct Cheap;
//!
//! impl bridge::Bot for Cheap {
//!     type Config = NoConfig;
//!     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
//!         Ok(Cheap)
//!     }
//!     fn act(&mut self, turn: &Turn) -> usize {
//!         let (view, strain) = (turn.view(), bridge::strain_of(turn.view()));
//!         let table = view.table();
//!         let partner_wins = table.len() >= 2 && winner_index(&table, strain) == table.len() - 2;
//!         let rank = |index: &usize| bridge::card_of(&turn.legal()[*index]).rank();
//!         let all = 0..turn.legal().len();
//!         let card = |index: usize| bridge::card_of(&turn.legal()[index]);
//!         let may_win = |&index: &usize| !partner_wins && wins_trick(&table, card(index), strain);
//!         let winners = all.clone().filter(may_win);
//!         winners.min_by_key(rank).or(all.min_by_key(rank)).unwrap_or(0)
//!     }
//! }
//! ```

use crate::games::bridge as rules;
use crate::interface::interface;

pub use rules::{
    Action, Auction, Bridge, Call, Card, CardSet, Contract, Deal, Doubling, Event, HandConstraints,
    HiddenCards, NONE, Options, Scoring, Seat, Side, Strain, Suit, View, Vulnerable,
    duplicate_score, event, imps, is_balanced, playable_cards, strain, winner_index, wins_trick,
};

/// The former name of [`playable_cards`].
#[deprecated(since = "0.3.0", note = "renamed to `playable_cards`")]
#[must_use]
pub fn follow(hand: CardSet, led: Option<Card>) -> CardSet {
    playable_cards(hand, led)
}

/// The former name of [`winner_index`].
#[deprecated(since = "0.3.0", note = "renamed to `winner_index`")]
#[must_use]
pub fn winner(cards: &[Card], strain: Strain) -> usize {
    winner_index(cards, strain)
}

/// The former name of [`HandConstraints`].
#[deprecated(since = "0.3.0", note = "renamed to `HandConstraints`")]
pub type Holding = HandConstraints;

/// The former name of [`HiddenCards`].
#[deprecated(since = "0.3.0", note = "renamed to `HiddenCards`")]
pub type Hidden = HiddenCards;

interface! {
    Bridge,
    /// The start of a deal, after cards are dealt and calls are made.
    deal_start,
    /// Plays a card. Returns an index into `turn.legal()`.
    act -> usize
}

/// Returns the card of a legal action.
///
/// # Panics
/// Panics if the action has no card; actions from the host always have one.
#[must_use]
pub fn card_of(action: &Action) -> Card {
    Card::from_index(action.card).expect("legal actions have cards")
}

/// Returns the trump suit of a view's contract, or no trumps.
#[must_use]
pub fn strain_of(view: &View) -> Strain {
    view.trumps()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    #[test]
    fn strains_and_cards_are_read_from_records() {
        for (code, strain) in (0..).zip(Strain::ALL) {
            assert_eq!(
                strain_of(&View {
                    strain: code,
                    ..View::zeroed()
                }),
                strain
            );
        }
        let ace = Action {
            card: 51,
            ..Action::zeroed()
        };
        assert_eq!(card_of(&ace).to_string(), "CA");
    }
}
