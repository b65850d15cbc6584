//! Replays games of a league from their seeds or from recorded answers. Without output and side
//! effects.

pub mod again;
mod game;
mod one;
pub mod pick;
pub mod state;
pub mod steps;

pub use game::{Chance, Move, Replay, Said};
pub use one::{Replayed, one, replay, watched};
