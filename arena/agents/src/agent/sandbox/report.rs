//! The report of a sandbox (its restrictions and which of them are in effect), and the parameters
//! of a program's sandbox.

use crate::agent::ProcessLimits;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A restriction of a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Restriction {
    /// Name of the restriction.
    pub name: String,
    /// `true` if the restriction is completely in effect.
    #[serde(rename = "holds")]
    pub is_in_effect: bool,
    /// Extent of the restriction, or the reason why it is not in effect.
    pub text: String,
}

/// The restrictions of a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SandboxReport {
    /// All restrictions, whether in effect or not.
    #[serde(rename = "measures")]
    pub restrictions: Vec<Restriction>,
}

/// Name of the restriction of system calls. If it is in effect, the bot cannot have killed its own
/// process.
pub const SYSTEM_CALLS: &str = "system calls (seccomp)";

impl SandboxReport {
    /// Returns the restrictions that are not, or not completely, in effect.
    pub fn missing(&self) -> impl Iterator<Item = &Restriction> {
        self.restrictions
            .iter()
            .filter(|restriction| !restriction.is_in_effect)
    }

    /// Returns `true` if system calls are restricted, so that the bot cannot start processes or
    /// more threads than granted.
    pub(crate) fn restricts_system_calls(&self) -> bool {
        self.restrictions
            .iter()
            .any(|restriction| restriction.name == SYSTEM_CALLS && restriction.is_in_effect)
    }

    /// Adds a restriction with its extent, or with the reason why it is not in effect.
    #[cfg(target_os = "linux")]
    pub(crate) fn note(&mut self, name: &str, outcome: Result<impl Into<String>, String>) {
        let is_in_effect = outcome.is_ok();
        let (Ok(text) | Err(text)) = outcome.map(Into::into);
        self.restrictions.push(Restriction {
            name: name.to_owned(),
            is_in_effect,
            text,
        });
    }
}

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
