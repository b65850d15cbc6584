//! `hattari store`: the contents of result stores.

use super::group::group;

group! {
    /// List, prune and print stored results
    {
        list,
        /// Delete stored blocks that the last run of the league does not use
        prune,
        digest,
        records,
    }
}
