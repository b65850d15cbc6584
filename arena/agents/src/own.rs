//! Folders and files that are this user's alone: what a program takes from its cache unchecked,
//! nobody else may have put there.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::{env, io};

/// This user's folder for what can be made again, of the kind `name`; `None` where the system tells
/// no place. It need not be there.
#[must_use]
pub fn cache(name: &str) -> Option<PathBuf> {
    Some(
        base("XDG_CACHE_HOME", "Library/Caches", ".cache")?
            .join("hattari")
            .join(name),
    )
}

/// This user's folder for what belongs to this version of the program; `None` where the system
/// tells no place. It need not be there.
#[must_use]
pub fn data() -> Option<PathBuf> {
    let base = base(
        "XDG_DATA_HOME",
        "Library/Application Support",
        ".local/share",
    )?;
    Some(base.join("hattari").join(env!("CARGO_PKG_VERSION")))
}

/// Folders for what belongs to the program, nearest first: this user's, the one beside the program
/// (`../share/hattari`), and those of the system. They need not be there.
#[must_use]
pub fn data_folders() -> Vec<PathBuf> {
    let beside = env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.parent()?.join("share")));
    let system = env::var_os("XDG_DATA_DIRS").filter(|folders| !folders.is_empty());
    let system = system.unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    let system = env::split_paths(&system)
        .filter(|folder| folder.is_absolute())
        .collect::<Vec<_>>();
    let shared = beside
        .into_iter()
        .chain(system)
        .map(|folder| folder.join("hattari"));
    data().into_iter().chain(shared).collect()
}

/// A folder of this user's: what the variable names, else a place in the home folder, on Apple's
/// systems another.
fn base(variable: &str, apple: &str, others: &str) -> Option<PathBuf> {
    // A folder that hangs on the current one would be that of whoever has made this one.
    let from = |variable: &str| {
        env::var_os(variable)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    from(variable).or_else(|| {
        Some(from("HOME")?.join(if cfg!(target_os = "macos") {
            apple
        } else {
            others
        }))
    })
}

/// Whether something belongs to this user, nobody else may write to it, and it is no link. What is
/// told is to come from [`fs::symlink_metadata`] or from an open file.
#[must_use]
pub fn is_own(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    about.uid() == rustix::process::geteuid().as_raw()
        && about.mode() & 0o022 == 0
        && !about.is_symlink()
}

/// Makes a folder of this user's alone, and those that it lies in.
///
/// # Errors
/// It cannot be made. That it is there, with whatever rights, is no error.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

/// How a new file of this user's alone is opened to be written.
#[must_use]
pub fn new_file() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600);
    options
}
