//! Compiled hold'em bots: the honest and the small-bluff player of a Japanese serial on game
//! making, one that reads honest play, and baselines.
//!
//! # Adding a bot
//! Put one file into `src/bots/`, say `first.rs`, and build. Every public constant of the type
//! `Declared` in that folder is in the `hattari` command then, and leagues call it by its id; no
//! list is kept anywhere.
//!
//! ```
//! use hattari_plugin::holdem::{self, Block, Holdem, Turn};
//! use hattari_plugin::{Choice, Declared, NoConfig};
//!
//! /// Takes the first action offered: a check where it is free, else a fold.
//! pub struct First;
//!
//! impl holdem::Bot for First {
//!     type Config = NoConfig;
//!     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
//!         Ok(First)
//!     }
//!     fn act(&mut self, _: &Turn) -> Choice {
//!         0.into()
//!     }
//! }
//!
//! /// The bot as leagues know it.
//! pub const FIRST: Declared<Holdem, First> = holdem::bot("first", "1.0.0", "Takes the first action offered");
//! ```
//!
//! # What is here
//! [`bots`] holds the bots. What they are made of is open to others: [`situation`] the quantities
//! that they decide by, [`sampling`] how they come to a win rate, [`preflop`] those that stand in a
//! table, [`honest`] and [`small_bluff`] their decisions as pure functions, [`strengths`] win rates
//! of all hands at once, [`reading`] what honest play tells of a hand, [`weighing`] what a choice
//! earns against hands that are read.

pub mod cfr;
pub mod honest;
pub mod preflop;
pub mod reading;
pub mod sampling;
pub mod situation;
pub mod small_bluff;
pub mod strengths;
pub mod weighing;

/// The bots, one file each; found and collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
