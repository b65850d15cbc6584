//! Columns and rows of exported tables.

use std::borrow::Cow;

/// The data type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Strings in UTF-8.
    Text,
    /// 64-bit integers.
    Integer,
    /// 64-bit floating-point numbers.
    Real,
    /// Truth values; CSV files contain 1 and 0.
    Boolean,
}

/// The content of a cell of an exported table.
#[derive(Debug, PartialEq)]
pub enum CellValue<'a> {
    /// A missing value.
    Empty,
    /// A value of a [`ColumnType::Text`] column.
    Text(Cow<'a, str>),
    /// A value of a [`ColumnType::Integer`] column.
    Integer(i64),
    /// A value of a [`ColumnType::Real`] column.
    Real(f64),
    /// A value of a [`ColumnType::Boolean`] column.
    Boolean(bool),
}

impl<'a> CellValue<'a> {
    /// Creates the cell of a value; an empty one if the function returns `None`.
    pub(super) fn of<T: Into<Self>>(value: impl FnOnce() -> Option<T>) -> Self {
        value().into()
    }

    /// Returns the cell as text: numbers with full precision, booleans as 1 and 0, an empty cell as
    /// an empty string.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            CellValue::Empty => "".into(),
            CellValue::Text(text) => text.as_ref().into(),
            CellValue::Integer(number) => number.to_string().into(),
            CellValue::Real(number) => number.to_string().into(),
            CellValue::Boolean(value) => if *value { "1" } else { "0" }.into(),
        }
    }
}

macro_rules! values {
    ($($of:ty => $value:ident => $made:expr;)*) => {
        $(impl<'a> From<$of> for CellValue<'a> {
            fn from($value: $of) -> CellValue<'a> {
                $made
            }
        })*
    };
}

values! {
    &'a str => text => CellValue::Text(text.into());
    &'a String => text => CellValue::Text(text.as_str().into());
    String => text => CellValue::Text(text.into());
    i64 => number => CellValue::Integer(number);
    u32 => number => CellValue::Integer(number.into());
    u64 => number => CellValue::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    usize => number => CellValue::from(number as u64);
    f64 => number => CellValue::Real(number);
    bool => value => CellValue::Boolean(value);
}

impl<'a, T: Into<CellValue<'a>>> From<Option<T>> for CellValue<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(CellValue::Empty, Into::into)
    }
}

/// The header of a column.
#[derive(Clone, Debug)]
pub struct ColumnHead {
    /// Name of the column.
    pub name: String,
    /// Data type of the column.
    pub kind: ColumnType,
}

/// A column of a table whose rows have the type `R`.
pub(super) struct TableColumn<'c, R> {
    pub(super) head: ColumnHead,
    pub(super) value: Box<dyn for<'r> Fn(&'r R) -> CellValue<'r> + 'c>,
}

impl<R> TableColumn<'_, R> {
    /// Adds a prefix to the name of the column.
    pub(super) fn prefixed(mut self, prefix: &str) -> Self {
        self.head.name.insert_str(0, prefix);
        self
    }
}

/// Declares the columns of a table: variable and type of a row, then name, data type and value of
/// each column. In a value, `?` stands for a part that may be missing; the cell is then empty.
macro_rules! columns {
    ($row:ident: $of:ty; $($name:expr, $kind:ident = $value:expr;)*) => {
        vec![$(TableColumn {
            head: ColumnHead {
                name: $name.into(),
                kind: ColumnType::$kind,
            },
            value: Box::new(move |$row: &$of| CellValue::of(|| Some($value))),
        }),*]
    };
}
pub(super) use columns;

/// A receiver of the columns and rows of a table.
pub trait TableSink {
    /// Receives the column headers. Called once, before all rows.
    fn columns(&mut self, heads: Vec<ColumnHead>);
    /// Receives a row with one cell per column.
    fn row(&mut self, cells: &[CellValue<'_>]);
}

/// A writer that converts rows of type `R` to cells and passes them to a sink.
pub struct RowWriter<'s, R> {
    columns: Vec<TableColumn<'s, R>>,
    sink: &'s mut dyn TableSink,
}

impl<'s, R> RowWriter<'s, R> {
    pub(super) fn new(columns: Vec<TableColumn<'s, R>>, sink: &'s mut dyn TableSink) -> Self {
        sink.columns(columns.iter().map(|column| column.head.clone()).collect());
        RowWriter { columns, sink }
    }

    /// Writes a row.
    pub fn add(&mut self, row: &R) {
        let cells: Vec<CellValue<'_>> = (self.columns.iter())
            .map(|column| (column.value)(row))
            .collect();
        self.sink.row(&cells);
    }
}
