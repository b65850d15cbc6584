//! Arithmetic on the columns of card sets.

use hattari_games::daihinmin::card::{CardSet, SUITED};

/// The set of the first cells of all columns.
pub(super) const EVERY_COLUMN: CardSet = 0x1111_1111_1111_1111;

/// Returns the number of cards in each column, in the four bits of the column.
#[inline]
pub(super) fn counts(cards: CardSet) -> CardSet {
    let pairs = cards - ((cards >> 1) & 0x5555_5555_5555_5555);
    (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333)
}

/// Returns the number of columns that contain at least `fewest` (0 to 4) suited cards.
#[inline]
pub(super) fn columns_holding(cards: CardSet, fewest: u32) -> u32 {
    ((counts(cards) + EVERY_COLUMN * u64::from(8 - fewest)) & EVERY_COLUMN << 3 & SUITED)
        .count_ones()
}

/// Returns the columns that contain a card, each marked by the lowest of its four bits.
#[inline]
pub(super) fn columns(cards: CardSet) -> CardSet {
    let halves = cards | cards >> 1;
    (halves | halves >> 2) & EVERY_COLUMN
}

/// Returns the suited cells that beat a play on the columns from `low` to `high`.
#[inline]
pub(super) fn stronger_columns(low: u8, high: u8, reversed: bool) -> CardSet {
    let below = |column: u8| {
        if column > 15 {
            CardSet::MAX
        } else {
            (1_u64 << (4 * column.min(15))) - 1
        }
    };
    if reversed {
        SUITED & below(low)
    } else {
        SUITED & !below(high + 1)
    }
}
