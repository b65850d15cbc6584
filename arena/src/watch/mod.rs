//! Plays successive versions of a bot in the same games: the same cards, the same opponents, the
//! same random numbers. Only the bot differs, so the results are compared block by block. Prints
//! nothing.

mod compare;
mod file;
mod review;
mod setting;
mod version;

pub(crate) use compare::{VersionFork, compare, fork};
pub(crate) use file::{FileEvent, WatchedStamp, watch};
pub(crate) use review::review;
pub(crate) use setting::{WatchOptions, find_opponents, prepare};
pub(crate) use version::{VersionGames, faults, games, opponents, play};
