//! The parameters of a program's sandbox.

use crate::agent::ProcessLimits;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Advice in messages on systems that cannot sandbox programs.
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
    /// Files and folders that are visible (read-only) besides the system's folders.
    pub shown: Vec<PathBuf>,
    /// Folders that are hidden although they are in system folders: the league's folder, which
    /// contains its seed and results, and the home directory.
    pub hidden: Vec<PathBuf>,
    /// Resource limits.
    pub limits: ProcessLimits,
    /// Process id of the host. The program is killed when the host ends.
    pub parent: u32,
    /// `true` to report the restrictions without starting the program.
    pub is_probe: bool,
}
