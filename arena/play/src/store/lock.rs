//! Ensures that a store has one writer: an advisory lock that the system releases when the process
//! ends.

use super::database::with_ending;
use super::{StoreError, StoreResult};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Pause before the second try to take a lock.
const PAUSE: Duration = Duration::from_millis(20);

/// The exclusive right to write a store, released on drop.
///
/// The lock is on a separate file next to the store, because closing a second handle of the store
/// would release the locks of SQLite. The lock file contains the process id of the owner.
pub(super) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock of the store at `store`, a path from [`resolved`].
    ///
    /// # Errors
    /// Returns an error if another process or thread has the lock, or if the folder cannot be
    /// written.
    pub(super) fn take(store: &Path) -> StoreResult<Lock> {
        let path = with_ending(store, ".lock");
        loop {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path);
            let mut file = file.map_err(|error| StoreError::io(store, &error))?;
            // [`Lock::is_taken`] has the lock for an instant.
            let locked = file.try_lock().or_else(|_| {
                thread::sleep(PAUSE);
                file.try_lock()
            });
            match locked {
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
                        "{}: file locks are not available; make sure that only one Hattari process writes \
                        to it",
                        store.display()
                    );
                }
                Err(TryLockError::Error(error)) => return Err(StoreError::io(store, &error)),
            }
            // The last owner may have removed the file after it was opened here. Then no other
            // process would see this lock, so try again with the current file.
            if file.metadata().ok().map(|metadata| id(&metadata)) == file_id(&path) {
                // The id is for messages only, so ignore errors such as a full disk.
                _ = file
                    .set_len(0)
                    .and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(Lock { file, path });
            }
        }
    }

    /// Returns `true` if a process has the lock of the store at `store`. Without file locks, a lock
    /// file counts as locked.
    pub(super) fn is_taken(store: &Path) -> bool {
        let file = File::open(with_ending(store, ".lock"));
        file.is_ok_and(|file| file.try_lock_shared().is_err())
    }
}

/// Returns the path of the file to which `store` leads if it is a symbolic link; otherwise `store`.
/// SQLite keeps the log beside that file, so the lock must be there too.
pub(super) fn resolved(store: &Path) -> PathBuf {
    match fs::read_link(store) {
        // The file may not exist yet.
        Ok(target) => fs::canonicalize(store).unwrap_or_else(|_| store.with_file_name(target)),
        Err(_) => store.to_owned(),
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Remove the file while it is locked, so that no other process's lock file is removed.
        _ = fs::remove_file(&self.path);
        _ = self.file.unlock();
    }
}

/// The identity of a file at a path: device and inode where available.
pub(super) type FileId = (u64, u64);

/// Returns the identity of the file at a path; `None` if it does not exist.
pub(super) fn file_id(path: &Path) -> Option<FileId> {
    fs::metadata(path).ok().map(|metadata| id(&metadata))
}

#[cfg(unix)]
fn id(metadata: &fs::Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn id(_metadata: &fs::Metadata) -> FileId {
    (0, 0)
}
