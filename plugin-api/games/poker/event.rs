//! Events and actions of poker. The frames of every variant have these fields and codes.

use super::card::CardSet;
use crate::codes;
use crate::frame::Framed;
use bytemuck::{Pod, Zeroable};

codes! {
    /// Kinds of event. The values up to `OPEN` are also kinds of action.
    pub mod kind {
        /// The seat folds: it gives up the pot.
        FOLD = 0,
        /// The seat checks: it stays in without adding chips.
        CHECK = 1,
        /// The seat calls: it adds the chips needed to stay in, `amount` chips.
        CALL = 2,
        /// The seat bets, completes or raises to a total bet of `amount` chips on this street.
        RAISE = 3,
        /// The seat posts only the bring-in, `amount` chips.
        BRING_IN = 4,
        /// The seat turns a hidden card up.
        OPEN = 5,
        /// The seat puts an ante of `amount` chips in the pot.
        ANTE = 6,
        /// The seat posts a blind of `amount` chips.
        BLIND = 7,
        /// A new street starts, with the community cards dealt in it.
        STREET = 8,
        /// The seat receives cards face up.
        UP = 9,
        /// The seat shows its whole hand.
        SHOW = 10,
        /// `amount` chips that nobody matched go back to the seat.
        RETURN = 11,
        /// The seat wins `amount` chips from the pots.
        WIN = 12,
    }

    /// Flags of an event.
    pub mod flag {
        /// The seat has put in all its chips.
        ALL_IN = 1,
    }
}
pub use flag::ALL_IN;
pub use kind::*;

/// An event of the public record.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Entry {
    /// Kind of event, a value of [`kind`].
    pub kind: u8,
    /// Seat; [`NOBODY`](super::NOBODY) for a new street.
    pub seat: u8,
    /// Street, from 0.
    pub street: u8,
    /// [`ALL_IN`] or 0.
    pub flags: u8,
    /// Reserved; always 0.
    pub reserved: u32,
    /// Chips; the meaning depends on the kind.
    pub amount: i64,
    /// Cards; empty for kinds without cards.
    pub cards: CardSet,
}

/// A legal action, with its range of amounts.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct BettingAction {
    /// Kind of action, a value of [`kind`].
    pub kind: u8,
    /// Card to turn up.
    pub card: u8,
    /// Reserved; always 0.
    pub reserved: [u8; 6],
    /// Chips to add, or for a raise the lowest total bet of the street.
    pub lowest: i64,
    /// For a raise the highest total bet of the street, otherwise `lowest`.
    pub highest: i64,
}

/// An action type with the memory layout of [`BettingAction`].
pub trait VariantActions: Framed {}

/// Returns `true` if an event of this kind takes chips from a seat's stack.
pub const fn moves_chips_in(kind: u8) -> bool {
    matches!(kind, ANTE | BLIND | BRING_IN | CALL | RAISE)
}
