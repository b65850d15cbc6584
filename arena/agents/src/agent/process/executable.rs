//! The program that is started as a helper process: this one.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Environment variable of workers, so that a program which is none can see that it was started as
/// one by mistake.
pub(crate) const MARK: &str = "HATTARI_WORKER";

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Starts workers from the program at `path` instead of the running one: for benches and other
/// programs that use this library, which are not `hattari` themselves. Only the first call counts.
pub fn use_program(path: &Path) {
    _ = PROGRAM.set(path.to_owned());
}

/// The program that is started as a worker.
///
/// # Errors
/// Returns an error if the program cannot be found.
pub(crate) fn program() -> std::io::Result<PathBuf> {
    if let Some(program) = PROGRAM.get() {
        return Ok(program.clone());
    }
    // The running program itself, even where its file has been replaced meanwhile.
    if cfg!(target_os = "linux") {
        Ok(PathBuf::from("/proc/self/exe"))
    } else {
        std::env::current_exe()
    }
}
