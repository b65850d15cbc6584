//! Re-makes games of a league from their seeds, or from what was recorded of them. Prints nothing
//! and keeps nothing.

pub mod again;
mod game;
mod one;
pub mod pick;
pub mod state;
pub mod steps;

pub use game::{Chance, Move, Replay, Said};
pub use one::{Replayed, one, replay, watched};
