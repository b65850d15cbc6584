//! The description of bridge's records, for authors in other languages.

use super::{Action, Bridge, Event, NONE, View};
use crate::GameTypes;
use crate::frame::{Constant, Framed, Schema};

/// The description of bridge's records.
pub(super) const SCHEMA: Schema = Schema {
    game: Bridge::ID,
    doc: &[
        "Cards are numbered 13 times the suit plus the rank: suits are 0 spades, 1 hearts, 2 diamonds, 3 clubs, ranks are 0 for a",
        "two, 1 for a three and so on to 12 for an ace. So the two of spades is 0 and the ace of clubs is 51.",
        "",
        "A set of cards has bit 1 << n for card n: thirteen neighbouring bits are a suit.",
        "",
        "Seats are 0 North, 1 East, 2 South, 3 West, in the order of play.",
    ],
    constants: &[
        Constant::number("SEATS", 4, "Seats of a table."),
        Constant::number("NONE", NONE as u64, "Seat, card or call that is none."),
        Constant::cards("PACK", (1 << 52) - 1, "The set of all 52 cards."),
        Constant::cards("SPADES", (1 << 13) - 1, "The set of all spades."),
    ],
    frames: &[Action::FRAME, Event::FRAME, View::FRAME],
};
