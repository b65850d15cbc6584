//! Constraints on the hands of a deal.

use super::cards::CardSet;
use serde::{Deserialize, Serialize};

crate::defaults! {
    /// The constraints on a hand. The default allows any hand.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct HandConstraints {
        /// Minimum and maximum high-card points.
        pub hcp: [u8; 2] = [0, 37],
        /// `true` allows only the suit lengths 4-3-3-3, 4-4-3-2 and 5-3-3-2; `false` allows all.
        pub balanced: bool = false,
        /// Minimum and maximum number of spades.
        pub spades: [u8; 2] = [0, 13],
        /// Minimum and maximum number of hearts.
        pub hearts: [u8; 2] = [0, 13],
        /// Minimum and maximum number of diamonds.
        pub diamonds: [u8; 2] = [0, 13],
        /// Minimum and maximum number of clubs.
        pub clubs: [u8; 2] = [0, 13],
    }
}

impl HandConstraints {
    /// Returns `true` if a hand satisfies the constraints.
    pub fn fits(&self, hand: CardSet) -> bool {
        self.fits_points(hand.high_card_points()) && self.fits_lengths(hand.lengths())
    }

    /// Returns `true` if hands with this number of high-card points are allowed.
    pub(super) fn fits_points(&self, points: u8) -> bool {
        (self.hcp[0]..=self.hcp[1]).contains(&points)
    }

    /// Returns `true` if hands with these suit lengths, spades first, are allowed.
    pub(super) fn fits_lengths(&self, lengths: [u32; 4]) -> bool {
        let within = |([least, most], n): ([u8; 2], u32)| (least.into()..=most.into()).contains(&n);
        let bounds = [self.spades, self.hearts, self.diamonds, self.clubs];
        bounds.into_iter().zip(lengths).all(within) && (!self.balanced || is_balanced(lengths))
    }
}

/// Returns `true` if the suit lengths are 4-3-3-3, 4-4-3-2 or 5-3-3-2.
pub fn is_balanced(lengths: [u32; 4]) -> bool {
    let doubletons = lengths.iter().filter(|&&length| length == 2).count();
    lengths.iter().all(|length| (2..=5).contains(length)) && doubletons <= 1
}
