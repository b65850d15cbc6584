//! One small number for every seat, in one word: written as a whole, it can be copied into a view as a whole.

use super::records::PLAYERS;

/// A byte a seat, seat 0 in the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BySeat(u64);

impl BySeat {
    /// The number of a seat.
    #[inline]
    pub(super) fn get(self, seat: u8) -> u8 {
        (self.0 >> (8 * seat) & 0xff) as u8
    }

    /// Sets the number of a seat.
    #[inline]
    pub(super) fn set(&mut self, seat: u8, number: u8) {
        self.0 = self.0 & !(0xff << (8 * seat)) | u64::from(number) << (8 * seat);
    }

    /// Adds to the number of a seat, which must not exceed a byte.
    #[inline]
    pub(super) fn add(&mut self, seat: u8, number: u8) {
        self.0 += u64::from(number) << (8 * seat);
    }

    /// Takes from the number of a seat, which must be as large.
    #[inline]
    pub(super) fn take(&mut self, seat: u8, number: u8) {
        debug_assert!(number <= self.get(seat));
        self.0 -= u64::from(number) << (8 * seat);
    }

    /// The seat whose number this is; the first one, or past the last where there is none.
    pub(super) fn find(self, number: u8) -> u8 {
        (0..5).find(|&seat| self.get(seat) == number).unwrap_or(5)
    }

    /// The numbers by seat.
    #[inline]
    pub(super) fn array(self) -> [u8; PLAYERS] {
        let [first, second, third, fourth, fifth, ..] = self.0.to_le_bytes();
        [first, second, third, fourth, fifth]
    }
}

impl From<[u8; PLAYERS]> for BySeat {
    fn from([first, second, third, fourth, fifth]: [u8; PLAYERS]) -> BySeat {
        BySeat(u64::from_le_bytes([first, second, third, fourth, fifth, 0, 0, 0]))
    }
}
