//! The shared part of host and bots: the C interface ([`abi`]), the records of every game
//! (re-exported as [`games`]), and the Rust SDK. With the SDK, a bot is one file without unsafe
//! code.
//!
//! A bot is a type that implements the trait of its game, and a line that exports it:
//!
//! ```
//! use hattari_plugin::{NoConfig, daihinmin, daihinmin::{Block, Turn}};
//!
//! /// Plays the first legal action.
//! struct First;
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
//! hattari_plugin::export_bots![daihinmin::bot::<First>("first", "1.0.0", "Plays the first action")];
//! # fn main() {}
//! ```
//!
//! Built as a `cdylib`, this is a library for leagues. The SDK merges the config of a league into
//! the bot's preset and explains wrong keys. It turns panics into faults of the bot, so they do not
//! end the league. It accepts newer hosts and refuses older ones.

pub mod abi;
pub mod abi32;
mod call;
mod config;
#[doc(hidden)]
pub mod export;
pub mod headers;
mod host;
mod interface;
mod player;
mod poker;
mod rng;

/// Declares the module of every game.
macro_rules! modules {
    ($($folder:ident: $game:ident,)*) => {
        $(pub mod $folder;)*
    };
}

hattari_games::every_game!(modules);

/// Declares a record of your own game: [`games::frame!`] for packages that depend only on this one.
///
/// ```
/// hattari_plugin::frame! {
///     /// An action of a seat.
///     pub struct Action: "demo_action" {
///         /// Kind of the action.
///         kind: u32 => Code(&[("pass", 0), ("bet", 1)]),
///     }
/// }
/// ```
#[macro_export]
macro_rules! frame {
    ($($frame:tt)*) => {
        $crate::games::frame! { in "::hattari_plugin::games::bytemuck"; $($frame)* }
    };
}

pub use games::{codes, options};

/// An item for `cargo test --doc`, which runs the examples in the guide for authors of bots.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Guide;

pub use call::{Block, DealEnd, DealStart, Turn, blank};
pub use config::{Config, NoConfig};
pub use export::{Collection, Declared};
pub use hattari_games as games;
pub use host::{Host, Level};
pub use player::{Choice, Player, Uniform};
pub use rng::Rng;
