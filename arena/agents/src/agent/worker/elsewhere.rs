//! Systems on which this host starts no workers.

use super::Code;
use crate::agent::{Agent, BotInfo, Hosting, Limits, LoadError, Misstep, Seatable};
use std::path::Path;

const WHY: &str = "this system has no worker processes for compiled bots";
const CURE: &str = "say `isolation: none` if you trust it with this process";

/// A compiled bot that should play in a process of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkerBot;

impl WorkerBot {
    /// The bot of that name.
    #[must_use]
    pub(crate) fn new(
        _code: Code,
        _hash: u64,
        _id: &str,
        _threads: u32,
        _limits: Limits,
    ) -> WorkerBot {
        WorkerBot
    }
}

impl Seatable for WorkerBot {
    fn open(&self, _config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        Err(Misstep::start(format!("{WHY}; {CURE}")))
    }

    fn hosting(&self) -> Option<Hosting> {
        None
    }
}

/// Loads a library in a worker, which this system does not have.
///
/// # Errors
/// Always.
pub(crate) fn describe(path: &Path, _hash: u64) -> Result<Vec<BotInfo>, LoadError> {
    Err(LoadError::new(path, WHY.to_owned(), CURE.to_owned()))
}

/// Serves a host, which this system does not have.
///
/// # Errors
/// Always.
pub fn serve() -> std::io::Result<()> {
    Err(std::io::Error::other(WHY))
}
