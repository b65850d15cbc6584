//! The rules of a trick: legal cards and the winner.

use super::cards::{Card, CardSet, Strain};

/// Returns the cards of `hand` that may be played to a trick. `led` is the card led, or `None` if
/// the hand leads.
#[inline]
pub fn playable_cards(hand: CardSet, led: Option<Card>) -> CardSet {
    let suited = led.map_or(hand, |led| hand.of_suit(led.suit()));
    if suited.is_empty() { hand } else { suited }
}

/// Returns the winner of a trick as an index into its cards; the lead is card 0.
#[inline]
pub fn winner_index(cards: &[Card], strain: Strain) -> usize {
    (0..cards.len())
        .max_by_key(|&n| worth(cards[n], cards[0], strain))
        .unwrap_or(0)
}

/// Returns `true` if `card` would win the trick of which `table` are the first cards.
#[inline]
pub fn wins_trick(table: &[Card], card: Card, strain: Strain) -> bool {
    let worth = |card| worth(card, *table.first().unwrap_or(&card), strain);
    table.iter().all(|&other| worth(other) < worth(card))
}

/// Returns a number that is higher for better cards of a trick, and 0 for discards.
#[inline]
fn worth(card: Card, led: Card, strain: Strain) -> u8 {
    match strain {
        Strain::Trump(trump) if card.suit() == trump => 26 + card.rank(),
        _ if card.suit() == led.suit() => 13 + card.rank(),
        _ => 0,
    }
}
