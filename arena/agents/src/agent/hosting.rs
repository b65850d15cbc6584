//! The isolation of a bot, as stores and lists show it.

use super::sandbox::SandboxReport;
use serde::{Deserialize, Serialize};

/// The process in which a compiled bot runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A separate process.
    Process,
    /// The host's process.
    None,
}

/// The restrictions and the peak memory of a bot's process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hosting {
    /// Restrictions that are in effect.
    #[serde(rename = "jail")]
    pub sandbox: SandboxReport,
    /// Peak memory of the bot's largest process in KiB; 0 if the system does not report it.
    pub peak_kib: u64,
}
