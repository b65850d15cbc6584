//! The list of backends. To add a backend, add a module in this folder and one line here.

use super::backend::Backend;
use std::path::Path;

/// The backends for bots in files.
pub static BACKENDS: &[&dyn Backend] = &[
    &super::compiled::LibraryBackend,
    &super::script::ScriptBackend,
    #[cfg(feature = "wasm")]
    &super::wasm::WasmBackend,
    &super::program::ProgramBackend,
];

/// The backend for bots that are linked into this program.
pub static BUILT_IN: &dyn Backend = &super::compiled::LibraryBackend;

/// Returns the backend that runs files with this name; `None` if there is none.
pub fn backend_of(file: &Path) -> Option<&'static dyn Backend> {
    BACKENDS.iter().copied().find(|kind| kind.accepts(file))
}
