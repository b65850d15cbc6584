//! Faults of bots, before the table adds place and time.

use crate::record::FaultKind;

/// What went wrong in a call, before the table adds place and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misstep {
    /// What it was.
    pub kind: FaultKind,
    /// In words.
    pub message: String,
    /// What is lost by it.
    pub reach: Reach,
}

/// How far a misstep reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The decision; the instance lives and is called again.
    Decision,
    /// The instance: it is not called again, another is started at the next deal.
    Deal,
    /// What the bot may use in a block is used up: no other instance is started before the next
    /// block.
    Block,
    /// Nothing of the bot's doing: somebody else ended its process. What has been played of the
    /// block is of no use.
    Outside,
    /// The whole run: the host cannot go on with the bot and keep what it promises. Nothing is
    /// recorded of the block.
    Run,
}

impl Reach {
    /// This reach, or `least` where it is the decision alone.
    #[must_use]
    pub(crate) fn at_least(self, least: Reach) -> Reach {
        if self == Reach::Decision { least } else { self }
    }
}

impl Misstep {
    /// A misstep in words, of the reach that its kind has as a rule.
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

    /// A bot that cannot be started.
    pub(crate) fn start(message: impl Into<String>) -> Misstep {
        Misstep::new(FaultKind::Start, message)
    }

    /// The same with another reach.
    #[must_use]
    pub fn reaching(self, reach: Reach) -> Misstep {
        Misstep { reach, ..self }
    }
}
