//! Output to stdout and stderr.

use console::{Alignment, measure_text_width, pad_str};
use hattari_agents::text;
pub use hattari_agents::text::short;
use hattari_report::report::PrintedResult;
use std::io::Write;

/// Writes `text` to stdout, with spaces in place of characters that control a terminal. A closed
/// pipe (`| head`) is no error.
///
/// # Errors
/// Returns an error if stdout cannot be written, for example if a disk is full.
pub fn print(text: &str) -> anyhow::Result<()> {
    print_drawn(&text::shown(text))
}

/// Writes to stdout a text that may contain colour codes of this program. [`text::shown`] must have
/// replaced all other control characters.
///
/// # Errors
/// Returns the same errors as [`print()`].
pub fn print_drawn(text: &str) -> anyhow::Result<()> {
    let mut output = std::io::stdout().lock();
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes a line to stderr, with the same replacements as [`print()`].
pub fn tell(line: impl std::fmt::Display) {
    eprintln!("{}", text::shown(&line.to_string()));
}

/// Writes a value as indented JSON, made by [`PrintedResult::json`].
///
/// # Errors
/// Returns the same errors as [`print()`].
pub fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print_drawn(&PrintedResult::json(value)?.into_text())
}

/// Returns a left-aligned table with two spaces between columns. The first row is the header.
/// Widths are measured in terminal columns: a Japanese character takes two.
#[must_use]
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| measure_text_width(cell))
            .max()
    };
    let widths: Vec<usize> = (0..columns)
        .map(|column| width(column).unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| pad_str(cell, width, Alignment::Left, None));
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_columns_are_aligned_by_display_width() {
        let rows = [
            ["NAME", "WHAT"],
            ["ハッタリ", "a bluff"],
            ["大貧民2", "a game"],
            ["ﾎﾟ-カ-é", "half"],
            ["a", ""],
        ];
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.map(str::to_owned).to_vec())
            .collect();
        assert_eq!(
            table(&rows),
            "NAME      WHAT\nハッタリ  a bluff\n大貧民2   a game\nﾎﾟ-カ-é   half\na\n"
        );
    }
}
