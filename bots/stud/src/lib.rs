//! Compiled stud bots: a player that thinks in fuzzy rules, bluffs and learns its opponent's ways,
//! the same without each of these parts, opponents with ways to learn, and baselines.
//!
//! # Adding a bot
//! Put one file into `src/bots/`, say `first.rs`, and build. Every public constant of the type
//! `Declared` in that folder is in the `hattari` command then, and leagues call it by its id; no
//! list is kept anywhere.
//!
//! ```
//! use hattari_plugin::stud::{self, Block, Moves, Stud, Turn};
//! use hattari_plugin::{Choice, Declared, NoConfig};
//!
//! /// Stays in as cheaply as it can.
//! pub struct Cheap;
//!
//! impl stud::Bot for Cheap {
//!     type Config = NoConfig;
//!     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
//!         Ok(Cheap)
//!     }
//!     fn act(&mut self, turn: &Turn) -> Choice {
//!         Moves::of(turn.legal()).stay()
//!     }
//! }
//!
//! /// The bot as leagues know it.
//! pub const CHEAP: Declared<Stud, Cheap> = stud::bot("cheap", "1.0.0", "Stays in as cheaply as it can");
//! ```
//!
//! # What is here
//! [`bots`] holds the bots. What they are made of is open to others: [`range`] the amounts that a
//! decision is between, [`chances`] what the cards alone promise, [`honest`] betting by that,
//! [`fuzzy`] the estimates and decisions of the fuzzy player.

pub mod chances;
pub mod fuzzy;
pub mod honest;
pub mod range;

/// The bots, one file each; found and collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
