//! The executable of helper processes, by default the running one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, io};

/// Environment variable that marks workers, so that an executable that cannot be a worker notices
/// that it was started as one.
const MARK: &str = "HATTARI_WORKER";

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
fn program() -> io::Result<PathBuf> {
    if let Some(program) = PROGRAM.get() {
        return Ok(program.clone());
    }
    // This path works even if the program's file has been replaced.
    if cfg!(target_os = "linux") {
        Ok(PathBuf::from("/proc/self/exe"))
    } else {
        env::current_exe()
    }
}

/// Returns `true` if the host started this process as a worker.
pub(crate) fn is_worker() -> bool {
    env::var_os(MARK).is_some()
}

/// Returns the command `hattari worker` without the environment of the host.
///
/// # Errors
/// Returns an error if this process is a worker, or if the program cannot be found.
pub(crate) fn worker_command() -> io::Result<Command> {
    if is_worker() {
        let message = "a worker process cannot start other workers";
        return Err(io::Error::other(message));
    }
    let mut command = Command::new(program()?);
    command
        .arg("worker")
        .env_clear()
        .env(MARK, "1")
        .current_dir("/");
    Ok(command)
}
