//! Errors of the store, with remedies for the user.

use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// The result of an operation on a store.
pub(crate) type StoreResult<T = ()> = Result<T, StoreError>;

/// The reason a store cannot be used or changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is an empty database, for example of a process that was killed at its start.
    #[error("`{}` is not a store of Hattari (the file is empty): give another store, or move \
        this one away", .0.display())]
    Empty(PathBuf),
    /// The store was written by an earlier release, and blocks cannot be added to it.
    #[error(
        "the store `{}` was written by an earlier version of Hattari (layout {found}), in which \
        cards depended on the numbers of line-ups instead of the names: create its report with \
        hattari 0.1, and store new blocks in another file",
        path.display()
    )]
    Earlier {
        /// Path of the store.
        path: PathBuf,
        /// Layout of the store.
        found: i64,
    },
    /// Another process writes to the store.
    #[error(
        "the store `{}` is in use{}: wait until the other hattari ends, or give another store",
        path.display(),
        owner.map(|id| format!(" by process {id}")).unwrap_or_default()
    )]
    Busy {
        /// Path of the store.
        path: PathBuf,
        /// Id of the process, if known.
        owner: Option<u32>,
    },
    /// The store was removed or replaced during the run.
    #[error(
        "the store `{}` was removed or replaced during the run: the blocks played since then are \
        lost. Do not move or delete it during a run, and run again",
        .0.display()
    )]
    Gone(PathBuf),
    /// The disk is full.
    #[error(
        "the disk is full: cannot write the store `{}`. All blocks saved before are kept; free \
        some space and run again",
        .0.display()
    )]
    Full(PathBuf),
    /// The store is read-only.
    #[error("the store `{}` cannot be written ({why}): make its folder writable, or give another \
        store", path.display())]
    ReadOnly {
        /// Path of the store.
        path: PathBuf,
        /// Reason why the store cannot be written.
        why: String,
    },
    /// The store is inconsistent.
    #[error("the store `{}` is damaged ({why}): restore a copy of it, or move it away and play \
        again", path.display())]
    Damaged {
        /// Path of the store.
        path: PathBuf,
        /// First inconsistency that was found, for example a wrong checksum.
        why: String,
    },
    /// Another problem, for example of the file system.
    #[error("{0}")]
    Other(String),
}

impl StoreError {
    /// Converts a database error of the store at `path`.
    pub(crate) fn sql(path: &Path, error: &rusqlite::Error) -> StoreError {
        let (path, why) = (path.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::foreign(&path, "not an SQLite database"),
            Some(ErrorCode::OperationInterrupted) => StoreError::foreign(
                &path,
                "reading it takes far more steps than expected for its size",
            ),
            Some(ErrorCode::TooBig) => {
                StoreError::foreign(&path, "it contains a value of more than 64 MiB")
            }
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, why },
            Some(ErrorCode::DiskFull) => StoreError::Full(path),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                StoreError::ReadOnly { path, why }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Busy { path, owner: None }
            }
            // A table is missing, or a value has a wrong type. The file is marked as a store, so it
            // must be damaged.
            Some(ErrorCode::Unknown | ErrorCode::TypeMismatch | ErrorCode::InternalMalfunction) => {
                StoreError::Damaged { path, why }
            }
            _ => match error {
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::Utf8Error(..) => StoreError::Damaged { path, why },
                _ => StoreError::of_system(&path, &why),
            },
        }
    }

    /// Converts a file system error of the store at `path`.
    pub(crate) fn io(path: &Path, error: &std::io::Error) -> StoreError {
        use std::io::ErrorKind;
        let (path, why) = (path.to_owned(), error.to_string());
        match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly { path, why }
            }
            ErrorKind::NotFound => StoreError::Other(format!(
                "the store `{}` cannot be written (there is no such folder): create its folder, or \
                give another store",
                path.display()
            )),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full(path),
            _ => StoreError::of_system(&path, &why),
        }
    }

    fn of_system(path: &Path, why: &str) -> StoreError {
        StoreError::Other(format!(
            "the store `{}`: {why}; check the disk, the permissions and the limit of open files \
            (`ulimit -n`), or give another store",
            path.display()
        ))
    }

    /// Creates the error for a block of `table` with different results in two stores.
    pub(super) fn contradiction(into: &Path, from: &Path, table: &str, block: u32) -> StoreError {
        StoreError::Other(format!(
            "`{}` and `{}` contain different results for {table}, block {block}: they were played \
            with different bots or rules, or a bot is not deterministic. Nothing was merged",
            into.display(),
            from.display()
        ))
    }

    /// Creates the error for a file that is not a store.
    pub(super) fn foreign(path: &Path, why: &str) -> StoreError {
        StoreError::Other(format!(
            "`{}` is not a store of Hattari ({why}): give another store, or move this one away",
            path.display()
        ))
    }
}
