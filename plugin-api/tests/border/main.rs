//! The border between C calls and Rust bots, crossed in process: what a well-behaved host gets,
//! what a careless one gets, and what becomes of a bot that panics.

mod bots;
mod faults;
mod growth;
mod lifecycle;
mod nulls;
#[path = "../support/mod.rs"]
mod support;

pub use bots::HATTARI_ENTRY;
