//! Bridge: suits and the dummy, open hands solved.

use super::{Hosted, Luau, LuauLibrary, Usual, starter};

/// What the host adds to the game.
pub(super) const HOSTED: Hosted = Hosted {
    luau: Luau { supplement: include_str!("supplement.luau"), library: Some(LuauLibrary::DoubleDummy) },
    usual: Some(Usual { opponents: &["cheap"], deals: 1, in_pairs: true, duplicate: true }),
    starter: Some(starter!("bridge", "wins tricks as cheaply as it can")),
};
