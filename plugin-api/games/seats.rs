//! Seats of any game: sets with one bit per seat.

/// Number that stands for no seat.
pub const NOBODY: u8 = 0xff;

/// Returns the next of `seats` clockwise after `seat`, which itself comes last; [`NOBODY`] if
/// `seats` is empty. The table has `players` seats, at most 16.
#[inline]
pub fn next_of(seats: u16, seat: u8, players: u8) -> u8 {
    if seats == 0 {
        return NOBODY;
    }
    // The set is repeated in the word, so a shift replaces the wrap-around at the table's end.
    let twice = u32::from(seats) | u32::from(seats) << players;
    let found = seat + 1 + ((twice >> (seat + 1)).trailing_zeros() & 31) as u8;
    wrapped(found, players)
}

/// Returns the seat with this number if seats are counted around a table of `players` seats.
/// `number` must be below twice the number of seats.
#[inline]
pub fn wrapped(number: u8, players: u8) -> u8 {
    if number < players {
        number
    } else {
        number - players
    }
}
