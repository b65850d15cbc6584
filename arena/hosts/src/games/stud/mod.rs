//! Seven-card stud: what poker games share.

use super::{Luau, LuauLibrary};

/// What scripts find beside the records.
pub const LUAU: Luau = Luau { supplement: include_str!("../poker.luau"), library: Some(LuauLibrary::Poker) };
