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

/// Shortens an array with one element per seat to the number of seats of a view.
#[inline]
pub(crate) fn seats<T: Copy, const N: usize>(all: &[T]) -> [T; N] {
    *all.first_chunk()
        .expect("views have no more seats than tables")
}

/// Implements the methods that the views of all variants share.
macro_rules! shared_view {
    ($view:ty) => {
        impl $view {
            /// Returns the number of players who have not folded.
            pub fn in_play_count(&self) -> u32 {
                self.in_play.count_ones()
            }

            /// Returns `true` if `seat` has not folded.
            pub fn is_in_play(&self, seat: u8) -> bool {
                self.in_play >> seat & 1 == 1
            }

            /// Returns the other seats that have not folded.
            pub fn opponents(&self) -> impl Iterator<Item = u8> {
                (0..self.players).filter(|&seat| seat != self.seat && self.is_in_play(seat))
            }

            /// Writes the fields that the views of all variants have.
            #[inline]
            pub(super) fn fill(
                &mut self,
                form: &$crate::poker::BettingStructure,
                block: &$crate::poker::Block,
                deal: &$crate::poker::Deal,
                seat: u8,
            ) {
                use $crate::poker::records::seats;
                let betting = &deal.betting;
                self.size = <$view as $crate::frame::Framed>::SIZE;
                self.limit = form.limit as u8;
                self.ante = form.ante;
                self.deal = block.finished;
                self.deals = block.planned;
                self.seat = seat;
                self.players = block.players;
                self.button = deal.button;
                self.street = deal.street;
                self.raises = betting.raises;
                self.in_play = betting.in_play.into();
                self.all_in = (betting.in_play & !betting.able).into();
                self.hand = deal.hands[usize::from(seat)];
                self.community = deal.community;
                self.pot = betting.pot;
                self.level = betting.level;
                self.to_call = betting.to_call(seat);
                self.stacks = seats(&betting.stacks);
                self.bets = seats(&betting.bets);
                self.paid = seats(&betting.paid);
                self.results = seats(&block.totals);
                self.shown = seats(&deal.shown);
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
