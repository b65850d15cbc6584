//! Compiled daihinmin bots: the play styles of Satō and Itō, the contest's sample client and a bot
//! in its style, Monte Carlo and policy bots, and a random bot.
//!
//! # Adding a bot
//! Create a file in `src/bots/`, like that of [`bots::random`], and build. All public constants
//! of type `Declared` in this folder are included in the `hattari` command, and leagues refer to
//! them by id. There is no list to update.
//!
//! # Modules
//! [`bots`] contains the bots. Their parts can be used as pure functions of view and legal actions:
//!
//! - [`style`]: the algorithm of the play styles.
//! - [`order`]: the strength of plays.
//! - [`evaluation`]: the number of cards that could beat a single.
//! - [`plan`]: the sequences to keep together.
//! - `gift`: the exchange.
//! - [`monte_carlo`]: the Monte Carlo player.
//! - [`by_policy`]: the player that acts by learned weights, without playouts.

pub mod by_policy;
pub mod evaluation;
pub(crate) mod gift;
pub mod monte_carlo;
pub mod order;
pub mod plan;
pub mod style;

/// The bots, one per file, collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
