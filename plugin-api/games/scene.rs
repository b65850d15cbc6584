//! A table as people see it: cards lying open, hands, chips and words, in one form for all games,
//! so that whoever draws it knows no rules.
//!
//! A [`Scene`] is made from one seat's view and nothing else. It so tells what that seat may know
//! and no more. The part of it that lies open to all is the same whichever seat's view it is made
//! from; a test of every game compares them.
//!
//! Cards are *faces*: rank before suit with capital letters, `AS`, `TD`, `2C`; `JK` for the joker,
//! `JK=5S` for a joker that stands for another card; a number alone for cards without suits.
//! Several stand between blanks.

use serde::Serialize;
use std::fmt;

/// What a seat sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// What lies open to all.
    pub table: Tableau,
    /// What this seat alone knows.
    pub own: Own,
}

/// What lies open to all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tableau {
    /// The state of play in words, the same facts in the same order at every step; those without a
    /// value need not be drawn.
    pub facts: Vec<Fact>,
    /// What lies in the middle, in the order in which it came there.
    pub piles: Vec<Pile>,
    /// The places round the table, by seat.
    pub places: Vec<Place>,
}

/// What a seat alone knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Own {
    /// Faces of the cards that lie face down before the others: as many as [`Place::held`] of the
    /// seat says.
    pub hand: String,
    /// What else it knows.
    pub facts: Vec<Fact>,
}

/// A name and what it stands at.
pub type Fact = (&'static str, String);

/// Cards in the middle of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pile {
    /// What they are; empty where the seat says it.
    pub name: &'static str,
    /// Whose they are; `None` for what belongs to all.
    pub seat: Option<u8>,
    /// Their faces.
    pub faces: String,
}

/// A seat as all see it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The player who sits there.
    pub player: u8,
    /// Its part in the deal, such as a title, the button or a point of the compass; may be empty.
    pub role: String,
    /// How many cards it holds that not all have seen.
    pub held: u8,
    /// Faces of its cards that lie open.
    pub open: String,
    /// Its numbers, as chips or points, the same facts in the same order at every step.
    pub facts: Vec<Fact>,
    /// How it stands, as `passed` or `folded`; may be empty.
    pub note: String,
    /// Whether it takes no more part in the deal.
    pub is_out: bool,
}

/// A line of the public record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Who did something; `None` where it is the table's.
    pub seat: Option<u8>,
    /// What, so that it reads on after a name: `plays 7♠`.
    pub words: String,
}

impl Line {
    /// What a seat did.
    pub fn of(seat: u8, words: impl Into<String>) -> Line {
        Line {
            seat: Some(seat),
            words: words.into(),
        }
    }

    /// What happened at the table.
    pub fn table(words: impl Into<String>) -> Line {
        Line {
            seat: None,
            words: words.into(),
        }
    }
}

/// As one line: `seat 2 plays 7♠`.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seat) = self.seat {
            write!(f, "seat {} ", from_one(seat))?;
        }
        f.write_str(&self.words)
    }
}

/// A legal action as a person picks it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// What it does, as it stands on a button: `Call 20`, `7♠ 7♥`.
    pub words: String,
    /// Faces of the cards that it takes, as they lie in the hand; empty where it takes none.
    pub faces: String,
}

impl Offer {
    /// An action that takes no cards.
    pub fn plain(words: impl Into<String>) -> Offer {
        Offer {
            words: words.into(),
            faces: String::new(),
        }
    }
}

/// The number of a seat or a player as people and scripts count: from 1. Records, the C interface
/// and JSON count from 0.
#[must_use]
pub fn from_one(index: u8) -> u16 {
    u16::from(index) + 1
}

/// Faces between blanks.
#[must_use]
pub fn faces(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" ")
}

/// Faces in a sentence: `7♠ joker as 5♥`.
#[must_use]
pub fn spoken(faces: &str) -> String {
    let word = |face: &str| match face.split_once('=') {
        Some((_, card)) => format!("joker as {}", suited(card)),
        None if face == "JK" => "joker".to_owned(),
        None => suited(face),
    };
    if faces.is_empty() {
        return "nothing".to_owned();
    }
    faces.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A face with its suit as a sign and its ten in figures.
fn suited(face: &str) -> String {
    let (rank, sign) = match face.as_bytes().last() {
        Some(b'S') => (&face[..face.len() - 1], "♠"),
        Some(b'H') => (&face[..face.len() - 1], "♥"),
        Some(b'D') => (&face[..face.len() - 1], "♦"),
        Some(b'C') => (&face[..face.len() - 1], "♣"),
        _ => (face, ""),
    };
    format!("{}{sign}", if rank == "T" { "10" } else { rank })
}

/// A place in a ranking, from 0: `1st`.
#[must_use]
pub fn ordinal(place: u8) -> String {
    match place {
        0 => "1st".to_owned(),
        1 => "2nd".to_owned(),
        2 => "3rd".to_owned(),
        n => format!("{}th", u16::from(n) + 1),
    }
}

/// A number where it is not 0.
#[must_use]
pub fn unless_zero(number: i64) -> String {
    if number == 0 {
        String::new()
    } else {
        number.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_spoken_with_signs() {
        assert_eq!(spoken("7S TH JK JK=5D 12"), "7♠ 10♥ joker joker as 5♦ 12");
        assert_eq!(
            (spoken(""), ordinal(0), ordinal(4)),
            ("nothing".into(), "1st".into(), "5th".into())
        );
    }
}
