//! Bots for tanhinmin (単貧民), daihinmin cut down to single cards.
//!
//! A bot picks from `turn.legal()` by index: the pass first where it may pass, then cards from the weakest on.
//!
//! ```
//! use hattari_plugin::{NoConfig, tanhinmin, tanhinmin::{Block, Turn}};
//!
//! /// Plays its weakest card whenever it can.
//! struct Eager;
//!
//! impl tanhinmin::Bot for Eager {
//!     type Config = NoConfig;
//!     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
//!         Ok(Eager)
//!     }
//!     fn act(&mut self, turn: &Turn) -> usize {
//!         turn.legal().iter().position(|action| !action.is_pass()).unwrap_or(0)
//!     }
//! }
//! ```

use crate::games::tanhinmin as rules;
use crate::{Choice, Config, Declared, Player};

pub use rules::{
    Action, CARDS_MAX, Event, LeadRule, NONE, Options, PLAYERS_MAX, PassRule, Tanhinmin, View, event, kind, rule,
};

/// What a block starts with.
pub type Block<'a> = crate::Block<'a, Tanhinmin>;
/// Cards have been dealt.
pub type DealStart<'a> = crate::DealStart<'a, Tanhinmin>;
/// A decision.
pub type Turn<'a> = crate::Turn<'a, Tanhinmin>;
/// The deal is over.
pub type DealEnd<'a> = crate::DealEnd<'a, Tanhinmin>;

/// A bot. One value plays one block: what it keeps in its fields lasts from deal to deal and is gone with the block.
pub trait Bot: Sized + Send + 'static {
    /// What a league may set; [`NoConfig`](crate::NoConfig) where there is nothing to set.
    type Config: Config;

    /// Refuses a config that can be read but makes no sense. Asked as the league is read.
    ///
    /// # Errors
    /// What is wrong, in words for the author of the league.
    fn check(_config: &Self::Config) -> Result<(), String> {
        Ok(())
    }

    /// A bot for one block.
    ///
    /// # Errors
    /// Why it does not play this block, for instance because of an option of the rules.
    fn new(config: Self::Config, block: &Block) -> Result<Self, String>;

    /// Cards have been dealt.
    fn deal_start(&mut self, _start: &DealStart) {}

    /// Plays or passes: an index into `turn.legal()`.
    fn act(&mut self, turn: &Turn) -> usize;

    /// The deal is over.
    fn deal_end(&mut self, _end: &DealEnd) {}
}

/// Declares a bot for [`export_bots!`](crate::export_bots!): its id (lower case letters, digits, `-`), its version and
/// what it does, in a line.
#[must_use]
pub const fn bot<B: Bot>(id: &'static str, version: &'static str, description: &'static str) -> Declared<Tanhinmin, B> {
    Declared::new(id, version, description)
}

impl<B: Bot> Player<Tanhinmin> for B {
    type Config = B::Config;

    fn check(config: &Self::Config) -> Result<(), String> {
        B::check(config)
    }

    fn new(config: Self::Config, block: &Block) -> Result<Self, String> {
        B::new(config, block)
    }

    fn deal_start(&mut self, start: &DealStart) {
        Bot::deal_start(self, start);
    }

    #[inline]
    fn choose(&mut self, turn: &Turn) -> Choice {
        Bot::act(self, turn).into()
    }

    fn deal_end(&mut self, end: &DealEnd) {
        Bot::deal_end(self, end);
    }
}
