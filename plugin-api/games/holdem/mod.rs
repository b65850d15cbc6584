//! Texas hold'em: no limit, pot limit or fixed limit.
//!
//! Facts: 2 to 9 players, 52 cards, two cards each and five common to all, payoffs add up to 0. All
//! chance of a deal is drawn before its first decision. Only the own two cards are hidden from
//! others, until a showdown shows all hands that have not folded.
//!
//! A deal in short: the seats after the button post the blinds (heads-up the button posts the small
//! one). Four times, before and after three, one and one community cards, all seats bet in turn:
//! fold, check or call, or raise to an amount of at least the last raise more. Who cannot call in
//! full may go all in for the part of the pot that he has paid for. The best five of seven cards
//! win; equal hands split, odd chips go one each to the first winners left of the button.
//! The button moves with every deal. Players sit in the seat of their number.

mod features;
mod options;
mod records;

pub use crate::poker::{Block, Deal};
pub use options::Options;
pub use records::{Action, Event, View, kind, limit, street};

/// The rules of hold'em under their options.
pub type Holdem = crate::poker::Poker<Options>;
