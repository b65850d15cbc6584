//! Cards and card sets.
//!
//! A *cell* is a suit in a column. Columns 1 to 13 are the ranks 3, 4, … K, A, 2. Columns 0 and 14
//! are only for a joker that extends a sequence below 3 or above 2. A set is a `u64`: bit `4 *
//! column + suit` is a cell, and bit [`JOKER`] is the joker itself. A rank is therefore a group of
//! four bits, and a suit is every fourth bit.

pub use crate::cards::members as cells;
use crate::cards::{name_in, set_of};

/// A set of cards or cells, one bit each.
pub type CardSet = u64;

/// Bit number of the joker.
pub const JOKER: u8 = 60;
/// The set that contains only the joker.
pub const JOKER_SET: CardSet = 1 << JOKER;
/// The set of the 52 cards that have a suit.
pub const SUITED: CardSet = 0x00ff_ffff_ffff_fff0;
/// The set of all 53 cards.
pub const PACK: CardSet = SUITED | JOKER_SET;
/// Number of cards in the pack.
pub const PACK_SIZE: usize = 53;
/// Column of the threes.
pub const COLUMN_3: u8 = 1;
/// Column of the fives, for the option `five_skip`.
pub const COLUMN_5: u8 = 3;
/// Column of the sixes, for the option `six_reverse`.
pub const COLUMN_6: u8 = 4;
/// Column of the eights, which clear the trick.
pub const COLUMN_8: u8 = 6;
/// Column of the jacks, for the option `eleven_back`.
pub const COLUMN_J: u8 = 9;
/// Column of the queens.
pub const COLUMN_Q: u8 = 10;
/// Column of the twos.
pub const COLUMN_2: u8 = 13;
/// The three of spades, the only card that beats a lone joker.
pub const SPADE_3: CardSet = 1 << 4;
/// The three of diamonds, whose holder leads the first trick.
pub const DIAMOND_3: CardSet = 1 << 6;

/// Returns the column of a cell.
pub const fn column(cell: u8) -> u8 {
    cell / 4
}

/// Returns the suit of a cell: 0 spades, 1 hearts, 2 diamonds, 3 clubs.
pub const fn suit(cell: u8) -> u8 {
    cell % 4
}

/// Returns the four cells of a column.
pub const fn column_set(column: u8) -> CardSet {
    0xf << (4 * column)
}

/// Returns the suits of `cells` in one column, as a mask of four bits.
pub const fn suits_in(cells: CardSet, column: u8) -> u8 {
    ((cells >> (4 * column)) & 0xf) as u8
}

/// Returns the name of a cell or of the joker: `S7`, `D<`, `JK`. Returns `None` for numbers above
/// [`JOKER`].
pub fn name(card: u8) -> Option<&'static str> {
    name_in(NAMES, card)
}

/// Parses the name of a cell or of the joker. Returns the bit number, or `None` if there is no such
/// name.
pub fn parse(text: &str) -> Option<u8> {
    (0..=JOKER).find(|&card| name(card) == Some(text))
}

/// Formats a set: names in the order of rank and suit, the joker last; `-` for the empty set.
pub fn describe(set: CardSet) -> String {
    if set == 0 {
        return "-".into();
    }
    cells(set).filter_map(name).collect::<Vec<_>>().join(" ")
}

/// Parses a list of card names, such as `S7 H7 JK`, and keeps its order.
///
/// # Errors
/// Returns the errors of [`cards::parse_list`](crate::cards::parse_list).
pub fn parse_list(text: &str) -> Result<Vec<u8>, String> {
    let parse = |name: &str| parse(name).filter(|card| 1 << card & PACK != 0);
    let names = "suit S H D C and rank 3-9 T J Q K A 2, or JK";
    crate::cards::parse_list(text, parse, names)
}

/// Parses a list of card names as a set.
///
/// # Errors
/// Returns the errors of [`parse_list`].
pub fn parse_set(text: &str) -> Result<CardSet, String> {
    Ok(set_of(&parse_list(text)?))
}

/// Names of the cells and of the joker, by number.
const NAMES: &str = "S<H<D<C<S3H3D3C3S4H4D4C4S5H5D5C5S6H6D6C6S7H7D7C7S8H8D8C8S9H9D9C9\
    STHTDTCTSJHJDJCJSQHQDQCQSKHKDKCKSAHADACAS2H2D2C2S>H>D>C>JK";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_names_and_numbers_are_inverse() {
        for card in 0..=JOKER {
            assert_eq!(parse(name(card).unwrap()), Some(card));
        }
        assert_eq!(name(61), None);
        for wrong in ["", "S", "S1", "X7", "S77", "JK3", "s7"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_pack_has_53_cards() {
        assert_eq!(PACK.count_ones() as usize, PACK_SIZE);
        assert_eq!(parse_set(&describe(PACK)), Ok(PACK));
        assert_eq!(describe(SPADE_3 | DIAMOND_3 | JOKER_SET), "S3 D3 JK");
        assert!(parse_set("S3 S3").is_err() && parse_set("S< S4").is_err());
    }
}
