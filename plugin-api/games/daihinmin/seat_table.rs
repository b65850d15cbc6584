//! Players, cards left, titles and places of all seats, packed as at the end of a view.
//!
//! The table is written and copied as whole words, because assembling a view from bytes that were
//! just written stalls the processor.

use super::records::{PLAYERS, View};
use std::mem::offset_of;

/// The four rows in twenty bytes: the upper half of the first word, and the two other words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeatTable([u64; 3]);

/// Byte offset of the row of players. In a view, the last element of `points` precedes this row.
const PLAYERS_AT: u8 = 4;
/// Byte offset of the numbers of cards left, which are all in one word.
const CARDS_LEFT_AT: u8 = 9;
/// Byte offset of the titles.
const TITLES_AT: u8 = 14;
/// Byte offset of the places, which are all in one word.
const PLACES_AT: u8 = 19;
const _: () = {
    let first = offset_of!(View, points) + 16;
    assert!(offset_of!(View, players) == first + PLAYERS_AT as usize);
    assert!(offset_of!(View, cards_left) == first + CARDS_LEFT_AT as usize);
    assert!(offset_of!(View, titles) == first + TITLES_AT as usize);
    assert!(offset_of!(View, places) == first + PLACES_AT as usize);
    assert!(size_of::<View>() == first + 24);
};

impl SeatTable {
    /// Creates a table from its rows.
    pub(super) fn new(
        players: [u8; PLAYERS],
        cards_left: [u8; PLAYERS],
        titles: [u8; PLAYERS],
        places: [u8; PLAYERS],
    ) -> SeatTable {
        let mut bytes = [0; 24];
        for (at, row) in [
            (PLAYERS_AT, players),
            (CARDS_LEFT_AT, cards_left),
            (TITLES_AT, titles),
            (PLACES_AT, places),
        ] {
            bytes[usize::from(at)..][..PLAYERS].copy_from_slice(&row);
        }
        SeatTable(bytemuck::cast(bytes))
    }

    /// Returns the words. The lower half of the first is 0.
    #[inline]
    pub(super) fn words(&self) -> [u64; 3] {
        self.0
    }

    /// Returns the player in a seat.
    #[inline]
    pub(super) fn player(&self, seat: u8) -> u8 {
        self.byte(PLAYERS_AT + seat)
    }

    /// Returns the number of cards that a seat has left.
    #[inline]
    pub(super) fn cards_left(&self, seat: u8) -> u8 {
        self.byte(CARDS_LEFT_AT + seat)
    }

    /// Reduces the number of cards that a seat has left, which must be at least `count`.
    #[inline]
    pub(super) fn take_cards(&mut self, seat: u8, count: u64) {
        debug_assert!(count <= u64::from(self.cards_left(seat)));
        self.0[1] -= count << (8 * (CARDS_LEFT_AT - 8 + seat));
    }

    /// Increases the number of cards that a seat has left.
    #[inline]
    pub(super) fn add_cards(&mut self, seat: u8, count: u64) {
        self.0[1] += count << (8 * (CARDS_LEFT_AT - 8 + seat));
    }

    /// Returns the title of a seat.
    #[inline]
    pub(super) fn title(&self, seat: u8) -> u8 {
        self.byte(TITLES_AT + seat)
    }

    /// Returns the place of a seat.
    pub(super) fn place(&self, seat: u8) -> u8 {
        self.byte(PLACES_AT + seat)
    }

    /// Sets the place of a seat.
    pub(super) fn set_place(&mut self, seat: u8, place: u8) {
        let shift = 8 * (PLACES_AT - 16 + seat);
        self.0[2] = self.0[2] & !(0xff << shift) | u64::from(place) << shift;
    }

    #[inline]
    fn byte(&self, at: u8) -> u8 {
        (self.0[usize::from(at / 8)] >> (8 * (at % 8)) & 0xff) as u8
    }
}
