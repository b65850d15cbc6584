//! A deal and a block: the state.

use super::card::CardSet;
use super::moves::Situation;
use super::records::{Action, Event, NONE, PLAYERS, View, event, flag, phase};
use super::seat_table::SeatTable;
use super::view;
use bytemuck::Zeroable;

/// What persists from deal to deal. Players keep their numbers throughout.
#[derive(Clone, Debug)]
pub struct Block {
    /// Deals that are finished.
    pub(super) finished: u32,
    /// Deals that are planned.
    pub(super) planned: u32,
    /// Player in each seat.
    pub(super) players: [u8; PLAYERS],
    /// Title of each player: the place of the last deal, [`NONE`] before the first.
    pub(super) titles: [u8; PLAYERS],
    /// Points of each player.
    pub(super) points: [i32; PLAYERS],
    /// The same by the seats of the current deal, as words of a view.
    pub(super) seat_points: [u64; 3],
}

/// A deal: the true state and its record.
///
/// What changes from turn to turn stands in few words, so that nothing is read in a wider piece than it was written in:
/// at a few tens of nanoseconds a turn, waiting for such a write is most of the time.
#[derive(Clone, Debug)]
pub struct Deal {
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
    /// As in [`View::phase`].
    pub(super) phase: u8,
    /// As in [`View::fresh`].
    pub(super) fresh: u8,
    /// As in [`View::ask_last`].
    pub(super) ask_last: u8,
    /// Passes since the last play.
    pub(super) passes: u32,
    /// Deals planned for the block.
    pub(super) planned: u32,
    /// Cards played.
    pub(super) gone: CardSet,
    /// Players, cards left, titles and places, as in a [`View`].
    pub(super) seats: SeatTable,
    /// Seat that came in with each title, in a deal with titles.
    pub(super) seat_with: [u8; 8],
    /// Cards of each seat.
    pub(super) hands: Sets,
    /// Cards that each seat has given away in the exchange.
    pub(super) given: Sets,
    /// Cards that each seat knows to have got in the exchange.
    pub(super) received: Sets,
    /// Seats in the order in which the deadlock rule would place them.
    pub(super) deadlock_order: [u8; PLAYERS],
    /// The public record.
    pub(super) history: Vec<Event>,
}

/// A set of cards for each seat, with room for every value of three bits: [`at`] needs no check.
pub(super) type Sets = [CardSet; 8];

/// Where a seat's entry stands.
#[inline]
pub(super) fn at(seat: u8) -> usize {
    usize::from(seat & 7)
}

/// The one seat that `is` the one sought, seat 0 where none is. All are looked at: which it is cannot be foreseen, and a
/// processor that guesses wrong loses more time than five looks take.
#[inline]
pub(super) fn find(is: impl Fn(u8) -> bool) -> u8 {
    (0..5).fold(0, |found, seat| found | (seat * u8::from(is(seat))))
}

impl Block {
    /// A block before its first deal.
    #[must_use]
    pub fn new(deals: u32) -> Block {
        Block {
            finished: 0,
            planned: deals,
            players: [0, 1, 2, 3, 4],
            titles: [NONE; PLAYERS],
            points: [0; PLAYERS],
            seat_points: [0; 3],
        }
    }

    /// Deals that are finished.
    #[must_use]
    pub fn finished(&self) -> u32 {
        self.finished
    }

    /// Points of each player so far.
    #[must_use]
    pub fn points(&self) -> &[i32; PLAYERS] {
        &self.points
    }

    pub(super) fn update_seat_points(&mut self) {
        let [first, second, third, fourth, fifth] = self.players.map(|player| self.points[usize::from(player)]);
        self.seat_points = bytemuck::cast([first, second, third, fourth, fifth, 0]);
    }
}

impl Deal {
    /// An empty deal, over before it has begun. Its record has room for any deal that is not played to spite it.
    #[must_use]
    pub fn new() -> Deal {
        Deal {
            situation: Situation { table: Action::zeroed(), lock: false, reversed: false, rules: 0 },
            flags: flag::EMPTY,
            to_act: NONE,
            last: 0,
            passed: 0,
            out: 0,
            placed: 0,
            phase: phase::OVER,
            fresh: 0,
            ask_last: 0,
            passes: 0,
            planned: 0,
            gone: 0,
            seats: SeatTable::new([0, 1, 2, 3, 4], [0; PLAYERS], [NONE; PLAYERS], [NONE; PLAYERS]),
            seat_with: [0; 8],
            hands: [0; 8],
            given: [0; 8],
            received: [0; 8],
            deadlock_order: [0, 1, 2, 3, 4],
            history: Vec::with_capacity(512),
        }
    }

    /// Cards of each seat: god's view.
    #[must_use]
    pub fn hands(&self) -> &[CardSet; PLAYERS] {
        self.hands.first_chunk().expect("there is room for every seat")
    }

    /// Puts other cards into the hands, for look-ahead over what a seat cannot see.
    ///
    /// # Errors
    /// Where the hands are not the same cards in all, or a hand has another number of them than before.
    pub fn set_hands(&mut self, hands: [CardSet; PLAYERS]) -> Result<(), &'static str> {
        let all = |hands: &[CardSet; PLAYERS]| hands.iter().fold(0, |union, hand| union | hand);
        let sizes = |hands: &[CardSet; PLAYERS]| hands.map(CardSet::count_ones);
        if all(&hands) != all(self.hands()) || sizes(&hands) != sizes(self.hands()) {
            return Err("the hands must hold the same cards, as many in each as before");
        }
        self.hands[..PLAYERS].copy_from_slice(&hands);
        Ok(())
    }

    /// What decides, besides the hand of the seat to act, which plays are legal.
    #[must_use]
    pub fn situation(&self) -> &Situation {
        &self.situation
    }

    /// What every seat may know: a view that is no seat's.
    #[must_use]
    pub fn public(&self, block: &Block) -> View {
        let mut view = View::zeroed();
        view::fill(block, self, 0, &mut view);
        View { seat: NONE, give: 0, hand: 0, given: 0, received: 0, ..view }
    }

    /// The public record so far.
    #[must_use]
    pub fn history(&self) -> &[Event] {
        &self.history
    }

    #[inline]
    pub(super) fn record(&mut self, kind: u8, seat: u8, place: u8, action: [u64; 3]) {
        self.history.push(Event::packed(kind, seat, self.flags, place, action));
    }

    /// Gives a seat the next place.
    pub(super) fn place(&mut self, seat: u8) {
        let place = (self.placed.count_ones() & 7) as u8;
        self.placed |= 1 << seat;
        self.seats.set_place(seat, place);
        self.record(event::OUT, seat, place, [0; 3]);
    }
}

impl Default for Deal {
    fn default() -> Deal {
        Deal::new()
    }
}
