//! The bot `random`: a baseline.

use hattari_plugin::daihinmin::Daihinmin;
use hattari_plugin::{Declared, Uniform};

/// Declaration of the bot `random`.
pub const RANDOM: Declared<Daihinmin, Uniform> = Declared::new(
    "random",
    "1.0.0",
    "Plays a random legal action; all have the same probability",
);
