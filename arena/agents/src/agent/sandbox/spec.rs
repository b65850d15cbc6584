//! The sandbox of a program, as the host orders it.

use crate::agent::Limits;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The ways to play a bot where programs have no sandbox, for messages.
pub(crate) const ALTERNATIVES: &str = "leave `isolation` out for a program that you trust; to have a bot held, compile it to a library or to WebAssembly";

/// What a program is started with in its sandbox.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SandboxSpec {
    /// The program, by its whole path.
    pub program: PathBuf,
    /// What it is given after its name.
    pub arguments: Vec<String>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Files and folders beside those of the system that it sees, to be read.
    pub shown: Vec<PathBuf>,
    /// Folders among those of the system that it does not see: a league's, with its seed and its
    /// results, and a home.
    pub hidden: Vec<PathBuf>,
    /// What it may use.
    pub limits: Limits,
    /// The process that it must not outlive.
    pub parent: u32,
    /// Starts nothing: only reports the measures of the sandbox.
    pub is_probe: bool,
}
