//! The check that a database has the tables and columns of a layout that a version of hattari
//! wrote, and nothing else: no views, triggers, virtual tables, generated columns or further
//! indexes. The text of its schema is not compared, because its comments differ between versions.

use super::schema::TABLES;
use hattari_agents::text;
use rusqlite::{Connection, Row};
use std::sync::LazyLock;

/// Layouts by number, as [`objects`] and [`columns`] describe them.
static LAYOUTS: LazyLock<[(i64, [Vec<String>; 2]); 2]> = LazyLock::new(|| {
    // Layout 6 brought the column of luck. A store of layout 5 that was added to since has the same
    // columns as a new one.
    let older = format!("{TABLES}; ALTER TABLE records DROP COLUMN luck");
    [(5, older.as_str()), (6, TABLES)].map(|(layout, tables)| {
        let described = Connection::open_in_memory().and_then(|connection| {
            connection.execute_batch(tables)?;
            Ok([objects(&connection)?, columns(&connection)?])
        });
        (
            layout,
            described.expect("our own tables can be made in memory"),
        )
    })
});

/// Bytes of a name in a message at most.
const NAME_BYTES_MAX: usize = 100;

/// Returns the first difference from the tables of a layout, in words; `None` where there is none.
///
/// # Errors
/// The database cannot be read.
pub(super) fn difference(connection: &Connection, layout: i64) -> rusqlite::Result<Option<String>> {
    let Some((_, expected)) = LAYOUTS.iter().find(|(number, _)| *number == layout) else {
        return Ok(Some(format!("no version of hattari wrote layout {layout}")));
    };
    // Objects first: columns are only asked for of what is known to be a plain table.
    for (describe, expected) in [objects, columns].into_iter().zip(expected) {
        let found = describe(connection)?;
        let without = |these: &[String], those: &[String]| {
            these.iter().find(|one| !those.contains(one)).cloned()
        };
        if let Some(more) = without(&found, expected) {
            let more = text::line(text::cut(&more, NAME_BYTES_MAX));
            return Ok(Some(format!(
                "its schema has {more}, which hattari never makes"
            )));
        }
        if let Some(less) = without(expected, &found) {
            return Ok(Some(format!("its schema lacks {less}")));
        }
    }
    Ok(None)
}

/// Describes all that a schema holds. Indexes that keep keys unique are made by SQLite itself and
/// have no text.
fn objects(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    list(
        connection,
        "SELECT iif(type = 'table' AND (rootpage = 0 OR sql NOT LIKE 'CREATE TABLE %'), 'virtual table', type)
             || ' `' || name || '`' || iif(tbl_name = name, '', ' of `' || tbl_name || '`')
             || iif(type = 'index' AND sql NOT NULL, ' made by somebody', '')
         FROM main.sqlite_schema",
    )
}

/// Describes the columns of all tables, and the keys and options that change how rows are read and
/// written.
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
