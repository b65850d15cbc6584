//! The description of everything that crosses the border, for authors in other languages.

use super::{Action, Event, PLAYERS_MAX, Stud, View};
use crate::GameTypes;
use crate::frame::{Constant, Framed, Meaning, Schema};
use crate::poker::{NOBODY, card};

/// The records of stud.
pub const SCHEMA: Schema = Schema {
    game: Stud::ID,
    doc: &[
        "Cards are numbered 4 times the rank plus the suit: ranks are 0 for a two, 1 for a three and so on to 12 for an ace,",
        "suits are 0 clubs, 1 diamonds, 2 hearts, 3 spades. So the two of clubs is 0 and the ace of spades is 51.",
        "",
        "A set of cards has bit 1 << n for card n: four neighbouring bits are a rank, every fourth bit is a suit.",
        "",
        "Seats are numbered from 0 clockwise. A set of seats has bit 1 << n for seat n. Streets are numbered from 0.",
    ],
    constants: &[
        constant("SEATS_MAX", PLAYERS_MAX as u64, "Most players of a table."),
        constant("NONE", NOBODY as u64, "Seat or card that is none."),
        Constant {
            name: "DECK",
            value: card::DECK,
            meaning: Meaning::Cards,
            doc: "The set of all 52 cards.",
        },
        Constant {
            name: "CLUBS",
            value: card::CLUBS,
            meaning: Meaning::Cards,
            doc: "The set of all clubs.",
        },
        constant(
            "RANK_ACE",
            card::ACE as u64,
            "Rank of the aces, the highest.",
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
