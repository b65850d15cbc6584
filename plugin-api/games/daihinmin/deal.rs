//! A deal and a block: the state.

use super::card::CardSet;
use super::moves::Situation;
use super::position::{Log, Position, Sets};
use super::records::{Action, Event, NONE, PLAYERS, View, event, phase};
use super::seat_table::SeatTable;
use super::view;
use bytemuck::Zeroable;

/// What persists from deal to deal. Players keep their numbers throughout.
#[derive(Clone, Debug)]
pub struct Block {
    /// Number in its line-up.
    pub(super) number: u64,
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
#[derive(Clone, Debug)]
pub struct Deal {
    /// Who holds what and whose turn it is; also during the exchange, before play begins.
    pub(super) position: Position,
    /// As in [`View::phase`].
    pub(super) phase: u8,
    /// As in [`View::fresh`].
    pub(super) fresh: u8,
    /// Deals planned for the block.
    pub(super) planned: u32,
    /// Players, cards left, titles and places, as in a [`View`].
    pub(super) seats: SeatTable,
    /// Seat that came in with each title, in a deal with titles.
    pub(super) seat_with: [u8; 8],
    /// Cards of each seat as dealt, before the exchange.
    pub(super) dealt: [CardSet; PLAYERS],
    /// Cards that each seat has given away in the exchange.
    pub(super) given: Sets,
    /// Cards that each seat knows to have got in the exchange.
    pub(super) received: Sets,
    /// The public record.
    pub(super) history: Vec<Event>,
}

impl Block {
    /// A block before its first deal.
    #[must_use]
    pub fn new(deals: u32) -> Block {
        Block {
            number: 0,
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
        let [first, second, third, fourth, fifth] =
            self.players.map(|player| self.points[usize::from(player)]);
        self.seat_points = bytemuck::cast([first, second, third, fourth, fifth, 0]);
    }
}

impl Deal {
    /// An empty deal, over before it has begun. Its record has room for any deal that is not played
    /// to spite it.
    #[must_use]
    pub fn new() -> Deal {
        Deal {
            position: Position::new([0; PLAYERS], 0, 0, 0),
            phase: phase::OVER,
            fresh: 0,
            planned: 0,
            seats: SeatTable::new(
                [0, 1, 2, 3, 4],
                [0; PLAYERS],
                [NONE; PLAYERS],
                [NONE; PLAYERS],
            ),
            seat_with: [0; 8],
            dealt: [0; PLAYERS],
            given: [0; 8],
            received: [0; 8],
            history: Vec::with_capacity(512),
        }
    }

    /// Cards of each seat: god's view.
    #[must_use]
    pub fn hands(&self) -> &[CardSet; PLAYERS] {
        self.position.hands()
    }

    /// Cards of each seat as dealt, before the exchange.
    #[must_use]
    pub fn dealt(&self) -> &[CardSet; PLAYERS] {
        &self.dealt
    }

    /// The player in a seat.
    #[must_use]
    pub fn player(&self, seat: u8) -> u8 {
        self.seats.player(seat)
    }

    /// The title that a seat came in with, [`NONE`] in a deal without.
    #[must_use]
    pub fn title(&self, seat: u8) -> u8 {
        self.seats.title(seat)
    }

    /// The seat that came in with a title, in a deal with titles.
    ///
    /// # Panics
    /// If there is no such title.
    #[must_use]
    pub fn seat_with(&self, title: u8) -> u8 {
        self.seat_with[usize::from(title)]
    }

    /// What decides, besides the hand of the seat to act, which plays are legal.
    #[must_use]
    pub fn situation(&self) -> &Situation {
        &self.position.situation
    }

    /// What every seat may know: a view that is no seat's.
    #[must_use]
    pub fn public(&self, block: &Block) -> View {
        let mut view = View::zeroed();
        view::fill(block, self, 0, &mut view);
        View {
            seat: NONE,
            give: 0,
            hand: 0,
            given: 0,
            received: 0,
            ..view
        }
    }

    /// The public record so far.
    #[must_use]
    pub fn history(&self) -> &[Event] {
        &self.history
    }

    /// The position: what look-ahead starts from where everything is known.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Carries out a play or a pass of the seat to act.
    #[inline]
    pub(super) fn play(&mut self, action: &Action) {
        let mut log = Record {
            seats: &mut self.seats,
            history: &mut self.history,
        };
        self.position.advance(action, &mut log);
        if self.position.to_act == NONE {
            self.phase = phase::OVER;
        }
    }
}

/// Keeps the deal's record.
struct Record<'a> {
    seats: &'a mut SeatTable,
    history: &'a mut Vec<Event>,
}

impl Log for Record<'_> {
    #[inline]
    fn action(&mut self, seat: u8, flags: u8, action: [u64; 3]) {
        self.seats
            .take_cards(seat, action[2] >> Action::COUNT_SHIFT & 0xff);
        self.history
            .push(Event::packed(event::ACTION, seat, flags, 0, action));
    }

    #[inline]
    fn lead(&mut self, seat: u8, flags: u8) {
        self.history
            .push(Event::packed(event::LEAD, seat, flags, 0, [0; 3]));
    }

    #[inline]
    fn out(&mut self, seat: u8, flags: u8, place: u8) {
        self.seats.set_place(seat, place);
        self.history
            .push(Event::packed(event::OUT, seat, flags, place, [0; 3]));
    }
}

impl Default for Deal {
    fn default() -> Deal {
        Deal::new()
    }
}
