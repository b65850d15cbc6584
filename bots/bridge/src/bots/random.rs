//! The bot `random`: a baseline.

use hattari_plugin::bridge::Bridge;
use hattari_plugin::{Declared, Uniform};

/// Declaration of the bot `random`.
pub const RANDOM: Declared<Bridge, Uniform> = Declared::new(
    "random",
    "1.0.0",
    "Plays a random legal card; all have the same probability",
);
