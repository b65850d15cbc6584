//! A position: the hands and the seat to act, without history, players and titles. The rules update
//! it after every action, and look-ahead copies it millions of times.

use super::card::{CardSet, DIAMOND_3, PACK};
use super::moves::{self, Situation};
use super::records::{Action, Event, NONE, PLAYERS, View, event, flag};
use crate::cards::union_of;
use bytemuck::Zeroable;

/// The state of play with open hands.
///
/// Fields that change every turn are read and written in words of the same size. Reading a wider
/// word than was written stalls the processor for most of the time of a turn, which is a few tens
/// of nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// State of the table for the next play.
    pub(super) situation: Situation,
    /// State of the table, as in [`Event::flags`].
    pub(super) flags: u8,
    /// Seat to act, or [`NONE`] if the deal is over.
    pub(super) to_act: u8,
    /// Seat that leads the trick or has played last in it.
    pub(super) last: u8,
    /// Seats that have passed in this trick.
    pub(super) passed: u8,
    /// Seats without cards.
    pub(super) out: u8,
    /// Seats that have a place.
    pub(super) placed: u8,
    /// 1 if the seat that played last gets another turn before the trick ends, as in
    /// [`View::ask_last`].
    pub(super) ask_last: u8,
    /// Number of passes since the last play.
    pub(super) passes: u32,
    /// Number of successive passes that end the deal.
    pub(super) deadlock_passes: u32,
    /// Cards played.
    pub(super) gone: CardSet,
    /// Cards of each seat.
    pub(super) hands: SeatSets,
    /// Place of each seat, or [`NONE`] while it plays.
    pub(super) places: [u8; 8],
    /// Order in which the deadlock rule gives the remaining places to seats.
    pub(super) deadlock_order: [u8; PLAYERS],
}

/// A set of cards for each seat. The length is 8, so that an index of [`seat_index`] needs no
/// bounds check.
pub(super) type SeatSets = [CardSet; 8];

/// Returns the index of a seat in arrays of length 8.
#[inline]
pub(super) fn seat_index(seat: u8) -> usize {
    usize::from(seat & 7)
}

/// Returns the one seat for which `is` returns `true`, or 0 if there is none. All seats are
/// examined, because a mispredicted branch would take longer.
#[inline]
pub(super) fn find_seat(is: impl Fn(u8) -> bool) -> u8 {
    (0..5).fold(0, |found, seat| found | (seat * u8::from(is(seat))))
}

/// A receiver of the events that actions cause.
pub(super) trait EventLog {
    /// Records an event of `kind`, a constant of [`event`], with the state of the table afterwards.
    /// `place` is 0 unless a seat gets a place. `action` is the play or pass as three 64-bit words,
    /// all 0 for other events.
    fn record(&mut self, kind: u8, seat: u8, flags: u8, place: u8, action: [u64; 3]);
}

/// A receiver that records nothing.
impl EventLog for () {
    #[inline]
    fn record(&mut self, _: u8, _: u8, _: u8, _: u8, _: [u64; 3]) {}
}

impl Position {
    /// Creates the position before the first play. The holder of the three of diamonds leads, or
    /// seat 0 if no seat holds it. Cards in no hand count as played.
    pub(super) fn new(
        hands: [CardSet; PLAYERS],
        rules: u8,
        ask_last: u8,
        deadlock_passes: u32,
    ) -> Position {
        let mut position = Position {
            situation: Situation {
                table: Action::zeroed(),
                lock: false,
                reversed: false,
                rules,
            },
            flags: flag::EMPTY,
            to_act: NONE,
            last: 0,
            passed: 0,
            out: 0,
            placed: 0,
            ask_last,
            passes: 0,
            deadlock_passes,
            gone: PACK & !union_of(&hands),
            hands: [0; 8],
            places: [NONE; 8],
            deadlock_order: [0, 1, 2, 3, 4],
        };
        position.hands[..PLAYERS].copy_from_slice(&hands);
        position
    }

    /// Creates the position before the first play, with leader `first`. `rules` are the flags of
    /// [`View::rules`] for the normal direction of play. After `deadlock_after` successive passes,
    /// the remaining places go to the seats in ascending order.
    pub fn before_play(
        hands: [CardSet; PLAYERS],
        rules: u8,
        ask_last: bool,
        deadlock_after: u32,
        first: u8,
    ) -> Position {
        let mut position = Position::new(hands, rules, u8::from(ask_last), deadlock_after);
        position.to_act = first;
        position.last = first;
        position
    }

