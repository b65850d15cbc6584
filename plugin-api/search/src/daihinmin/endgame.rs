//! The exact solution of positions with two players left.
//!
//! Both players then know each other's hand, which consists of the unseen cards, so a search
//! decides who goes out first. The search is depth-first with a table of solved positions, and it
//! stops at a limit of visited positions.

use hattari_games::daihinmin::card::CardSet;
use hattari_games::daihinmin::{Action, Event, PLAYERS, Position, View};

/// A solver for positions with two players left.
#[derive(Clone, Debug)]
pub struct Endgame {
    /// Solved positions by hash, with `true` if the seat to act goes out first. The length is a
    /// power of two.
    table: Vec<Option<(Key, bool)>>,
    /// Buffers for lists of plays that are not in use.
    lists: Vec<Vec<Action>>,
    limit: u32,
    visited: u32,
}

/// The data that determine a position with two players left.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key {
    own: CardSet,
    other: CardSet,
    /// Other data, packed: table, order, lock, passes of both seats, and the seat whose play is on
    /// the table.
    rest: u64,
}

const TABLE: usize = 1 << 14;
/// Number of seats without cards if two are left.
const SEATS_OUT: u32 = 3;
/// Last place, from 0.
const LAST: u8 = 4;

impl Endgame {
    /// Creates a solver that visits at most `limit` positions per call.
    #[must_use]
    pub fn new(limit: u32) -> Endgame {
        Endgame {
            table: vec![None; TABLE],
            lists: Vec::new(),
            limit,
            visited: 0,
        }
    }

    /// Solves the position that a seat sees, if only one other player is left. `deadlock_after` is
    /// the number of successive passes that end a deal.
    pub fn find(
        &mut self,
        view: &View,
        history: &[Event],
        legal: &[Action],
        deadlock_after: u32,
    ) -> Outcome {
        let mut others = (0..)
            .zip(view.cards_left)
            .filter(|&(seat, left)| seat != view.seat && left != 0);
        let (Some((other, _)), None) = (others.next(), others.next()) else {
            return Outcome::Unknown;
        };
        let mut hands = [0; PLAYERS];
        hands[usize::from(view.seat) % PLAYERS] = view.hand;
        hands[usize::from(other) % PLAYERS] = view.unseen();
        self.solve(
            &Position::from_view(view, history, hands, deadlock_after),
            legal,
        )
    }

    /// Finds an action after which the seat to act certainly goes out before the other seat.
    pub fn solve(&mut self, position: &Position, legal: &[Action]) -> Outcome {
        if position.seats_out().count_ones() != SEATS_OUT {
            return Outcome::Unknown;
        }
        self.visited = 0;
        self.try_actions(position, legal.iter().enumerate())
    }

    /// Tries actions, which come with their indices, until one wins.
    fn try_actions<'a>(
        &mut self,
        position: &Position,
        actions: impl Iterator<Item = (usize, &'a Action)>,
    ) -> Outcome {
        let mut outcome = Outcome::Loses;
        for (index, action) in actions {
            match self.wins_by(position, action) {
                Some(true) => return Outcome::Wins(index),
                Some(false) => {}
                None => outcome = Outcome::Unknown,
            }
        }
        outcome
    }

    /// Returns `true` if the seat to act goes out first after this action, or `None` if the limit
    /// is reached.
    fn wins_by(&mut self, position: &Position, action: &Action) -> Option<bool> {
        let mover = position.to_act()?;
        // A pass on the lead does not win: if both seats did this, play would not end.
        if action.is_pass() && position.situation().table.is_pass() {
            return Some(false);
        }
        let mut next = *position;
        next.play(action);
        match next.to_act() {
            None => Some(next.place(mover) != LAST),
            Some(seat) if seat == mover => self.wins(&next),
            Some(_) => self.wins(&next).map(|other| !other),
        }
    }

    /// Returns `true` if the seat to act goes out first, or `None` if the limit is reached.
    fn wins(&mut self, position: &Position) -> Option<bool> {
        let key = Key::of(position);
        let place = key.hash() & (TABLE - 1);
        if let Some((known, wins)) = self.table[place]
            && known == key
        {
            return Some(wins);
        }
        if self.visited >= self.limit {
            return None;
        }
        self.visited += 1;
        let mut actions = self.lists.pop().unwrap_or_default();
        position.legal(&mut actions);
        // The pass is the first of the list. It is tried last.
        let outcome = self.try_actions(position, actions.iter().enumerate().rev());
        self.lists.push(actions);
        if outcome == Outcome::Unknown {
            return None;
        }
        let wins = outcome != Outcome::Loses;
        self.table[place] = Some((key, wins));
        Some(wins)
    }
}

/// The result for a position with two players left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The action with this index wins.
    Wins(usize),
    /// The other seat can always go out first.
    Loses,
    /// The limit was reached, or more than two players are left.
    Unknown,
}

impl Key {
    fn of(position: &Position) -> Key {
        let mover = position.to_act().unwrap_or(0);
        let situation = position.situation();
        let other = (0..5)
            .find(|&seat| seat != mover && position.seats_out() >> seat & 1 == 0)
            .unwrap_or(mover);
        let table = &situation.table;
        let small = u64::from_le_bytes([
            table.kind,
            table.count,
            table.column,
            table.suits,
            situation.rules,
            u8::from(situation.lock)
                | u8::from(situation.reversed) << 1
                | u8::from(position.revolution()) << 2,
            u8::from(position.seats_passed() >> other & 1 == 1)
                | u8::from(position.seats_passed() >> mover & 1 == 1) << 1,
            // If the last seat to play has no cards, the next leader depends on all three seats.
            if position.seats_out() >> position.last_seat() & 1 == 1 {
                0x80 | mover << 3 | position.last_seat()
            } else {
                u8::from(position.last_seat() == mover)
            },
        ]);
        Key {
            own: position.hand(mover),
            other: position.hand(other),
            rest: small,
        }
    }

    fn hash(&self) -> usize {
        let mixed = (self.own ^ self.other.rotate_left(29) ^ self.rest.rotate_left(47))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> 40) as usize
    }
}
