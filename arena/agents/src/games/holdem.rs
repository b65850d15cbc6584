//! The host's additions to hold'em, including win rates for scripts.

use super::{GameExtras, LuauLibrary, poker};

/// The host's additions to the game.
pub(super) const HOSTED: GameExtras = GameExtras {
    library: Some(LuauLibrary::Holdem),
    fields: &[
        ("holdem_action", "text", "string", poker::ACTION_TEXT),
        (
            "holdem_view",
            "seat",
            "number",
            "Your seat, from 1. Seats are numbered clockwise and are fixed for the block.",
        ),
        (
            "holdem_view",
            "button",
            "number",
            "Seat with the button, from 1.",
        ),
    ],
    types: &[
        include_str!("poker_types.luau"),
        include_str!("holdem/types.luau"),
    ],
    ..poker::HOSTED
};
