//! Tanhinmin: cards by their strength.

use super::Luau;

/// What scripts find beside the records.
pub const LUAU: Luau = Luau { supplement: include_str!("supplement.luau"), library: None };
