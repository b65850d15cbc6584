//! Conversion between positions of the protocol and seats of the game.

/// Returns the position of a seat in a hand with this button.
#[must_use]
pub fn position(seat: u8, button: u8, players: u8) -> u8 {
    (seat + 2 * players - button - 1) % players
}

/// Returns the seat of a position in a hand with this button.
#[must_use]
pub fn seat(position: u8, button: u8, players: u8) -> u8 {
    (position + button + 1) % players
}
