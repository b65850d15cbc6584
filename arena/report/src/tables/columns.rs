//! Columns and rows of exported tables.

use std::borrow::Cow;

/// The data type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8 text.
    Text,
    /// 64-bit integers.
    Whole,
    /// 64-bit floating-point numbers.
    Real,
    /// Booleans.
    Truth,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// No value.
    Empty,
    /// Text.
    Text(Cow<'a, str>),
    /// An integer.
    Whole(i64),
    /// A floating-point number.
    Real(f64),
    /// A boolean.
    Truth(bool),
}

impl Value<'_> {
    /// Returns the cell as text: numbers with full precision, booleans as 1 and 0, an empty cell as
    /// an empty string.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Value::Empty => "".into(),
            Value::Text(text) => text.as_ref().into(),
            Value::Whole(number) => number.to_string().into(),
            Value::Real(number) => number.to_string().into(),
            Value::Truth(truth) => if *truth { "1" } else { "0" }.into(),
        }
    }
}

macro_rules! values {
    ($($of:ty => $value:ident => $made:expr;)*) => {
        $(impl<'a> From<$of> for Value<'a> {
            fn from($value: $of) -> Value<'a> {
                $made
            }
        })*
    };
}

values! {
    &'a str => text => Value::Text(text.into());
    &'a String => text => Value::Text(text.as_str().into());
    String => text => Value::Text(text.into());
    i64 => number => Value::Whole(number);
    u32 => number => Value::Whole(number.into());
    u64 => number => Value::Whole(i64::try_from(number).unwrap_or(i64::MAX));
    usize => number => Value::from(number as u64);
    f64 => number => Value::Real(number);
    bool => truth => Value::Truth(truth);
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Value<'a> {
        value.map_or(Value::Empty, Into::into)
    }
}

/// The header of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Name.
    pub name: String,
    /// Data type.
    pub kind: Kind,
}

/// A column of a table with rows `R`.
pub(super) struct Column<'c, R> {
    pub(super) head: Head,
    pub(super) value: Box<dyn for<'r> Fn(&'r R) -> Value<'r> + 'c>,
}

impl<R> Column<'_, R> {
    /// Adds a prefix to the name.
    pub(super) fn prefixed(mut self, prefix: &str) -> Self {
        self.head.name.insert_str(0, prefix);
        self
    }
}

/// Declares the columns of a table: variable and type of a row, then name, data type and value of
/// each column.
macro_rules! columns {
    ($row:ident: $of:ty; $($name:expr, $kind:ident = $value:expr;)*) => {
        vec![$(Column {
            head: Head {
                name: $name.into(),
                kind: Kind::$kind,
            },
            value: Box::new(move |$row: &$of| Value::from($value)),
        }),*]
    };
}
pub(super) use columns;

/// A receiver of a table.
pub trait Sink {
    /// Receives the column headers. Called once, before all rows.
    fn columns(&mut self, heads: Vec<Head>);
    /// Receives a row with one cell per column.
    fn row(&mut self, cells: &[Value<'_>]);
}

/// Writes rows to a sink.
pub(super) struct Rows<'s, R> {
    columns: Vec<Column<'s, R>>,
    sink: &'s mut dyn Sink,
}

impl<'s, R> Rows<'s, R> {
    pub(super) fn new(columns: Vec<Column<'s, R>>, sink: &'s mut dyn Sink) -> Rows<'s, R> {
        sink.columns(columns.iter().map(|column| column.head.clone()).collect());
        Rows { columns, sink }
    }

    pub(super) fn add(&mut self, row: &R) {
        let cells: Vec<Value<'_>> = (self.columns.iter())
            .map(|column| (column.value)(row))
            .collect();
        self.sink.row(&cells);
    }
}
