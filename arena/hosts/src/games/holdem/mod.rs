//! Hold'em: what poker games share, and win rates.

use super::{Hosted, Luau, LuauLibrary, Usual, starter};

/// What the host adds to the game.
pub(super) const HOSTED: Hosted = Hosted {
    luau: Luau { supplement: include_str!("../poker.luau"), library: Some(LuauLibrary::Holdem) },
    usual: Some(Usual { opponents: &["honest"], deals: 10, duplicate: true, ..Usual::NONE }),
    starter: Some(starter!("holdem", "raises with a pair, calls where that is cheap")),
};
