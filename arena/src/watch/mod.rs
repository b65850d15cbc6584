//! Plays successive versions of a bot in the same games: same cards, same opponents, same random
//! numbers. All differences are caused by the bot, so they are paired by block. Prints nothing.

mod compare;
mod file;
mod setting;
mod version;

pub use compare::{Compared, Fork, compare, fork};
pub use file::{Event, Stamp, watch};
pub use setting::{Wishes, league};
pub use version::{Block, Played, games, play};
