//! The program that is started as a helper process: this one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, io};

/// Environment variable of workers, so that a program which is none can see that it was started as
/// one by mistake.
pub(crate) const MARK: &str = "HATTARI_WORKER";

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Starts workers from the program at `path` instead of the running one: for benches and other
/// programs that use this library, which are not `hattari` themselves. Only the first call counts.
pub fn use_program(path: &Path) {
    _ = PROGRAM.set(path.to_owned());
}

/// Returns the command `hattari worker` of this program, with nothing of the environment. What it
/// is to do comes as further arguments or through its standard input.
///
/// # Errors
/// The program cannot be found, or is a worker itself.
pub(crate) fn worker_command() -> io::Result<Command> {
    if env::var_os(MARK).is_some() {
        return Err(io::Error::other("this is a worker itself"));
    }
    let program = match PROGRAM.get() {
        Some(program) => program.clone(),
        // The running program itself, even where its file has been replaced meanwhile.
        None if cfg!(target_os = "linux") => PathBuf::from("/proc/self/exe"),
        None => env::current_exe()?,
    };
    let mut command = Command::new(program);
    command
        .arg("worker")
        .env_clear()
        .env(MARK, "1")
        .current_dir("/");
    Ok(command)
}
