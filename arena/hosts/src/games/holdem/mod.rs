//! Hold'em: what poker games share, and win rates.

use super::{Luau, LuauLibrary};

/// What scripts find beside the records.
pub const LUAU: Luau = Luau { supplement: include_str!("../poker.luau"), library: Some(LuauLibrary::Holdem) };
