//! Compiled bots in processes of their own: what a bot breaks there is its own.
//!
//! A worker is this same program as a child (`hattari worker`): a *helper*, which runs no code of
//! bots and speaks with the host through a socket. For every block it starts a process
//! that restricts itself, loads the library and answers calls that come through pipes straight from the
//! host as flat bytes: the records of the C interface, without the pointers. Host thread and worker
//! are bound to one core, since one of them always waits for the other.
//!
//! A worker serves one seat of one thread, block after block, each in a fresh process. Whatever
//! ends that (a signal, an exit, no answer in time, nonsense on the pipe) is a misstep of the bot
//! with the reason and what the bot last wrote to its error output; where somebody else has ended
//! it, the block is played again.

mod answers;
mod control;

#[cfg(target_os = "linux")]
mod agent;
#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod helper;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod source;

#[cfg(not(target_os = "linux"))]
mod elsewhere;

pub use answers::{Heard, hear};
pub(super) use control::Code;

#[cfg(target_os = "linux")]
pub(super) use agent::WorkerBot;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::serve;
#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::{WorkerBot, describe};
#[cfg(target_os = "linux")]
pub use helper::serve;
#[cfg(target_os = "linux")]
pub(super) use process::describe;