    /// Creates the position of a view in the phase of play. `hands` contains all cards that are not
    /// played. After `deadlock_after` successive passes (see
    /// [`Options`](super::Options::deadlock_after)), the remaining places go to the seats in
    /// ascending order, because the real order is hidden.
    ///
    /// Only public facts are taken from the view and the history.
    pub fn from_view(
        view: &View,
        history: &[Event],
        hands: [CardSet; PLAYERS],
        deadlock_after: u32,
    ) -> Position {
        let mut position = Position::new(hands, view.rules, view.ask_last, deadlock_after);
        position.situation = Situation::from(view);
        position.flags = view.flags();
        position.passed = view.passed;
        position.out = view.out;
        position.places[..PLAYERS].copy_from_slice(&view.places);
        position.placed = (0..)
            .zip(view.places)
            .filter(|&(_, place)| place != NONE)
            .fold(0, |set, (seat, _)| set | 1 << seat);
        position.gone = view.gone;
        position.to_act = view.seat;
        // The last lead event of the history names the leader; without one, the leader acted first.
        let leads = history
            .iter()
            .rev()
            .find(|event| event.kind == event::LEAD)
            .or(history.first());
        position.last = if view.table_seat == NONE {
            leads.map_or(view.seat, |event| event.seat)
        } else {
            view.table_seat
        };
        let actions = history
            .iter()
            .rev()
            .filter(|event| event.kind == event::ACTION);
        position.passes = actions
            .take_while(|event| event.action.is_pass())
            .map(|_| 1)
            .sum();
        position
    }

    /// Returns the same position with other hands of the same sizes.
    #[inline]
    pub fn with_hands(&self, hands: &[CardSet; PLAYERS]) -> Position {
        debug_assert_eq!(
            hands.map(CardSet::count_ones),
            self.hands().map(CardSet::count_ones)
        );
        let mut position = *self;
        position.hands[..PLAYERS].copy_from_slice(hands);
        position
    }

    /// Gives the lead to the holder of the three of diamonds, or to seat 0 if no seat holds it.
    pub(super) fn lead_first(&mut self) {
        let seat = find_seat(|seat| self.hands[seat_index(seat)] & DIAMOND_3 != 0);
        self.to_act = seat;
        self.last = seat;
    }

    /// Returns the seat to act, or `None` if the deal is over.
    #[inline]
    pub fn to_act(&self) -> Option<u8> {
        (self.to_act != NONE).then_some(self.to_act)
    }

    /// Returns the cards of each seat.
    #[inline]
    pub fn hands(&self) -> &[CardSet; PLAYERS] {
        self.hands
            .first_chunk()
            .expect("the array has one hand per seat")
    }

    /// Returns the cards of a seat, 0 to 4.
    #[inline]
    pub fn hand(&self, seat: u8) -> CardSet {
        self.hands[seat_index(seat)]
    }

    /// Returns the state of the table, which determines the legal plays together with a hand.
    #[inline]
    pub fn situation(&self) -> &Situation {
        &self.situation
    }

    /// Returns the cards played.
    #[inline]
    pub fn cards_played(&self) -> CardSet {
        self.gone
    }

    /// Returns `true` during a revolution.
    #[inline]
    pub fn revolution(&self) -> bool {
        self.flags & flag::REVOLUTION != 0
    }

    /// Returns the seats that have passed in this trick, one bit per seat.
    #[inline]
    pub fn seats_passed(&self) -> u8 {
        self.passed
    }

    /// Returns the seats without cards, one bit per seat.
    #[inline]
    pub fn seats_out(&self) -> u8 {
        self.out
    }

    /// Returns the seat that leads the trick or has played last in it.
    #[inline]
    pub fn last_seat(&self) -> u8 {
        self.last
    }

    /// Returns the place of a seat from 0, or [`NONE`] while it plays.
    #[inline]
    pub fn place(&self, seat: u8) -> u8 {
        self.places[seat_index(seat)]
    }

    /// Replaces `actions` by the legal actions of the seat to act; the pass is first.
    #[inline]
    pub fn legal(&self, actions: &mut Vec<Action>) {
        moves::legal_plays(
            self.hands[seat_index(self.to_act)],
            &self.situation,
            actions,
        );
    }

    /// Applies an action of the seat to act, which must be one of [`Position::legal`].
    #[inline]
    pub fn play(&mut self, action: &Action) {
        self.advance(action, &mut ());
    }
}
