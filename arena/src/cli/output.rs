//! Printing to the standard output.

use console::{Alignment, measure_text_width, pad_str};
use hattari_agents::text;
pub use hattari_agents::text::short;
use hattari_report::report::Shown;
use std::io::Write;

/// Writes `text` to the standard output; what would act on a terminal is a blank, whoever wrote it.
/// A reader that has gone away (`| head`) is no error.
///
/// # Errors
/// The output cannot be written, as on a full disk.
pub fn print(text: &str) -> anyhow::Result<()> {
    print_drawn(&text::shown(text))
}

/// As [`print()`], for text with colours of our own, in which all else has been [made
/// plain](text::shown).
///
/// # Errors
/// As [`print()`].
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

/// Writes a line to the error output, as [`print()`] does.
pub fn tell(line: impl std::fmt::Display) {
    eprintln!("{}", text::shown(&line.to_string()));
}

/// Writes a value as JSON for people and programs alike, as [`Shown::json`] makes it.
///
/// # Errors
/// As [`print()`].
pub fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print_drawn(&Shown::json(value)?.into_text())
}

/// A table with aligned columns, two blanks between them; the first row is the heading. Columns are
/// flush left, the last is not padded. Widths are those of a terminal, where a Japanese character
/// takes two columns.
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
    fn columns_are_aligned() {
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
