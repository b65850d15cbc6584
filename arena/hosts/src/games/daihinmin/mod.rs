//! Daihinmin: groups and sequences in words, the exchange as a phase of its own, playouts.

use super::{Hosted, Luau, LuauLibrary, Usual, starter};

/// What the host adds to the game.
pub(super) const HOSTED: Hosted = Hosted {
    luau: Luau { supplement: include_str!("supplement.luau"), library: Some(LuauLibrary::Search) },
    usual: Some(Usual { opponents: &["base", "all-k", "default", "random"], deals: 25, ..Usual::NONE }),
    starter: Some(starter!("daihinmin", "plays its weakest cards first")),
};
