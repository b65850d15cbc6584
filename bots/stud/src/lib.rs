//! Compiled stud bots: a player that uses fuzzy rules, bluffs and learns the tendencies of its
//! opponent, variants with one part disabled, opponents with fixed tendencies, and baselines.
//!
//! # Adding a bot
//! Create a file in `src/bots/`, like that of [`bots::call`], and build. All public constants
//! of type `Declared` in this folder are included in the `hattari` command, and leagues refer to
//! them by id. There is no list to update.
//!
//! # Modules
//! [`bots`] contains the bots. Their parts:
//!
//! - `range`: the range of amounts of a decision.
//! - `chances`: probabilities that depend only on the cards.
//! - `honest`: betting by these probabilities.
//! - [`fuzzy`]: estimates and decisions of the fuzzy player.

pub(crate) mod chances;
pub mod fuzzy;
pub(crate) mod honest;
pub(crate) mod range;

/// The bots, one per file, collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
