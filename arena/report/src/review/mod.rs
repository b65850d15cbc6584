//! Reviews as text, pages and JSON: the difference of two bots, its causes, and example games.

mod estimate;
mod league;
pub mod page;
mod proof;
mod report;
mod shown;
mod summary;
pub mod text;
mod tree;

pub use estimate::Estimate;
pub use league::{LeagueDifference, league_difference};
pub use proof::prove;
pub use report::{DecisionClass, DifferenceParts, Proof, ReviewReport, SampledGain, ShownFork};
pub use shown::show_forks;
pub use summary::ReviewSummary;
