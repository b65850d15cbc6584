//! Published tables, read from JSON files for comparison with our results.
//!
//! A file has the keys `source` (source of the tables), `legend` (symbol → meaning) and any number
//! of named tables. Each table has `columns` (names of bots) and `rows` (name of a bot → one symbol
//! per column, `null` on the diagonal). The symbols are `++`, `+`, `0`, `-`, `--` and `*`.

use super::Published;
use hattari_agents::text::quoted;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// One published table.
#[derive(Debug)]
pub struct PublishedTable {
    /// Source of the table.
    pub source: String,
    /// Name of the table in the file.
    pub table: String,
    /// The source's explanation of the symbol `*` (an exception), if it gives one.
    pub exception: Option<String>,
    /// Names of the opponents.
    pub columns: Vec<String>,
    /// Rows in the order of the file: name of the bot, then its symbols by column.
    pub rows: Vec<(String, Vec<Option<Published>>)>,
}

#[derive(Deserialize)]
struct PublishedFile {
    source: String,
    #[serde(default)]
    legend: BTreeMap<String, String>,
    #[serde(flatten)]
    tables: BTreeMap<String, TableInFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableInFile {
    columns: Vec<String>,
    rows: PublishedRows,
}

/// Rows in the order of the file.
struct PublishedRows(Vec<(String, Vec<Option<Published>>)>);

impl PublishedTable {
    /// Reads `table` from the file at `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or has another format, or if it does not contain
    /// the table.
    pub fn load(path: &Path, table: &str) -> Result<PublishedTable, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string());
        text.and_then(|text| PublishedTable::parse(&text, table))
            .map_err(|problem| format!("published table {}: {problem}", path.display()))
    }

    fn parse(text: &str, table: &str) -> Result<PublishedTable, String> {
        let PublishedFile {
            source,
            legend,
            mut tables,
        } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Some((table, content)) = tables.remove_entry(table) else {
            let known = quoted(tables.keys());
            return Err(format!("no table `{table}`; the file has {known}"));
        };
        let (columns, rows) = (content.columns, content.rows.0);
        if let Some((row, cells)) = rows.iter().find(|(_, cells)| cells.len() != columns.len()) {
            return Err(format!(
                "row `{row}` of `{table}` has {} cells, but the table has {} columns",
                cells.len(),
                columns.len()
            ));
        }
        Ok(PublishedTable {
            source,
            table,
            exception: legend.get("*").cloned(),
            columns,
            rows,
        })
    }
}

impl<'de> Deserialize<'de> for PublishedRows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PublishedRows, D::Error> {
        struct RowsVisitor;
        impl<'de> Visitor<'de> for RowsVisitor {
            type Value = PublishedRows;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a mapping from names of bots to lists of symbols")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PublishedRows, A::Error> {
                let mut rows: Vec<(String, Vec<Option<Published>>)> = Vec::new();
                while let Some((name, cells)) = map.next_entry::<String, _>()? {
                    if rows.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!("row `{name}` occurs twice")));
                    }
                    rows.push((name, cells));
                }
                Ok(PublishedRows(rows))
            }
        }
        deserializer.deserialize_map(RowsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::Symbol;
    use hattari_play::mock::Folder;

    const FILE: &str = r#"{
        "source": "A paper", "legend": {"*": "depends"},
        "one": {"columns": ["b", "a"], "rows": {"b": [null, "++"], "a": ["--", null]}},
        "two": {"columns": ["a"], "rows": {"c": ["*"]}}
    }"#;

    fn error(text: &str, table: &str) -> String {
        let folder = Folder::new("[a, b]");
        let path = folder.path("p.json");
        std::fs::write(&path, text).unwrap();
        let error = PublishedTable::load(&path, table).unwrap_err();
        error.replace(&*folder.path("").to_string_lossy(), "")
    }

    #[test]
    fn a_published_table_keeps_the_row_order_of_its_file() {
        let one = PublishedTable::parse(FILE, "one").unwrap();
        assert_eq!(
            (one.source.as_str(), one.exception.as_deref()),
            ("A paper", Some("depends"))
        );
        assert_eq!(
            one.rows[0],
            (
                "b".to_owned(),
                vec![None, Some(Published::Symbol(Symbol::AlwaysAhead))]
            )
        );
        assert_eq!(
            one.rows[1],
            (
                "a".to_owned(),
                vec![Some(Published::Symbol(Symbol::AlwaysBehind)), None]
            )
        );
    }

    #[test]
    fn errors_name_the_problem_and_its_location() {
        assert_eq!(
            error(FILE, "three"),
            "published table p.json: no table `three`; the file has `one`, `two`"
        );
        let ragged = r#"{"source": "", "t": {"columns": ["a", "b"], "rows": {"c": ["+"]}}}"#;
        assert_eq!(
            error(ragged, "t"),
            "published table p.json: row `c` of `t` has 1 cells, but the table has 2 columns"
        );
        let symbol = r#"{"source": "", "t": {"columns": ["a"], "rows": {"c": ["+++"]}}}"#;
        assert!(
            error(symbol, "t").contains("`+++` is not a congeniality symbol"),
            "{}",
            error(symbol, "t")
        );
        let twice = r#"{"source": "", "t": {"columns": ["a"], "rows": {"c": ["+"], "c": ["+"]}}}"#;
        assert!(
            error(twice, "t").contains("row `c` occurs twice"),
            "{}",
            error(twice, "t")
        );
    }
}
