//! The options of the rules.

use super::setup::PILES;
use super::{card, rule};
use crate::given::{FixedDeal, FixedDealSpec};
use crate::{check_range, options};

options! {
    /// The options of the rules. The default is the preset `uecda`.
    pub struct Options {
        /// A group of four or a sequence of five reverses the order of ranks.
        pub revolution: bool = true,
        /// Two successive plays of the same suits lock them.
        pub lock: bool = true,
        /// Sequences are allowed.
        pub sequences: bool = true,
        /// Eights clear the trick.
        pub eight_cut: bool = true,
        /// Jacks reverse the order until the trick ends.
        pub eleven_back: bool = false,
        /// A five skips the next seat once. (The contest's server has such a key, but it has no
        /// effect there.)
        pub five_skip: bool = false,
        /// A six reverses the direction of play until the next six or the end of the deal.
        pub six_reverse: bool = false,
        /// Cards are exchanged by title.
        pub exchange: bool = true,
        /// `true`: the trick ends when the seat that played last has also passed, as in the
        /// contest's manual. `false`: it ends when all but one of the seats that still hold cards
        /// have passed, as on newer servers.
        pub ask_last_player_again: bool = true,
        /// Seats are redrawn before deal n of a block (from 1) if n modulo this number is 1. With 1
        /// they are drawn for the first deal only, as on the contest's server. With 0 they are
        /// never drawn: player and seat numbers are equal.
        pub seat_redraw: u32 = 3,
        /// Number of deals after which titles are reset, at least 1; also the default length of a
        /// block.
        pub rank_reset: u32 = 100,
        /// Number of successive passes, 6 to 1,000, after which the remaining places are drawn; 0
        /// for the maximum.
        pub deadlock_passes: u32 = 20,
        /// Points by place, each from -1,000,000 to 1,000,000.
        pub points: [i32; 5] = [5, 4, 3, 2, 1],
    }
    /// Given deals. Blocks play them in turn and start again after the last. Hands are
    /// separated by `/`; the first belongs to the seat that gets the first card, which is the
    /// daifugo if there are titles. Cards that are not named are random. If the list is empty,
    /// all deals are random.
    given deals
    presets {
        /// - `uecda`: the defaults; titles last 100 deals.
        "uecda" {},
        /// - `uecda-2007`: the same, but titles last 1,000 deals.
        "uecda-2007" { rank_reset: 1000 },
    }
}

/// Maximum of `deadlock_passes`, which guarantees that every deal ends.
pub const PASSES_MAX: u32 = 1000;
/// Minimum of `deadlock_passes`: above five, because a trick can end with a pass of every player.
pub const PASSES_MIN: u32 = 6;
/// Maximum absolute number of points for a place.
pub const POINTS_MAX: i32 = 1_000_000;

impl Options {
    /// Checks the options and returns the given deals.
    ///
    /// # Errors
    /// Returns the name and the range of an option that is out of range.
    pub fn check(&self) -> Result<Vec<FixedDeal>, String> {
        if self.rank_reset == 0 {
            return Err(
                "rank_reset must be at least 1 (number of deals between two resets of the titles)"
                    .into(),
            );
        }
        if self.deadlock_passes != 0 {
            let range = PASSES_MIN..=PASSES_MAX;
            check_range("deadlock_passes", self.deadlock_passes, range)
                .map_err(|error| error + ", or 0 for the maximum")?;
        }
        if let Some(points) = self
            .points
            .iter()
            .find(|points| points.unsigned_abs() > POINTS_MAX.unsigned_abs())
        {
            return Err(format!(
                "points contains {points}; each value must be from -{POINTS_MAX} to {POINTS_MAX}"
            ));
        }
        FixedDealSpec {
            cards: card::parse_list,
            hands: &PILES,
            community: 0,
        }
        .read(&self.deals)
    }

    /// Returns the number of successive passes that end a deal: `deadlock_passes`, or the maximum
    /// if 0.
    pub fn deadlock_after(&self) -> u32 {
        if self.deadlock_passes == 0 {
            PASSES_MAX
        } else {
            self.deadlock_passes
        }
    }

    /// Returns the options that affect play as flags of [`View::rules`](super::View::rules).
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
