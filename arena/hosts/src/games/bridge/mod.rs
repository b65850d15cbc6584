//! Bridge: suits and the dummy, open hands solved.

use super::{Hosted, Luau, LuauLibrary, Types, Usual, starter};

/// What the host adds to the game.
pub(super) const HOSTED: Hosted = Hosted {
    luau: Luau { supplement: include_str!("supplement.luau"), library: Some(LuauLibrary::DoubleDummy), types: TYPES },
    usual: Some(Usual { opponents: &["cheap"], deals: 1, in_pairs: true, duplicate: true }),
    starter: Some(starter!("wins tricks as cheaply as it can")),
};

/// What editors are told of them.
const TYPES: Types = Types {
    card: "suit (S, H, D, C) and rank (2 to 9, T, J, Q, K, A), as in \"SQ\"",
    fields: &[
        ("bridge_action", "text", "string", "The card as logs and replays print it."),
        ("bridge_event", "seat", "number", "Whose call, hand or card, from 1: North, East, South, West."),
        ("bridge_view", "seat", "number", "Your seat, from 1: North, East, South, West."),
        ("bridge_view", "dealer", "number", "Who called first, from 1."),
        ("bridge_view", "declarer", "number", "Who plays the contract, from 1."),
        ("bridge_view", "dummy", "number", "Declarer's partner, whose cards declarer plays, from 1."),
        ("bridge_view", "leader", "number", "Who leads, or led, to the trick under way, from 1."),
    ],
    rest: &[include_str!("types.luau")],
};
