//! Reviews, which find the decisions that cause the difference between two bots in the same seats.
//!
//! A review replays the deals of blocks with the bot `of`. Let Gₖ be the game in which `of` makes
//! the first k unforced decisions and the bot `by` makes the rest. G₀ is the game of `by` alone,
//! and Gₙ that of `of` alone. For each deal, the differences score(Gₖ₋₁) − score(Gₖ) add up to
//! score(`by`) − score(`of`) exactly. If both bots choose the same, the difference is zero and no
//! game is needed: only *forks* need a game. The opposite order (`by` first, `of` finishes) gives
//! the same sum but may distribute it differently over decisions.

mod block;
mod collect;
mod plan;
mod run;
mod stored;
mod summary;

pub use block::continuations;
pub use block::samples::sample_fork;
pub use collect::{DecisionCount, Review, ReviewBatch, mean_of};
pub use plan::{BlockToReview, ReviewError, ReviewPlan};
pub use summary::{DifferenceParts, EXTREME_FORKS_MAX, Fork, ForkExamples, ForkSum, ReviewFault};

#[cfg(test)]
mod tests;
