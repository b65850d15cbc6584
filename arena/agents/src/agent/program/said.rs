//! The first line of a launcher.

use crate::agent::Sandboxed;
use serde::{Deserialize, Serialize};

/// What a launcher says before it starts anything, in a line of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Said {
    /// The program is in this sandbox.
    Sandboxed(Sandboxed),
    /// This system has no such sandbox, and why.
    Refused(String),
}

impl Said {
    /// Says it to the host, before the program can say anything.
    ///
    /// # Errors
    /// The host is gone.
    #[cfg(target_os = "linux")]
    pub(super) fn say(&self) -> std::io::Result<()> {
        use std::io::Write;
        let line = serde_json::to_string(self).expect("plain data");
        // Not through a buffer, which would stay behind in children.
        let mut out = std::fs::File::from(rustix::io::dup(rustix::stdio::stdout())?);
        out.write_all(format!("{line}\n").as_bytes())
    }
}
