//! The information from which policies compute their features.

use hattari_games::daihinmin::card::{CardSet, PACK};
use hattari_games::daihinmin::{Action, NONE, PLAYERS, Position, Situation, View};
use hattari_games::seats::next_of;

/// The information of the seat to act. It does not depend on which other seat holds which card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyView {
    /// Own cards.
    pub hand: CardSet,
    /// Table, lock and order.
    pub situation: Situation,
    /// `true` during a revolution, which determines the order of ranks after the trick.
    pub revolution: bool,
    /// Cards in the other hands.
    pub unseen: CardSet,
    /// Smallest number of cards of another seat in play; 0 if there is none.
    pub fewest: u8,
    /// Number of cards of the seat whose play is on the table; 0 if that seat has no cards or the
    /// table is empty.
    pub owner: u8,
    /// Number of other seats that can still act in this trick.
    pub waiting: u8,
    /// Total number of cards of the other seats that can still act in this trick.
    pub waiting_cards: u8,
    /// Number of cards of the next seat that can still act in this trick; 0 if there is none.
    pub next: u8,
    /// Number of seats without cards.
    pub out: u8,
    /// `true` if the play on the table is the seat's own.
    pub own_table: bool,
    /// Seat to act.
    pub seat: u8,
    /// Number of cards of each seat.
    pub cards_left: [u8; PLAYERS],
    /// Seats that have passed in this trick, one bit per seat.
    pub passed: u8,
    /// Title of each seat; [`NONE`] if there is no title or it is unknown.
    pub titles: [u8; PLAYERS],
}

impl PolicyView {
    /// Collects the information of the seat to act. Uses only the sizes of other hands.
    #[inline]
    #[must_use]
    pub fn of(position: &Position, mover: u8) -> PolicyView {
        let situation = *position.situation();
        let hand = position.hand(mover);
        let owner = if situation.table.is_pass() {
            NONE
        } else {
            position.last_seat()
        };
        PolicyView {
            hand,
            revolution: position.revolution(),
            unseen: PACK & !position.cards_played() & !hand,
            ..PolicyView::counted(
                situation,
                mover,
                position.hands().map(|hand| (hand.count_ones() & 63) as u8),
                position.seats_out(),
                position.seats_passed(),
                owner,
            )
        }
    }

    /// Collects the information of `view.seat` at its own decision.
    #[must_use]
    pub fn seen(view: &View) -> PolicyView {
        PolicyView {
            hand: view.hand,
            revolution: view.revolution != 0,
            unseen: view.unseen(),
            titles: view.titles,
            ..PolicyView::counted(
                Situation::from(view),
                view.seat & 7,
                view.cards_left,
                view.out,
                view.passed,
                view.table_seat,
            )
        }
    }

    /// Collects the information without cards, revolution and titles. `owner` is the seat whose
    /// play is on the table, or [`NONE`].
    #[inline(always)]
    fn counted(
        situation: Situation,
        seat: u8,
        cards_left: [u8; PLAYERS],
        out: u8,
        passed: u8,
        owner: u8,
    ) -> PolicyView {
        let mut fewest = u8::MAX;
        for (other, &count) in (0_u8..).zip(&cards_left) {
            if other != seat && count != 0 && count < fewest {
                fewest = count;
            }
        }
        let waiting = ALL & !(out | passed | 1 << seat);
        let left = |seat: u8| cards_left.get(usize::from(seat)).copied().unwrap_or(0);
        PolicyView {
            hand: 0,
            situation,
            revolution: false,
            unseen: 0,
            fewest: if fewest == u8::MAX { 0 } else { fewest },
            owner: left(owner),
            waiting: (waiting.count_ones() & 7) as u8,
            waiting_cards: (0..SEATS)
                .map(|seat| {
                    if waiting >> seat & 1 == 1 {
                        left(seat)
                    } else {
                        0
                    }
                })
                .sum(),
            next: left(next_of(waiting.into(), seat, SEATS)),
            out: (out.count_ones() & 7) as u8,
            own_table: owner == seat,
            seat,
            cards_left,
            passed,
            titles: [NONE; PLAYERS],
        }
    }

    /// Returns the number of legal actions to ignore at the start of the list: 1 (the pass) for a
    /// leader with a play, otherwise 0. A leader's pass is rarely right and would make games
    /// longer.
    #[inline]
    #[must_use]
    pub fn idle_passes(&self, legal: &[Action]) -> usize {
        let leads = self.situation.table.is_pass();
        usize::from(leads && legal.len() > 1 && legal[0].is_pass())
    }

    /// Returns `true` if a pass wins the trick: the play on the table is the seat's own, and no
    /// other seat can act any more.
    #[inline]
    #[must_use]
    pub fn wins_by_passing(&self) -> bool {
        self.own_table && self.waiting == 0
    }
}

/// [`PLAYERS`] as a `u8`.
const SEATS: u8 = 5;
/// All seats.
const ALL: u8 = (1 << SEATS) - 1;
