//! Reviews, which find the decisions that cause the difference between two bots in the same seats.
//!
//! A review replays the deals of blocks with the reviewed bot. Let Gₖ be the game in which the
//! reviewed bot makes the first k unforced decisions and the other bot makes the rest. G₀ is the
//! game of the other bot only, and Gₙ that of the reviewed bot only. For each deal, the differences
//! score(Gₖ₋₁) − score(Gₖ) add up to score(other) − score(reviewed) exactly. If both bots choose
//! the same, the difference is zero and no game is needed: only *forks* need a game. The opposite
//! order (the reviewed bot finishes) gives the same sum but may distribute it differently over
//! decisions.

mod block;
mod collect;
mod plan;
mod run;
mod stored;
mod summary;

pub use block::play_continuations;
pub use block::samples::sample_fork;
pub use collect::{DecisionCount, REPORTED, Review, ReviewBatch, TRAINING, mean_of};
pub use plan::{OTHER, PerBot, REVIEWED, ReviewError, ReviewPlan, ReviewResult};
pub use summary::{DifferenceParts, EXTREME_FORKS_MAX, Fork, ForkKind, ForkSum, ReviewFault};

#[cfg(test)]
mod stored_tests;
#[cfg(test)]
mod tests;
