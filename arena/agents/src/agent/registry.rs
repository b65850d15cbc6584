//! The list of backends. A new backend is a module in this folder and one line here.

use super::kind::Kind;
use std::path::Path;

/// The backends for bots in files.
pub static KINDS: &[&dyn Kind] = &[
    &super::compiled::Compiled,
    &super::script::Scripts,
    #[cfg(feature = "wasm")]
    &super::wasm::Modules,
    &super::program::Programs,
];

/// The backend for bots that are linked into this program.
pub static BUILT_IN: &dyn Kind = &super::compiled::Compiled;

/// Returns the backend for a file, by its name.
#[must_use]
pub fn kind_of(file: &Path) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.takes(file))
}
