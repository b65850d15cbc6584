//! Seven-card stud: the host's additions.

use super::{Hosted, Luau, LuauLibrary, Phase, Types, Usual, poker};
use hattari_plugin::games::stud::{View, phase};

/// The host's additions to the game.
pub(super) const HOSTED: Hosted = Hosted {
    luau: Luau {
        supplement: include_str!("poker.luau"),
        library: Some(LuauLibrary::Poker),
        phase: Some(Phase {
            name: "open",
            default: first,
        }),
        types: TYPES,
    },
    usual: Some(Usual {
        opponents: &["honest"],
        deals: 10,
        duplicate: true,
        ..Usual::NONE
    }),
};

/// Types for editors.
const TYPES: Types = Types {
    fields: &[
        ("stud_action", "text", "string", poker::ACTION_TEXT),
        (
            "stud_view",
            "seat",
            "number",
            "Your seat, from 1. Seats are numbered clockwise and stay the same for the block.",
        ),
        (
            "stud_view",
            "button",
            "number",
            "The dealer's seat, from 1. In the game of seven turns, the seat that bets first.",
        ),
        (
            "stud_view",
            "street",
            "number",
            "The street, from 1. In the game of seven turns, the turn.",
        ),
    ],
    card: poker::CARD,
    rest: &[
        include_str!("poker_types.luau"),
        include_str!("stud/types.luau"),
    ],
};

/// Returns the choice that opens the first card.
fn first(view: &[u8], _: &[u8]) -> Option<usize> {
    let view: &View = bytemuck::try_from_bytes(view).ok()?;
    (view.phase == phase::OPEN).then_some(0)
}
