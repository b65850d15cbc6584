//! The arena as a library: the whole `hattari` command for games of your own.
//!
//! A game is a type that implements [`Game`](hattari_plugin::games::Game). A program that adds it
//! to the command runs leagues of it, reports, replays, checks and serves them, with bots in Lua
//! and compiled ones, like those of the games that come with the arena:
//!
//! ```no_run
//! # fn main() -> std::process::ExitCode {
//! hattari::command().run()
//! # }
//! ```
//!
//! `tests/outside` has two games in one file each, with such a program. What is below the command
//! can be used by itself: tables and agents ([`table`], [`agent`]), leagues and their stores
//! ([`league`], [`runner`], [`store`]), what they mean ([`standings`], [`report`]).

pub mod cli;
mod face;
pub mod scaffold;
pub mod serve;
pub mod shipped;
pub mod watch;

pub use face::{Command, command};
pub use hattari_agents::{agent, games, packed, record, seeds, table, text};
pub use hattari_contests as contests;
pub use hattari_formats::{acpc, phh};
pub use hattari_play::{
    cast, catalogue, check, gather, league, runner, samples, schedule, stopping, store, trust,
};
pub use hattari_report::{numbers, replay, report, standings};
