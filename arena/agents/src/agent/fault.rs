//! Errors of bots, before the table adds seat, deal and decision.

use crate::record::FaultKind;

/// An error in a call of a bot, before the table adds seat, deal and decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misstep {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Error message.
    pub message: String,
    /// Scope of the consequences.
    pub reach: Reach,
}

/// The scope of the consequences of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The decision only; the same instance is called again.
    Decision,
    /// The rest of the deal: another instance is started at the next deal.
    Deal,
    /// The rest of the block; another instance is started at the next block.
    Block,
    /// An external cause, for example another process that killed the bot. The bot is not charged,
    /// and the block can be played again.
    Outside,
    /// The whole run: the host cannot continue correctly with this bot. Nothing of the block is
    /// recorded.
    Run,
}

impl Reach {
    /// Returns `least` instead of [`Reach::Decision`], otherwise this scope.
    #[must_use]
    pub(crate) fn at_least(self, least: Reach) -> Reach {
        if self == Reach::Decision { least } else { self }
    }
}

impl Misstep {
    /// Creates an error with the default scope of its kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Misstep {
        let reach = if kind.is_fatal() {
            Reach::Deal
        } else {
            Reach::Decision
        };
        Misstep {
            kind,
            message: message.into(),
            reach,
        }
    }

    /// Creates the error for a bot that cannot be started.
    pub(crate) fn start(message: impl Into<String>) -> Misstep {
        Misstep::new(FaultKind::Start, message)
    }

    /// Replaces the scope.
    #[must_use]
    pub fn reaching(self, reach: Reach) -> Misstep {
        Misstep { reach, ..self }
    }
}
