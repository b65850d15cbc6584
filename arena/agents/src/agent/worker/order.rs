//! Messages between the host and its worker.

use crate::agent::{Limits, Sandboxed};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Where the code of a bot is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Code {
    /// In the library of this path, without links; in bytes, for not every path is text.
    File(Vec<u8>),
    /// Linked into this program: the name of the bot's package.
    BuiltIn(String),
}

impl Code {
    /// The code in the library at `path`.
    #[must_use]
    pub fn file(path: &Path) -> Code {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Code::File(path.into_os_string().into_encoded_bytes())
    }

    /// What stands for it in messages and in a list of processes.
    #[cfg(unix)]
    pub(super) fn place(&self) -> &Path {
        use std::os::unix::ffi::OsStrExt;
        match self {
            Code::BuiltIn(package) => Path::new(package),
            Code::File(path) => Path::new(std::ffi::OsStr::from_bytes(path)),
        }
    }
}

/// What a worker is started with.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// Where the bot's code is.
    pub code: Code,
    /// Its hash: a bot that is built anew while a league plays must not play on under the same
    /// name.
    pub hash: u64,
    /// The bot whose instances are wanted; `None` to describe the library only.
    pub id: Option<String>,
    /// Settings of the bot, as JSON.
    pub config_json: String,
    /// What it may use.
    pub limits: Limits,
    /// Threads that the bot may start.
    pub threads: u32,
    /// Whether messages of the lowest level are wanted.
    pub debug: bool,
    /// The process that the worker must not outlive.
    pub parent: u32,
}

/// What a keeper says to its order.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Kept {
    /// Processes can be started.
    Ready,
    /// The library's file is not what the host has looked at.
    Changed,
    /// The library cannot be used.
    Refused(Refusal),
}

/// What a worker says against a library.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Refusal {
    pub cause: String,
    pub cure: String,
}

/// What a keeper says of a process that has loaded its library.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Held {
    /// Its number.
    pub process: i32,
    /// What holds it, by what was tried before the library was loaded.
    pub jail: Sandboxed,
    /// What is not as it was, seen from outside.
    pub broken: Option<String>,
}
