//! One of our bots as a client of an ACPC dealer.

mod follow;
mod play;

pub use follow::Follow;
pub use play::{Joined, MatchTerms, Unplayed, play_match};
