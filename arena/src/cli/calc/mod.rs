//! `hattari calc`: computations about single games.

use super::group::group;

group! {
    /// Compute: equity of hold'em hands, tricks of a bridge deal, luck of a league's blocks
    { equity, deal, luck }
}
