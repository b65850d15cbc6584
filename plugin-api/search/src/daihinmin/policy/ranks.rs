//! Arithmetic on the columns of card sets.

use hattari_games::daihinmin::card::{CardSet, SUITED};

/// The first cell of every column.
pub(super) const EVERY_COLUMN: CardSet = 0x1111_1111_1111_1111;

/// The number of cards in each column, in its nibble.
#[inline]
pub(super) fn counts(cards: CardSet) -> CardSet {
    let pairs = cards - ((cards >> 1) & 0x5555_5555_5555_5555);
    (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333)
}

/// How many columns hold so many suited cards, 0 to 4.
#[inline]
pub(super) fn columns_holding(cards: CardSet, fewest: u32) -> u32 {
    ((counts(cards) + EVERY_COLUMN * u64::from(8 - fewest)) & EVERY_COLUMN << 3 & SUITED)
        .count_ones()
}

/// The columns that hold a card, each by its lowest bit.
#[inline]
pub(super) fn columns(cards: CardSet) -> CardSet {
    let halves = cards | cards >> 1;
    (halves | halves >> 2) & EVERY_COLUMN
}

/// The suited cells that beat a play which covers the columns from `low` to `high`.
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
