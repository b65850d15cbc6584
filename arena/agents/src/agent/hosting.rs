//! The isolation of bots, and reports on their processes.

use super::SandboxReport;
use serde::{Deserialize, Serialize};

/// The isolation of a compiled bot or a program. For programs, which always have their own process,
/// `Process` means that this process is sandboxed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A separate process.
    Process,
    /// The host's process; for programs, a process without a sandbox.
    None,
}

/// The restrictions and the peak memory of a bot's process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProcessReport {
    /// Restrictions of the process, and which of them are in effect.
    #[serde(rename = "jail")]
    pub sandbox: SandboxReport,
    /// Peak memory of the bot's largest process in KiB; 0 if the system does not report it.
    pub peak_kib: u64,
}
