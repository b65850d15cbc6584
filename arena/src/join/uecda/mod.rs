//! One of our bots as a client of a server of the UECda contest.

mod follow;
mod game;

pub use follow::Follow;
pub use game::{Joined, MatchTerms, Unplayed, play_match};
