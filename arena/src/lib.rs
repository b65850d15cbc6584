//! The complete `hattari` command as a library, for programs that add games and bots to it.
//!
//! The command without bots:
//!
//! ```no_run
//! # fn main() -> std::process::ExitCode {
//! hattari::command().run()
//! # }
//! ```
//!
//! A game is a type that implements [`Game`](hattari_plugin::games::Game). A program that adds one
//! can run, report, replay, check and serve leagues of this game, with bots in Lua and compiled
//! bots:
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     hattari::command().game::<Kuhn>().bots(&BOTS).run()
//! }
//! ```
//!
//! `tests/outside` contains such a program with two games, one file each. Programs that need only a
//! part use its package: `hattari-agents` (tables and agents), `hattari-play` (leagues and stores),
//! `hattari-report` (standings and reports) or `hattari-stats` (statistical functions).

#![deny(
    clippy::print_stderr,
    reason = "panics if stderr cannot be written; use the functions of `cli::output`"
)]

mod cli;
mod face;
mod scaffold;
mod serve;
mod shipped;
mod watch;

pub use face::{Command, command};
