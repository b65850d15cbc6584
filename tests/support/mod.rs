//! Shared code of the end-to-end tests: the program, the project's bots, a folder, compilers, ports
//! and other processes.
#![allow(
    dead_code,
    unused_imports,
    reason = "every test program uses a part of it"
)]

mod build;
mod folder;
pub(crate) mod page;
mod ports;
mod process;
pub(crate) mod python;
#[cfg(unix)]
pub(crate) mod server;

pub(crate) use build::{
    assemblyscript, cc, library, link, own_bot, project_module, shared_cache, shell, target,
    wasm_cc, zig,
};
pub(crate) use folder::Folder;
pub(crate) use ports::Port;
pub(crate) use process::{
    Running, children, descendants, killed_again_and_again, signal, stat, until, wait,
};

use serde_json::Value;
use std::fmt;
use std::path::Path;
use std::process::{Command, Output};

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_hattari");

/// Returns the project's folder.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in the project")
}

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
        for text in texts.list() {
            assert!(self.out.contains(text), "no `{text}` in\n{self}");
        }
        self
    }

    /// Asserts that neither output contains one of these texts.
    #[track_caller]
    pub(crate) fn never_says(self, texts: impl Texts) -> Ended {
        for text in texts.list() {
            let silent = !self.out.contains(text) && !self.err.contains(text);
            assert!(silent, "`{text}` in\n{self}");
        }
        self
    }

    /// Asserts that the error output contains these texts.
    #[track_caller]
    pub(crate) fn complains(self, texts: impl Texts) -> Ended {
        for text in texts.list() {
            assert!(self.err.contains(text), "no `{text}` in\n{self}");
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
    fn list(&self) -> Vec<&str>;
}

impl Texts for &str {
    fn list(&self) -> Vec<&str> {
        vec![self]
    }
}

impl Texts for &String {
    fn list(&self) -> Vec<&str> {
        vec![self]
    }
}

impl<const N: usize> Texts for [&str; N] {
    fn list(&self) -> Vec<&str> {
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

/// Returns a command that runs the program in `folder`, without the user's settings and trusted
/// files.
pub(crate) fn command(folder: &Path, arguments: impl Arguments) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments.list()).current_dir(folder);
    for variable in ["HATTARI_BOTS", "HATTARI_LOG"] {
        command.env_remove(variable);
    }
    command.env("HATTARI_STATE", folder.join(".state"));
    command
        .env("XDG_DATA_HOME", folder.join(".share"))
        .env("XDG_DATA_DIRS", folder.join(".system"));
    command.env("XDG_CACHE_HOME", cache());
    command
}

/// Returns the folder for caches of the programs that tests start. Tests share it, and it is never
/// the user's own.
pub(crate) fn cache() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
}

/// Runs the program in `folder` to its end.
pub(crate) fn hattari(folder: &Path, arguments: impl Arguments) -> Ended {
    ended(&mut command(folder, arguments))
}

/// Runs a command to its end.
pub(crate) fn ended(command: &mut Command) -> Ended {
    Ended::of(&command.output().expect("the program starts"))
}
