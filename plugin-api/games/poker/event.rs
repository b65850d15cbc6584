//! Lines of a poker deal's public record. Every game has a frame of its own with these fields
//! and codes; those of choices are the codes of its actions too.

use super::card::CardSet;

/// The seat folded.
pub const FOLD: u8 = 0;
/// The seat checked.
pub const CHECK: u8 = 1;
/// The seat called with `amount` chips.
pub const CALL: u8 = 2;
/// The seat bet or raised, to `amount` chips in all on this street.
pub const RAISE: u8 = 3;
/// The seat posted the bring-in, `amount` chips.
pub const BRING_IN: u8 = 4;
/// The seat turned a hidden card up.
pub const OPEN: u8 = 5;
/// The seat put an ante in the pot: `amount` chips.
pub const ANTE: u8 = 6;
/// The seat posted a blind of `amount` chips.
pub const BLIND: u8 = 7;
/// A new street, with the community cards dealt in it.
pub const STREET: u8 = 8;
/// The seat was dealt cards face up.
pub const UP: u8 = 9;
/// The seat shows its whole hand.
pub const SHOW: u8 = 10;
/// `amount` chips that nobody matched go back to the seat.
pub const RETURN: u8 = 11;
/// The seat wins `amount` chips from the pots.
pub const WIN: u8 = 12;

/// Flag of an event: the seat has put all its chips in.
pub const ALL_IN: u8 = 1;

/// A line of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What happened: one of this module's kinds.
    pub kind: u8,
    /// Whose; [`NOBODY`](super::NOBODY) for a new street.
    pub seat: u8,
    /// On which street, from 0.
    pub street: u8,
    /// [`ALL_IN`] or 0.
    pub flags: u8,
    /// Chips, as the kind has it.
    pub amount: i64,
    /// Cards, where the kind has some.
    pub cards: CardSet,
}

/// Whether chips leave a seat's stack with that kind.
#[must_use]
pub const fn moves_chips_in(kind: u8) -> bool {
    matches!(kind, ANTE | BLIND | BRING_IN | CALL | RAISE)
}
