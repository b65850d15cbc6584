//! When blocks were stored, and the machines that played them. Origins are no part of the identity,
//! the digest or the checksum of a record.

use super::database::Database;
use super::{Store, StoreError, StoreResult, rows_of_league, schema};
use hattari_agents::record::JobId;
use hattari_agents::text;
use rusqlite::params;

/// Environment variable with the name of this machine; replaces the host name.
const MACHINE_VARIABLE: &str = "HATTARI_MACHINE";
/// Maximum size of a machine's name in bytes.
const NAME_BYTES_MAX: usize = 100;

/// The origin of a stored block. Both fields are `None` for blocks that an earlier release stored.
#[derive(Debug, Default)]
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

/// Returns the name of this machine: the value of the environment variable, or the host name on
/// Linux. Returns `None` if neither is known.
pub(super) fn machine() -> Option<String> {
    let name = std::env::var(MACHINE_VARIABLE).ok();
    name.filter(|name| !name.trim().is_empty())
        .or_else(|| std::fs::read_to_string("/proc/sys/kernel/hostname").ok())
        .as_deref()
        .and_then(printable_name)
}

/// Returns the name as one line of at most [`NAME_BYTES_MAX`] bytes; `None` if the line is empty.
fn printable_name(name: &str) -> Option<String> {
    let name = text::escape_line(text::cut(name.trim(), NAME_BYTES_MAX)).into_owned();
    Some(name).filter(|name| !name.is_empty())
}

/// Returns the id of a machine in a store, creating it if necessary.
pub(super) fn machine_id_or_insert(
    database: &Database,
    origin: &Origin,
) -> StoreResult<Option<i64>> {
    let Some(name) = &origin.machine else {
        return Ok(None);
    };
    let find = "SELECT machine FROM machines WHERE name = ?1";
    if let Some((known,)) = database.row(find, [name])? {
        return Ok(Some(known));
    }
    let sql = "INSERT INTO machines (name) VALUES (?1)";
    database.insert(sql, [name]).map(Some)
}

/// Replaces the origin of a block by `origin`, the origin in another store, if that is earlier.
/// Stores can thus be merged in any order.
pub(super) fn keep_earlier(
    database: &Database,
    seating: u32,
    block: u32,
    origin: &Origin,
) -> StoreResult {
    if origin.stored.is_none() {
        return Ok(());
    }
    let machine = machine_id_or_insert(database, origin)?;
    let sql = "UPDATE records SET stored = ?3, machine = ?4 \
               WHERE seating = ?1 AND block = ?2 AND (stored IS NULL OR ?3 < stored)";
    database.execute(sql, params![seating, block, origin.stored, machine])
}

/// Returns an origin from its columns in a store, which may come from an untrusted source.
fn origin(stored: Option<i64>, name: Option<String>) -> Origin {
    Origin {
        stored,
        machine: name.as_deref().and_then(printable_name),
    }
}

impl Store {
    /// Ignores all blocks that were stored after `time`, in seconds since 1970, and all later runs.
    /// The rounds and the state of a stopping rule are computed from the remaining blocks. The
    /// league is still the league of the last run.
    ///
    /// # Errors
    /// Returns an error if the league has blocks without a time, or if the store cannot be read.
    pub fn until(mut self, time: i64) -> StoreResult<Store> {
        let mut blocks = 0;
        self.each_origin(|_, origin| blocks += u64::from(origin.stored.is_none()))?;
        if blocks > 0 {
            return Err(StoreError::Other(format!(
                "the store `{}` cannot be read as of a date: {} without a time, because an earlier \
                version of Hattari stored {}. Report without a date, or play the league again in a \
                new store",
                self.path().display(),
                text::counted(blocks, "block"),
                if blocks == 1 { "it" } else { "them" }
            )));
        }
        if schema::ORIGINS <= self.database.with(schema::layout)? {
            let views = VIEWS.replace("TIME", &time.to_string());
            self.database.with(|connection| {
                connection.execute_batch(&views)?;
                connection.flush_prepared_statement_cache();
                Ok(())
            })?;
        }
        self.end_time = Some(time);
        self.select_league(None)?;
        Ok(self)
    }

    /// Returns the origin of a block by its seating.
    pub(super) fn origin(&self, seating: u32, block: u32) -> StoreResult<Origin> {
        let sql = "SELECT stored, name FROM records LEFT JOIN machines USING (machine) \
                   WHERE seating = ?1 AND block = ?2";
        Ok(self
            .database
            .row(sql, [seating, block])?
            .map_or_else(Origin::default, |(stored, name)| origin(stored, name)))
    }

    /// Returns the number of machines in the store; their blocks may belong to other leagues.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn machines(&self) -> StoreResult<u64> {
        self.database.count("SELECT count(*) FROM machines")
    }

    /// Calls `take` with the origin of every block of the league, in no particular order.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn each_origin(&self, mut take: impl FnMut(JobId, Origin)) -> StoreResult {
        let sql = format!(
            "SELECT line_up, block, stored, name FROM {} LEFT JOIN machines USING (machine)",
            rows_of_league("records")
        );
        self.database
            .each(&sql, [], |(line_up, block, stored, name)| {
                take(JobId { line_up, block }, origin(stored, name));
                Ok(())
            })
    }
}
