//! What the records of all variants have in common.

use crate::codes;

pub use super::event::kind;

codes! {
    /// Limits, the field `limit` of views; numbered as [`Limit`](super::Limit).
    pub mod limit {
        /// Up to all chips.
        NO_LIMIT = 0,
        /// Raises by no more than the pot.
        POT_LIMIT = 1,
        /// Bets of one size.
        FIXED_LIMIT = 2,
        /// Bets and raises by no more than the pot before the street.
        STREET_POT = 3,
    }
}

/// Implements what the views of all variants can be asked.
macro_rules! shared_view {
    ($view:ty) => {
        impl $view {
            /// How many players have not folded, you among them unless you have.
            #[must_use]
            pub fn in_play_count(&self) -> u32 {
                self.in_play.count_ones()
            }

            /// Whether a seat has not folded.
            #[must_use]
            pub fn is_in_play(&self, seat: u8) -> bool {
                self.in_play >> seat & 1 == 1
            }

            /// What scenes of all variants show.
            pub(super) fn seen(&self) -> $crate::poker::scene::Seen<'_> {
                $crate::poker::scene::Seen {
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
