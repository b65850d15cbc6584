//! Compiled bots for the card play of bridge: double-dummy play over sampled deals, and baselines.
//!
//! # Adding a bot
//! Create a file in `src/bots/`, for example `first.rs`, and build. All public constants of type
//! `Declared` in this folder are included in the `hattari` command, and leagues refer to them by
//! id. There is no list to update.
//!
//! ```
//! use hattari_plugin::bridge::{self, Block, Bridge, Turn};
//! use hattari_plugin::{Declared, NoConfig};
//!
//! /// Plays the lowest legal card of the first suit (spades, hearts, diamonds, clubs).
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
//! /// The declaration of the bot for leagues.
//! pub const FIRST: Declared<Bridge, First> =
//!     bridge::bot("first", "1.0.0", "Plays the first legal card");
//! ```
//!
//! # Modules
//! - [`bots`]: the bots.
//! - [`rules`]: inference of hands from calls and play.
//! - [`worlds`]: sampling of hidden cards.
//! - [`reason`]: values of cards over sampled deals.
//! - [`thumb`]: play by rules of thumb, without search.
//! - [`deceive`]: play that takes the reasoning of the other players into account.

pub mod deceive;
pub mod play;
pub mod reason;
pub mod rules;
pub mod thumb;
pub mod worlds;

/// The bots, one per file, collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
