//! Errors of the store, with remedies for the user.

use hattari_agents::text::counted;
use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// The result of an operation on a store.
pub(crate) type StoreResult<T = ()> = Result<T, StoreError>;

/// The reason a store cannot be used or changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file does not exist.
    #[error("there is no store `{}`: play the league first (`hattari run`), or give the path of its \
        store", .0.display())]
    Missing(PathBuf),
    /// SQLite would not take the name as the path of a file.
    #[error("`{}` cannot be the name of a store, because SQLite gives it a special meaning: give the \
        path of a file, as in `./league.sqlite`", .0.display())]
    Name(PathBuf),
    /// The file is not a store.
    #[error("`{}` is not a store of Hattari ({why}): give another store, or move this one \
        away", path.display())]
    Foreign {
        /// Path of the file.
        path: PathBuf,
        /// The reason why the file is not a store.
        why: String,
    },
    /// The file is an empty database, for example of a process that was killed at its start.
    #[error("`{}` is not a store of Hattari (the file is empty): give another store, or move \
        this one away", .0.display())]
    Empty(PathBuf),
    /// The game of the stored league is not one of this program.
    #[error(
        "the store `{}` has results of the game `{game}`, which this program does not have: use the \
        program that played it",
        path.display()
    )]
    Game {
        /// Path of the store.
        path: PathBuf,
        /// Name of the game.
        game: String,
    },
    /// The store was written by a later release.
    #[error(
        "the store `{}` was written by a later version of Hattari (layout {found}; this version \
        supports {known}): use the later version",
        path.display()
    )]
    Later {
        /// Path of the store.
        path: PathBuf,
        /// Layout of the store.
        found: i64,
        /// The layout that this release writes.
        known: i64,
    },
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
    /// A unit does not fit the league. Contains the rest of the sentence.
    #[error("the unit {0}: plan again with this league file")]
    Unit(String),
    /// The store was played under other conditions, or by other versions of the same bots.
    #[error(
        "the store `{}` does not belong to `{}`:{}\nonly results of the same league and the same \
        versions of its bots can be merged; after a change of the league, merge with \
        `--league FILE`",
        path.display(),
        other.display(),
        list(differences)
    )]
    Changed {
        /// Path of the store.
        path: PathBuf,
        /// Path of the other store.
        other: PathBuf,
        /// The differences, one per field.
        differences: Vec<String>,
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
    /// The folder of the store does not exist.
    #[error("the store `{}` cannot be written (there is no such folder): create its folder, or \
        give another store", .0.display())]
    NoFolder(PathBuf),
    /// The store is inconsistent.
    #[error("the store `{}` is damaged ({why}): restore a copy of it, or move it away and play \
        again", path.display())]
    Damaged {
        /// Path of the store.
        path: PathBuf,
        /// First inconsistency that was found, for example a wrong checksum.
        why: String,
    },
    /// The store has blocks without a time.
    #[error(
        "the store `{}` cannot be read as of a date: {} without a time, because an earlier version \
        of Hattari stored {}. Report without a date, or play the league again in a new store",
        path.display(),
        counted(*blocks, "block"),
        if *blocks == 1 { "it" } else { "them" }
    )]
    Undated {
        /// Path of the store.
        path: PathBuf,
        /// Number of blocks without a time.
        blocks: u64,
    },
    /// Two stores contain different results for the same job.
    #[error(
        "`{}` and `{}` contain different results for {table}, block {block}: they were played \
        with different bots or rules, or a bot is not deterministic. Nothing was merged",
        into.display(),
        from.display()
    )]
    Contradiction {
        /// The store with the first result.
        into: PathBuf,
        /// The store with the other result.
        from: PathBuf,
        /// The names of the entrants.
        table: String,
        /// Number of the block.
        block: u32,
    },
    /// Another error of the file system or the database.
    #[error("the store `{}`: {why}; check the disk, the permissions and the limit of open files \
        (`ulimit -n`), or give another store", path.display())]
    Other {
        /// Path of the store.
        path: PathBuf,
        /// The message of the system.
        why: String,
    },
}

/// Formats lines as a list below a heading.
fn list(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  - {line}")).collect()
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
                _ => StoreError::Other { path, why },
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
            ErrorKind::NotFound => StoreError::NoFolder(path),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full(path),
            _ => StoreError::Other { path, why },
        }
    }

    /// Creates the error for a file that is not a store.
    pub(super) fn foreign(path: &Path, why: impl Into<String>) -> StoreError {
        StoreError::Foreign {
            path: path.to_owned(),
            why: why.into(),
        }
    }
}
