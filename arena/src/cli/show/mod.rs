//! `hattari show`: what this program knows and where it looks.

use super::group::group;

group! {
    /// Print what this program knows: bots, folders, rules, schemas, types
    { bots, paths, rules, schema, types, completions, man }
}
