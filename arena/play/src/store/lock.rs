//! One writer a store: an advisory lock that the system drops with the process, however it ends.

use super::StoreError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The right to write a store, until dropped.
///
/// The lock is on a file of its own beside the store: closing a second handle of the store itself
/// would undo the database's own locks. The file holds the owner's process number.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock of the store at `store`.
    ///
    /// # Errors
    /// Another process (or another part of this one) has it, or the folder cannot be written.
    pub(super) fn take(store: &Path) -> Result<Lock, StoreError> {
        let mut name = store.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        loop {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path);
            let mut file = file.map_err(|error| StoreError::io(store, &error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut owner = String::new();
                    _ = file.read_to_string(&mut owner);
                    return Err(StoreError::Busy {
                        path: store.to_owned(),
                        owner: owner.trim().parse().ok(),
                    });
                }
                Err(TryLockError::Error(error))
                    if error.kind() == std::io::ErrorKind::Unsupported =>
                {
                    tracing::warn!(
                        "{}: no locks here; see that only one hattari plays into it",
                        store.display()
                    );
                }
                Err(TryLockError::Error(error)) => return Err(StoreError::io(store, &error)),
            }
            // The last owner may have removed the file between our opening and our locking it: then
            // this lock is on a file that nobody else will find, and the next try gets
            // the one that stands there now.
            if is_same_file(&file, &path) {
                // The number is for messages alone; a full disk is no reason to refuse.
                _ = file
                    .set_len(0)
                    .and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(Lock { file, path });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while still locked, so nobody else's lock file can be meant.
        _ = fs::remove_file(&self.path);
        _ = self.file.unlock();
    }
}

/// What tells a file from another that comes to lie in its place: device and number, where the
/// system has such.
pub(super) type FileId = (u64, u64);

/// The file that lies at a path, `None` where there is none.
pub(super) fn file_id(path: &Path) -> Option<FileId> {
    fs::metadata(path).ok().map(|about| id(&about))
}

#[cfg(unix)]
fn id(about: &fs::Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (about.dev(), about.ino())
}

#[cfg(not(unix))]
fn id(_about: &fs::Metadata) -> FileId {
    (0, 0)
}

fn is_same_file(file: &File, path: &Path) -> bool {
    file.metadata().ok().map(|about| id(&about)) == file_id(path)
}
