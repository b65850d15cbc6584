//! Cards and card sets of the 52-card deck.
//!
//! A card's number is `4 * rank + suit`. Ranks 0 to 12 are 2 to ace. Suits 0 to 3 are clubs,
//! diamonds, hearts and spades, the order in which suits break ties. A set is a `u64` with bit `1
//! << number`, so each rank is a group of four bits.

use crate::cards::{descending, name_in};

pub use crate::cards::{members as cards, set_of};

/// A set of cards: bit `1 << number` is set for each of its cards.
pub type CardSet = u64;

/// Number of cards in the deck.
pub const DECK_SIZE: usize = 52;
/// The set of all cards.
pub const DECK: CardSet = (1 << DECK_SIZE) - 1;
/// The set of all clubs. Shifted left by the number of a suit, it is the set of that suit.
pub const CLUBS: CardSet = 0x1_1111_1111_1111;
/// Rank of an ace, the highest.
pub const ACE: u8 = 12;
/// Number that stands for no card.
pub const NO_CARD: u8 = 0xff;

/// Letters of the ranks, lowest first.
const RANKS: &str = "23456789TJQKA";
/// Letters of the suits, lowest first.
const SUITS: &str = "cdhs";

/// Returns the rank of a card, from 0 (two) to 12 (ace).
#[inline]
pub const fn rank(card: u8) -> u8 {
    card / 4
}

/// Returns the suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades.
#[inline]
pub const fn suit(card: u8) -> u8 {
    card % 4
}

/// Returns the highest card of a set, or [`NO_CARD`] if it is empty.
#[inline]
pub fn highest(set: CardSet) -> u8 {
    set.checked_ilog2()
        .map_or(NO_CARD, |card| (card & 63) as u8)
}

/// Returns the name of a card, for example `As`, `Td`, `2c`, or `None` if the number is not valid.
pub fn name(card: u8) -> Option<&'static str> {
    name_in(NAMES, card)
}

/// Parses the name of a card; returns `None` if there is no such card. Suits must be in lower case;
/// ranks can be in either case.
pub fn parse(name: &str) -> Option<u8> {
    let mut letters = name.chars();
    let (rank, suit) = (letters.next()?.to_ascii_uppercase(), letters.next()?);
    if letters.next().is_some() {
        return None;
    }
    u8::try_from(4 * RANKS.find(rank)? + SUITS.find(suit)?).ok()
}

/// Formats a set with the highest card first and without spaces: `AsKd2c`; `-` for the empty set.
pub fn describe(set: CardSet) -> String {
    if set == 0 {
        return "-".into();
    }
    descending(set).into_iter().filter_map(name).collect()
}

/// Parses a list of card names, such as `As Td 2c`, and keeps its order.
///
/// # Errors
/// Returns the errors of [`cards::parse_list`](crate::cards::parse_list).
pub fn parse_list(text: &str) -> Result<Vec<u8>, String> {
    let names = "a rank 2-9 T J Q K A and a suit c d h s, as in `As`";
    crate::cards::parse_list(text, parse, names)
}

/// Parses a list of card names as a set.
///
/// # Errors
/// Returns the errors of [`parse_list`].
pub fn parse_set(text: &str) -> Result<CardSet, String> {
    Ok(set_of(&parse_list(text)?))
}

/// Names of the cards, by number.
const NAMES: &str = "2c2d2h2s3c3d3h3s4c4d4h4s5c5d5h5s6c6d6h6s7c7d7h7s8c8d8h8s\
    9c9d9h9sTcTdThTsJcJdJhJsQcQdQhQsKcKdKhKsAcAdAhAs";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_names_and_numbers_are_inverse() {
        for card in 0..52 {
            assert_eq!(parse(name(card).unwrap()), Some(card));
        }
        assert_eq!(
            (name(52), parse("as"), parse("td")),
            (None, Some(51), Some(33))
        );
        for wrong in ["", "A", "1s", "AS", "10s", "Asx", "sA"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn card_sets_are_parsed_and_written_highest_card_first() {
        assert_eq!(parse_set(&describe(DECK)), Ok(DECK));
        assert_eq!(describe(parse_set("2c As Kd").unwrap()), "AsKd2c");
        assert_eq!(
            (parse_set("-"), parse_set(""), describe(0)),
            (Ok(0), Ok(0), "-".to_owned())
        );
        assert!(parse_set("AsAs").unwrap_err().contains("twice"));
        assert!(parse_set("AsK").unwrap_err().contains("`K` is not a card"));
        assert_eq!(parse_list("2c As").unwrap(), [0, 51]);
        assert_eq!(
            (highest(parse_set("2c As Kd").unwrap()), highest(0)),
            (51, NO_CARD)
        );
        assert_eq!(CLUBS.count_ones(), 13);
    }
}
