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
        let hands = position.hands();
        let hand = position.hand(mover);
        let cards_left = hands.map(|hand| (hand.count_ones() & 63) as u8);
        let mut fewest = u8::MAX;
        for (seat, &count) in (0_u8..).zip(&cards_left) {
            if seat != mover && count != 0 && count < fewest {
                fewest = count;
            }
        }
        let waiting = ALL & !(position.seats_out() | position.seats_passed() | 1 << mover);
        let situation = *position.situation();
        let left = |seat: u8| cards_left.get(usize::from(seat)).copied().unwrap_or(0);
        let owner = if situation.table.is_pass() {
            0
        } else {
            left(position.last_seat())
        };
        PolicyView {
            hand,
            situation,
            revolution: position.revolution(),
            unseen: PACK & !position.cards_played() & !hand,
            fewest: if fewest == u8::MAX { 0 } else { fewest },
            owner,
            waiting: (waiting.count_ones() & 7) as u8,
            waiting_cards: held(waiting, left),
            next: left(next_of(waiting.into(), mover, SEATS)),
            out: (position.seats_out().count_ones() & 7) as u8,
            own_table: !situation.table.is_pass() && position.last_seat() == mover,
            seat: mover,
            cards_left,
            passed: position.seats_passed(),
            titles: [NONE; PLAYERS],
        }
    }

    /// Collects the information of `view.seat` at its own decision.
    #[must_use]
    pub fn seen(view: &View) -> PolicyView {
        let situation = Situation::from(view);
        let own = view.seat & 7;
        let fewest = (0_u8..)
            .zip(view.cards_left)
            .filter(|&(seat, left)| seat != own && left != 0)
            .map(|(_, left)| left);
        let waiting = ALL & !(view.out | view.passed | 1 << own);
        let left = |seat: u8| view.cards_left.get(usize::from(seat)).copied().unwrap_or(0);
        PolicyView {
            hand: view.hand,
            situation,
            revolution: view.revolution != 0,
            unseen: view.unseen(),
            fewest: fewest.min().unwrap_or(0),
            owner: left(view.table_seat),
            waiting: (waiting.count_ones() & 7) as u8,
            waiting_cards: held(waiting, left),
            next: left(next_of(waiting.into(), own, SEATS)),
            out: (view.out.count_ones() & 7) as u8,
            own_table: view.table_seat == own,
            seat: own,
            cards_left: view.cards_left,
            passed: view.passed,
            titles: view.titles,
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

/// Returns the total number of cards of a set of seats.
#[inline]
fn held(seats: u8, count: impl Fn(u8) -> u8) -> u8 {
    (0..5_u8)
        .map(|seat| {
            if seats >> seat & 1 == 1 {
                count(seat)
            } else {
                0
            }
        })
        .sum()
}

/// [`PLAYERS`] as a `u8`.
const SEATS: u8 = 5;
/// All seats.
const ALL: u8 = (1 << SEATS) - 1;
