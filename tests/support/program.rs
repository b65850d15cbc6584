//! Runs of a program: arguments, results, and what tests assert about them. `tests/outside` uses
//! this file, too.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::process::{Command, Output};

/// The result of a run of the program.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Exit code; -1 if a signal ended the run.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Error output.
    pub err: String,
}

impl Ended {
    /// Returns the result of a process from its captured output.
    pub(crate) fn of(output: &Output) -> Ended {
        Ended {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Ended {
        assert_eq!(self.code, code, "\n{self}");
        self
    }

    /// Asserts that the output contains these texts.
    #[track_caller]
    pub(crate) fn says(self, texts: impl Texts) -> Ended {
        for text in texts.all() {
            assert!(self.out.contains(text), "no `{text}` in\n{self}");
        }
        self
    }

    /// Asserts that neither output contains one of these texts.
    #[track_caller]
    pub(crate) fn never_says(self, texts: impl Texts) -> Ended {
        for text in texts.all() {
            let silent = !self.out.contains(text) && !self.err.contains(text);
            assert!(silent, "`{text}` in\n{self}");
        }
        self
    }

    /// Asserts that the error output contains these texts.
    #[track_caller]
    pub(crate) fn complains(self, texts: impl Texts) -> Ended {
        for text in texts.all() {
            assert!(self.err.contains(text), "no `{text}` in\n{self}");
        }
        self
    }

    /// Asserts that one of the outputs contains each text.
    #[track_caller]
    pub(crate) fn tells(self, texts: impl Texts) -> Ended {
        for text in texts.all() {
            let told = self.out.contains(text) || self.err.contains(text);
            assert!(told, "no `{text}` in\n{self}");
        }
        self
    }

    /// Returns the output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in\n{}", self.out))
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "-- out\n{}\n-- err\n{}", self.out, self.err)
    }
}

/// One text, or an array of them.
pub(crate) trait Texts {
    /// Returns the texts one by one.
    fn all(&self) -> Vec<&str>;
}

impl Texts for &str {
    fn all(&self) -> Vec<&str> {
        vec![self]
    }
}

impl Texts for &String {
    fn all(&self) -> Vec<&str> {
        vec![self]
    }
}

impl<const N: usize> Texts for [&str; N] {
    fn all(&self) -> Vec<&str> {
        self.to_vec()
    }
}

/// Parts of JSON whose types a test knows.
pub(crate) trait JsonPart {
    /// Returns the items of a list.
    fn list(&self) -> &[Value];
    /// Returns a number.
    fn float(&self) -> f64;
    /// Returns a number that is not negative.
    fn natural(&self) -> u64;
    /// Returns a text.
    fn text(&self) -> &str;
    /// Returns the first item of a list with this text in a field.
    fn item(&self, field: &str, text: &str) -> &Value;
    /// Returns a text field of each item of a list.
    fn texts(&self, field: &str) -> Vec<&str>;
}

#[track_caller]
fn expected<T>(part: Option<T>, kind: &str, value: &Value) -> T {
    part.unwrap_or_else(|| panic!("not a {kind}: {value}"))
}

impl JsonPart for Value {
    #[track_caller]
    fn list(&self) -> &[Value] {
        expected(self.as_array(), "list", self).as_slice()
    }

    #[track_caller]
    fn float(&self) -> f64 {
        expected(self.as_f64(), "number", self)
    }

    #[track_caller]
    fn natural(&self) -> u64 {
        expected(self.as_u64(), "natural number", self)
    }

    #[track_caller]
    fn text(&self) -> &str {
        expected(self.as_str(), "text", self)
    }

    #[track_caller]
    fn item(&self, field: &str, text: &str) -> &Value {
        let item = self.list().iter().find(|item| item[field] == text);
        item.unwrap_or_else(|| panic!("no {field} {text}: {self}"))
    }

    #[track_caller]
    fn texts(&self, field: &str) -> Vec<&str> {
        self.list().iter().map(|item| item[field].text()).collect()
    }
}

/// Returns the values of a text with JSON in every line.
#[track_caller]
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns the pair in a report with the same two bots as `pair`, in any order.
#[track_caller]
pub(crate) fn same_pair<'v>(report: &'v Value, pair: &Value) -> &'v Value {
    let names = |pair: &Value| BTreeSet::from(["a", "b"].map(|key| pair[key].text().to_owned()));
    let mut pairs = report["pairs"].list().iter();
    pairs.find(|other| names(other) == names(pair)).unwrap()
}

/// Asserts that `text` contains `words`.
#[track_caller]
pub(crate) fn has(text: &str, words: &str) {
    assert!(text.contains(words), "no `{words}` in\n{text}");
}

/// Returns the cells of a column of a table in CSV, which has no quoted cells.
#[track_caller]
pub(crate) fn column<'t>(table: &'t str, name: &str) -> Vec<&'t str> {
    let mut rows = table.lines().map(|row| row.split(','));
    let header = rows
        .next()
        .and_then(|mut cells| cells.position(|cell| cell == name));
    let at = header.unwrap_or_else(|| panic!("no column {name} in\n{table}"));
    rows.filter_map(|mut row| row.nth(at)).collect()
}

/// Returns a text with single spaces in place of line breaks and other spaces.
pub(crate) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Arguments of the program: a line of words, a list, or two of them.
pub(crate) trait Arguments {
    /// Returns the arguments one by one.
    fn list(&self) -> Vec<&str>;
}

impl Arguments for str {
    fn list(&self) -> Vec<&str> {
        self.split_ascii_whitespace().collect()
    }
}

impl Arguments for String {
    fn list(&self) -> Vec<&str> {
        self.as_str().list()
    }
}

impl<S: AsRef<str>> Arguments for [S] {
    fn list(&self) -> Vec<&str> {
        self.iter().map(AsRef::as_ref).collect()
    }
}

impl<S: AsRef<str>, const N: usize> Arguments for [S; N] {
    fn list(&self) -> Vec<&str> {
        self.as_slice().list()
    }
}

impl<S: AsRef<str>> Arguments for Vec<S> {
    fn list(&self) -> Vec<&str> {
        self.as_slice().list()
    }
}

impl<A: Arguments, B: Arguments> Arguments for (A, B) {
    fn list(&self) -> Vec<&str> {
        [self.0.list(), self.1.list()].concat()
    }
}

impl<T: Arguments + ?Sized> Arguments for &T {
    fn list(&self) -> Vec<&str> {
        (**self).list()
    }
}

/// Runs a command to its end.
pub(crate) fn ended(command: &mut Command) -> Ended {
    Ended::of(&command.output().expect("the program starts"))
}
