//! Folders and files to which only this user can write. The program trusts the contents of its
//! cache, so nobody else may write to it.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::{env, io};

/// Returns the subfolder `name` of this user's cache folder; `None` if the environment defines no
/// location. The folder may not exist.
pub fn cache(name: &str) -> Option<PathBuf> {
    Some(
        folder_from_variable("XDG_CACHE_HOME", "Library/Caches", ".cache")?
            .join("hattari")
            .join(name),
    )
}

/// Returns this user's data folder for this version of the program; `None` if the environment
/// defines no location. The folder may not exist.
pub fn data() -> Option<PathBuf> {
    Some(
        folder_from_variable(
            "XDG_DATA_HOME",
            "Library/Application Support",
            ".local/share",
        )?
        .join("hattari")
        .join(env!("CARGO_PKG_VERSION")),
    )
}

/// Returns the folders with data of the program in order of priority: the user's folder, the folder
/// relative to the program (`../share/hattari`), and the system's folders. The folders may not
/// exist.
pub fn data_folders() -> Vec<PathBuf> {
    let beside = env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.parent()?.join("share")));
    let system = env::var_os("XDG_DATA_DIRS")
        .filter(|folders| !folders.is_empty())
        .unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    let system = env::split_paths(&system).filter(|folder| folder.is_absolute());
    let shared = beside
        .into_iter()
        .chain(system)
        .map(|folder| folder.join("hattari"));
    data().into_iter().chain(shared).collect()
}

/// Returns the folder that the environment variable `variable` names. If it is not set, returns a
/// folder in the home folder: `apple` on macOS, `others` on other systems.
fn folder_from_variable(variable: &str, apple: &str, others: &str) -> Option<PathBuf> {
    // The current folder may belong to another user, so relative paths are ignored.
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

/// Returns `true` if the file belongs to this user, nobody else may write to it, and it is not a
/// symbolic link. `about` must come from [`fs::symlink_metadata`] or from an open file.
pub fn is_own(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    about.uid() == rustix::process::geteuid().as_raw()
        && about.mode() & 0o022 == 0
        && !about.is_symlink()
}

/// Creates a folder with these permissions, and its missing parents: `0o700` if only this user may
/// read it.
///
/// # Errors
/// Returns an error if the folder cannot be created. If it exists, its permissions are not checked.
pub fn make_folder(folder: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(mode)
        .create(folder)
}

/// Returns options that create a new file that only this user can write to.
pub fn new_file() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o644);
    options
}
