//! Errors in calls of bots.

use crate::record::FaultKind;

/// An error in a call of a bot. The table adds the seat, the deal and the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub(crate) fn start(message: impl Into<String>) -> AgentError {
        AgentError::new(FaultKind::Start, message)
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
