//! The first line of a jailer.

use crate::agent::Jailed;
use serde::{Deserialize, Serialize};
#[cfg(target_os = "linux")]
use std::fs::File;
#[cfg(target_os = "linux")]
use std::io::{self, Write};

/// What a jailer says before it starts anything, in a line of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) enum Said {
    /// This holds the program.
    Jailed(Jailed),
    /// This system has no such room, and why.
    Refused(String),
}

#[cfg(target_os = "linux")]
/// Says something to the host, before the program can.
#[cfg(target_os = "linux")]
pub(super) fn say(said: &Said) -> io::Result<()> {
    let line = serde_json::to_string(said).expect("plain data");
    // Not through a buffer, which would stay behind in children.
    let mut out = File::from(rustix::io::dup(rustix::stdio::stdout())?);
    out.write_all(format!("{line}\n").as_bytes())
}
