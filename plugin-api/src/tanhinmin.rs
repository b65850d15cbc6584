//! Bots for tanhinmin (単貧民), a version of daihinmin with single cards only.
//!
//! A bot returns an index into `turn.legal()`. The list begins with the pass, unless the bot leads;
//! then come the cards from weak to strong.
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
use crate::interface::interface;

pub use rules::{
    Action, CARDS_MAX, Event, LeadRule, NONE, Options, PLAYERS_MAX, PassRule, Tanhinmin, View,
    event, kind, rule,
};

interface! {
    Tanhinmin,
    /// The start of a deal, after cards are dealt.
    deal_start,
    /// Plays or passes. Returns an index into `turn.legal()`.
    act -> usize
}
