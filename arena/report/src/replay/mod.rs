//! Replays games of a league from their seeds or from recorded answers. Without output and side
//! effects.

mod game;
mod one;
pub mod pick;
pub mod rerun;
pub mod state;
pub mod steps;

pub use game::{ChanceLine, OutputLine, Replay, ReplayMove};
pub use one::{ReplayedGame, one, replay, watched};
