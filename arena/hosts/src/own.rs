//! Folders and files that are this user's alone: what a program takes from its cache unchecked, nobody else may have put there.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::{env, io};

/// This user's folder for what can be made again, of the kind `name`; `None` where the system tells no place. It need not be there.
#[must_use]
pub fn cache(name: &str) -> Option<PathBuf> {
    let from = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = from("XDG_CACHE_HOME").or_else(|| {
        if cfg!(windows) {
            from("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            from("HOME").map(|home| home.join("Library/Caches"))
        } else {
            from("HOME").map(|home| home.join(".cache"))
        }
    });
    Some(base?.join("hattari").join(name))
}

/// Whether something belongs to this user, nobody else may write to it, and it is no link. What is told is to come from
/// [`fs::symlink_metadata`] or from an open file.
#[cfg(unix)]
#[must_use]
pub fn is_own(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    about.uid() == rustix::process::geteuid().as_raw() && about.mode() & 0o022 == 0 && !about.is_symlink()
}

/// Makes a folder of this user's alone, and those that it lies in.
///
/// # Errors
/// It cannot be made. That it is there, with whatever rights, is no error.
#[cfg(unix)]
pub fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// How a new file of this user's alone is opened to be written.
#[cfg(unix)]
#[must_use]
pub fn new_file() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600);
    options
}

/// Whether something is no link. Here a user's cache folder is that user's by its place.
#[cfg(not(unix))]
#[must_use]
pub fn is_own(about: &fs::Metadata) -> bool {
    !about.is_symlink()
}

/// Makes a folder, and those that it lies in.
///
/// # Errors
/// It cannot be made.
#[cfg(not(unix))]
pub fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// How a new file is opened to be written.
#[cfg(not(unix))]
#[must_use]
pub fn new_file() -> OpenOptions {
    let mut options = File::options();
    options.write(true).create_new(true);
    options
}
