//! Compiled daihinmin bots: the play styles of Satō and Itō, the contest's sample client and one in
//! its manner, a random one.
//!
//! # Adding a bot
//! Put one file into `src/bots/`, say `first.rs`, and build. Every public constant of the type
//! `Declared` in that folder is in the `hattari` command then, and leagues call it by its id; no
//! list is kept anywhere.
//!
//! ```
//! use hattari_plugin::daihinmin::{self, Block, Daihinmin, Turn};
//! use hattari_plugin::{Declared, NoConfig};
//!
//! /// Plays the first action offered, which is the pass wherever one may pass.
//! pub struct First;
//!
//! impl daihinmin::Bot for First {
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
//! pub const FIRST: Declared<Daihinmin, First> = daihinmin::bot("first", "1.0.0", "Plays the first action offered");
//! ```
//!
//! # What is here
//! [`bots`] holds the bots. What they are made of is open to others as pure functions of view and
//! legal actions: [`style`] the algorithm of the play styles, [`order`] the strength of plays,
//! [`evaluation`] what could beat a single, [`plan`] the sequences to keep together, [`gift`] the
//! exchange; [`monte_carlo`] is the player that looks ahead, [`by_policy`] the one that acts at
//! once by learned weights.

pub mod by_policy;
pub mod evaluation;
pub mod gift;
pub mod monte_carlo;
pub mod order;
pub mod plan;
pub mod style;

/// The bots, one file each; found and collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
