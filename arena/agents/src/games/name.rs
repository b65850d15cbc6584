//! Names of games.

/// A game's name without its revision: `daihinmin` of `daihinmin/1`.
#[must_use]
pub fn bare(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}
