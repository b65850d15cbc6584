//! The host's additions to seven-card stud.

use super::{GameExtras, LuauLibrary, Phase, poker};
use hattari_plugin::games::stud::{View, phase};

/// The host's additions to the game.
pub(super) const HOSTED: GameExtras = GameExtras {
    library: Some(LuauLibrary::Poker),
    phase: Some(Phase {
        name: "open",
        default: first_hidden_card,
    }),
    fields: &[
        ("stud_action", "text", "string", poker::ACTION_TEXT),
        (
            "stud_view",
            "seat",
            "number",
            "Your seat, from 1. Seats are numbered clockwise and are fixed for the block.",
        ),
        (
            "stud_view",
            "button",
            "number",
            "Dealer's seat, from 1. In the game of seven turns: the seat that bets first.",
        ),
        (
            "stud_view",
            "street",
            "number",
            "Current street, from 1. In the game of seven turns: the current turn.",
        ),
    ],
    types: &[
        include_str!("poker_types.luau"),
        include_str!("stud/types.luau"),
    ],
    ..poker::HOSTED
};

/// Returns the index of the action that turns up the first hidden card; `None` in other phases.
fn first_hidden_card(view: &[u8], _: &[u8]) -> Option<usize> {
    let view: &View = bytemuck::try_from_bytes(view).ok()?;
    (view.phase == phase::OPEN).then_some(0)
}
