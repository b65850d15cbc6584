//! The description of bridge's records, for authors of bots in other languages.

use super::{Action, Bridge, Event, NONE, View, cards};
use crate::GameTypes;
use crate::frame::Constant;

impl GameTypes for Bridge {
    const ID: &'static str = "bridge/1";
    type View = View;
    type Event = Event;
    type Action = Action;
    const NUMBERING: &'static [&'static str] = &[
        "Cards are numbered 13 times the suit plus the rank.",
        "Suits are 0 spades, 1 hearts, 2 diamonds, 3 clubs.",
        "Ranks are 0 for a two, 1 for a three and so on to 12 for an ace.",
        "For example, the two of spades is 0 and the ace of clubs is 51.",
        "",
        "A set of cards has bit 1 << n for card n: thirteen adjacent bits are a suit.",
        "",
        "Seats are 0 North, 1 East, 2 South, 3 West, in the order of play.",
    ];
    const CONSTANTS: &'static [Constant] = &[
        Constant::number("SEATS", 4, "Number of seats at a table."),
        Constant::number("NONE", NONE as u64, "Value for no seat, card or call."),
        Constant::cards("PACK", (1 << 52) - 1, "Set of all 52 cards."),
        Constant::cards("SPADES", (1 << 13) - 1, "Set of all spades."),
    ];

    fn card_name(card: u8) -> Option<&'static str> {
        cards::name(card)
    }
}
