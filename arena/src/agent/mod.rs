//! Bots as the table sees them, whatever hosts them.

mod lookahead;
pub mod plugin;
pub mod reference;
pub mod script;

use crate::record::FaultKind;
use hattari_plugin::abi;

/// What went wrong in a call, before the table adds place and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misstep {
    /// What it was.
    pub kind: FaultKind,
    /// In words.
    pub message: String,
}

impl Misstep {
    /// A misstep in words.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Misstep {
        Misstep { kind, message: message.into() }
    }
}

/// What a block starts with.
#[derive(Clone, Copy, Debug)]
pub struct BlockStart<'a> {
    /// Game and revision.
    pub game: &'a str,
    /// Options of the rules, as JSON.
    pub options_json: &'a str,
    /// Players of the table.
    pub players: u32,
    /// The bot's number among them.
    pub player: u32,
    /// Deals planned.
    pub deals: u32,
    /// The bot's own seed.
    pub seed: u64,
}

/// One seat's bot on one thread. Calls go `(block_start (deal_start act* deal_end)*)*`.
///
/// `block_start` makes a fresh instance: nothing of an earlier block may reach a later one, or records would depend on
/// which thread played what. After a fatal misstep nothing but `block_start` is called.
///
/// Pointers in the structs passed hold for the call alone.
pub trait Agent {
    /// Starts a block with a fresh instance.
    ///
    /// # Errors
    /// The bot could not be started, or refused.
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep>;
    /// Cards have been dealt.
    ///
    /// # Errors
    /// What the bot did wrong.
    fn deal_start(&mut self, start: &abi::DealInfo) -> Result<(), Misstep>;
    /// Asks for a decision. The table checks the answer against the legal actions.
    ///
    /// # Errors
    /// What the bot did wrong.
    fn act(&mut self, decision: &abi::Decision) -> Result<abi::Choice, Misstep>;
    /// The deal is over.
    ///
    /// # Errors
    /// What the bot did wrong.
    fn deal_end(&mut self, result: &abi::DealResult) -> Result<(), Misstep>;
}

/// A bot that can be seated: loaded once, opened once on every thread and for every seat that it takes.
pub trait Seatable: Send + Sync {
    /// An agent for one seat on the calling thread. `config_json` is the entrant's config, `{}` where it has none.
    ///
    /// # Errors
    /// The bot could not be made ready at all (a script that does not compile, a process that does not start).
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep>;
}
