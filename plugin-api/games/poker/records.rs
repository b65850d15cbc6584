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

            /// Returns the faces of the cards that only the view's seat knows.
            pub(super) fn hidden(&self) -> String {
                let shown = self.shown.get(usize::from(self.seat));
                $crate::poker::scene::faces_of(self.hand & !shown.copied().unwrap_or(0))
            }

            /// Returns the scene with these facts. `board` is the name of the pile of community
            /// cards; `dealt` returns the number of cards of a seat, hidden or shown.
            pub(super) fn table_scene(
                &self,
                facts: Vec<$crate::scene::Fact>,
                board: &'static str,
                dealt: impl Fn(u8) -> u32,
                own: $crate::scene::OwnCards,
            ) -> $crate::scene::Scene {
                use $crate::poker::scene::{community, faces_of};
                use $crate::scene::{Scene, SceneSeat, Tableau, unless_zero};
                let places = (0..self.players).map(|seat| {
                    let at = usize::from(seat);
                    let is_out = !self.is_in_play(seat);
                    let note = match self.all_in >> seat & 1 {
                        _ if is_out => "folded",
                        1 => "all in",
                        _ => "",
                    };
                    let role = if seat == self.button { "button" } else { "" };
                    let held = dealt(seat).saturating_sub(self.shown[at].count_ones());
                    SceneSeat {
                        player: seat,
                        role: role.to_owned(),
                        held: u8::try_from(held).unwrap_or(u8::MAX),
                        open: faces_of(self.shown[at]),
                        facts: vec![
                            ("stack", self.stacks[at].to_string()),
                            ("bet", unless_zero(self.bets[at])),
                            ("in the pot", unless_zero(self.paid[at])),
                            ("won before", unless_zero(self.results[at])),
                        ],
                        note: note.to_owned(),
                        is_out,
                    }
                });
                let table = Tableau {
                    facts,
                    places: places.collect(),
                    piles: community(board, self.community),
                };
                Scene { table, own }
            }
        }
    };
}
pub(crate) use shared_view;
