//! Cards as numbers and sets, with their names.
//!
//! A card's number is `4 * rank + suit`, ranks 0 to 12 being 2, 3, … K, A and suits 0 to 3 clubs, diamonds, hearts,
//! spades: the numbering of the poker games, so that sets pass between the two as they are.

/// A set of cards: bit `1 << number`.
pub type CardSet = u64;

/// The whole deck of 52.
pub const DECK: CardSet = (1 << 52) - 1;
/// Number of ranks.
pub(crate) const RANKS: usize = 13;

/// The number of a card by its name, rank before suit as in `As`, `Td`, `2c`; `None` for anything else.
#[must_use]
pub fn parse(name: &str) -> Option<u8> {
    let mut letters = name.chars();
    let (rank, suit) = (letters.next()?, letters.next()?);
    if letters.next().is_some() {
        return None;
    }
    u8::try_from(4 * "23456789TJQKA".find(rank)? + "cdhs".find(suit)?).ok()
}

/// The set of cards named in a list.
///
/// # Errors
/// The name that is no card, or the card that stands twice.
pub fn parse_set<S: AsRef<str>>(names: &[S]) -> Result<CardSet, String> {
    let mut set = 0;
    for name in names {
        let name = name.as_ref();
        let card =
            parse(name).ok_or_else(|| format!("`{name}` is not a card: a rank 2-9 T J Q K A, a suit c d h s"))?;
        if set & 1 << card != 0 {
            return Err(format!("`{name}` stands twice"));
        }
        set |= 1 << card;
    }
    Ok(set)
}

/// The cards of a set by ascending number.
pub fn cards(mut set: CardSet) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let card = (set.trailing_zeros() & 63) as u8;
        set &= set - 1;
        Some(card)
    })
}

/// The ranks that a set holds in one suit, as bits 0 to 12.
pub(crate) fn ranks_of_suit(set: CardSet, suit: usize) -> u16 {
    (0..RANKS).fold(0, |ranks, rank| ranks | u16::from(set >> (4 * rank + suit) & 1 != 0) << rank)
}

/// How many cards of a rank a set holds, by suit bits.
pub(crate) fn count_of_rank(set: CardSet, rank: usize) -> usize {
    (set >> (4 * rank) & 0xf).count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_wrong_ones_told() {
        assert_eq!((parse("2c"), parse("As"), parse("Td"), parse("2h")), (Some(0), Some(51), Some(33), Some(2)));
        for wrong in ["", "A", "1s", "AS", "10s", "Asx", "sA"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert!(parse_set(&["As", "Kd", "As"]).unwrap_err().contains("`As` stands twice"));
        assert!(parse_set(&["As", "Kx"]).unwrap_err().contains("`Kx` is not a card"));
        assert_eq!(cards(parse_set(&["As", "2c", "Td"]).unwrap()).collect::<Vec<_>>(), [0, 33, 51]);
    }
}
