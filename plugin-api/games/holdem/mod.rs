//! Texas hold'em: no-limit, pot-limit or fixed-limit.
//!
//! Properties: 2 to 9 players, 52 cards, two hidden cards each and five community cards; payoffs
//! sum to zero. All random draws are made before the first decision. A showdown shows all hands in
//! play.
//!
//! The two seats after the button post the blinds; heads-up, the button posts the small blind.
//! There are four betting rounds: before the flop (three community cards), after it, after the turn
//! (one) and after the river (one). In turn, seats fold, check, call, or raise by at least the last
//! raise. A seat with too few chips to call may go all-in for its part of the pot. The best five of
//! seven cards win. Equal hands split the pot; odd chips go one each to the first winners left of
//! the button. The button moves with every deal. Each player keeps the seat with the player's
//! number.

mod features;
mod options;
mod records;

pub use crate::poker::{Block, Deal};
pub use options::Options;
pub use records::{Action, Event, View, kind, limit, street};

/// The rules of hold'em with their options.
pub type Holdem = crate::poker::Poker<Options>;
