//! The executable of helper processes, by default the running one.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Environment variable that marks workers, so that an executable that cannot be a worker notices
/// that it was started as one.
pub(crate) const MARK: &str = "HATTARI_WORKER";

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Starts workers from the program at `path` instead of the running one. Used by benchmarks and
/// other programs that use this library. Only the first call has an effect.
pub fn use_program(path: &Path) {
    _ = PROGRAM.set(path.to_owned());
}

/// Returns the program that is started as a worker.
///
/// # Errors
/// Returns an error if the program cannot be found.
pub(crate) fn program() -> std::io::Result<PathBuf> {
    if let Some(program) = PROGRAM.get() {
        return Ok(program.clone());
    }
    // This path works even if the program's file has been replaced.
    if cfg!(target_os = "linux") {
        Ok(PathBuf::from("/proc/self/exe"))
    } else {
        std::env::current_exe()
    }
}
