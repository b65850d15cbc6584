//! Compiled bots in separate processes. A bot can damage only its own process.
//!
//! A worker is a child process that runs this program (`hattari worker`). It is the *helper*, which
//! runs no code of bots and communicates with the host through a socket. For every block, the
//! helper starts a process that restricts itself, loads the library and answers calls. The host
//! sends calls to this process directly through pipes: the records of the C interface as flat
//! bytes, without pointers. The host's thread and the worker are bound to one core, because one of
//! them always waits for the other.
//!
//! A worker serves one seat on one thread. Every block runs in a fresh process. A signal, an exit,
//! a missed deadline or invalid bytes on the pipe are errors of the bot. The message contains the
//! cause and the end of the bot's output. If another process has killed the worker, the block is
//! played again.

mod answers;
mod control;

#[cfg(not(target_os = "linux"))]
mod unsupported;

pub use answers::decode_output;
pub(super) use control::CodeLocation;

#[cfg(not(target_os = "linux"))]
pub use unsupported::serve;
#[cfg(not(target_os = "linux"))]
pub(super) use unsupported::{WorkerBot, describe};

linux! {
    mod agent;
    mod child;
    mod helper;
    mod process;

    pub(super) use agent::WorkerBot;
    pub use helper::serve;
    pub(super) use process::describe;
}
