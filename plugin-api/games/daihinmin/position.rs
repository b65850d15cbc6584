//! A position: who holds what and whose turn it is, without record, players or titles. It is what
//! rules advance and what look-ahead copies by the million.

use super::card::{CardSet, DIAMOND_3, PACK};
use super::moves::{self, Situation};
use super::records::{Action, Event, NONE, PLAYERS, View, event, flag};
use bytemuck::Zeroable;

/// The state of play, with all hands open.
///
/// What changes from turn to turn stands in few words, so that nothing is read in a wider piece
/// than it was written in: at a few tens of nanoseconds a turn, waiting for such a write is most of
/// the time.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The table, for the next play.
    pub(super) situation: Situation,
    /// State of the table as events show it.
    pub(super) flags: u8,
    /// Seat that is to decide, [`NONE`] when the deal is over.
    pub(super) to_act: u8,
    /// Seat that leads the trick or has played last in it.
    pub(super) last: u8,
    /// Seats that have passed in this trick.
    pub(super) passed: u8,
    /// Seats that are out of cards.
    pub(super) out: u8,
    /// Seats that have got their place.
    pub(super) placed: u8,
    /// As in [`View::ask_last`].
    pub(super) ask_last: u8,
    /// Passes since the last play.
    pub(super) passes: u32,
    /// Passes in a row that end the deal.
    pub(super) deadlock_passes: u32,
    /// Cards played.
    pub(super) gone: CardSet,
    /// Cards of each seat.
    pub(super) hands: Sets,
    /// Place of each seat, [`NONE`] while it plays.
    pub(super) places: [u8; 8],
    /// Seats in the order in which the deadlock rule would place them.
    pub(super) deadlock_order: [u8; PLAYERS],
}

/// A set of cards for each seat, with room for every value of three bits: [`at`] needs no check.
pub(super) type Sets = [CardSet; 8];

/// Where a seat's entry stands.
#[inline]
pub(super) fn at(seat: u8) -> usize {
    usize::from(seat & 7)
}

/// The one seat that `is` the one sought, seat 0 where none is. All are looked at: which it is
/// cannot be foreseen, and a processor that guesses wrong loses more time than five looks take.
#[inline]
pub(super) fn find(is: impl Fn(u8) -> bool) -> u8 {
    (0..5).fold(0, |found, seat| found | (seat * u8::from(is(seat))))
}

/// Whoever keeps a record of what happens in a position.
pub(super) trait Log {
    /// A play or pass, as words of the action; `flags` is the table after it.
    fn action(&mut self, seat: u8, flags: u8, action: [u64; 3]);
    /// A new lead.
    fn lead(&mut self, seat: u8, flags: u8);
    /// A seat has its place.
    fn out(&mut self, seat: u8, flags: u8, place: u8);
}

/// Keeps no record.
impl Log for () {
    #[inline]
    fn action(&mut self, _: u8, _: u8, _: [u64; 3]) {}
    #[inline]
    fn lead(&mut self, _: u8, _: u8) {}
    #[inline]
    fn out(&mut self, _: u8, _: u8, _: u8) {}
}

