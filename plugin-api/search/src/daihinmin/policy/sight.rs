//! What the seat to act can tell at a glance: what policies judge its actions by.

use hattari_games::daihinmin::card::{CardSet, PACK};
use hattari_games::daihinmin::{Action, NONE, PLAYERS, Position, Situation, View};

/// The seat to act with what it sees: nothing of it depends on which of the others holds which
/// card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// The own cards.
    pub hand: CardSet,
    /// Table, lock and order.
    pub situation: Situation,
    /// Whether a revolution is on: the order of ranks once the trick is over.
    pub revolution: bool,
    /// Cards in the other hands.
    pub unseen: CardSet,
    /// Fewest cards of another seat that is still in; 0 where there is none.
    pub fewest: u8,
    /// Cards left of the seat whose play lies on the table; 0 where that is out or there is no
    /// play.
    pub owner: u8,
    /// Other seats that may still be asked in this trick.
    pub waiting: u8,
    /// Cards that those hold together.
    pub waiting_cards: u8,
    /// Cards of the next of them; 0 where there is none.
    pub next: u8,
    /// Seats that have gone out.
    pub out: u8,
    /// Whether the play on the table is the own one.
    pub own_table: bool,
    /// The seat that acts.
    pub seat: u8,
    /// Cards left of each seat.
    pub cards_left: [u8; PLAYERS],
    /// The seats that have passed in this trick, a bit each.
    pub passed: u8,
    /// The title of each seat, [`NONE`] where it has none or the title is not known.
    pub titles: [u8; PLAYERS],
}

impl Sight {
    /// What the seat to act sees. The hands of others are looked at for their number of cards
    /// alone.
    #[inline]
    #[must_use]
    pub fn of(position: &Position, mover: u8) -> Sight {
        let hands = position.hands();
        let hand = position.hand(mover);
        let cards_left = hands.map(|hand| (hand.count_ones() & 63) as u8);
        let mut fewest = u8::MAX;
        for (seat, &count) in (0_u8..).zip(&cards_left) {
            if seat != mover && count != 0 && count < fewest {
                fewest = count;
            }
        }
        let waiting = ALL & !(position.out() | position.passed() | 1 << mover);
        let situation = *position.situation();
        let left = |seat: u8| cards_left.get(usize::from(seat)).copied().unwrap_or(0);
        let owner = if situation.table.is_pass() {
            0
        } else {
            left(position.last())
        };
        Sight {
            hand,
            situation,
            revolution: position.revolution(),
            unseen: PACK & !position.gone() & !hand,
            fewest: if fewest == u8::MAX { 0 } else { fewest },
            owner,
            waiting: (waiting.count_ones() & 7) as u8,
            waiting_cards: held(waiting, left),
            next: left(next_of(waiting, mover)),
            out: (position.out().count_ones() & 7) as u8,
            own_table: !situation.table.is_pass() && position.last() == mover,
            seat: mover,
            cards_left,
            passed: position.passed(),
            titles: [NONE; PLAYERS],
        }
    }

    /// What `view.seat` sees at a decision of its own.
    #[must_use]
    pub fn seen(view: &View) -> Sight {
        let situation = Situation::from(view);
        let own = view.seat & 7;
        let fewest = (0_u8..)
            .zip(view.cards_left)
            .filter(|&(seat, left)| seat != own && left != 0)
            .map(|(_, left)| left);
        let waiting = ALL & !(view.out | view.passed | 1 << own);
        Sight {
            hand: view.hand,
            situation,
            revolution: view.revolution != 0,
            unseen: view.unseen(),
            fewest: fewest.min().unwrap_or(0),
            owner: view
                .cards_left
                .get(usize::from(view.table_seat))
                .copied()
                .unwrap_or(0),
            waiting: (waiting.count_ones() & 7) as u8,
            waiting_cards: held(waiting, |seat| view.cards_left[usize::from(seat)]),
            next: view
                .cards_left
                .get(usize::from(next_of(waiting, own)))
                .copied()
                .unwrap_or(0),
            out: (view.out.count_ones() & 7) as u8,
            own_table: view.table_seat == own,
            seat: own,
            cards_left: view.cards_left,
            passed: view.passed,
            titles: view.titles,
        }
    }

    /// How many actions at the head of the list of the legal ones are not worth a thought: 1, the
    /// pass, for a hand that leads and has a play, else 0. A lead passed on is hardly ever
    /// right, and games would be longer for it.
    #[inline]
    #[must_use]
    pub fn idle_passes(&self, legal: &[Action]) -> usize {
        let leads = self.situation.table.is_pass();
        usize::from(leads && legal.len() > 1 && legal[0].is_pass())
    }

    /// Whether a pass now wins the trick: the own play is on top and nobody else is left to beat
    /// it.
    #[inline]
    #[must_use]
    pub fn wins_by_passing(&self) -> bool {
        self.own_table && self.waiting == 0
    }
}

/// Cards of a set of seats.
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

/// The first of `seats` after `seat`, wherever play goes; 7, which nobody sits in, where there is
/// none.
#[inline]
fn next_of(seats: u8, seat: u8) -> u8 {
    // The seats twice in a row, seen from the one after this.
    let ahead = (u16::from(seats) | u16::from(seats) << 5) >> (seat + 1);
    if ahead == 0 {
        7
    } else {
        (seat + 1 + (ahead.trailing_zeros() & 7) as u8) % 5
    }
}

const ALL: u8 = (1 << PLAYERS) - 1;
