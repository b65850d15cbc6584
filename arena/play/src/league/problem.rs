//! Problems in league files, with remedies for their authors.

use std::fmt;
use std::path::{Path, PathBuf};

/// Maximum number of quoted characters of a line.
const LINE_MAX: usize = 300;

/// A position in the text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// Number of the line.
    pub line: usize,
    /// Number of the character in the line.
    pub column: usize,
}

impl TextPosition {
    /// Returns the position of the character after `start`, the start of a text.
    pub(super) fn after(start: &str) -> TextPosition {
        let line_start = start.rfind('\n').map_or(0, |newline| newline + 1);
        TextPosition {
            line: 1 + start.matches('\n').count(),
            column: 1 + start[line_start..].chars().count(),
        }
    }
}

/// A problem in a league file.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Place in the text; `None` for the whole file.
    pub position: Option<TextPosition>,
    /// Cause, with the key or value that is wrong.
    pub message: String,
    /// Advice to the author on how to correct the file.
    pub remedy: String,
}

impl Problem {
    /// Creates a problem of the whole file.
    pub fn of_file(message: impl Into<String>, remedy: impl Into<String>) -> Problem {
        Problem::at(None, message, remedy)
    }

    /// Creates a problem at a position.
    pub(super) fn at(
        position: Option<TextPosition>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Problem {
        Problem {
            position,
            message: message.into(),
            remedy: remedy.into(),
        }
    }
}

/// All problems of a league file.
#[derive(Debug)]
pub struct LeagueError {
    /// Path of the league file.
    pub path: PathBuf,
    /// Problems in the order of their positions; those without a position come first.
    pub problems: Vec<Problem>,
    /// Text of the file; empty if it could not be read.
    text: String,
    /// First line of the message: the operation that failed.
    headline: &'static str,
}

impl LeagueError {
    /// Creates the error for the league at `path`. `text` is empty if the file could not be read.
    pub fn new(path: &Path, text: &str, mut problems: Vec<Problem>) -> LeagueError {
        problems.sort_by_key(|problem| problem.position);
        LeagueError {
            path: path.to_owned(),
            problems,
            text: text.to_owned(),
            headline: "cannot read the league",
        }
    }

    /// Changes the headline for a league that can be read but not played.
    #[must_use]
    pub fn as_play_error(self) -> LeagueError {
        LeagueError {
            headline: "the league cannot be played",
            ..self
        }
    }
}

impl fmt::Display for LeagueError {
    /// Writes `file:line:column: message`, the line and the remedy for each problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.problems.len() {
            1 => writeln!(f, "{}", self.headline)?,
            n => writeln!(f, "{}: {n} problems", self.headline)?,
        }
        for Problem {
            position,
            message,
            remedy,
        } in &self.problems
        {
            write!(f, "\n{path}:")?;
            if let Some(TextPosition { line, column }) = position {
                write!(f, "{line}:{column}:")?;
            }
            write!(f, " {message}")?;
            let number = position.and_then(|position| position.line.checked_sub(1));
            let line = number
                .and_then(|number| self.text.lines().nth(number))
                .unwrap_or_default()
                .trim_end();
            match line.char_indices().nth(LINE_MAX) {
                Some((end, _)) => write!(f, "\n    | {}…", &line[..end])?,
                None if line.is_empty() => {}
                None => write!(f, "\n    | {line}")?,
            }
            write!(f, "\n    = {remedy}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LeagueError {}
