//! The state of a deal and of a block.

use super::card::CardSet;
use super::moves::Situation;
use super::position::{EventLog, Position, SeatSets};
use super::records::{Action, Event, NONE, PLAYERS, View, event, phase};
use super::seat_table::SeatTable;
use super::view;
use bytemuck::Zeroable;

/// The state that persists from deal to deal.
pub type Block = crate::Block<Memory>;

/// State that daihinmin keeps from deal to deal.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Player in each seat.
    pub(super) players: [u8; PLAYERS],
    /// Title of each player: the place in the last deal; [`NONE`] before the first deal.
    pub(super) titles: [u8; PLAYERS],
    /// Points of each seat, packed as in a view.
    pub(super) seat_points: [u64; 3],
}

/// The true state of a deal, including its public record.
#[derive(Clone, Debug)]
pub struct Deal {
    /// Hands and the seat to act, also during the exchange.
    pub(super) position: Position,
    /// Phase of the deal, as in [`View::phase`].
    pub(super) phase: u8,
    /// 1 in the first deal after a reset of titles, as in [`View::fresh`].
    pub(super) fresh: u8,
    /// Players, cards left, titles and places, packed as in a [`View`].
    pub(super) seats: SeatTable,
    /// Seat of each title, in a deal with titles.
    pub(super) seat_with: [u8; 8],
    /// Cards dealt to each seat, before the exchange.
    pub(super) dealt: [CardSet; PLAYERS],
    /// Cards that each seat gave away in the exchange.
    pub(super) given: SeatSets,
    /// Cards received in the exchange, by seat, if the seat can see which they are.
    pub(super) received: SeatSets,
    /// The public record.
    pub(super) history: Vec<Event>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            players: [0, 1, 2, 3, 4],
            titles: [NONE; PLAYERS],
            seat_points: [0; 3],
        }
    }
}

impl Block {
    /// Updates the points by seat after a change of points or players.
    pub(super) fn update_seat_points(&mut self) {
        let [first, second, third, fourth, fifth] = self.totals_of(self.memory.players);
        self.memory.seat_points = bytemuck::cast([first, second, third, fourth, fifth, 0]);
    }
}

impl Deal {
    /// Creates an empty, finished deal. The history has capacity for any deal of normal length.
    pub fn new() -> Deal {
        Deal {
            position: Position::new([0; PLAYERS], 0, 0, 0),
            phase: phase::OVER,
            fresh: 0,
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

    /// Returns the cards of each seat.
    pub fn hands(&self) -> &[CardSet; PLAYERS] {
        self.position.hands()
    }

    /// Returns the cards dealt to each seat, before the exchange.
    pub fn dealt(&self) -> &[CardSet; PLAYERS] {
        &self.dealt
    }

    /// Returns the player in a seat.
    pub fn player(&self, seat: u8) -> u8 {
        self.seats.player(seat)
    }

    /// Returns the title of a seat, or [`NONE`] in a deal without titles.
    pub fn title(&self, seat: u8) -> u8 {
        self.seats.title(seat)
    }

    /// Returns the state of the table, which determines the legal plays together with a hand.
    pub fn situation(&self) -> &Situation {
        &self.position.situation
    }

    /// Returns a view of the public information only.
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

    /// Returns the public record so far.
    pub fn history(&self) -> &[Event] {
        &self.history
    }

    /// Returns the position, from which look-ahead with open hands starts.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Applies a play or a pass of the seat to act.
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

/// A writer of the public record of a deal.
struct Record<'a> {
    seats: &'a mut SeatTable,
    history: &'a mut Vec<Event>,
}

impl EventLog for Record<'_> {
    // The kind is a constant at each call, so the comparisons disappear.
    #[inline]
    fn record(&mut self, kind: u8, seat: u8, flags: u8, place: u8, action: [u64; 3]) {
        if kind == event::ACTION {
            let count = action[2] >> Action::COUNT_SHIFT & 0xff;
            self.seats.take_cards(seat, count);
        } else if kind == event::OUT {
            self.seats.set_place(seat, place);
        }
        self.history
            .push(Event::packed(kind, seat, flags, place, action));
    }
}

impl Default for Deal {
    fn default() -> Deal {
        Deal::new()
    }
}
