//! Replays games of a league from their seeds or from recorded answers, without printing and
//! without writing files.

mod game;
mod one;
pub mod pick;
pub mod rerun;
pub mod sentences;
pub mod state;
pub mod steps;

pub use game::{ChanceLine, OutputLine, Replay, ReplayMove};
pub(crate) use one::record_both;
pub use one::{ReplayedGame, replay, replay_for_page};
