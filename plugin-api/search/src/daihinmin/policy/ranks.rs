//! Arithmetic on the columns of card sets.

use hattari_games::daihinmin::card::{CardSet, SUITED};

pub(super) use hattari_games::daihinmin::moves::{
    EVERY_COLUMN, column_counts as counts, columns_holding,
};

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
