//! The state of a deal, and the effects of play.

use super::options::{LeadRule, Options, PassRule};
use super::records::{Action, Event, NONE, PLAYERS_MAX, View, event};
use crate::seats::next_of;

/// The state that persists from deal to deal.
pub type Block = crate::Block<()>;

/// The true state of a deal, including its public record.
#[derive(Clone, Debug)]
pub struct Deal {
    /// View with the fields that are the same for all seats. Deal and points are those before the
    /// deal.
    pub(super) public: View,
    pub(super) hands: [u64; PLAYERS_MAX],
    /// Cards that each seat has played.
    pub(super) played: [u64; PLAYERS_MAX],
    /// Seat to act, or [`NONE`] if the deal is over.
    pub(super) to_act: u8,
    pub(super) history: Vec<Event>,
}

impl Deal {
    /// Returns the cards of each seat.
    pub fn hands(&self) -> &[u64] {
        &self.hands[..usize::from(self.public.seats)]
    }

    /// Returns the hands at the start of the deal.
    pub(super) fn dealt(&self) -> [u64; PLAYERS_MAX] {
        std::array::from_fn(|seat| self.hands[seat] | self.played[seat])
    }

    /// Applies an action of the seat to act.
    #[inline]
    pub(super) fn play(&mut self, options: &Options, action: &Action) {
        let seat = self.to_act;
        if action.is_pass() {
            self.public.passed |= 1 << seat;
            self.note(event::PASS, seat, NONE, NONE);
            return self.advance_turn(options.lead, seat);
        }
        let (at, card) = (usize::from(seat) % PLAYERS_MAX, 1 << action.card);
        debug_assert_ne!(self.hands[at] & card, 0, "the card is not in the hand");
        self.hands[at] &= !card;
        self.played[at] |= card;
        self.public.cards_left[at] -= 1;
        self.public.gone |= card;
        self.public.table = action.card;
        self.public.table_seat = seat;
        if options.pass == PassRule::Free {
            self.public.passed = 0;
        }
        self.note(event::PLAY, seat, action.card, NONE);
        if self.hands[at] == 0 {
            self.take_place(seat);
            let playing = self.playing();
            if playing.is_power_of_two() {
                self.take_place((playing.trailing_zeros() & 7) as u8);
                self.to_act = NONE;
                return;
            }
        }
        self.advance_turn(options.lead, seat);
    }

    /// Returns the seats that still hold cards. The set is not empty.
    fn playing(&self) -> u8 {
        ((1 << self.public.seats) - 1) & !self.public.out
    }

    fn take_place(&mut self, seat: u8) {
        let place = (self.public.out.count_ones() & 7) as u8;
        self.public.out |= 1 << seat;
        self.public.places[usize::from(seat) % PLAYERS_MAX] = place;
        self.note(event::OUT, seat, NONE, place);
    }

    /// Moves the turn from `seat`. The trick ends when all other seats have passed.
    fn advance_turn(&mut self, lead: LeadRule, seat: u8) {
        let (playing, players) = (self.playing(), self.public.seats);
        let last = self.public.table_seat;
        let asked = playing & !self.public.passed & !(1 << last);
        if asked != 0 {
            self.to_act = next_of(asked.into(), seat, players);
            return;
        }
        let leads = match lead {
            _ if playing >> last & 1 == 1 => last,
            LeadRule::Next => next_of(playing.into(), last, players),
            LeadRule::Lowest => (playing.trailing_zeros() & 7) as u8,
        };
        (self.public.table, self.public.table_seat) = (NONE, NONE);
        self.public.passed = 0;
        self.to_act = leads;
        self.note(event::LEAD, leads, NONE, NONE);
    }

    fn note(&mut self, kind: u8, seat: u8, card: u8, place: u8) {
        self.history.push(Event {
            kind,
            seat,
            card,
            place,
        });
    }
}
