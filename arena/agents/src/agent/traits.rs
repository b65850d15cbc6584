//! The interface between the table and bots. An [`AgentFactory`] opens an [`Agent`] for each seat.

use super::budget::TimeLimits;
use super::fault::AgentError;
use super::hosting::Hosting;
use super::records::{Observation, Turn};
use hattari_plugin::Choice;

/// The kind of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A notification that a block or a deal begins or has ended.
    Notification,
    /// A request to choose among two or more legal answers.
    Decision,
    /// A request to choose although only one action is legal ([`Agent::is_asked_when_forced`]).
    ForcedDecision,
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
    /// Number of planned deals.
    pub deals: u32,
    /// Seed of the bot.
    pub seed: u64,
}

/// The bot of one seat on one thread. The order of calls is `(block_start (deal_start act*
/// deal_end)* block_end)*`.
///
/// `block_start` creates a fresh instance. No state may pass from one block to the next; otherwise
/// records would depend on how blocks are distributed to threads. After an error with a larger
/// scope than the decision, only `block_start` is called.
pub trait Agent {
    /// Starts a block with a fresh instance.
    ///
    /// # Errors
    /// Returns an error if the bot cannot be started or refuses the block.
    fn block_start(&mut self, _start: &BlockStart<'_>) -> Result<(), AgentError> {
        Ok(())
    }
    /// Notifies the bot that cards have been dealt. `seen` contains the seat's first view and the
    /// start of the history.
    ///
    /// # Errors
    /// Returns the bot's error.
    fn deal_start(&mut self, _seen: &Observation<'_>) -> Result<(), AgentError> {
        Ok(())
    }
    /// Returns the bot's decision. The table checks it against the legal actions.
    ///
    /// # Errors
    /// Returns the bot's error.
    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError>;
    /// Notifies the bot that the deal is over. `seen` contains the last view and the whole history;
    /// `payoffs` is indexed by player number.
    ///
    /// # Errors
    /// Returns the bot's error.
    fn deal_end(&mut self, _seen: &Observation<'_>, _payoffs: &[i64]) -> Result<(), AgentError> {
        Ok(())
    }
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
    /// Ends the block and drops the instance. Not called if an error has ended the bot's calls in
    /// this block.
    ///
    /// # Errors
    /// Returns the bot's error, or an error if the bot did not release all resources of its
    /// instance.
    fn block_end(&mut self) -> Result<(), AgentError> {
        Ok(())
    }
    /// Returns `true` if the bot is also called when only one action is legal, as clients of a
    /// contest server expect. The answer is then ignored. Such calls are neither counted as
    /// decisions nor timed.
    fn is_asked_when_forced(&self) -> bool {
        false
    }
    /// Returns time limits that replace those of the block's plan for this bot; `None` if the
    /// plan's limits apply.
    fn time_limits(&self) -> Option<TimeLimits> {
        None
    }
}

/// A loaded bot. An agent is opened for each seat on each thread.
pub trait AgentFactory: Send + Sync {
    /// Opens an agent for one seat on the calling thread. `config_json` is the entrant's config,
    /// `{}` by default.
    ///
    /// # Errors
    /// Returns an error if the bot cannot be opened, for example because the config is invalid or a
    /// process does not start.
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, AgentError>;

    /// Checks before a league begins that the bot can play.
    ///
    /// # Errors
    /// Returns an error if an agent of the bot cannot be opened.
    fn check_start(&self, config_json: &str) -> Result<(), AgentError> {
        self.open(config_json).map(drop)
    }

    /// Returns the output of the bot's first process that wrote any, shortened to one line; `None`
    /// if there is none or it is not captured.
    fn first_output(&self) -> Option<&str> {
        None
    }

    /// Returns `true` if calls have a limit of processor time in addition to counted budgets (the
    /// backstop). A call that exceeds the limit has the fault
    /// [`Clock`](crate::record::FaultKind::Clock), and the answers of its block are stored.
    fn has_backstop(&self) -> bool {
        false
    }

    /// Returns the sandbox and the peak memory of a bot in its own process; `None` for other bots.
    fn hosting(&self) -> Option<Hosting> {
        None
    }
}
