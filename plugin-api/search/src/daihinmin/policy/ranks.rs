//! Arithmetic on the columns of card sets.

use hattari_games::daihinmin::card::{CardSet, SUITED};

pub(super) use hattari_games::daihinmin::moves::{
    EVERY_COLUMN, column_counts as counts, columns, columns_holding, in_sequence, sequence_starts,
    suits_allowed,
};

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

/// Returns a number, at most `most`.
#[inline]
pub(super) fn cap(number: u8, most: u8) -> u16 {
    u16::from(number.min(most))
}
