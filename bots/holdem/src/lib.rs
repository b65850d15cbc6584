//! Compiled hold'em bots: the honest and the small-bluff player of a Japanese article series on
//! game programming, a bot that exploits honest play, and baselines.
//!
//! # Adding a bot
//! Create a file in `src/bots/`, like that of [`bots::fold`], and build. All public constants
//! of type `Declared` in this folder are included in the `hattari` command, and leagues refer to
//! them by id. There is no list to update.
//!
//! # Modules
//! [`bots`] contains the bots. Their parts:
//!
//! - [`situation`]: the quantities for decisions.
//! - [`sampling`]: computation of win rates.
//! - [`preflop`]: table of win rates before the flop.
//! - [`honest`] and [`small_bluff`]: decisions as pure functions.
//! - `strengths`: win rates of all hands at once.
//! - `reading`: inference of hands from honest play.
//! - `weighing`: expected gain of choices against inferred hands.

pub mod cfr;
pub mod honest;
pub mod preflop;
pub(crate) mod reading;
pub mod sampling;
pub mod situation;
pub mod small_bluff;
pub(crate) mod strengths;
pub(crate) mod weighing;

/// The bots, one per file, collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
