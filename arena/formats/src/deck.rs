//! Decks of which only some cards are known.

use hattari_games::poker::card::{self, CardSet, DECK_SIZE};

/// Fills the unknown places of a deck with the remaining cards. Returns the deck and the set of
/// known cards.
pub(crate) fn fill_deck(deck: [Option<u8>; DECK_SIZE]) -> ([u8; DECK_SIZE], CardSet) {
    let known = deck.iter().flatten();
    let known = known.fold(0, |set, &card| set | 1_u64 << card);
    let mut rest = card::cards(card::DECK & !known);
    let filled = deck.map(|card| card.or_else(|| rest.next()).unwrap_or(0));
    (filled, known)
}
