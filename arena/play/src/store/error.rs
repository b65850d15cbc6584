//! What can be wrong with a store, told so that its user knows what to do.

use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// What is wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("there is no store `{}`: play the league first (`hattari run`), or name its store by --store", .0.display())]
    Missing(PathBuf),
    /// The file is something else.
    #[error("`{}` is not a store of hattari ({why}): name another file by --store, or move this one away", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        why: String,
    },
    /// A later release wrote it.
    #[error(
        "the store `{}` was written by a later hattari (layout {found}; this one knows {known}): use that hattari",
        path.display()
    )]
    Later {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
        /// The layout that this release writes.
        known: i64,
    },
    /// An earlier release wrote it, whose blocks nothing can be added to.
    #[error(
        "the store `{}` was written by an earlier hattari (layout {found}), which dealt by the numbers of line-ups where this one goes by \
         names: report it with hattari 0.1, and play into another file (--store)",
        path.display()
    )]
    Earlier {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
    },
    /// A unit is of another league.
    #[error(
        "the unit names entrant {entrant}, and the league has {entrants}, from 0: plan again with this league's file"
    )]
    NoSuchEntrant {
        /// Its number.
        entrant: usize,
        /// How many there are.
        entrants: usize,
    },
    /// It was played under other conditions, or by other versions of the same bots.
    #[error("the store `{}` does not belong to {with}:{}\n{cure}", path.display(), list(differences))]
    Changed {
        /// The file.
        path: PathBuf,
        /// What it was compared with: the league file or another store.
        with: String,
        /// Field by field.
        differences: Vec<String>,
        /// What can be done.
        cure: String,
    },
    /// Another process is playing into it.
    #[error(
        "the store `{}` is in use{}: wait for the other hattari to end, or give this one a store of its own by --store",
        path.display(),
        owner.map(|id| format!(" by process {id}")).unwrap_or_default()
    )]
    Busy {
        /// The file.
        path: PathBuf,
        /// The process that holds it, if it could be told.
        owner: Option<u32>,
    },
    /// It was there when the run began, and is not any more.
    #[error(
        "the store `{}` was removed or replaced while it was being written: nothing that was played since then is kept there. Leave it \
         alone during a run, and run again",
        .0.display()
    )]
    Gone(PathBuf),
    /// There is no room on the disk.
    #[error(
        "no room on the disk for the store `{}`: everything that was saved before is kept; make room and run again",
        .0.display()
    )]
    Full(PathBuf),
    /// It may not be written.
    #[error("the store `{}` cannot be written ({why}): make its folder writable, or name another file by --store", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// Its contents contradict themselves.
    #[error("the store `{}` is damaged ({why}): put back a copy of it, or move it away and play again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        why: String,
    },
    /// Two stores hold different results for the same job.
    #[error(
        "`{}` and `{}` hold different results for {table}, block {block}: one of them was played by other bots or \
         rules, or a bot's play does not depend on its seed alone. Nothing was merged",
        into.display(),
        from.display()
    )]
    Contradiction {
        /// Where the first result stands.
        into: PathBuf,
        /// Where the other stands.
        from: PathBuf,
        /// Who played it.
        table: String,
        /// Number of the block.
        block: u32,
    },
    /// Anything else that the file system or the database reports.
    #[error("the store `{}`: {why}; look at the disk and its folder, or name another file by --store", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What was reported.
        why: String,
    },
}

/// Lines under a heading.
fn list(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  - {line}")).collect()
}

impl StoreError {
    /// What a database error means for the store at `path`.
    #[must_use]
    pub fn sql(path: &Path, error: &rusqlite::Error) -> StoreError {
        let (path, why) = (path.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::Foreign {
                path,
                why: "not an SQLite database".into(),
            },
            Some(ErrorCode::OperationInterrupted) => {
                let why = "to read it takes far more steps than a store of its size needs".into();
                StoreError::Foreign { path, why }
            }
            Some(ErrorCode::TooBig) => StoreError::Foreign {
                path,
                why: "a value in it has more than 64 MiB".into(),
            },
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, why },
            Some(ErrorCode::DiskFull) => StoreError::Full(path),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                StoreError::ReadOnly { path, why }
            }
            Some(ErrorCode::CannotOpen) => StoreError::ReadOnly { path, why },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Busy { path, owner: None }
            }
            // Tables or values that are not those of a store: it says that it is one, so something
            // has happened to it.
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

    /// What a file system error means for the store at `path`.
    #[must_use]
    pub fn io(path: &Path, error: &std::io::Error) -> StoreError {
        use std::io::ErrorKind;
        let (path, why) = (path.to_owned(), error.to_string());
        match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly { path, why }
            }
            ErrorKind::NotFound => StoreError::ReadOnly {
                path,
                why: "there is no such folder".into(),
            },
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full(path),
            _ => StoreError::Other { path, why },
        }
    }

    /// Damage found in the store at `path`.
    pub(super) fn damaged(path: &Path, why: impl Into<String>) -> StoreError {
        StoreError::Damaged {
            path: path.to_owned(),
            why: why.into(),
        }
    }
}
