//! Calls of Rust bots through C, in one process: by a correct host, by an incorrect host, and after
//! a panic of the bot.

mod bots;
mod faults;
mod growth;
mod lifecycle;
mod nulls;
#[path = "../support/mod.rs"]
mod support;

pub use bots::HATTARI_ENTRY;
