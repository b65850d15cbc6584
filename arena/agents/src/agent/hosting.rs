//! The sandbox of a bot, as stores and lists show it.

use super::sandbox::Sandboxed;
use serde::{Deserialize, Serialize};

/// Where a compiled bot runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// In a process of its own.
    Process,
    /// In the host's process.
    None,
}

/// How a bot is held, and what it has used so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hosting {
    /// What holds it.
    pub jail: Sandboxed,
    /// Most memory that a process of the bot has had in use, in KiB; 0 where the system does not
    /// tell.
    pub peak_kib: u64,
}
