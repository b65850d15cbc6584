//! `hattari calc`: computations about single games.

use super::group::group;

group! {
    /// Compute the equity of hold'em hands, the tricks of a bridge deal or the luck of blocks
    { equity, deal, luck }
}
