//! `hattari store`: what a league's store holds.

use super::group::group;

group! {
    /// List, prune and print stored results
    {
        list,
        /// Delete stored blocks that the league does not ask for, as it was played last
        prune,
        digest,
        records,
    }
}
