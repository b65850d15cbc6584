//! Reports: one format, one file; one section, one file (`sections/`). Nothing is computed here;
//! every format prints the same standings.

pub mod csv;
mod figures;
pub mod html;
pub mod json;
pub mod markdown;
mod part;
pub mod sections;
mod shown;
pub mod svg;
pub mod table;
pub mod terminal;

use crate::replay::pick::Picked;
use crate::standings::Standings;
use hattari_play::samples::Samples;
use sections::Detail;
pub use shown::Shown;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;
use terminal::Screen;

/// A format of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportFormat {
    /// Tables as wide as the terminal.
    #[default]
    Terminal,
    /// Everything, for programs.
    Json,
    /// Files for spreadsheets, in a folder.
    Csv,
    /// Tables for files that are kept.
    Markdown,
    /// A page with figures, one file.
    Html,
}

impl ReportFormat {
    /// All of them: the name by which each is asked for, and what it is.
    pub const NAMED: [(&str, &str, ReportFormat); 5] = [
        (
            "terminal",
            "Tables as wide as the terminal",
            ReportFormat::Terminal,
        ),
        ("json", "Everything, for programs", ReportFormat::Json),
        (
            "csv",
            "Files for spreadsheets, in a folder",
            ReportFormat::Csv,
        ),
        (
            "markdown",
            "Tables for files that are kept",
            ReportFormat::Markdown,
        ),
        ("html", "A page with figures, one file", ReportFormat::Html),
    ];

    /// What is meant where only a place to write to is named: what the file's ending says, tables
    /// for the terminal where that says nothing. A folder for [`ReportFormat::Csv`] has no
    /// ending.
    #[must_use]
    pub fn of_file(file: Option<&Path>) -> ReportFormat {
        match file
            .and_then(Path::extension)
            .and_then(|ending| ending.to_str())
        {
            Some("html" | "htm") => ReportFormat::Html,
            Some("md" | "markdown") => ReportFormat::Markdown,
            Some("json") => ReportFormat::Json,
            _ => ReportFormat::Terminal,
        }
    }
}

/// What a report is printed from.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// What it says.
    pub standings: &'a Standings,
    /// The numbers behind it.
    pub samples: &'a Samples,
    /// Games that a page shows; `None` where there are no bots to play them again.
    pub replays: Option<&'a Picked>,
}

/// Why a report was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Several files cannot go to standard output.
    #[error("csv writes several files: say into which folder (--output FOLDER)")]
    NoFolder,
    /// A file or folder cannot be written.
    #[error("`{path}` cannot be written: {error}")]
    File {
        /// Its path.
        path: String,
        /// Why not.
        error: std::io::Error,
    },
    /// Standard output cannot be written.
    #[error("standard output cannot be written: {0}")]
    Output(std::io::Error),
}

impl Report<'_> {
    /// Prints the short report that a run ends with, as wide as the terminal.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn print_brief(&self) -> Result<(), WriteError> {
        print(&terminal::render(
            &sections::brief(self),
            Screen::of_stdout(),
        ))
        .map_err(WriteError::Output)
    }

    /// Writes the report to `output`, a file (for CSV a folder), or to standard output.
    ///
    /// # Errors
    /// It cannot be written. That nobody reads standard output to its end is no error.
    pub fn write(
        &self,
        format: ReportFormat,
        output: Option<&Path>,
        per_line_up: bool,
    ) -> Result<(), WriteError> {
        let screen = if output.is_some() {
            Screen::plain()
        } else {
            Screen::of_stdout()
        };
        let sections = |full| {
            sections::sections(
                self,
                Detail {
                    per_line_up,
                    full,
                    ..Detail::default()
                },
            )
        };
        let text = match format {
            ReportFormat::Terminal => terminal::render(&sections(false), screen),
            ReportFormat::Markdown => markdown::render(&sections(true)),
            ReportFormat::Html => html::render(self),
            ReportFormat::Json => {
                return match output {
                    Some(path) => {
                        let file = |error| WriteError::File {
                            path: path.display().to_string(),
                            error,
                        };
                        let mut to = BufWriter::new(File::create(path).map_err(file)?);
                        json::write(&mut to, self.standings, self.samples)
                            .and_then(|()| to.flush())
                            .map_err(file)
                    }
                    None => {
                        let mut to = BufWriter::new(std::io::stdout().lock());
                        let written = json::write(&mut to, self.standings, self.samples)
                            .and_then(|()| to.flush());
                        match written {
                            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                            done => done.map_err(WriteError::Output),
                        }
                    }
                };
            }
            ReportFormat::Csv => {
                let folder = output.ok_or(WriteError::NoFolder)?;
                let file = |error| WriteError::File {
                    path: folder.display().to_string(),
                    error,
                };
                return csv::write(folder, self.standings, self.samples).map_err(file);
            }
        };
        match output {
            Some(path) => {
                let file = |error| WriteError::File {
                    path: path.display().to_string(),
                    error,
                };
                hattari_agents::files::write(path, text).map_err(file)
            }
            None => print(&text).map_err(WriteError::Output),
        }
    }
}

fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}
