//! The host's additions to tanhinmin.

use super::{GameExtras, WatchDefaults};

/// The host's additions to the game.
pub(super) const HOSTED: GameExtras = GameExtras {
    supplement: include_str!("tanhinmin/supplement.luau"),
    card: "its strength as text, from \"1\" (the weakest)",
    fields: &[
        (
            "tanhinmin_action",
            "text",
            "string",
            "The move as logs and replays print it: the card, or \"pass\".",
        ),
        (
            "tanhinmin_event",
            "seat",
            "number",
            "Seat of the event, from 1.",
        ),
        (
            "tanhinmin_view",
            "seat",
            "number",
            "Your seat, from 1. Seats are numbered in the order of play; seat 1 leads the deal.",
        ),
    ],
    types: &[include_str!("tanhinmin/types.luau")],
    watch_defaults: Some(WatchDefaults {
        opponents: &["eager", "boss", "random"],
        deals: 25,
        ..WatchDefaults::NONE
    }),
    ..GameExtras::NONE
};
