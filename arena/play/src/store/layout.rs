//! Checks that a database has exactly the tables and columns of a known layout: no views, triggers,
//! virtual tables, generated columns or additional indexes. The text of the schema is not compared,
//! because its comments differ between versions.

use super::schema::{TABLES, UPGRADES};
use hattari_agents::text;
use rusqlite::{Connection, Row};
use std::sync::LazyLock;

/// Statements that change a store of the current layout to layout 5.
pub(super) const FIRST: &str = "
    ALTER TABLE league DROP COLUMN seal;
    DROP TABLE machines;
    DROP TABLE reviews;
    ALTER TABLE records DROP COLUMN machine;
    ALTER TABLE records DROP COLUMN stored;
    ALTER TABLE records DROP COLUMN luck;
";

/// A layout with its number, as described by [`objects`] and [`columns`].
type Layout = (i64, [Vec<String>; 2]);

/// All layouts. An upgraded store has the same columns as a new one.
static LAYOUTS: LazyLock<Vec<Layout>> = LazyLock::new(|| {
    let described = || -> rusqlite::Result<Vec<Layout>> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(TABLES)?;
        [(5, FIRST)]
            .into_iter()
            .chain(UPGRADES)
            .map(|(number, statements)| {
                connection.execute_batch(statements)?;
                Ok((number, [objects(&connection)?, columns(&connection)?]))
            })
            .collect()
    };
    described().expect("the tables of a store can be created in memory")
});

/// Maximum size in bytes of a name in a message.
const NAME_BYTES_MAX: usize = 100;

/// Describes the first difference from the tables of a layout; `None` if the tables are the same.
///
/// # Errors
/// Returns an error if the database cannot be read.
pub(super) fn difference(connection: &Connection, layout: i64) -> rusqlite::Result<Option<String>> {
    let Some((_, expected)) = LAYOUTS.iter().find(|(number, _)| *number == layout) else {
        return Ok(Some(format!("unknown layout {layout}")));
    };
    // Check objects first, because columns may be queried only for plain tables.
    for (describe, expected) in [objects, columns].into_iter().zip(expected) {
        let actual = describe(connection)?;
        if let Some(extra) = actual.iter().find(|item| !expected.contains(item)) {
            let extra = text::escape_line(text::cut(extra, NAME_BYTES_MAX));
            return Ok(Some(format!(
                "its schema has {extra}, which Hattari does not create"
            )));
        }
        if let Some(missing) = expected.iter().find(|item| !actual.contains(item)) {
            let why = if missing.starts_with("column `seal` of `conditions`") {
                "; results of version 0.2.0 must be played again"
            } else {
                ""
            };
            return Ok(Some(format!("its schema lacks {missing}{why}")));
        }
    }
    Ok(None)
}

/// Describes all objects of a schema. Indexes for unique keys are created by SQLite and have no
/// text.
fn objects(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    list(
        connection,
        "SELECT iif(type = 'table' AND (rootpage = 0 OR sql NOT LIKE 'CREATE TABLE %'), 'virtual table', type)
             || ' `' || name || '`' || iif(tbl_name = name, '', ' of `' || tbl_name || '`')
             || iif(type = 'index' AND sql NOT NULL, ' (user-defined)', '')
         FROM main.sqlite_schema",
    )
}

/// Describes the columns of all tables, and the keys and options that affect reading and writing.
fn columns(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    list(
        connection,
        "WITH tables AS (SELECT name AS owner FROM main.sqlite_schema WHERE type = 'table')
         SELECT 'column `' || name || '` of `' || owner || '` (' || concat_ws(' ', cid, type, \"notnull\", dflt_value, pk, hidden) || ')'
         FROM tables, pragma_table_xinfo(owner)
         UNION ALL
         SELECT 'table `' || name || '` (' || concat_ws(' ', type, wr, strict) || ')'
         FROM pragma_table_list WHERE schema = 'main' AND name != 'sqlite_schema'
         UNION ALL
         SELECT 'key of `' || owner || '` (' || concat_ws(' ', keys.name, \"unique\", origin, partial, seqno, cid, \"desc\", coll, key) || ')'
         FROM tables, pragma_index_list(owner) AS keys, pragma_index_xinfo(keys.name)
         UNION ALL
         SELECT 'foreign key of `' || owner || '`' FROM tables, pragma_foreign_key_list(owner)",
    )
}

fn list(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare(sql)?
        .query_map([], |row: &Row<'_>| row.get(0))?
        .collect()
}
