//! The switches of the rules.

use super::setup::PILES;
use super::{card, rule};
use crate::given::{Given, Terms};
use serde::{Deserialize, Serialize};

/// Every switch of the rules. The default is the preset `uecda`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the switches of the rules, independent of each other"
)]
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
    /// A five lets the next seat miss its turn; it may play again when its turn comes round. (The
    /// contest's server has such a key, but its code is without effect: the seat after is
    /// asked all the same.)
    pub five_skip: bool,
    /// A six turns the direction of play round, until the next six or the end of the deal.
    pub six_reverse: bool,
    /// Cards are exchanged between titles.
    pub exchange: bool,
    /// The trick goes on until the seat that played last has passed too, as the contest's manual
    /// has it. Otherwise it ends as soon as all seats with cards but one have passed, as on
    /// newer servers.
    pub ask_last_player_again: bool,
    /// Seats are redrawn every so many deals: in deal n of a block, counted from 1, where n modulo
    /// this is 1. As on the contest's server 1 therefore redraws them never: they are drawn
    /// for the first deal of the block and stay. With 0 they are not drawn at all: player 0
    /// sits in seat 0, and so on.
    pub seat_redraw: u32,
    /// Titles go back to commoner after so many deals, at least 1: the length of a block. In a
    /// longer block they go back every time so many deals have been played.
    pub rank_reset: u32,
    /// After so many passes in a row, 6 to 1,000, the places of those still in are drawn; 0 is as
    /// late as possible.
    pub deadlock_passes: u32,
    /// Points by place, each between -1,000,000 and 1,000,000.
    pub points: [i32; 5],
    /// Deals to be played in turn, from block to block, again from the first after the last: hands
    /// with `/` between them, the first seat to be dealt a card first: the daifugo's where
    /// there are titles. What is not named is drawn. Without them all cards are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<String>,
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
            deals: Vec::new(),
        }
    }
}

/// The most passes in a row that a deal may see: every deal ends, whatever the players do.
pub const PASSES_MAX: u32 = 1000;
/// The fewest: a trick alone may end in a pass of every player.
pub const PASSES_MIN: u32 = 6;
/// The largest number of points for a place, of either sign.
pub const POINTS_MAX: i32 = 1_000_000;

impl Options {
    /// Names of the presets.
    pub const PRESETS: &'static [&'static str] = &["uecda", "uecda-2007"];

    /// The preset of that name: `uecda`, or `uecda-2007` whose titles last 1,000 deals.
    #[must_use]
    pub fn preset(name: &str) -> Option<Options> {
        match name {
            "uecda" => Some(Options::default()),
            "uecda-2007" => Some(Options {
                rank_reset: 1000,
                ..Options::default()
            }),
            _ => None,
        }
    }

    /// Whether the rules can be played; the deals that are given.
    ///
    /// # Errors
    /// The option that is out of its range, and the range.
    pub fn check(&self) -> Result<Vec<Given>, String> {
        if self.rank_reset == 0 {
            return Err(
                "rank_reset must be at least 1 (number of deals between two resets of the titles)"
                    .into(),
            );
        }
        if self.deadlock_passes != 0 && !(PASSES_MIN..=PASSES_MAX).contains(&self.deadlock_passes) {
            return Err(format!(
                "deadlock_passes is {}, must be {PASSES_MIN} to {PASSES_MAX}, or 0 for the latest possible",
                self.deadlock_passes
            ));
        }
        if let Some(points) = self
            .points
            .iter()
            .find(|points| points.unsigned_abs() > POINTS_MAX.unsigned_abs())
        {
            return Err(format!(
                "points contains {points}, must be between -{POINTS_MAX} and {POINTS_MAX}"
            ));
        }
        Terms {
            cards: card::parse_list,
            hands: &PILES,
            community: 0,
        }
        .read(&self.deals)
    }

    /// Passes in a row that end a deal: `deadlock_passes`, or as late as possible where that is 0.
    #[must_use]
    pub fn deadlock_after(&self) -> u32 {
        if self.deadlock_passes == 0 {
            PASSES_MAX
        } else {
            self.deadlock_passes
        }
    }

    /// The switches that bear on play as the flags of [`View::rules`](super::View::rules).
    #[must_use]
    pub fn flags(&self) -> u8 {
        [
            (self.revolution, rule::REVOLUTION),
            (self.lock, rule::LOCK),
            (self.sequences, rule::SEQUENCES),
            (self.eight_cut, rule::EIGHT_CUT),
            (self.eleven_back, rule::ELEVEN_BACK),
            (self.five_skip, rule::FIVE_SKIP),
            (self.six_reverse, rule::SIX_REVERSE),
        ]
        .into_iter()
        .filter(|&(on, _)| on)
        .fold(0, |flags, (_, flag)| flags | flag)
    }
}
