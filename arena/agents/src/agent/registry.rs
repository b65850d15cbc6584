//! The backends: a module beside this file and one line each.

use super::kind::Kind;
use std::path::Path;

/// The kinds of files that can be bots: one line each.
pub static KINDS: &[&dyn Kind] = &[
    &super::compiled::Compiled,
    &super::script::Scripts,
    #[cfg(feature = "wasm")]
    &super::wasm::Modules,
    &super::program::Programs,
];

/// The kind of bots that are linked into this program.
pub static BUILT_IN: &dyn Kind = &super::compiled::Compiled;

/// The kind of a file, by its name.
#[must_use]
pub fn kind_of(file: &Path) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.takes(file))
}
