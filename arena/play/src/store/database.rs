//! The connection to a store. A store may come from anybody: nothing in its schema runs, and its
//! values, statements and steps are limited.

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Longest wait for the transaction of another process, such as a reader or a tool that copies.
const BUSY_WAIT: Duration = Duration::from_secs(20);
/// Most bytes of a value, and of a row.
const VALUE_BYTES_MAX: i32 = 64 << 20;
/// Most bytes of a statement; those that made the tables are the longest that a store holds.
const STATEMENT_BYTES_MAX: i32 = 1 << 20;
/// Most memory for pages of the file, in KiB: the index of some million line-ups, which are looked
/// up in the order of play.
const CACHE_KIB: i32 = 16 << 10;
/// Steps of SQLite's machine between two calls of the progress handler.
const STEPS_COUNTED: u16 = 10_000;
/// Steps that a statement may take whatever the size of the store: some 5 million line-ups that
/// have not been played are looked up.
const STEPS_MIN: u64 = 100_000_000;
/// Further steps for each byte of the store's files. A row has 30 bytes or more, and no statement
/// needs more than 100 steps for one.
const STEPS_PER_BYTE: u64 = 16;

/// A connection to a store. Each use of it begins a new count of steps; a statement that takes more
/// than the size of the store accounts for is interrupted
/// ([`rusqlite::ErrorCode::OperationInterrupted`]).
pub(super) struct Database {
    connection: Connection,
    /// Steps since the last use, in units of [`STEPS_COUNTED`].
    steps: Arc<AtomicU64>,
}

impl Deref for Database {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.steps.store(0, Ordering::Relaxed);
        &self.connection
    }
}

impl Database {
    /// Opens the database at `path`, which `named` is the name of for SQLite (a path or an URI).
    /// Reads nothing of it.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened.
    pub(super) fn open(path: &Path, named: &Path, flags: OpenFlags) -> rusqlite::Result<Database> {
        let mut connection = Connection::open_with_flags(named, flags)?;
        connection.busy_timeout(BUSY_WAIT)?;
        for (option, is_on) in [
            (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
            (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false),
            // Without it a statement is compiled again whenever it is bound to other values.
            (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
        ] {
            connection.set_db_config(option, is_on)?;
        }
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX)?;
        connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, STATEMENT_BYTES_MAX)?;
        connection.pragma_update(None, "cell_size_check", true)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        // The constraints of a store are not ours to run; what is written meets them.
        connection.pragma_update(None, "ignore_check_constraints", true)?;
        let steps = Arc::new(AtomicU64::new(0));
        let (counted, path) = (Arc::clone(&steps), path.to_owned());
        let is_beyond = move || {
            let taken = (counted.fetch_add(1, Ordering::Relaxed) + 1) * u64::from(STEPS_COUNTED);
            STEPS_MIN < taken && STEPS_MIN + STEPS_PER_BYTE.saturating_mul(bytes(&path)) < taken
        };
        connection.progress_handler(STEPS_COUNTED.into(), Some(is_beyond))?;
        Ok(Database { connection, steps })
    }

    /// Steps since the last use.
    #[cfg(test)]
    pub(super) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed) * u64::from(STEPS_COUNTED)
    }
}

/// The file of a store's write-ahead log.
pub(super) fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// Bytes of a store with its log.
fn bytes(path: &Path) -> u64 {
    [path, &log_of(path)]
        .iter()
        .map(|file| std::fs::metadata(file).map_or(0, |about| about.len()))
        .sum()
}
