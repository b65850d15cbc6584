//! `hattari store`: the contents of result stores.

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
