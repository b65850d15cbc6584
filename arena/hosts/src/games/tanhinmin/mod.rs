//! Tanhinmin: cards by their strength.

use super::{Hosted, Luau, Usual, starter};

/// What the host adds to the game.
pub(super) const HOSTED: Hosted = Hosted {
    luau: Luau { supplement: include_str!("supplement.luau"), library: None },
    usual: Some(Usual { opponents: &["eager", "boss", "random"], deals: 25, ..Usual::NONE }),
    starter: Some(starter!("tanhinmin", "keeps its weakest card for the end")),
};
