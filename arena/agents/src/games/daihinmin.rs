//! The host's additions to daihinmin. Scripts may define a function for the exchange.

use super::{GameExtras, Phase, WatchDefaults};
use hattari_plugin::games::daihinmin::{Action, View, phase};

/// The host's additions to the game.
pub(super) const HOSTED: GameExtras = GameExtras {
    supplement: include_str!("daihinmin/supplement.luau"),
    phase: Some(Phase {
        name: "exchange",
        default: weakest_cards,
    }),
    fields: &[
        (
            "daihinmin_action",
            "rank",
            "number",
            "Rank of the play: 3 to 13, 14 for the ace, 15 for the two, 16 for a single joker; 0 \
             for a pass. For a\nsequence, the lowest rank; for cards to give away, the rank of the \
             weakest.",
        ),
        (
            "daihinmin_action",
            "suits",
            "string",
            "Suits covered, as letters in the order \"SHDC\"; \"\" for a single joker, a pass and \
             cards to give away.",
        ),
        (
            "daihinmin_action",
            "text",
            "string",
            "The move as logs and replays print it: \"S7 H7\", \"JK=S5 S6 S7\", \"pass\".",
        ),
        (
            "daihinmin_event",
            "seat",
            "number",
            "Seat of the event, from 1.",
        ),
        (
            "daihinmin_view",
            "seat",
            "number",
            "Your seat, from 1. Seats are numbered in the order of play.",
        ),
    ],
    card: "suit (S, H, D, C) and rank (3 to 9, T, J, Q, K, A, 2), as in \"S3\"; or \"JK\", the joker",
    types: &[include_str!("daihinmin/types.luau")],
    watch_defaults: Some(WatchDefaults {
        opponents: &["base", "all-k", "default", "random"],
        deals: 25,
        ..WatchDefaults::NONE
    }),
    ..GameExtras::NONE
};

/// Returns the index of the action that gives away the weakest cards: the first action whose
/// strongest card is the weakest. Returns `None` outside the exchange. Cards are compared by rank,
/// then by suit in the order spades, hearts, diamonds, clubs.
fn weakest_cards(view: &[u8], legal: &[u8]) -> Option<usize> {
    let view: &View = bytemuck::try_from_bytes(view).ok()?;
    let actions: &[Action] = bytemuck::try_cast_slice(legal).ok()?;
    if view.phase != phase::EXCHANGE {
        return None;
    }
    (0..actions.len()).min_by_key(|&index| actions[index].cards.checked_ilog2())
}
