//! Statistics of a league: slices in, numbers out.
//!
//! The unit of observation is the **block**: a run of deals between two resets of whatever persists. A block gives one
//! number per bot, its mean score per game. Everything here is a pure function of such numbers: no I/O, no clock, and
//! no chance but a seeded generator where a bootstrap or a permutation test needs one.
//!
//! A statistic answers with numbers or with an [`Untestable`] that says why there are none. No function returns NaN for
//! finite input, and none returns a zero that means "unknown".

pub mod dist;
mod reason;
mod rng;

pub use reason::{OutOfDomain, Untestable};
pub use rng::Rng;
