//! Plays successive versions of a bot in the same games: the same cards, the same opponents, the
//! same random numbers. Only the bot differs, so the results are compared block by block. Prints
//! nothing.

mod compare;
mod file;
mod review;
mod setting;
mod version;

pub use compare::{VersionComparison, VersionFork, compare, fork};
pub use file::{FileEvent, WatchedStamp, watch};
pub use review::review;
pub use setting::{WatchOptions, find_opponents, prepare};
pub use version::{VersionBlock, VersionGames, games, opponents, play};
