//! Bots as the table sees them: an [`Agent`] for each seat, opened by a [`Seatable`].

use super::budget::TimeLimits;
use super::fault::Misstep;
use super::hosting::Hosting;
use super::records::{Observation, Turn};
use hattari_plugin::Choice;

/// What a bot was called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// To be told that a block or a deal begins or is over.
    Told,
    /// For its choice.
    Asked,
    /// For its choice where there is one thing to do.
    AskedWhenForced,
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

/// One seat's bot on one thread. Calls go `(block_start (deal_start act* deal_end)* block_end)*`.
///
/// `block_start` makes a fresh instance: nothing of an earlier block may reach a later one, or
/// records would depend on which thread played what. After a misstep that reaches further than its
/// decision nothing but `block_start` is called.
pub trait Agent {
    /// Starts a block with a fresh instance.
    ///
    /// # Errors
    /// The bot could not be started, or refused.
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep>;
    /// Cards have been dealt; `seen` is what the seat knows of them, and what the history starts
    /// with.
    ///
    /// # Errors
    /// What the bot did wrong.
    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep>;
    /// Asks for a decision. The table checks the answer against the legal actions.
    ///
    /// # Errors
    /// What the bot did wrong.
    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep>;
    /// The deal is over; `seen` is the last view and the whole history, `payoffs` are by player
    /// number.
    ///
    /// # Errors
    /// What the bot did wrong.
    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep>;
    /// The block is over and the instance is of no more use. Not called where the bot sits out at
    /// the block's end.
    ///
    /// # Errors
    /// What the bot did wrong, or left behind, when its instance was freed.
    fn block_end(&mut self) -> Result<(), Misstep> {
        Ok(())
    }
    /// Whether the bot is asked too where there is one thing to do. It then answers, but nothing
    /// hangs on what: a contest's server asks its clients so, and they wait for it. Such a
    /// question counts neither as a decision nor for the timing.
    fn is_asked_when_forced(&self) -> bool {
        false
    }
    /// The limits of its time, where they are not those of the block's plan.
    fn time_limits(&self) -> Option<TimeLimits> {
        None
    }
}

/// A bot that can be seated: loaded once, opened once on every thread and for every seat that it
/// takes.
pub trait Seatable: Send + Sync {
    /// An agent for one seat on the calling thread. `config_json` is the entrant's config, `{}`
    /// where it has none.
    ///
    /// # Errors
    /// The bot could not be made ready at all (a script that does not compile, a process that does
    /// not start).
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep>;

    /// Sees before a league begins that the bot can be seated.
    ///
    /// # Errors
    /// As [`Seatable::open`].
    fn prove(&self, config_json: &str) -> Result<(), Misstep> {
        self.open(config_json).map(drop)
    }

    /// What the first program of it that wrote something to its own output wrote, in one line and
    /// short, where that is listened to.
    fn heard(&self) -> Option<&str> {
        None
    }

    /// Returns whether calls end at a limit of processor time, with the fault
    /// [`Clock`](crate::record::FaultKind::Clock), where the league sets none. The answers of such
    /// a block are kept if that happens.
    fn has_backstop(&self) -> bool {
        false
    }

    /// How the bot is held, where it is in a process of its own.
    fn hosting(&self) -> Option<Hosting> {
        None
    }
}
