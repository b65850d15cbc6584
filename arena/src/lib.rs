//! The arena as a library: the complete `hattari` command, to which games can be added.
//!
//! A game is a type that implements [`Game`](hattari_plugin::games::Game). A program that adds a
//! game to the command can run, report, replay, check and serve leagues of this game, with bots in
//! Lua and compiled bots:
//!
//! ```no_run
//! # fn main() -> std::process::ExitCode {
//! hattari::command().run()
//! # }
//! ```
//!
//! `tests/outside` contains such a program with two games, one file each. The modules behind the
//! command can also be used separately: tables and agents ([`table`], [`agent`]), leagues and their
//! stores ([`league`], [`runner`], [`store`]), results ([`standings`], [`report`]).

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
    catalogue, check, league, play_blocks, prepared, runner, samples, schedule, stopping, store,
    trust,
};
pub use hattari_report::{numbers, replay, report, standings};
