//! Bridge: suits and the dummy, open hands solved.

use super::{Luau, LuauLibrary};

/// What scripts find beside the records.
pub const LUAU: Luau = Luau { supplement: include_str!("supplement.luau"), library: Some(LuauLibrary::DoubleDummy) };
