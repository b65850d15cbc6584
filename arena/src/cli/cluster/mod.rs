//! `hattari cluster`: leagues on several machines.

use super::group::group;

group! {
    /// Play a league on several machines: plan units, merge results, pack the league
    { plan, merge, pack }
}
