//! The description of daihinmin's records, for authors of bots in other languages.

use super::card::{self, JOKER, JOKER_SET};
use super::{Action, Daihinmin, Event, NONE, PLAYERS, View};
use crate::GameTypes;
use crate::frame::Constant;

impl GameTypes for Daihinmin {
    const ID: &'static str = "daihinmin/1";
    type View = View;
    type Event = Event;
    type Action = Action;
    const NUMBERING: &'static [&'static str] = &[
        "Cards are numbered by cell: 4 times the column plus the suit.",
        "Columns 1 to 13 are the ranks 3, 4, 5 and so on to K, A, 2.",
        "Suits are 0 spades, 1 hearts, 2 diamonds, 3 clubs.",
        "For example, the three of spades is 4 and the two of clubs is 55.",
        "Columns 0 and 14 exist only for a joker that extends a sequence below 3 or above 2.",
        "The joker itself is card 60.",
        "",
        "A set of cards has bit 1 << n for card n.",
        "Four adjacent bits are a rank; every fourth bit is a suit.",
        "",
        "Seats are numbered from 0 in the order of play.",
        "A set of seats has bit 1 << n for seat n.",
        "Titles are 0 daifugo, 1 fugo, 2 heimin, 3 hinmin, 4 daihinmin.",
    ];
    const CONSTANTS: &'static [Constant] = &[
        Constant::number("PLAYERS", PLAYERS as u64, "Number of players at a table."),
        Constant::number(
            "NONE",
            NONE as u64,
            "Value for no seat, title, place or card.",
        ),
        Constant::number("JOKER", JOKER as u64, "Card number of the joker."),
        Constant::cards("JOKER_SET", JOKER_SET, "Set that contains only the joker."),
        Constant::cards("SUITED", card::SUITED, "Set of the 52 suited cards."),
        Constant::cards("PACK", card::PACK, "Set of all 53 cards."),
        Constant::cards(
            "SPADE_3",
            card::SPADE_3,
            "Set of the three of spades, the only card that beats a lone joker.",
        ),
        Constant::cards(
            "DIAMOND_3",
            card::DIAMOND_3,
            "Set of the three of diamonds, whose holder leads the first trick.",
        ),
        Constant::number(
            "COLUMN_3",
            card::COLUMN_3 as u64,
            "Column of the threes, the lowest.",
        ),
        Constant::number(
            "COLUMN_8",
            card::COLUMN_8 as u64,
            "Column of the eights, which clear the trick.",
        ),
        Constant::number("COLUMN_J", card::COLUMN_J as u64, "Column of the jacks."),
        Constant::number("COLUMN_Q", card::COLUMN_Q as u64, "Column of the queens."),
        Constant::number(
            "COLUMN_2",
            card::COLUMN_2 as u64,
            "Column of the twos, the highest.",
        ),
    ];

    fn card_name(card: u8) -> Option<&'static str> {
        card::name(card)
    }
}
