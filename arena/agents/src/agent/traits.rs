//! The interface between table and bots: an [`Agent`] for each seat, opened by an [`AgentFactory`].

use super::budget::TimeLimits;
use super::fault::AgentError;
use super::hosting::Hosting;
use super::records::{Observation, Turn};
use hattari_plugin::Choice;

/// The purpose of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Notification that a block or a deal begins or has ended.
    Told,
    /// Decision.
    Asked,
    /// Decision with only one legal action.
    AskedWhenForced,
}

/// Parameters of a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockStart<'a> {
    /// Game with revision.
    pub game: &'a str,
    /// Options of the rules, as JSON.
    pub options_json: &'a str,
    /// Number of players.
    pub players: u32,
    /// Player number of the bot.
    pub player: u32,
    /// Number of deals planned.
    pub deals: u32,
    /// Seed of the bot.
    pub seed: u64,
}

/// The bot of one seat on one thread. The order of calls is `(block_start (deal_start act*
/// deal_end)* block_end)*`.
///
/// `block_start` creates a fresh instance. No state may pass from one block to the next, or records
/// would depend on which thread played what. After an error whose scope is more than the decision,
/// only `block_start` is called.
pub trait Agent {
    /// Starts a block with a fresh instance.
    ///
    /// # Errors
    /// Returns an error if the bot cannot be started or refuses the block.
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), AgentError>;
    /// Notifies the bot that cards have been dealt; `seen` holds the seat's first view and the
    /// start of the history.
    ///
    /// # Errors
    /// Returns the bot's error.
    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), AgentError>;
    /// Returns the bot's decision. The table checks it against the legal actions.
    ///
    /// # Errors
    /// Returns the bot's error.
    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError>;
    /// Notifies the bot that the deal is over. `seen` holds the last view and the whole history;
    /// `payoffs` are by player number.
    ///
    /// # Errors
    /// Returns the bot's error.
    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), AgentError>;
    /// Returns `false` if [`Agent::deal_start`] has no effect on the bot in the rest of the block.
    /// The table still calls it, with an empty observation.
    fn uses_deal_start(&self) -> bool {
        true
    }
    /// Returns `false` if [`Agent::deal_end`] has no effect on the bot in the rest of the block.
    /// The table still calls it, with an empty observation.
    fn uses_deal_end(&self) -> bool {
        true
    }
    /// Ends the block and drops the instance. Not called if the bot gets no more calls at the end
    /// of the block.
    ///
    /// # Errors
    /// Returns the bot's error, or what it failed to release when its instance was freed.
    fn block_end(&mut self) -> Result<(), AgentError> {
        Ok(())
    }
    /// Returns `true` if the bot is also called when only one action is legal; its answer is then
    /// ignored. The clients of a contest server expect these calls. They count neither as decisions
    /// nor for timing.
    fn is_asked_when_forced(&self) -> bool {
        false
    }
    /// Returns the bot's own time limits, if they replace those of the block's plan.
    fn time_limits(&self) -> Option<TimeLimits> {
        None
    }
}

/// A bot that can be seated: loaded once, opened once for each thread and seat.
pub trait AgentFactory: Send + Sync {
    /// Opens an agent for one seat on the calling thread. `config_json` is the entrant's config,
    /// `{}` by default.
    ///
    /// # Errors
    /// Returns an error if the bot cannot be prepared (a script does not compile, a process does
    /// not start).
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, AgentError>;

    /// Checks before a league begins that the bot can be seated.
    ///
    /// # Errors
    /// Returns an error as [`AgentFactory::open`] does.
    fn prove(&self, config_json: &str) -> Result<(), AgentError> {
        self.open(config_json).map(drop)
    }

    /// Returns the output of the bot's first process that wrote any, shortened to one line, if it
    /// is captured.
    fn heard(&self) -> Option<&str> {
        None
    }

    /// Returns `true` if calls have a limit of processor time even if the league sets none, with
    /// the fault [`Clock`](crate::record::FaultKind::Clock). If that fault occurs, the answers of
    /// the block are stored.
    fn has_backstop(&self) -> bool {
        false
    }

    /// Returns the sandbox and peak memory of a bot in its own process.
    fn hosting(&self) -> Option<Hosting> {
        None
    }
}
