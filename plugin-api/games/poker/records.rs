//! The part of the records that all variants share.

use crate::codes;

pub use super::event::kind;

codes! {
    /// Betting limits in the field `limit` of views, numbered as in [`BetLimit`](super::BetLimit).
    pub mod limit {
        /// Up to all chips.
        NO_LIMIT = 0,
        /// Raises of at most the pot.
        POT_LIMIT = 1,
        /// Bets and raises of a fixed size.
        FIXED_LIMIT = 2,
        /// Bets and raises of at most the pot before the street.
        STREET_POT = 3,
    }
}

/// Implements the methods that the views of all variants share.
macro_rules! shared_view {
    ($view:ty) => {
        impl $view {
            /// Returns the number of players who have not folded.
            #[must_use]
            pub fn in_play_count(&self) -> u32 {
                self.in_play.count_ones()
            }

            /// Returns `true` if `seat` has not folded.
            #[must_use]
            pub fn is_in_play(&self, seat: u8) -> bool {
                self.in_play >> seat & 1 == 1
            }

            /// Returns the fields that the scenes of all variants need.
            pub(super) fn scene_fields(&self) -> $crate::poker::scene::SceneFields<'_> {
                $crate::poker::scene::SceneFields {
                    seat: self.seat,
                    players: self.players,
                    button: self.button,
                    in_play: self.in_play.into(),
                    all_in: self.all_in.into(),
                    hand: self.hand,
                    community: self.community,
                    shown: &self.shown,
                    stacks: &self.stacks,
                    bets: &self.bets,
                    paid: &self.paid,
                    results: &self.results,
                }
            }
        }
    };
}
pub(crate) use shared_view;
