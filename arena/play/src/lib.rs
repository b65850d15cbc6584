//! Leagues: what is to be played and by whom, the threads that play it, and what is kept of it.

pub mod cast;
pub mod catalogue;
pub mod check;
pub mod gather;
pub mod league;
#[cfg(any(test, feature = "mock"))]
pub mod mock;
pub mod runner;
pub mod samples;
pub mod schedule;
pub mod stopping;
pub mod store;
