//! A table as people see it, in one form for all games: open cards, hands, chips and text. Code
//! that draws a scene needs no rules.
//!
//! A [`Scene`] is made only from the view of one seat, so it shows nothing else. Its public part
//! does not depend on the seat; a test of every game checks that.
//!
//! Cards are *faces*: rank before suit in capital letters, for example `AS`, `TD`, `2C`. The joker
//! is `JK`, or `JK=5S` if it stands for another card. Cards without suits are numbers. Faces are
//! separated by spaces.

use serde::Serialize;
use std::fmt;

/// The table from the view of one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// The part that all seats see.
    pub table: Tableau,
    /// The part that only one seat sees.
    pub own: OwnCards,
}

/// The part of a scene that all seats see.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tableau {
    /// The state of play. The same facts come in the same order at every step; facts without a
    /// value need not be drawn.
    pub facts: Vec<Fact>,
    /// The cards in the middle, in the order in which they were placed there.
    pub piles: Vec<Pile>,
    /// The places at the table, by seat.
    pub places: Vec<SceneSeat>,
}

/// The information that only one seat has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OwnCards {
    /// Faces of the face-down cards of the seat; their number is its [`SceneSeat::held`].
    pub hand: String,
    /// Other private facts.
    pub facts: Vec<Fact>,
}

/// The name of a fact and its value.
pub type Fact = (&'static str, String);

/// Cards in the middle of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pile {
    /// Description; empty if `seat` is enough.
    pub name: &'static str,
    /// Owner; `None` for common cards.
    pub seat: Option<u8>,
    /// Faces of the cards.
    pub faces: String,
}

/// A seat as all players see it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SceneSeat {
    /// Player in the seat.
    pub player: u8,
    /// Role in the deal, such as a title, the button or a compass point; may be empty.
    pub role: String,
    /// Number of face-down cards of the seat.
    pub held: u8,
    /// Faces of the open cards.
    pub open: String,
    /// Numbers such as chips or points. The same facts come in the same order at every step.
    pub facts: Vec<Fact>,
    /// State, such as `passed` or `folded`; may be empty.
    pub note: String,
    /// `true` if the seat takes no further part in the deal.
    pub is_out: bool,
}

/// A line of the public record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The acting seat; `None` for an event that concerns the whole table.
    pub seat: Option<u8>,
    /// Text that follows the name of the player: `plays 7♠`.
    pub words: String,
}

impl Line {
    /// Creates a line about a seat.
    pub fn of(seat: u8, words: impl Into<String>) -> Line {
        Line {
            seat: Some(seat),
            words: words.into(),
        }
    }

    /// Creates a line about the whole table.
    pub fn table(words: impl Into<String>) -> Line {
        Line {
            seat: None,
            words: words.into(),
        }
    }
}

/// Writes the line with its seat: `seat 2 plays 7♠`.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seat) = self.seat {
            write!(f, "seat {} ", from_one(seat))?;
        }
        f.write_str(&self.words)
    }
}

/// A legal action for people to select.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// Text for a button: `Call 20`, `7♠ 7♥`.
    pub words: String,
    /// Faces of the cards that the action takes from the hand; empty if it takes none.
    pub faces: String,
}

impl Offer {
    /// Creates an action that takes no cards.
    pub fn plain(words: impl Into<String>) -> Offer {
        Offer {
            words: words.into(),
            faces: String::new(),
        }
    }
}

/// Returns the number of a seat or player for people and scripts, which count from 1. Records, the
/// C interface and JSON count from 0.
pub fn from_one(index: u8) -> u16 {
    u16::from(index) + 1
}

/// Joins faces with spaces.
pub fn faces(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" ")
}

/// Formats faces for a sentence: `7♠ joker as 5♥`.
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

/// Formats a face with a suit symbol and with `10` for ten.
fn suited(face: &str) -> String {
    let end = face.len().saturating_sub(1);
    let (rank, sign) = match face.split_at_checked(end) {
        Some((rank, "S")) => (rank, "♠"),
        Some((rank, "H")) => (rank, "♥"),
        Some((rank, "D")) => (rank, "♦"),
        Some((rank, "C")) => (rank, "♣"),
        _ => (face, ""),
    };
    format!("{}{sign}", if rank == "T" { "10" } else { rank })
}

/// Formats a rank as an ordinal number: `1st` for 0.
pub fn ordinal(place: u8) -> String {
    match place {
        0 => "1st".to_owned(),
        1 => "2nd".to_owned(),
        2 => "3rd".to_owned(),
        n => format!("{}th", from_one(n)),
    }
}

/// Returns the name with this number, or `none` if there is no such name.
pub(crate) fn name_at(names: &[&'static str], number: u8, none: &'static str) -> &'static str {
    names.get(usize::from(number)).copied().unwrap_or(none)
}

/// Formats a number; 0 becomes an empty string.
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
    fn cards_are_described_with_suit_symbols() {
        assert_eq!(spoken("7S TH JK JK=5D 12"), "7♠ 10♥ joker joker as 5♦ 12");
        assert_eq!(
            (spoken(""), ordinal(0), ordinal(4)),
            ("nothing".into(), "1st".into(), "5th".into())
        );
    }
}
