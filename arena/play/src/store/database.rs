//! The connection to a store. A store may come from an untrusted source: nothing in its schema is
//! executed, and its values, statements and steps are limited.

use super::{StoreError, StoreResult};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Params, Row, Transaction, TransactionBehavior,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Maximum wait for a transaction of another process, such as a reader or a copying tool.
const BUSY_WAIT: Duration = Duration::from_secs(20);
/// Maximum size of a value or row in bytes.
const VALUE_BYTES_MAX: i32 = 64 << 20;
/// Maximum size of a statement in bytes. The longest statements of a store are the definitions of
/// tables.
const STATEMENT_BYTES_MAX: i32 = 1 << 20;
/// Size of the page cache in KiB: enough for the index of a few million line-ups, which are looked
/// up in the order of play.
const CACHE_KIB: i32 = 16 << 10;
/// Number of steps of SQLite's virtual machine between two calls of the progress handler.
const STEPS_COUNTED: u16 = 10_000;
/// Number of steps that a statement may take in a store of any size: enough to look up about 5
/// million unplayed line-ups.
const STEPS_MIN: u64 = 100_000_000;
/// Additional steps per byte of the store's files. A row has at least 30 bytes, and no statement
/// needs more than 100 steps per row.
const STEPS_PER_BYTE: u64 = 16;

/// A connection to a store. A statement that takes more steps than the size of the store allows is
/// interrupted ([`rusqlite::ErrorCode::OperationInterrupted`]). The methods count the steps of each
/// statement separately.
pub(super) struct Database {
    /// The path of the store.
    pub path: PathBuf,
    connection: Connection,
    /// Number of steps since the last reset, in units of [`STEPS_COUNTED`].
    steps: Arc<AtomicU64>,
}

/// The columns of a row as a tuple.
pub(super) trait Columns: for<'r> TryFrom<&'r Row<'r>, Error = rusqlite::Error> {}

impl<T: for<'r> TryFrom<&'r Row<'r>, Error = rusqlite::Error>> Columns for T {}

