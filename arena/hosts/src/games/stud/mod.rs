//! Seven-card stud: what poker games share.

use super::{Hosted, Luau, LuauLibrary, Usual, starter};

/// What the host adds to the game.
pub(super) const HOSTED: Hosted = Hosted {
    luau: Luau { supplement: include_str!("../poker.luau"), library: Some(LuauLibrary::Poker) },
    usual: Some(Usual { opponents: &["honest"], deals: 10, duplicate: true, ..Usual::NONE }),
    starter: Some(starter!("stud", "bets with a pair or better")),
};
