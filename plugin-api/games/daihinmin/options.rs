//! The switches of the rules.

use serde::{Deserialize, Serialize};

/// Every switch of the rules. The default is the preset `uecda`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the rules, independent of each other")]
pub struct Options {
    /// A group of four or a sequence of five turns the order of ranks round.
    pub revolution: bool,
    /// Two plays of the same suits lock them.
    pub lock: bool,
    /// Sequences may be played.
    pub sequences: bool,
    /// Eights clear the trick.
    pub eight_cut: bool,
    /// Jacks turn the order round until the trick ends.
    pub eleven_back: bool,
    /// A five lets the next seat miss its turn.
    pub five_skip: bool,
    /// A six turns the direction of play round.
    pub six_reverse: bool,
    /// Cards are exchanged between titles.
    pub exchange: bool,
    /// The trick goes on until the seat that played last has passed too.
    pub ask_last_player_again: bool,
    /// Seats are redrawn every so many deals; 0 is never.
    pub seat_redraw: u32,
    /// Titles go back to commoner after so many deals: the length of a block.
    pub rank_reset: u32,
    /// After so many passes in a row the titles of those still in are drawn; 0 is never.
    pub deadlock_passes: u32,
    /// Points by place.
    pub points: [i32; 5],
}

impl Default for Options {
    fn default() -> Self {
        Options {
            revolution: true,
            lock: true,
            sequences: true,
            eight_cut: true,
            eleven_back: false,
            five_skip: false,
            six_reverse: false,
            exchange: true,
            ask_last_player_again: true,
            seat_redraw: 3,
            rank_reset: 100,
            deadlock_passes: 20,
            points: [5, 4, 3, 2, 1],
        }
    }
}

impl Options {
    /// Names of the presets.
    pub const PRESETS: &'static [&'static str] = &["uecda", "uecda-2007"];

    /// The preset of that name: `uecda`, or `uecda-2007` whose titles last 1,000 deals.
    #[must_use]
    pub fn preset(name: &str) -> Option<Options> {
        match name {
            "uecda" => Some(Options::default()),
            "uecda-2007" => Some(Options { rank_reset: 1000, ..Options::default() }),
            _ => None,
        }
    }
}
