//! Sections and tables of a report, independent of the output format.

use hattari_agents::text::grouped;
use serde::Serialize;

/// Text of a cell without a value.
pub(super) const NONE: &str = "–";

/// A section of a report: a heading, sentences, at most one table, and explanations.
#[derive(Debug, Default, Serialize)]
pub struct Section {
    /// Heading without a full stop.
    pub heading: String,
    /// Sentences above the table.
    pub text: Vec<String>,
    /// Table below the sentences; `None` if the section consists of text.
    pub table: Option<Grid>,
    /// Explanations below the table.
    pub notes: Vec<String>,
    /// Caption of the table on a page. If the caption is empty, the page shows `heading` instead.
    pub caption: &'static str,
    /// `true` if the table is folded on a page.
    pub folded: bool,
}

/// A table; every row has one cell per column.
#[derive(Debug, Default, Serialize)]
pub struct Grid {
    /// Columns from left to right.
    pub columns: Vec<Column>,
    /// Rows from top to bottom.
    pub rows: Vec<Vec<Cell>>,
    /// Number of leading columns that identify a row. If a table is too wide for the screen, it is
    /// split, and these columns are repeated in every part.
    #[serde(skip)]
    pub keys: usize,
}

/// A column of a table.
#[derive(Debug, Serialize)]
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
    #[serde(rename = "tone")]
    pub colour: CellColour,
}

/// The colour of a cell by its purpose. Each output format chooses the actual colours.
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
    /// No colour: terminal and page hide the text, because it repeats the text of the row above.
    Repeated,
}

impl Section {
    /// Creates a section with a heading only.
    pub fn new(heading: impl Into<String>) -> Section {
        Section {
            heading: heading.into(),
            ..Section::default()
        }
    }

    /// Creates a section with a table.
    pub fn of(heading: impl Into<String>, table: Grid) -> Section {
        Section {
            table: Some(table),
            ..Section::new(heading)
        }
    }

    /// Adds a sentence above the table.
    #[must_use]
    pub fn sentence(mut self, sentence: impl Into<String>) -> Section {
        self.text.push(sentence.into());
        self
    }

    /// Adds an explanation below the table.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Section {
        self.notes.push(note.into());
        self
    }

    /// Sets the caption of the table on a page.
    #[must_use]
    pub(crate) fn caption(self, caption: &'static str) -> Section {
        Section { caption, ..self }
    }

    /// Folds the table on a page.
    #[must_use]
    pub(crate) fn folded(self) -> Section {
        let folded = true;
        Section { folded, ..self }
    }

    /// Returns the section if its table has rows.
    #[must_use]
    pub(crate) fn unless_empty(self) -> Option<Section> {
        let has_rows = (self.table.as_ref()).is_some_and(|table| !table.rows.is_empty());
        has_rows.then_some(self)
    }
}

/// Creates a [`Grid`] with one row for each item of a list. Each column is given by its header, its
/// [`Align`] and its cell, which is converted with [`Cell::from`]. In a cell, `?` stands for a value
/// that may be missing; the cell is then a dash.
#[macro_export]
macro_rules! grid {
    ($row:pat in $rows:expr; $($header:expr, $align:ident = $cell:expr;)*) => {{
        let mut grid = $crate::report::table::Grid::new(&[
            $(($header, $crate::report::table::Align::$align)),*
        ]);
        for $row in $rows {
            grid.rows.push(vec![$($crate::report::table::Cell::of(|| Some($cell))),*]);
        }
        grid
    }};
}

impl Grid {
    /// Creates a table without rows; the first column identifies a row.
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
    pub(super) fn only(mut self, headers: &[&str]) -> Grid {
        let is_kept = |column: &Column| headers.contains(&column.header.as_str());
        let kept: Vec<bool> = self.columns.iter().map(is_kept).collect();
        self.columns.retain(is_kept);
        for row in &mut self.rows {
            let mut kept = kept.iter();
            row.retain(|_| kept.next() == Some(&true));
        }
        self
    }

    /// Returns the table with each cell of the first column hidden that repeats the cell above it.
    #[must_use]
    pub(super) fn grouped(mut self) -> Grid {
        for row in (1..self.rows.len()).rev() {
            if self.rows[row][0].text == self.rows[row - 1][0].text {
                self.rows[row][0].colour = CellColour::Repeated;
            }
        }
        self
    }

    /// Returns the table with the first `keys` columns as the columns that identify a row.
    #[must_use]
    pub(crate) fn keyed_by(self, keys: usize) -> Grid {
        Grid { keys, ..self }
    }

    /// Adds the columns of a table with the same number of rows.
    #[must_use]
    pub(super) fn join(mut self, other: Grid) -> Grid {
        self.columns.extend(other.columns);
        self.rows
            .iter_mut()
            .zip(other.rows)
            .for_each(|(row, more)| row.extend(more));
        self
    }
}

impl Cell {
    /// Creates the cell of a value; a dash if the function returns `None`.
    pub fn of<T: Into<Cell>>(value: impl FnOnce() -> Option<T>) -> Cell {
        value().into()
    }

    /// Creates a cell with a colour.
    pub fn coloured(text: impl Into<String>, colour: CellColour) -> Cell {
        Cell {
            text: text.into(),
            colour,
        }
    }

    /// Creates a cell that needs attention if `is_warning`.
    pub fn warning(text: impl Into<String>, is_warning: bool) -> Cell {
        let colour = if is_warning {
            CellColour::Warning
        } else {
            CellColour::Plain
        };
        Cell::coloured(text, colour)
    }
}

/// Makes a cell with a dash for a missing value.
impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or_else(|| Cell::coloured(NONE, CellColour::Faint), Into::into)
    }
}

/// Makes a cell with the number of an item, such as a line-up.
impl From<u32> for Cell {
    fn from(number: u32) -> Cell {
        number.to_string().into()
    }
}

/// Makes a cell with a count, with separators of thousands.
impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        grouped(count).into()
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell {
            text,
            colour: CellColour::Plain,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::from(text.to_owned())
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Cell {
        Cell::from(text.clone())
    }
}
