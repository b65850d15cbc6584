//! Poker for people: the part of scenes that all variants share.

use super::card::{CardSet, cards, name};
use crate::cards::face;
use crate::scene::{Fact, OwnCards, Pile, Scene, SceneSeat, Tableau, faces, unless_zero};

/// Returns the faces of a set, highest card first.
pub fn faces_of(set: CardSet) -> String {
    let mut numbers: Vec<u8> = cards(set).collect();
    numbers.reverse();
    faces(numbers.into_iter().map(|card| face(name(card))))
}

/// The fields of views that scenes of all variants show. Slices are indexed by seat.
#[derive(Clone, Copy, Debug)]
pub struct SceneFields<'a> {
    /// Seat of the view.
    pub seat: u8,
    /// Number of players.
    pub players: u8,
    /// Seat with the button.
    pub button: u8,
    /// Seats that have not folded.
    pub in_play: u32,
    /// Seats that have no chips left to bet.
    pub all_in: u32,
    /// Cards of `seat`.
    pub hand: CardSet,
    /// Community cards.
    pub community: CardSet,
    /// Cards of each seat that all players have seen.
    pub shown: &'a [CardSet],
    /// Remaining chips.
    pub stacks: &'a [i64],
    /// Chips paid on this street.
    pub bets: &'a [i64],
    /// Chips paid in this deal.
    pub paid: &'a [i64],
    /// Chips won in the block before this deal.
    pub results: &'a [i64],
}

impl SceneFields<'_> {
    /// Returns the faces of the cards that only `seat` knows.
    pub fn hidden(&self) -> String {
        let shown = self.shown.get(usize::from(self.seat));
        faces_of(self.hand & !shown.copied().unwrap_or(0))
    }

    /// Returns `true` if `seat` has not folded.
    pub fn is_in_play(&self, seat: u8) -> bool {
        self.in_play >> seat & 1 == 1
    }

    /// Returns the scene with these facts. `board` is the name of the pile of community cards;
    /// `dealt` returns the number of cards of a seat, hidden or shown.
    pub fn scene(
        &self,
        facts: Vec<Fact>,
        board: &'static str,
        dealt: impl Fn(u8) -> u32,
        own: OwnCards,
    ) -> Scene {
        let board = (self.community != 0).then(|| Pile {
            name: board,
            seat: None,
            faces: faces_of(self.community),
        });
        let places = (0..self.players).map(|seat| self.scene_seat(seat, dealt(seat)));
        let table = Tableau {
            facts,
            piles: board.into_iter().collect(),
            places: places.collect(),
        };
        Scene { table, own }
    }

    fn scene_seat(&self, seat: u8, dealt: u32) -> SceneSeat {
        let at = usize::from(seat);
        let is_out = !self.is_in_play(seat);
        let note = match self.all_in >> seat & 1 {
            _ if is_out => "folded",
            1 => "all in",
            _ => "",
        };
        let role = if seat == self.button { "button" } else { "" };
        let held = dealt.saturating_sub(self.shown[at].count_ones());
        SceneSeat {
            player: seat,
            role: role.to_owned(),
            held: u8::try_from(held).unwrap_or(u8::MAX),
            open: faces_of(self.shown[at]),
            facts: vec![
                ("stack", self.stacks[at].to_string()),
                ("bet", unless_zero(self.bets[at])),
                ("in the pot", unless_zero(self.paid[at])),
                ("won before", unless_zero(self.results[at])),
            ],
            note: note.to_owned(),
            is_out,
        }
    }
}
