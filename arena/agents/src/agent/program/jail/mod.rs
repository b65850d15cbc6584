//! What holds a program that nobody trusts: a room of its own, made anew for every block.
//!
//! The host starts this same program as a *jailer* (`hattari worker --program`), with the pipes
//! that the bot is going to have. The jailer enters name spaces of its own, and its child there,
//! the first process of a space of processes, builds the room (`room`), gives up all it can
//! (`hold`), and starts the program in it. When the program ends, that first process ends, and the
//! kernel ends all that are left in its space; when the host ends, so does the jailer, and with it
//! the first process. What is shown of the file system is decided by the host (`sight`), and
//! once the program has greeted the host looks from outside at what holds it (`look`).

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod first;
#[cfg(target_os = "linux")]
mod hold;
#[cfg(target_os = "linux")]
mod jailer;
#[cfg(target_os = "linux")]
mod look;
#[cfg(target_os = "linux")]
mod room;
#[cfg(target_os = "linux")]
mod sight;

#[cfg(target_os = "linux")]
pub use jailer::serve;
#[cfg(target_os = "linux")]
pub(super) use {
    jailer::prove,
    look::{FileId, look},
};

use crate::agent::launch::CommandLine;
use crate::agent::worker::{Jailed, Limits};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Environment variable in which a jailer is told what to start; of the program's own nothing is
/// left but what [`Cell`] says.
#[cfg(target_os = "linux")]
const ORDER: &str = "HATTARI_JAIL";

/// Processes and threads of a program together: enough for every runtime, and an end to whoever
/// starts them without end.
pub(super) const TASKS: u64 = 256;

/// What a program is started with in its room.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Cell {
    /// The program, by its whole path.
    program: PathBuf,
    /// What it is given after its name.
    arguments: Vec<String>,
    /// Where it runs.
    folder: PathBuf,
    /// Files and folders beside those of the system that it sees, to be read.
    shown: Vec<PathBuf>,
    /// Folders among those of the system that it does not see: a league's, with its seed and its
    /// results, and a home.
    hidden: Vec<PathBuf>,
    /// What it may use.
    limits: Limits,
    /// The process that it must not outlive.
    parent: u32,
    /// Only says what would hold it.
    is_trial: bool,
}

/// What a jailer says before it starts anything, in a line of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Said {
    /// This holds the program.
    Jailed(Jailed),
    /// This system has no such room, and why.
    Refused(String),
}

/// How to have a bot held where programs cannot be.
const ELSE: &str = "leave `isolation` out for a program that you trust; to have a bot held, compile it to a library or to WebAssembly";

impl Cell {
    /// Returns the limits of the program.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The cell of a command whose paths start from `base`.
    ///
    /// # Errors
    /// What of it could not be seen from there, or that there are no cells here.
    #[cfg(target_os = "linux")]
    pub(super) fn of(command: &CommandLine, base: &Path, limits: Limits) -> Result<Cell, String> {
        sight::cell(command, base, limits)
    }

    /// The cell of a command whose paths start from `base`.
    ///
    /// # Errors
    /// There are none but on Linux.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn of(
        _command: &CommandLine,
        _base: &Path,
        _limits: Limits,
    ) -> Result<Cell, String> {
        Err(format!(
            "`isolation: process` for programs needs Linux; {ELSE}"
        ))
    }
}

/// Serves as the jailer of a program.
///
/// # Errors
/// There are none but on Linux.
#[cfg(not(target_os = "linux"))]
pub fn serve() -> std::io::Result<()> {
    Err(std::io::Error::other("programs are held on Linux alone"))
}
