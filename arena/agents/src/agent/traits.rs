//! The interface between the table and bots. An [`AgentFactory`] opens an [`Agent`] for each seat.

use super::{AgentError, AgentResult, Observation, SandboxReport, TimeLimits, Turn};
use hattari_plugin::Choice;
use serde::{Deserialize, Serialize};

/// The kind of a call from the table to a bot.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// A notification from the table to a bot.
#[derive(Clone, Copy, Debug)]
pub enum Notice<'a> {
    /// A block starts. The agent creates a fresh instance.
    BlockStart(BlockStart<'a>),
    /// Cards have been dealt. Contains the seat's first view and the start of the history.
    DealStart(Observation<'a>),
    /// The deal is over. Contains the last view, the whole history, and the payoffs by player
    /// number.
    DealEnd(Observation<'a>, &'a [i64]),
    /// The block is over. The agent drops the instance.
    BlockEnd,
}

impl Notice<'_> {
    /// Returns the name of the notification in the interfaces of bots.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Notice::BlockStart(_) => "block_start",
            Notice::DealStart(_) => "deal_start",
            Notice::DealEnd(..) => "deal_end",
            Notice::BlockEnd => "block_end",
        }
    }
}

/// The notifications about deals that have an effect on a bot in the rest of the block; none by
/// default.
#[derive(Clone, Copy, Debug, Default)]
pub struct DealNotices {
    /// `true` if [`Notice::DealStart`] has an effect.
    pub start: bool,
    /// `true` if [`Notice::DealEnd`] has an effect.
    pub end: bool,
}

impl DealNotices {
    /// Both notifications.
    pub const ALL: DealNotices = DealNotices {
        start: true,
        end: true,
    };
}

/// The bot of one seat on one thread. The order of calls is `(BlockStart (DealStart act* DealEnd)*
/// BlockEnd)*`.
///
/// [`Notice::BlockStart`] creates a fresh instance. No state may pass from one block to the next;
/// otherwise records would depend on how blocks are distributed to threads. After an error with a
/// larger scope than the decision, the next call is `BlockStart`.
pub trait Agent {
    /// Notifies the bot.
    ///
    /// # Errors
    /// Returns the bot's error. At the start of a block, also returns an error if the bot cannot be
    /// started or refuses the block; at its end, if the bot did not release all resources of its
    /// instance.
    fn notify(&mut self, _notice: &Notice<'_>) -> AgentResult {
        Ok(())
    }
    /// Returns the bot's decision. The table checks it against the legal actions.
    ///
    /// # Errors
    /// Returns the bot's error.
    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice>;
    /// Returns the notifications that have an effect on the bot in the rest of the block. The table
    /// sends the others with an empty observation.
    fn uses(&self) -> DealNotices {
        DealNotices::ALL
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

/// The agents of a table, in the order of the line-up.
pub type Agents = [Box<dyn Agent>];

/// The answer to a call: the bot's error, its choice if it had to decide, or `None` after other
/// calls.
pub type CallResult<'a> = Result<Option<&'a Choice>, &'a AgentError>;

/// A loaded bot. An agent is opened for each seat on each thread.
pub trait AgentFactory: Send + Sync {
    /// Opens an agent for one seat on the calling thread. `config_json` is the entrant's config,
    /// `{}` by default.
    ///
    /// # Errors
    /// Returns an error if the bot cannot be opened, for example because the config is invalid or a
    /// process does not start.
    fn open(&self, config_json: &str) -> AgentResult<Box<dyn Agent>>;

    /// Checks before a league begins that the bot can play.
    ///
    /// # Errors
    /// Returns an error if an agent of the bot cannot be opened.
    fn check_start(&self, config_json: &str) -> AgentResult {
        self.open(config_json).map(drop)
    }

    /// Returns the output of the first process of the bot that has written output, shortened to one
    /// line; `None` if there is none, or if output is not captured.
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
    fn process_report(&self) -> Option<ProcessReport> {
        None
    }
}

/// The isolation of a compiled bot or a program. For programs, which always have their own process,
/// `Process` means that this process is sandboxed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A separate process.
    Process,
    /// The host's process; for programs, a process without a sandbox.
    None,
}

/// The restrictions and the peak memory of a bot's process.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ProcessReport {
    /// Restrictions of the process, and which of them are in effect.
    #[serde(rename = "jail")]
    pub sandbox: SandboxReport,
    /// Peak memory of the bot's largest process in KiB; 0 if the system does not report it.
    pub peak_kib: u64,
}
