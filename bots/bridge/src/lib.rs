//! Compiled bots for the card play of bridge: double dummy play over sampled deals, and baselines.
//!
//! # Adding a bot
//! Put one file into `src/bots/`, say `first.rs`, and build. Every public constant of the type
//! `Declared` in that folder is in the `hattari` command then, and leagues call it by its id; no
//! list is kept anywhere.
//!
//! ```
//! use hattari_plugin::bridge::{self, Block, Bridge, Turn};
//! use hattari_plugin::{Declared, NoConfig};
//!
//! /// Plays the lowest spade it may, or else heart, diamond, club.
//! pub struct First;
//!
//! impl bridge::Bot for First {
//!     type Config = NoConfig;
//!     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
//!         Ok(First)
//!     }
//!     fn act(&mut self, _: &Turn) -> usize {
//!         0
//!     }
//! }
//!
//! /// The bot as leagues know it.
//! pub const FIRST: Declared<Bridge, First> = bridge::bot("first", "1.0.0", "Plays the first card offered");
//! ```
//!
//! # What is here
//! [`bots`] holds the bots. [`rules`] read hands from calls and play, [`worlds`] deals the cards
//! that a seat cannot see by them, [`reason`] judges cards over such deals, [`thumb`] plays without
//! looking ahead, [`deceive`] thinks about what others will think.

pub mod deceive;
pub mod play;
pub mod reason;
pub mod rules;
pub mod thumb;
pub mod worlds;

/// The bots, one file each; found and collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
