//! The parameters of a program's sandbox.

use crate::agent::ProcessLimits;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Alternatives on systems without sandboxes for programs, for messages.
pub(crate) const ALTERNATIVES: &str = "if you trust the program, remove `isolation`; otherwise run \
    the bot as a library or WebAssembly to sandbox it";

/// The parameters with which a sandboxed program is started.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SandboxSpec {
    /// Absolute path of the program.
    pub program: PathBuf,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Working directory.
    pub folder: PathBuf,
    /// Visible files and folders in addition to the system's, read-only.
    pub shown: Vec<PathBuf>,
    /// Folders inside the system's that are hidden: a league's, with its seed and results, and a
    /// home directory.
    pub hidden: Vec<PathBuf>,
    /// Resource limits.
    pub limits: ProcessLimits,
    /// Process id of the host; the program is killed when it ends.
    pub parent: u32,
    /// `true` to report the restrictions without starting the program.
    pub is_probe: bool,
}
