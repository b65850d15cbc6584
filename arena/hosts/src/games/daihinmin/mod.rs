//! Daihinmin: groups and sequences in words, the exchange as a phase of its own, playouts.

use super::{Luau, LuauLibrary};

/// What scripts find beside the records.
pub const LUAU: Luau = Luau { supplement: include_str!("supplement.luau"), library: Some(LuauLibrary::Search) };
