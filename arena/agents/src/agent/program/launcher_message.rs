//! The status line of a launcher.

use crate::agent::SandboxReport;
use serde::{Deserialize, Serialize};

/// The first line that a launcher sends, before the program is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum LauncherMessage {
    /// The sandbox is ready, with the restrictions in effect.
    Sandboxed(SandboxReport),
    /// The sandbox is unavailable, with the reason.
    Refused(String),
}

impl LauncherMessage {
    /// Sends the line to the host. Must be called before the program starts.
    ///
    /// # Errors
    /// Returns an error if the host has closed the pipe.
    #[cfg(target_os = "linux")]
    pub(super) fn send(&self) -> std::io::Result<()> {
        use std::io::Write;
        let line = serde_json::to_string(self).expect("plain data");
        // Unbuffered, because forked children would inherit the buffer.
        let mut out = std::fs::File::from(rustix::io::dup(rustix::stdio::stdout())?);
        out.write_all(format!("{line}\n").as_bytes())
    }
}
