//! Compiled bots in processes of their own: what a bot breaks there is its own.
//!
//! A worker is this same program as a child (`hattari worker`): a *keeper*, which runs no
//! stranger's code and speaks with the host through a socket. For every block it starts a process
//! that holds itself, loads the library and answers calls that come through pipes straight from the
//! host as flat bytes: the records of the C interface, without the pointers. Host thread and worker
//! are bound to one core, since one of them always waits for the other.
//!
//! A worker serves one seat of one thread, block after block, each in a fresh process. Whatever
//! ends that (a signal, an exit, no answer in time, nonsense on the pipe) is a misstep of the bot
//! with the reason and what the bot last wrote to its error output; where somebody else has ended
//! it, another is told all that it knew and goes on.

mod answers;
pub(crate) mod disturbance;
pub(in crate::agent) mod frame;
pub(in crate::agent) mod jail;
mod limits;

#[cfg(target_os = "linux")]
mod agent;
#[cfg(target_os = "linux")]
pub(in crate::agent) mod death;
#[cfg(target_os = "linux")]
mod inmate;
#[cfg(target_os = "linux")]
mod keeper;
#[cfg(unix)]
mod last_words;
#[cfg(target_os = "linux")]
mod pass;
#[cfg(target_os = "linux")]
pub(in crate::agent) mod pin;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
pub(in crate::agent) mod source;
#[cfg(target_os = "linux")]
mod tape;
#[cfg(target_os = "linux")]
mod watchdog;

#[cfg(not(target_os = "linux"))]
mod elsewhere;

pub use answers::{Heard, hear};
pub use jail::{Jailed, Measure, SYSTEM_CALLS};
pub use limits::Limits;

#[cfg(target_os = "linux")]
pub use agent::WorkerBot;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{WorkerBot, describe, serve};
#[cfg(target_os = "linux")]
pub use keeper::serve;
#[cfg(unix)]
pub(in crate::agent) use last_words::LastWords;
#[cfg(target_os = "linux")]
pub use process::describe;

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

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
    pub jail: Jailed,
    /// Most memory that a process of the bot has had in use, in KiB; 0 where the system does not
    /// tell.
    pub peak_kib: u64,
}

/// Environment variable of workers, so that a program which is none can see that it was started as
/// one by mistake.
pub(in crate::agent) const MARK: &str = "HATTARI_WORKER";

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Starts workers from the program at `path` instead of the running one: for benches and other
/// programs that use this library, which are not `hattari` themselves. Only the first call counts.
pub fn use_program(path: &Path) {
    _ = PROGRAM.set(path.to_owned());
}

/// The program that is started as a worker.
///
/// # Errors
/// Returns an error if the program cannot be found.
pub(in crate::agent) fn program() -> std::io::Result<PathBuf> {
    if let Some(program) = PROGRAM.get() {
        return Ok(program.clone());
    }
    // The running program itself, even where its file has been replaced meanwhile.
    if cfg!(target_os = "linux") {
        Ok(PathBuf::from("/proc/self/exe"))
    } else {
        std::env::current_exe()
    }
}

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
    fn place(&self) -> &Path {
        use std::os::unix::ffi::OsStrExt;
        match self {
            Code::BuiltIn(package) => Path::new(package),
            Code::File(path) => Path::new(std::ffi::OsStr::from_bytes(path)),
        }
    }
}

/// What a worker is started with.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    /// Where the bot's code is.
    code: Code,
    /// Its hash: a bot that is built anew while a league plays must not play on under the same
    /// name.
    hash: u64,
    /// The bot whose instances are wanted; `None` to describe the library only.
    id: Option<String>,
    /// Settings of the bot, as JSON.
    config_json: String,
    /// What it may use.
    limits: Limits,
    /// Threads that the bot may start.
    threads: u32,
    /// Whether messages of the lowest level are wanted.
    debug: bool,
    /// The process that the worker must not outlive.
    parent: u32,
}

/// What a keeper says to its order.
#[derive(Debug, Serialize, Deserialize)]
enum Kept {
    /// Processes can be started.
    Ready,
    /// The library's file is not what the host has looked at.
    Changed,
    /// The library cannot be used.
    Refused(Refusal),
}

/// What a worker says against a library.
#[derive(Debug, Serialize, Deserialize)]
struct Refusal {
    cause: String,
    cure: String,
}

/// What a keeper says of a process that has loaded its library.
#[derive(Debug, Serialize, Deserialize)]
struct Held {
    /// Its number.
    process: i32,
    /// What holds it, by what was tried before the library was loaded.
    jail: Jailed,
    /// What is not as it was, seen from outside.
    broken: Option<String>,
}
