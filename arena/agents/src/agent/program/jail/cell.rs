//! What a program is started with in its room.

use crate::agent::Limits;
#[cfg(not(target_os = "linux"))]
use crate::agent::launch::CommandLine;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Environment variable in which a jailer is told what to start; of the program's own nothing is
/// left but what [`Cell`] says.
#[cfg(target_os = "linux")]
pub(super) const ORDER: &str = "HATTARI_JAIL";

/// Processes and threads of a program together: enough for every runtime, and an end to whoever
/// starts them without end.
pub(super) const TASKS: u64 = 256;

/// What a program is started with in its room.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in super::super) struct Cell {
    /// The program, by its whole path.
    pub(super) program: PathBuf,
    /// What it is given after its name.
    pub(super) arguments: Vec<String>,
    /// Where it runs.
    pub(super) folder: PathBuf,
    /// Files and folders beside those of the system that it sees, to be read.
    pub(super) shown: Vec<PathBuf>,
    /// Folders among those of the system that it does not see: a league's, with its seed and its
    /// results, and a home.
    pub(super) hidden: Vec<PathBuf>,
    /// What it may use.
    pub(super) limits: Limits,
    /// The process that it must not outlive.
    pub(super) parent: u32,
    /// Only says what would hold it.
    pub(super) is_trial: bool,
}

/// How to have a bot held where programs cannot be.
pub(super) const ELSE: &str = "leave `isolation` out for a program that you trust; to have a bot held, compile it to a library or to WebAssembly";

impl Cell {
    /// Returns the limits of the program.
    pub(in super::super) fn limits(&self) -> &Limits {
        &self.limits
    }
}

/// The cell of a command whose paths start from `base`.
///
/// # Errors
/// There are none but on Linux.
#[cfg(not(target_os = "linux"))]
pub(in super::super) fn cell(
    _command: &CommandLine,
    _base: &std::path::Path,
    _limits: Limits,
) -> Result<Cell, String> {
    Err(format!(
        "`isolation: process` for programs needs Linux; {ELSE}"
    ))
}

/// Serves as the jailer of a program.
///
/// # Errors
/// There are none but on Linux.
#[cfg(not(target_os = "linux"))]
pub fn serve() -> std::io::Result<()> {
    Err(std::io::Error::other("programs are held on Linux alone"))
}
