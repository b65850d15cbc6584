//! Text in tables: what the terminal and Markdown print, laid out by neither.

use serde::Serialize;

/// A part of a report under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Section {
    /// The heading, without a full stop.
    pub heading: String,
    /// Sentences above the table.
    pub text: Vec<String>,
    /// The table.
    pub table: Option<Grid>,
    /// Sentences below it: how to read it.
    pub notes: Vec<String>,
    /// What stands over the table on a page, which puts no heading there; the heading where it is
    /// empty.
    pub caption: &'static str,
    /// Whether the table is folded on a page.
    pub folded: bool,
}

/// A table; every row has one cell per column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Grid {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Vec<Cell>>,
    /// First columns that say what a row is about: each part of a table that is too wide for the
    /// screen begins with them.
    #[serde(skip)]
    pub keys: usize,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its header.
    pub header: String,
    /// Where its cells stand.
    pub align: Align,
}

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
    /// Symbols.
    Centre,
    /// Sentences: as `Left`, and they may be broken into lines.
    Wrap,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// What stands there.
    pub text: String,
    /// Its colour, which says nothing that the text does not.
    pub tone: Tone,
}

/// How a cell is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// As it is.
    #[default]
    Plain,
    /// Ahead.
    Ahead,
    /// Behind.
    Behind,
    /// Of less weight.
    Faint,
    /// To be looked at.
    Warning,
}

impl Section {
    /// A section without text.
    #[must_use]
    pub fn new(heading: impl Into<String>) -> Section {
        Section {
            heading: heading.into(),
            ..Section::default()
        }
    }
}

impl Grid {
    /// A table without rows, whose first column says what a row is about.
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

    /// The table with another number of first columns that say what a row is about.
    #[must_use]
    pub fn keyed_by(self, keys: usize) -> Grid {
        Grid { keys, ..self }
    }
}

impl Cell {
    /// A cell with a tone.
    #[must_use]
    pub fn toned(text: impl Into<String>, tone: Tone) -> Cell {
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
            tone: Tone::Plain,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::from(text.to_owned())
    }
}
