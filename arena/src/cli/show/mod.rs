//! `hattari show`: reference data and search paths.

use super::group::group;

group! {
    /// Print bots, search paths, rules, schemas and types
    { bots, paths, rules, schema, types, completions, man }
}
