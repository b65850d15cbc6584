//! Seven-card stud: what poker games share.

use super::{Hosted, Luau, LuauLibrary, Types, Usual, poker};

/// What the host adds to the game.
pub(super) const HOSTED: Hosted = Hosted {
    luau: Luau {
        supplement: include_str!("poker.luau"),
        library: Some(LuauLibrary::Poker),
        types: TYPES,
    },
    usual: Some(Usual {
        opponents: &["honest"],
        deals: 10,
        duplicate: true,
        ..Usual::NONE
    }),
};

/// What editors are told of them.
const TYPES: Types = Types {
    fields: &[
        ("stud_action", "text", "string", poker::ACTION_TEXT),
        (
            "stud_view",
            "seat",
            "number",
            "Your seat, from 1. Seats are numbered clockwise, and stay for the block.",
        ),
        (
            "stud_view",
            "button",
            "number",
            "The dealer's seat, from 1. In seven turns the seat that bets first.",
        ),
        (
            "stud_view",
            "street",
            "number",
            "The street, in seven turns the turn, from 1.",
        ),
    ],
    card: poker::CARD,
    rest: &[
        include_str!("poker_types.luau"),
        include_str!("stud/types.luau"),
    ],
};
