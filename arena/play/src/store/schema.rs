//! The tables of the database, and functions for opening it.

use super::database::{Database, with_ending};
use super::lock::resolved;
use super::{StoreError, StoreResult, layout};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;

/// Application id of the SQLite files: "Hatt" in ASCII.
const APPLICATION_ID: i64 = 0x4861_7474;
/// Number of the current layout. A change increases it and adds an entry to [`UPGRADES`].
pub(super) const LAYOUT: i64 = 9;
/// The first layout that identifies entrants by name. In earlier layouts the cards depended on the
/// numbers of line-ups, so nothing can be added to them.
const FIRST_BY_NAMES: i64 = 5;

/// Tables. Blobs contain packed integers, see `rows.rs`. Blocks are identified independently of
/// leagues: a *seating* is the version of the entrant at each place, with the conditions. `place`
/// is a place of the seating.
pub(super) const TABLES: &str = "
    CREATE TABLE league (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        identity TEXT NOT NULL, -- of the last run: league, programs and version, as JSON
        file TEXT NOT NULL,     -- the league file
        source TEXT NOT NULL,   -- its text
        seal INTEGER            -- checksum of the row, as a signed number; NULL if an earlier version wrote it
    ) STRICT;
    CREATE TABLE conditions (
        conditions INTEGER PRIMARY KEY,
        json TEXT NOT NULL UNIQUE,  -- everything that affects results, except the entrants
        seal INTEGER NOT NULL       -- checksum of the row, as in `league`; also in the next two tables
    ) STRICT;
    CREATE TABLE versions (
        version INTEGER PRIMARY KEY,
        name TEXT NOT NULL,     -- of the entrant
        json TEXT NOT NULL,     -- what affects its play: the program's hash, settings
        content TEXT NOT NULL,  -- the program when the version was first used, as JSON
        seal INTEGER NOT NULL,
        UNIQUE (name, json)
    ) STRICT;
    CREATE TABLE seatings (
        seating INTEGER PRIMARY KEY,
        conditions INTEGER NOT NULL,
        players TEXT NOT NULL,  -- versions by place, with commas
        seal INTEGER NOT NULL,
        UNIQUE (conditions, players)
    ) STRICT;
    CREATE TABLE records (
        seating INTEGER NOT NULL,
        block INTEGER NOT NULL,
        deals INTEGER NOT NULL,
        forfeits INTEGER NOT NULL,  -- places, one bit each
        digest INTEGER NOT NULL,    -- hash of all events of the block, as a signed number
        sums BLOB NOT NULL,         -- by place: sum of payoffs
        products BLOB NOT NULL,     -- sums of products of payoffs, upper triangle by rows
        lagged BLOB NOT NULL,       -- sums of products of neighbouring payoffs
        places BLOB NOT NULL,       -- number of deals by place and rank, by rows
        fault_counts BLOB NOT NULL,
        ahead BLOB NOT NULL,        -- number of deals in which a place beat another, by rows
        checksum INTEGER NOT NULL,  -- of the row and its faults, as a signed number
        answers INTEGER,            -- hash of the answers that are kept, as a signed number; covered by the checksum
        luck BLOB,                  -- luck by place, a row for each kind of chance; NULL if it was not measured
        stored INTEGER,             -- time of first storage in seconds since 1970; NULL if unknown, as for machine
        machine INTEGER,            -- the machine that played it
        PRIMARY KEY (seating, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE faults (
        seating INTEGER NOT NULL,
        block INTEGER NOT NULL,
        number INTEGER NOT NULL,    -- order within the record
        place INTEGER NOT NULL,
        kind TEXT NOT NULL,
        deal INTEGER NOT NULL,
        decision INTEGER NOT NULL,
        message TEXT NOT NULL,
        PRIMARY KEY (seating, block, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE answers (
        seating INTEGER NOT NULL,
        block INTEGER NOT NULL,
        packed BLOB NOT NULL,       -- answers of the bots, for blocks that seeds do not determine
        PRIMARY KEY (seating, block)
    ) STRICT;
    CREATE TABLE kills (
        seating INTEGER NOT NULL,
        block INTEGER NOT NULL,
        place INTEGER NOT NULL,
        times INTEGER NOT NULL,     -- number of times that its process was killed from outside during the block
        PRIMARY KEY (seating, block, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE machines (
        machine INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE runs (
        run TEXT PRIMARY KEY,
        started INTEGER NOT NULL,   -- seconds since 1970
        ended INTEGER,              -- NULL while it plays, and if it was killed
        outcome TEXT,
        threads INTEGER NOT NULL,
        part TEXT NOT NULL,         -- of the jobs, as a shard or a unit
        blocks INTEGER NOT NULL,
        deals INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE timing (
        run TEXT NOT NULL,
        version INTEGER NOT NULL,
        decisions INTEGER NOT NULL,
        timed INTEGER NOT NULL,     -- decisions that were timed
        nanos INTEGER NOT NULL,     -- sum over the timed ones
        worst_nanos INTEGER NOT NULL,
        PRIMARY KEY (run, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE words (
        run TEXT NOT NULL,
        version INTEGER NOT NULL,
        words TEXT NOT NULL,        -- output of its programs in that run
        PRIMARY KEY (run, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE reviews (      -- reviewed blocks
        seating INTEGER NOT NULL,
        block INTEGER NOT NULL,
        reviewed INTEGER NOT NULL,  -- version whose seats the other bot shares
        compared INTEGER NOT NULL,  -- version of the other bot
        revision INTEGER NOT NULL,  -- of the program that played it
        result BLOB NOT NULL,
        checksum INTEGER NOT NULL,  -- of the row, as a signed number
        PRIMARY KEY (seating, block, reviewed, compared, revision)
    ) STRICT;
";

/// Statements that create or clear the temporary table `selected`. It contains the line-ups of the
/// selected league, with the number of blocks that count.
pub(super) const SELECTION: &str = "
    CREATE TEMP TABLE IF NOT EXISTS selected (
        line_up INTEGER PRIMARY KEY,
        conditions INTEGER NOT NULL,
        players TEXT NOT NULL,
        blocks INTEGER NOT NULL
    ) STRICT;
    DELETE FROM temp.selected;
";

/// Makes a store of an earlier layout readable like one of the current layout: temporary views and
/// tables stand for what it lacks.
pub(super) fn read_as_current(connection: &Connection) -> rusqlite::Result<()> {
    let current = layout(connection)?;
    if current < SEALS {
        connection
            .execute_batch("CREATE TEMP VIEW league AS SELECT *, NULL AS seal FROM main.league")?;
    }
    if current < REVIEWS {
        connection.execute_batch(
            "CREATE TEMP TABLE reviews (seating, block, reviewed, compared, revision, result, checksum)",
        )?;
    }
    if current < ORIGINS {
        let luck = if current < LUCK { "NULL AS luck, " } else { "" };
        connection.execute_batch(&format!(
            "CREATE TEMP VIEW records AS SELECT *, {luck}NULL AS stored, NULL AS machine FROM main.records;
             CREATE TEMP TABLE machines (machine, name)"
        ))?;
    }
    Ok(())
}

/// Opens a store for writing without changing it. Returns `true` if it is new and has no tables.
pub(super) fn open_to_write(path: &Path) -> StoreResult<(Database, bool)> {
    let flags = OpenFlags::default() & !OpenFlags::SQLITE_OPEN_URI;
    let database =
        Database::open(path, path, flags).map_err(|error| StoreError::sql(path, &error))?;
    if database.with(|connection| connection.is_readonly(rusqlite::MAIN_DB))? {
        return Err(StoreError::ReadOnly {
            path: path.to_owned(),
            why: "the file is read-only".into(),
        });
    }
    let is_new = check_kind(&database)?;
    if !is_new {
        // Check for damage before anything is added.
        database.check("quick_check")?;
    }
    Ok((database, is_new))
}

/// Creates the tables of a new store, within the caller's transaction.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(TABLES)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", LAYOUT)
}

/// The steps from the first layout that can be extended to the current one: the layout that a step
/// creates, and its statements.
pub(super) const UPGRADES: [(i64, &str); 4] = [
    (LUCK, "ALTER TABLE records ADD COLUMN luck BLOB"),
    (
        REVIEWS,
        "CREATE TABLE reviews (
             seating INTEGER NOT NULL,
             block INTEGER NOT NULL,
             reviewed INTEGER NOT NULL,
             compared INTEGER NOT NULL,
             revision INTEGER NOT NULL,
             result BLOB NOT NULL,
             checksum INTEGER NOT NULL,
             PRIMARY KEY (seating, block, reviewed, compared, revision)
         ) STRICT",
    ),
    (
        ORIGINS,
        "ALTER TABLE records ADD COLUMN stored INTEGER;
         ALTER TABLE records ADD COLUMN machine INTEGER;
         CREATE TABLE machines (machine INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    ),
    (SEALS, "ALTER TABLE league ADD COLUMN seal INTEGER"),
];

/// Upgrades a store of an earlier, extensible layout, within the caller's transaction.
pub(super) fn upgrade(connection: &Connection) -> rusqlite::Result<()> {
    let current = layout(connection)?;
    if current < LAYOUT {
        // See [`read_as_current`].
        connection.execute_batch(
            "DROP VIEW IF EXISTS temp.league;
             DROP VIEW IF EXISTS temp.records;
             DROP TABLE IF EXISTS temp.machines;
             DROP TABLE IF EXISTS temp.reviews",
        )?;
    }
    for (created, statements) in UPGRADES {
        if current < created {
            connection.execute_batch(statements)?;
            connection.pragma_update(None, "user_version", created)?;
        }
    }
    Ok(())
}

/// Returns the number of the layout of a store.
pub(super) fn layout(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// The first layout whose records have luck values.
const LUCK: i64 = 6;
/// The first layout with a table of reviewed blocks.
const REVIEWS: i64 = 7;
/// The first layout whose records have a time and a machine.
pub(super) const ORIGINS: i64 = 8;
/// The first layout with a checksum of the league.
const SEALS: i64 = 9;

/// Opens a store for reading, while others may write to it.
pub(super) fn open_to_read(path: &Path) -> StoreResult<Database> {
    check_path(path)?;
    if !path.exists() {
        return Err(StoreError::Other(format!(
            "there is no store `{}`: play the league first (`hattari run`), or give the path of \
            its store",
            path.display()
        )));
    }
    // The log and the lock are beside the file to which a link leads.
    let path = &resolved(path);
    let fail = |error: rusqlite::Error| StoreError::sql(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let plain =
        Database::open(path, path, flags & !OpenFlags::SQLITE_OPEN_URI).and_then(|database| {
            is_empty(database.reset_steps())?;
            Ok(database)
        });
    let is_about_access = |error: &rusqlite::Error| {
        matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
        )
    };
    let has_log =
        || std::fs::metadata(with_ending(path, "-wal")).is_ok_and(|metadata| metadata.len() > 0);
    let database = match plain {
        Ok(database) => database,
        // In a read-only folder, SQLite cannot create the index of the log. Without a log, none is
        // needed.
        Err(error) if is_about_access(&error) && !has_log() => {
            let text = path.to_string_lossy();
            let quoted = text
                .replace('%', "%25")
                .replace('?', "%3f")
                .replace('#', "%23");
            let named = format!("file:{quoted}?immutable=1");
            Database::open(path, Path::new(&named), flags).map_err(fail)?
        }
        Err(error) => return Err(fail(error)),
    };
    if check_kind(&database)? {
        return Err(StoreError::Empty(path.to_owned()));
    }
    Ok(database)
}

/// Refuses names that SQLite does not take as paths: a database in memory or in a temporary file
/// would lose all results, and a URI can name another file. Also refuses files that are not regular:
/// opening a pipe would wait without end.
pub(super) fn check_path(path: &Path) -> StoreResult {
    let name = path.to_string_lossy();
    if name.is_empty() || name == ":memory:" || name.starts_with("file:") {
        return Err(StoreError::Other(format!(
            "`{}` cannot be the name of a store, because SQLite gives it a special meaning: give \
            the path of a file, as in `./league.sqlite`",
            path.display()
        )));
    }
    let why = match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => "it is a folder",
        Ok(metadata) if !metadata.is_file() => "it is not a regular file",
        _ => return Ok(()),
    };
    Err(StoreError::foreign(path, why))
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(!connection
        .prepare("SELECT 1 FROM sqlite_schema")?
        .exists([])?)
}

/// Returns `true` if the database is new and empty.
///
/// # Errors
/// Returns an error if the file is not a store, has a later layout, or has other tables than those
/// of its layout.
fn check_kind(database: &Database) -> StoreResult<bool> {
    let connection = database.reset_steps();
    let path = &database.path;
    let fail = |error| database.fail(error);
    // Read in one transaction, because another process may be upgrading the store.
    let _transaction = connection.unchecked_transaction().map_err(fail)?;
    let number = |pragma: &str| {
        connection
            .pragma_query_value(None, pragma, |row| row.get::<_, i64>(0))
            .map_err(fail)
    };
    let (application, layout) = (number("application_id")?, number("user_version")?);
    if application == 0 && layout == 0 && is_empty(connection).map_err(fail)? {
        return Ok(true);
    }
    if application != APPLICATION_ID {
        let why = "an SQLite database of another program";
        return Err(StoreError::foreign(path, why));
    }
    if (1..FIRST_BY_NAMES).contains(&layout) {
        return Err(StoreError::Earlier {
            path: path.to_owned(),
            found: layout,
        });
    }
    if !(1..=LAYOUT).contains(&layout) {
        return Err(StoreError::Other(format!(
            "the store `{}` was written by a later version of Hattari (layout {layout}; this \
            version supports {LAYOUT}): use the later version",
            path.display()
        )));
    }
    match layout::difference(connection, layout).map_err(fail)? {
        Some(difference) => Err(StoreError::foreign(path, &difference)),
        None => Ok(false),
    }
}
