//! The description of everything that crosses the border, for authors in other languages.

use super::records::{Action, Event, NONE, PLAYERS_MAX, View};
use super::{CARDS_MAX, Tanhinmin};
use crate::GameTypes;
use crate::frame::{Constant, Framed, Meaning, Schema};

/// The records of tanhinmin.
pub const SCHEMA: Schema = Schema {
    game: Tanhinmin::ID,
    doc: &[
        "Cards differ in strength alone. They are numbered from 0, the weakest, on; people count strengths from 1, so card 0 is",
        "written \"1\". A set of cards has bit 1 << n for card n.",
        "",
        "Seats are numbered from 0 in the order of play; seat 0 leads the deal. A set of seats has bit 1 << n for seat n.",
    ],
    constants: &[
        constant(
            "PLAYERS_MAX",
            PLAYERS_MAX as u64,
            "Most players of a table.",
        ),
        constant("CARDS_MAX", CARDS_MAX as u64, "Most cards of a hand."),
        constant(
            "NONE",
            NONE as u64,
            "Seat, player, place or card that is none.",
        ),
    ],
    frames: &[Action::FRAME, Event::FRAME, View::FRAME],
};

const fn constant(name: &'static str, value: u64, doc: &'static str) -> Constant {
    Constant {
        name,
        value,
        meaning: Meaning::Number,
        doc,
    }
}

/// The text of a card: its strength, from 1; `None` for numbers without a card.
#[must_use]
pub fn card_name(card: u8) -> Option<&'static str> {
    NAMES.get(usize::from(card)).copied()
}

#[rustfmt::skip]
static NAMES: [&str; 60] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20",
    "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37", "38", "39", "40",
    "41", "42", "43", "44", "45", "46", "47", "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59", "60",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_called_by_their_strength() {
        for card in 0..=u8::MAX {
            let expected = (card < 60).then(|| (u32::from(card) + 1).to_string());
            assert_eq!(card_name(card).map(str::to_owned), expected);
        }
    }
}