impl Position {
    /// Play before its first card: the holder of the three of diamonds leads; seat 0 where it is in
    /// no hand. Cards in no hand count as played.
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
            gone: PACK & !hands.iter().fold(0, |union, hand| union | hand),
            hands: [0; 8],
            places: [NONE; 8],
            deadlock_order: [0, 1, 2, 3, 4],
        };
        position.hands[..PLAYERS].copy_from_slice(&hands);
        position
    }

    /// Play before its first card, `first` to lead whatever it holds. `rules` are the switches of a
    /// [`View`] without a turned direction; passes in a row end the deal after
    /// `deadlock_after`, in the order of the seats.
    #[must_use]
    pub fn dealt(
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

    /// The position that a seat sees in the phase of play, with `hands` for what it does not see;
    /// they are the cards not yet played. Passes in a row end it after `deadlock_after`, as
    /// [`Options`](super::Options::deadlock_after) has it; who would then be placed first is
    /// hidden and unknown here: it is the order of the seats.
    ///
    /// Whatever the hands, only public facts are taken from view and history.
    #[must_use]
    pub fn seen(
        view: &View,
        history: &[Event],
        hands: [CardSet; PLAYERS],
        deadlock_after: u32,
    ) -> Position {
        let mut position = Position::new(hands, view.rules, view.ask_last, deadlock_after);
        position.situation = Situation::from(view);
        let up = |up: u8, flag| if up == 0 { 0 } else { flag };
        position.flags = up(view.lock, flag::LOCK)
            | up(view.revolution, flag::REVOLUTION)
            | up(view.eleven_back, flag::ELEVEN_BACK)
            | up(u8::from(view.table.is_pass()), flag::EMPTY);
        position.passed = view.passed;
        position.out = view.out;
        position.places[..PLAYERS].copy_from_slice(&view.places);
        position.placed = (0..)
            .zip(view.places)
            .filter(|&(_, place)| place != NONE)
            .fold(0, |set, (seat, _)| set | 1 << seat);
        position.gone = view.gone;
        position.to_act = view.seat;
        // The lead stands in the record: the trick's, or that of the first seat which acted at all.
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

    /// The same position with other cards in the hands, as many in each.
    #[inline]
    #[must_use]
    pub fn with_hands(&self, hands: &[CardSet; PLAYERS]) -> Position {
        debug_assert_eq!(
            hands.map(CardSet::count_ones),
            self.hands().map(CardSet::count_ones)
        );
        let mut position = *self;
        position.hands[..PLAYERS].copy_from_slice(hands);
        position
    }

    /// The holder of the three of diamonds leads; seat 0 where it is in no hand.
    pub(super) fn lead_first(&mut self) {
        let seat = find(|seat| self.hands[at(seat)] & DIAMOND_3 != 0);
        self.to_act = seat;
        self.last = seat;
    }

    /// The seat that is to decide, `None` when the deal is over.
    #[inline]
    #[must_use]
    pub fn to_act(&self) -> Option<u8> {
        (self.to_act != NONE).then_some(self.to_act)
    }

    /// Cards of each seat.
    #[inline]
    #[must_use]
    pub fn hands(&self) -> &[CardSet; PLAYERS] {
        self.hands
            .first_chunk()
            .expect("there is room for every seat")
    }

    /// Cards of a seat, which is 0 to 4.
    #[inline]
    #[must_use]
    pub fn hand(&self, seat: u8) -> CardSet {
        self.hands[at(seat)]
    }

    /// What decides, besides the hand of the seat to act, which plays are legal.
    #[inline]
    #[must_use]
    pub fn situation(&self) -> &Situation {
        &self.situation
    }

    /// Cards played.
    #[inline]
    #[must_use]
    pub fn gone(&self) -> CardSet {
        self.gone
    }

    /// Whether a revolution is on.
    #[inline]
    #[must_use]
    pub fn revolution(&self) -> bool {
        self.flags & flag::REVOLUTION != 0
    }

    /// Seats that have passed in this trick, a bit each.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> u8 {
        self.passed
    }

    /// Seats that are out of cards, a bit each.
    #[inline]
    #[must_use]
    pub fn out(&self) -> u8 {
        self.out
    }

    /// Seat that leads the trick or has played last in it.
    #[inline]
    #[must_use]
    pub fn last(&self) -> u8 {
        self.last
    }

    /// Place of a seat from 0, [`NONE`] while it plays.
    #[inline]
    #[must_use]
    pub fn place(&self, seat: u8) -> u8 {
        self.places[at(seat)]
    }

    /// Clears `actions` and fills it with everything that the seat to act may do; the pass comes
    /// first.
    #[inline]
    pub fn legal(&self, actions: &mut Vec<Action>) {
        moves::legal_plays(self.hands[at(self.to_act)], &self.situation, actions);
    }

    /// Carries out an action of the seat to act: one of [`Position::legal`].
    #[inline]
    pub fn play(&mut self, action: &Action) {
        self.advance(action, &mut ());
    }
}
