//! When blocks were stored, and the machines that played them. Origins are no part of the identity,
//! the digest or the checksum of a record.

use super::{Store, StoreError, rows_of_league, schema};
use hattari_agents::record::JobId;
use hattari_agents::text;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// Environment variable with the name of this machine; replaces the host name.
const MACHINE_VARIABLE: &str = "HATTARI_MACHINE";
/// Maximum size of a machine's name in bytes.
const NAME_BYTES_MAX: usize = 100;

/// The origin of a stored block. Both fields are `None` for blocks that an earlier release stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The time at which the block was first stored, in seconds since 1970.
    pub stored: Option<i64>,
    /// Name of the machine that played it; `None` also if the machine has no name.
    pub machine: Option<String>,
}

/// Temporary views that replace the tables of the store in all later queries of a connection. They
/// contain what was stored up to the time `TIME`.
const VIEWS: &str = "
    CREATE TEMP VIEW records AS SELECT * FROM main.records WHERE stored <= TIME;
    CREATE TEMP VIEW faults AS SELECT * FROM main.faults AS own WHERE EXISTS (SELECT 1
        FROM main.records AS r WHERE r.seating = own.seating AND r.block = own.block AND r.stored <= TIME);
    CREATE TEMP VIEW kills AS SELECT * FROM main.kills AS own WHERE EXISTS (SELECT 1
        FROM main.records AS r WHERE r.seating = own.seating AND r.block = own.block AND r.stored <= TIME);
    CREATE TEMP VIEW runs AS SELECT * FROM main.runs WHERE started <= TIME;
    CREATE TEMP VIEW timing AS SELECT * FROM main.timing WHERE run IN (SELECT run FROM main.runs WHERE started <= TIME);
    CREATE TEMP VIEW words AS SELECT * FROM main.words WHERE run IN (SELECT run FROM main.runs WHERE started <= TIME);
";

/// Returns the name of this machine: that of the environment, or the host name of Linux. Returns
/// `None` if neither is known.
pub(super) fn machine() -> Option<String> {
    let host_name = || std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = std::env::var(MACHINE_VARIABLE).ok();
    name.filter(|name| !name.trim().is_empty())
        .or_else(host_name)
        .as_deref()
        .and_then(checked)
}

/// Returns a name on one line and of limited size; `None` if nothing is left.
fn checked(name: &str) -> Option<String> {
    let name = text::line(text::cut(name.trim(), NAME_BYTES_MAX)).into_owned();
    Some(name).filter(|name| !name.is_empty())
}

/// Returns the id of a machine in a store, creating it if necessary.
pub(super) fn machine_id(
    connection: &Connection,
    origin: &Origin,
) -> rusqlite::Result<Option<i64>> {
    let Some(name) = &origin.machine else {
        return Ok(None);
    };
    let find = "SELECT machine FROM machines WHERE name = ?1";
    let mut statement = connection.prepare_cached(find)?;
    let known = statement.query_row([name], |row| row.get(0)).optional()?;
    if known.is_some() {
        return Ok(known);
    }
    connection.execute("INSERT INTO machines (name) VALUES (?1)", [name])?;
    Ok(Some(connection.last_insert_rowid()))
}

/// Replaces the origin of a block by one of the same block in another store, if that is earlier.
/// Stores can thus be merged in any order.
pub(super) fn note_earlier(
    connection: &Connection,
    seating: u32,
    block: u32,
    origin: &Origin,
) -> rusqlite::Result<()> {
    if origin.stored.is_none() {
        return Ok(());
    }
    let machine = machine_id(connection, origin)?;
    let sql = "UPDATE records SET stored = ?3, machine = ?4 \
               WHERE seating = ?1 AND block = ?2 AND (stored IS NULL OR ?3 < stored)";
    connection
        .prepare_cached(sql)?
        .execute(params![seating, block, origin.stored, machine])?;
    Ok(())
}

/// Reads an origin from the columns `stored` and `name`, which start at index `first`.
fn origin_at(row: &Row<'_>, first: usize) -> rusqlite::Result<Origin> {
    Ok(Origin {
        stored: row.get(first)?,
        // A store may come from an untrusted source.
        machine: row
            .get::<_, Option<String>>(first + 1)?
            .as_deref()
            .and_then(checked),
    })
}

impl Store {
    /// Ignores all blocks that were stored after `time`, in seconds since 1970, and all later runs.
    /// The rounds and the state of a stopping rule are those of the remaining blocks. The league
    /// remains that of the last run.
    ///
    /// # Errors
    /// Returns an error if the league has blocks without a time, or if the store cannot be read.
    pub fn until(mut self, time: i64) -> Result<Store, StoreError> {
        let fail = |error: rusqlite::Error| StoreError::sql(&self.path, &error);
        let has_origins = schema::has_origins(&self.connection).map_err(fail)?;
        let mut blocks = 0;
        self.each_origin(|_, origin| blocks += u64::from(origin.stored.is_none()))?;
        if 0 < blocks {
            let path = self.path;
            return Err(StoreError::Undated { path, blocks });
        }
        if has_origins {
            let views = VIEWS.replace("TIME", &time.to_string());
            self.connection.execute_batch(&views).map_err(fail)?;
            self.connection.flush_prepared_statement_cache();
        }
        self.at = Some(time);
        self.select_league(None)?;
        Ok(self)
    }

    /// Returns the time given to [`Store::until`].
    #[must_use]
    pub fn at(&self) -> Option<i64> {
        self.at
    }

    /// Returns the origin of a block by its seating.
    pub(super) fn origin(&self, seating: u32, block: u32) -> Result<Origin, StoreError> {
        let fail = |error: rusqlite::Error| self.fail(&error);
        if !schema::has_origins(&self.connection).map_err(fail)? {
            return Ok(Origin::default());
        }
        let sql = "SELECT stored, name FROM records LEFT JOIN machines USING (machine) \
                   WHERE seating = ?1 AND block = ?2";
        let mut statement = self.connection.prepare_cached(sql).map_err(fail)?;
        let found = statement.query_row([seating, block], |row| origin_at(row, 0));
        Ok(found.optional().map_err(fail)?.unwrap_or_default())
    }

    /// Returns the number of machines in the store; their blocks may belong to other leagues.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn machines(&self) -> Result<u64, StoreError> {
        let fail = |error: rusqlite::Error| self.fail(&error);
        if !schema::has_origins(&self.connection).map_err(fail)? {
            return Ok(0);
        }
        let sql = "SELECT count(*) FROM machines";
        let count = self
            .connection
            .query_row(sql, [], |row| row.get::<_, i64>(0));
        Ok(count.map_err(fail)?.cast_unsigned())
    }

    /// Calls `take` with the origin of every block of the league, in no particular order.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn each_origin(&self, mut take: impl FnMut(JobId, Origin)) -> Result<(), StoreError> {
        let fail = |error: rusqlite::Error| self.fail(&error);
        if !schema::has_origins(&self.connection).map_err(fail)? {
            self.played()?
                .into_iter()
                .for_each(|job| take(job, Origin::default()));
            return Ok(());
        }
        let sql = format!(
            "SELECT line_up, block, stored, name FROM {} LEFT JOIN machines USING (machine)",
            rows_of_league("records")
        );
        let mut statement = self.connection.prepare(&sql).map_err(fail)?;
        let mut rows = statement.query([]).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let job = JobId {
                line_up: row.get(0).map_err(fail)?,
                block: row.get(1).map_err(fail)?,
            };
            take(job, origin_at(row, 2).map_err(fail)?);
        }
        Ok(())
    }
}
