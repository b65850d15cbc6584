//! One bot, version after version, in the same games: the same cards, the same opponents with the
//! same chance. What differs between two versions is the bot's doing, so differences are paired
//! block by block. Prints nothing.

mod compare;
mod file;
mod setting;
mod version;

pub use compare::{Compared, Fork, compare, fork};
pub use file::{Event, Stamp, watch};
pub use setting::{Wishes, league};
pub use version::{Block, Played, games, play};
