//! `hattari show`: reference data and search paths.

use super::group::group;

group! {
    /// Print what this program knows: bots, folders, rules, schemas, types
    { bots, paths, rules, schema, types, completions, man }
}
