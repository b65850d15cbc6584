//! Statistics of a league: slices in, numbers out.
//!
//! The unit of observation is the **block**: a run of deals between two resets of whatever persists. A block gives one
//! number per bot, its mean score per game. Everything here is a pure function of such numbers: no I/O, no clock, and
//! no chance but a seeded generator where a bootstrap or a permutation test needs one.
//!
//! A statistic answers with numbers or with an [`Untestable`] that says why there are none. No function returns NaN for
//! finite input, and none returns a zero that means "unknown".

pub mod bootstrap;
pub mod compare;
pub mod congeniality;
mod correction;
pub mod dependence;
pub mod dist;
pub mod hodge;
mod linear;
pub mod meta_game;
mod power;
pub mod rank_test;
pub mod rating;
pub mod ratio;
mod reason;
mod rng;
pub mod sequential;
mod summary;
mod t_test;

pub use compare::{BotSample, CompareOptions, Comparison, compare};
pub use correction::Correction;
pub use power::{power, required_blocks, required_whole_blocks};
pub use reason::{OutOfDomain, Untestable};
pub use rng::Rng;
pub use summary::{Interval, Summary, summarise};
pub use t_test::{
    PairSums, Sums, TTest, TestKind, one_sample_t, paired_t, paired_t_from_sums, welch_t, welch_t_from_sums,
};
