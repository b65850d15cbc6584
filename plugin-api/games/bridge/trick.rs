//! What may be played to a trick, and who wins it.

use super::cards::{Card, CardSet, Strain};

/// The cards of `hand` that may be played to a trick that began with `led`, or to a new one.
#[inline]
#[must_use]
pub fn follow(hand: CardSet, led: Option<Card>) -> CardSet {
    let suited = led.map_or(hand, |led| hand.of_suit(led.suit()));
    if suited.is_empty() { hand } else { suited }
}

/// Which of the cards played to a trick, the lead first, wins it: how many seats after the leader.
#[inline]
#[must_use]
pub fn winner(cards: &[Card], strain: Strain) -> usize {
    let worth = |card: Card| match strain {
        Strain::Trump(trump) if card.suit() == trump => 26 + card.rank(),
        _ if card.suit() == cards[0].suit() => 13 + card.rank(),
        _ => 0,
    };
    (0..cards.len())
        .max_by_key(|&n| worth(cards[n]))
        .unwrap_or(0)
}
