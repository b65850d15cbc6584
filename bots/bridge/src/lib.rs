//! Compiled bots for the card play of bridge: double-dummy play over sampled deals, and baselines.
//!
//! # Adding a bot
//! Create a file in `src/bots/`, like that of [`bots::random`], and build. All public constants
//! of type `Declared` in this folder are included in the `hattari` command, and leagues refer to
//! them by id. There is no list to update.
//!
//! # Modules
//! - [`bots`]: the bots.
//! - [`rules`]: inference of hands from calls and play.
//! - [`worlds`]: sampling of hidden cards.
//! - [`reason`]: values of cards over sampled deals.
//! - `thumb`: play by rules of thumb, without search.
//! - [`deceive`]: play that takes the reasoning of the other players into account.

pub mod deceive;
pub mod play;
pub mod reason;
pub mod rules;
pub(crate) mod thumb;
pub mod worlds;

/// The bots, one per file, collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
