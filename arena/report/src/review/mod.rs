//! Reviews as text, pages and JSON: the difference of two bots, its causes, and example games.

mod condition;
mod estimate;
mod fork;
mod hybrid;
mod league;
mod main_class;
pub mod page;
mod report;
mod shown;
mod summary;
mod template;
#[cfg(test)]
mod template_tests;
pub mod text;
mod tree;
#[cfg(test)]
mod tree_tests;

pub use estimate::CONFIDENCE;
pub use hybrid::measure_hybrid;
pub use league::{LeagueDifference, league_difference};
pub use report::{DecisionClass, HybridGain, ReviewReport};
pub use shown::{ExampleOptions, show_forks};
pub use summary::ReviewSummary;
