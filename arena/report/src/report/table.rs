//! Sections and tables of a report, independent of the output format.

use serde::Serialize;

/// A section of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Heading without a full stop.
    pub heading: String,
    /// Sentences above the table.
    pub text: Vec<String>,
    /// The table.
    pub table: Option<Grid>,
    /// Explanations below the table.
    pub notes: Vec<String>,
    /// Caption of the table on a page. If the caption is empty, the page shows `heading` instead.
    pub caption: &'static str,
    /// `true` if the table is folded on a page.
    pub folded: bool,
}

/// A table; every row has one cell per column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Grid {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// Number of leading columns that identify a row. If a table is too wide for the screen, it is
    /// split, and these columns are repeated in every part.
    #[serde(skip)]
    pub keys: usize,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Text of the header.
    pub header: String,
    /// Alignment of the cells.
    pub align: Align,
}

/// Alignment of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    /// Left-aligned, for words.
    Left,
    /// Right-aligned, for numbers.
    Right,
    /// Centred, for symbols.
    Centre,
    /// Left-aligned and wrapped, for sentences.
    Wrap,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Text of the cell.
    pub text: String,
    /// Colour; it carries no information that is not in the text.
    pub tone: CellColour,
}

/// Colour of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellColour {
    /// Default colour.
    #[default]
    Plain,
    /// Colour for a bot that is ahead.
    Ahead,
    /// Colour for a bot that is behind.
    Behind,
    /// Colour of less important text.
    Faint,
    /// Colour of text that needs attention.
    Warning,
}

impl Section {
    /// Creates a section with a heading only.
    #[must_use]
    pub fn new(heading: impl Into<String>) -> Section {
        Section {
            heading: heading.into(),
            ..Section::default()
        }
    }
}

impl Grid {
    /// Creates a table without rows; the first column identifies a row.
    #[must_use]
    pub fn new(columns: &[(&str, Align)]) -> Grid {
        let columns = columns.iter().map(|(header, align)| Column {
            header: (*header).to_owned(),
            align: *align,
        });
        Grid {
            columns: columns.collect(),
            rows: Vec::new(),
            keys: 1,
        }
    }

    /// Returns the table with only the columns that have one of the headers.
    #[must_use]
    pub(super) fn only(self, headers: &[&str]) -> Grid {
        let kept: Vec<bool> = (self.columns.iter())
            .map(|column| headers.contains(&column.header.as_str()))
            .collect();
        Grid {
            columns: filtered(self.columns, &kept),
            rows: self
                .rows
                .into_iter()
                .map(|row| filtered(row, &kept))
                .collect(),
            ..self
        }
    }

    /// Returns the table with another number of identifying columns.
    #[must_use]
    pub fn keyed_by(self, keys: usize) -> Grid {
        Grid { keys, ..self }
    }
}

/// Returns the values for which `kept` is `true`.
fn filtered<T>(values: Vec<T>, kept: &[bool]) -> Vec<T> {
    let pairs = values.into_iter().zip(kept);
    pairs
        .filter(|(_, kept)| **kept)
        .map(|(value, _)| value)
        .collect()
}

impl Cell {
    /// Creates a cell with a colour.
    #[must_use]
    pub fn coloured(text: impl Into<String>, tone: CellColour) -> Cell {
        Cell {
            text: text.into(),
            tone,
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell {
            text,
            tone: CellColour::Plain,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::from(text.to_owned())
    }
}
