//! Poker for people: what hold'em and stud share of their scenes.

use super::card::{CardSet, cards, name};
use super::event::{
    ALL_IN, ANTE, BLIND, BRING_IN, CALL, CHECK, Entry, FOLD, OPEN, RAISE, RETURN, SHOW, STREET, UP,
    WIN,
};
use crate::scene::{Line, Place, faces, spoken, unless_zero};

/// Faces of a set, the highest first.
#[must_use]
pub fn faces_of(set: CardSet) -> String {
    let mut numbers: Vec<u8> = cards(set).collect();
    numbers.reverse();
    faces(
        numbers
            .into_iter()
            .map(|card| name(card).unwrap_or("?").to_ascii_uppercase()),
    )
}

/// A seat of a poker table as all see it.
pub struct Chips {
    /// The seat.
    pub seat: u8,
    /// Whether it has the button.
    pub is_button: bool,
    /// Cards that not all have seen.
    pub held: u32,
    /// Cards that all have seen.
    pub open: CardSet,
    /// Chips left.
    pub stack: i64,
    /// Chips put in on this street.
    pub bet: i64,
    /// Chips put in in this deal.
    pub paid: i64,
    /// Chips won in the block before this deal.
    pub result: i64,
    /// Whether it has not folded.
    pub is_in_play: bool,
    /// Whether it has no chips left to bet.
    pub is_all_in: bool,
}

impl Chips {
    /// The seat's place at the table.
    #[must_use]
    pub fn place(&self) -> Place {
        let note = match (self.is_in_play, self.is_all_in) {
            (false, _) => "folded",
            (true, true) => "all in",
            (true, false) => "",
        };
        Place {
            player: self.seat,
            role: if self.is_button { "button" } else { "" }.to_owned(),
            held: u8::try_from(self.held).unwrap_or(u8::MAX),
            open: faces_of(self.open),
            facts: vec![
                ("stack", self.stack.to_string()),
                ("bet", unless_zero(self.bet)),
                ("in the pot", unless_zero(self.paid)),
                ("won before", unless_zero(self.result)),
            ],
            note: note.to_owned(),
            is_out: !self.is_in_play,
        }
    }
}

/// A line of the record in words; `streets` are the names of the game's streets.
#[must_use]
pub fn line(entry: &Entry, streets: &[&str]) -> Line {
    let Entry {
        kind, seat, amount, ..
    } = *entry;
    let shown = spoken(&faces_of(entry.cards));
    let street = streets
        .get(usize::from(entry.street))
        .copied()
        .unwrap_or("a street");
    let words = match kind {
        STREET if entry.cards == 0 => return Line::table(street),
        STREET => return Line::table(format!("{street}: {shown}")),
        ANTE => format!("antes {amount}"),
        BLIND => format!("posts {amount}"),
        BRING_IN => format!("brings in {amount}"),
        FOLD => "folds".to_owned(),
        CHECK => "checks".to_owned(),
        CALL => format!("calls {amount}"),
        RAISE => format!("raises to {amount}"),
        UP => format!("is dealt {shown}"),
        OPEN => format!("turns up {shown}"),
        SHOW => format!("shows {shown}"),
        RETURN => format!("takes {amount} back"),
        WIN => format!("wins {amount}"),
        other => format!("does {other}"),
    };
    Line::of(
        seat,
        if entry.flags & ALL_IN == 0 {
            words
        } else {
            words + ", all in"
        },
    )
}
