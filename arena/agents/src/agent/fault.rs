//! Errors in calls of bots, and errors that prevent the use of a bot's file.

use crate::files;
use crate::record::FaultKind;
use crate::text::serialize_path;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// An error in a call of a bot. The table adds the seat, the deal and the decision.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentError {
    /// Kind of the fault that is recorded for the bot.
    pub kind: FaultKind,
    /// Text for records, reports and logs.
    pub message: String,
    /// Part of the run that the error affects.
    pub scope: FaultScope,
}

/// The result of a call of a bot.
pub type AgentResult<T = ()> = Result<T, AgentError>;

/// The scope of the consequences of an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultScope {
    /// The decision only; the same instance is called again.
    Decision,
    /// The rest of the deal; another instance is started at the next deal.
    Deal,
    /// The rest of the block; another instance is started at the next block.
    Block,
    /// An external cause, for example another process that killed the bot. The bot is not charged,
    /// and the block can be played again.
    Outside,
    /// The whole run, because the host cannot continue correctly with this bot. The block is not
    /// recorded.
    Run,
}

impl FaultScope {
    /// Returns `least` if this scope is [`FaultScope::Decision`], otherwise this scope.
    pub(crate) fn at_least(self, least: FaultScope) -> FaultScope {
        if self == FaultScope::Decision {
            least
        } else {
            self
        }
    }
}

impl AgentError {
    /// Creates an error with the default scope of its kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> AgentError {
        let scope = if kind.is_fatal() {
            FaultScope::Deal
        } else {
            FaultScope::Decision
        };
        AgentError {
            kind,
            message: message.into(),
            scope,
        }
    }

    /// Creates the error for a bot that cannot be started.
    pub fn start(message: impl Into<String>) -> AgentError {
        AgentError::new(FaultKind::Start, message)
    }

    /// Replaces the kind with [`FaultKind::Start`].
    #[must_use]
    pub fn at_start(self) -> AgentError {
        let kind = FaultKind::Start;
        AgentError { kind, ..self }
    }

    /// Adds the output of the bot's process to the message, if there is any.
    pub(crate) fn with_output(mut self, words: Option<String>) -> AgentError {
        if let Some(words) = words {
            self.message += &format!("; it wrote: {words}");
        }
        self
    }

    /// Replaces the scope.
    #[must_use]
    pub fn with_scope(self, scope: FaultScope) -> AgentError {
        AgentError { scope, ..self }
    }
}

/// The reason a file cannot be used, and the remedy.
#[derive(Clone, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{}: {cause}; {remedy}", .path.display())]
pub struct LoadError {
    /// Path of the file that cannot be used.
    #[serde(serialize_with = "serialize_path")]
    pub path: PathBuf,
    /// Cause of the error, without the path.
    pub cause: String,
    /// Advice to the user on how to remove the cause.
    pub remedy: String,
}

impl LoadError {
    pub(crate) fn new(
        path: &Path,
        cause: impl Into<String>,
        remedy: impl Into<String>,
    ) -> LoadError {
        LoadError {
            path: path.to_owned(),
            cause: cause.into(),
            remedy: remedy.into(),
        }
    }

    /// Creates the error for a source file that does not compile or start.
    pub(crate) fn source(path: &Path, agent_error: &AgentError) -> LoadError {
        // The message may begin with the path, or with the file name and a line as in `mine.lua:3:
        // ...`.
        let message = agent_error.message.as_str();
        let name = files::name_of(path);
        let path_text = path.display().to_string();
        let rest = message
            .strip_prefix(&path_text)
            .or_else(|| message.strip_prefix(&name))
            .unwrap_or(message)
            .trim_start_matches([':', ' ']);
        let line = rest
            .split(':')
            .next()
            .is_some_and(|number| number.parse::<u32>().is_ok());
        let cause = if line {
            format!("line {rest}")
        } else {
            rest.to_owned()
        };
        LoadError::new(path, cause, "fix the file")
    }

    /// Creates the error for a file that cannot be read.
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> LoadError {
        LoadError::new(
            path,
            format!("it cannot be read ({error})"),
            "check the permissions of the file",
        )
    }
}
