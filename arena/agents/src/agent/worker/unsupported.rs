//! Stubs for systems without worker processes.

use super::CodeLocation;
use crate::agent::{
    Agent, AgentError, AgentFactory, AgentResult, BotInfo, LoadError, ProcessLimits,
};
use std::path::Path;

const WHY: &str = "compiled bots cannot run in a separate process on this system";
const REMEDY: &str = "set `isolation: none` if you trust the bot";

/// A compiled bot whose process this system cannot start.
#[derive(Clone, Copy)]
pub(crate) struct WorkerBot;

impl WorkerBot {
    /// Creates a bot that cannot be opened.
    pub(crate) fn new(
        _code: CodeLocation,
        _hash: u64,
        _id: &str,
        _threads: u32,
        _limits: ProcessLimits,
    ) -> WorkerBot {
        WorkerBot
    }
}

impl AgentFactory for WorkerBot {
    fn open(&self, _config_json: &str) -> AgentResult<Box<dyn Agent>> {
        Err(AgentError::start(format!("{WHY}; {REMEDY}")))
    }
}

/// Fails, because this system has no workers.
///
/// # Errors
/// Always returns an error.
pub(crate) fn describe(path: &Path, _hash: u64) -> Result<Vec<BotInfo>, LoadError> {
    Err(LoadError::new(path, WHY, REMEDY))
}

/// Fails, because this system has no workers.
///
/// # Errors
/// Always returns an error.
pub fn serve() -> std::io::Result<()> {
    Err(std::io::Error::other(WHY))
}
