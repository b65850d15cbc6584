//! Names of games.

/// Returns a game's name without its revision: `daihinmin` for `daihinmin/1`.
#[must_use]
pub fn bare(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}