impl Database {
    /// Opens the database at `path` without reading it. `named` is the name for SQLite: a path or a
    /// URI.
    ///
    /// # Errors
    /// Returns an error if the database cannot be opened.
    pub(super) fn open(path: &Path, named: &Path, flags: OpenFlags) -> rusqlite::Result<Database> {
        let mut connection = Connection::open_with_flags(named, flags)?;
        connection.busy_timeout(BUSY_WAIT)?;
        for (option, is_on) in [
            (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
            (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false),
            // Without this option, a statement is compiled again whenever other values are bound.
            (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
        ] {
            connection.set_db_config(option, is_on)?;
        }
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX)?;
        connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, STATEMENT_BYTES_MAX)?;
        connection.pragma_update(None, "cell_size_check", true)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        // A later change of this setting would delete temporary tables and views.
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        // Do not run the constraints of the store; written values satisfy them.
        connection.pragma_update(None, "ignore_check_constraints", true)?;
        let steps = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&steps);
        let store = path.to_owned();
        let is_beyond = move || {
            let taken = (count.fetch_add(1, Ordering::Relaxed) + 1) * u64::from(STEPS_COUNTED);
            taken > STEPS_MIN
                && taken > STEPS_MIN + STEPS_PER_BYTE.saturating_mul(size_with_log(&store))
        };
        connection.progress_handler(STEPS_COUNTED.into(), Some(is_beyond))?;
        let path = path.to_owned();
        Ok(Database {
            path,
            connection,
            steps,
        })
    }

    /// Returns the connection for the next statement, whose steps are counted from 0.
    pub(super) fn reset_steps(&self) -> &Connection {
        self.steps.store(0, Ordering::Relaxed);
        &self.connection
    }

    /// Calls `action` with the connection, whose steps are counted from 0.
    pub(super) fn with<T>(
        &self,
        action: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> StoreResult<T> {
        action(self.reset_steps()).map_err(|error| self.fail(error))
    }

    /// Calls `take` with each row of a query. Returns the first error of the query or of `take`.
    pub(super) fn each<T: Columns>(
        &self,
        sql: &str,
        parameters: impl Params,
        mut take: impl FnMut(T) -> StoreResult,
    ) -> StoreResult {
        let fail = |error| self.fail(error);
        let mut statement = self.reset_steps().prepare_cached(sql).map_err(fail)?;
        let rows = statement.query_map(parameters, |row| T::try_from(row));
        for row in rows.map_err(fail)? {
            take(row.map_err(fail)?)?;
        }
        Ok(())
    }

    pub(super) fn rows<T: Columns>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> StoreResult<Vec<T>> {
        let mut rows = Vec::new();
        self.each(sql, parameters, |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Returns the first row of a query; `None` if there is none.
    pub(super) fn row<T: Columns>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> StoreResult<Option<T>> {
        self.with(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            statement
                .query_row(parameters, |row| T::try_from(row))
                .optional()
        })
    }

    /// Returns the number in the only row of a query's result; 0 without a row.
    pub(super) fn count(&self, sql: &str) -> StoreResult<u64> {
        Ok(self
            .row(sql, [])?
            .map_or(0, |(count,): (i64,)| count.cast_unsigned()))
    }

    /// Returns an error if `check`, `quick_check` or `integrity_check` of SQLite, finds damage.
    pub(super) fn check(&self, check: &str) -> StoreResult {
        let row = self.row(&format!("PRAGMA {check}"), [])?;
        let verdict = row.map_or_else(String::new, |(verdict,): (String,)| verdict);
        if verdict == "ok" {
            Ok(())
        } else {
            Err(self.damaged(verdict))
        }
    }

    pub(super) fn execute(&self, sql: &str, parameters: impl Params) -> StoreResult {
        self.execute_each(sql, [parameters])
    }

    /// Executes a statement once for each of `parameters`.
    pub(super) fn execute_each<P: Params>(
        &self,
        sql: &str,
        parameters: impl IntoIterator<Item = P>,
    ) -> StoreResult {
        self.with(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            parameters.into_iter().try_for_each(|parameters| {
                self.reset_steps();
                statement.execute(parameters).map(drop)
            })
        })
    }

    /// Executes a statement that inserts one row. Returns the id of the row.
    pub(super) fn insert(&self, sql: &str, parameters: impl Params) -> StoreResult<i64> {
        self.execute(sql, parameters)?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Begins a transaction for writing. It is rolled back when it is dropped.
    pub(super) fn transaction(&self) -> StoreResult<Transaction<'_>> {
        Transaction::new_unchecked(self.reset_steps(), TransactionBehavior::Immediate)
            .map_err(|error| self.fail(error))
    }

    /// Begins a transaction, so that all reads see the same state. Returns `None` if a transaction
    /// is already open.
    pub(super) fn begin_read(&self) -> StoreResult<Option<Transaction<'_>>> {
        let is_outside = self.connection.is_autocommit();
        is_outside.then(|| self.transaction()).transpose()
    }

    /// Converts an error of SQLite to an error of this store.
    pub(super) fn fail(&self, error: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, &error)
    }

    /// Returns the error for a damaged store.
    pub(super) fn damaged(&self, why: impl Into<String>) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            why: why.into(),
        }
    }

    /// Returns the number of steps since the last reset.
    #[cfg(test)]
    pub(super) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed) * u64::from(STEPS_COUNTED)
    }
}

/// Returns the path of a file next to a store, for example its write-ahead log with the ending
/// `-wal`.
pub(super) fn with_ending(store: &Path, ending: &str) -> PathBuf {
    let mut path = store.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Returns the size of a store with its log in bytes.
fn size_with_log(path: &Path) -> u64 {
    [path, &with_ending(path, "-wal")]
        .iter()
        .map(|file| std::fs::metadata(file).map_or(0, |metadata| metadata.len()))
        .sum()
}
