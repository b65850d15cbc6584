//! Reports: one file per format, and one file per section in `sections/`. All formats print the
//! same standings. Only pages show more: distributions of block means and scores over blocks, which
//! their sections compute from samples.

pub mod csv;
pub mod figure_files;
mod figures;
pub mod html;
pub mod json;
pub(crate) mod latex;
pub mod markdown;
mod part;
pub mod sections;
mod shown;
pub mod svg;
pub mod table;
pub mod terminal;

use crate::replay::pick::PickedGames;
use crate::standings::Standings;
use hattari_agents::files::NewFile;
use hattari_play::samples::Samples;
use sections::{Audience, Detail};
pub use shown::PrintedResult;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;
use terminal::Screen;

/// A format in which a report can be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportFormat {
    /// Tables that fit the width of the terminal.
    #[default]
    Terminal,
    /// All results as JSON.
    Json,
    /// Files for spreadsheets, in a folder.
    Csv,
    /// Tables in Markdown.
    Markdown,
    /// A page with figures, in one file.
    Html,
    /// Tables and a methods paragraph for papers.
    Latex,
}

impl ReportFormat {
    /// All formats: name, description and format.
    pub const NAMED: [(&str, &str, ReportFormat); 6] = [
        (
            "terminal",
            "Tables fitted to the width of the terminal",
            ReportFormat::Terminal,
        ),
        ("json", "All results, for programs", ReportFormat::Json),
        (
            "csv",
            "CSV files in a folder, for spreadsheets",
            ReportFormat::Csv,
        ),
        ("markdown", "Markdown tables", ReportFormat::Markdown),
        (
            "html",
            "Web page with figures, in one file",
            ReportFormat::Html,
        ),
        (
            "latex",
            "Tables and a methods paragraph for papers, to include in a LaTeX file",
            ReportFormat::Latex,
        ),
    ];

    /// Returns the format for the extension of an output file; [`ReportFormat::Terminal`] for other
    /// extensions and without a file. [`ReportFormat::Csv`] writes a folder and has no extension.
    pub fn of_file(file: Option<&Path>) -> ReportFormat {
        match file
            .and_then(Path::extension)
            .and_then(|ending| ending.to_str())
        {
            Some("html" | "htm") => ReportFormat::Html,
            Some("md" | "markdown") => ReportFormat::Markdown,
            Some("json") => ReportFormat::Json,
            Some("tex") => ReportFormat::Latex,
            _ => ReportFormat::Terminal,
        }
    }
}

/// The data of a report.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// Results that the report shows.
    pub standings: &'a Standings,
    /// The samples behind the results.
    pub samples: &'a Samples,
    /// Games to show on a page; `None` if there are no bots to replay them.
    pub replays: Option<&'a PickedGames>,
}

impl<'a> From<&Report<'a>> for &'a Standings {
    fn from(report: &Report<'a>) -> &'a Standings {
        report.standings
    }
}

/// An error while writing a report: a file, a folder or standard output cannot be written, or the
/// folder of the CSV files is missing.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WriteError(String);

impl Report<'_> {
    /// Prints the short report at the end of a run, fitted to the terminal.
    ///
    /// # Errors
    /// Returns an error if standard output cannot be written.
    pub fn print_brief(&self) -> Result<(), WriteError> {
        let sections = sections::brief(self.standings);
        print(&terminal::render(&sections, Screen::of_stdout()))
    }

    /// Writes the report to `output` (a file, for CSV a folder) or to standard output. With
    /// `per_line_up`, text reports also show the results of each line-up.
    ///
    /// # Errors
    /// Returns an error if the report cannot be written. A closed pipe at standard output is no
    /// error.
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
        let sections = |audience| {
            let detail = Detail {
                per_line_up,
                audience,
            };
            sections::sections(self, detail)
        };
        let text = match format {
            ReportFormat::Terminal => terminal::render(&sections(Audience::Screen), screen),
            ReportFormat::Markdown => markdown::render(&sections(Audience::File)),
            ReportFormat::Html => html::render(self),
            ReportFormat::Latex => {
                latex::render(self.standings, &sections::for_papers(self.standings))
            }
            ReportFormat::Json => {
                let write = |to: &mut dyn Write| {
                    let mut to = BufWriter::new(to);
                    json::write(&mut to, self.standings, self.samples).and_then(|()| to.flush())
                };
                return match output {
                    Some(path) => (NewFile::create(path))
                        .and_then(|mut file| write(&mut file).and_then(|()| file.finish()))
                        .map_err(|error| file_error(path, error)),
                    None => ignore_closed_pipe(write(&mut std::io::stdout().lock())),
                };
            }
            ReportFormat::Csv => {
                let no_folder =
                    "the csv format writes several files: give a folder with `--output FOLDER`";
                let folder = output.ok_or_else(|| WriteError(no_folder.to_owned()))?;
                return csv::write(folder, self.standings, self.samples)
                    .map_err(|error| file_error(folder, error));
            }
        };
        match output {
            Some(path) => {
                hattari_agents::files::write(path, text).map_err(|error| file_error(path, error))
            }
            None => print(&text),
        }
    }
}

fn file_error(path: &Path, error: std::io::Error) -> WriteError {
    WriteError(format!("`{}` cannot be written: {error}", path.display()))
}

/// Writes text to standard output.
fn print(text: &str) -> Result<(), WriteError> {
    let mut out = std::io::stdout().lock();
    ignore_closed_pipe(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Ignores the error that the reader of standard output has closed the pipe.
fn ignore_closed_pipe(written: std::io::Result<()>) -> Result<(), WriteError> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => {
            done.map_err(|error| WriteError(format!("standard output cannot be written: {error}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_play::mock::Folder;
    use hattari_play::samples::read_scores;
    use std::fs;

    #[test]
    fn a_json_report_replaces_an_existing_file_when_it_is_complete() {
        let samples = read_scores("block,a,b\n1,1,3\n".as_bytes()).expect("valid scores");
        let standings = Standings::default();
        let report = Report {
            standings: &standings,
            samples: &samples,
            replays: None,
        };
        let folder = Folder::new("[first, last]");
        let (path, old) = (folder.path("report.json"), folder.path("old.json"));
        fs::write(&path, "old").expect("the folder is writable");
        fs::hard_link(&path, &old).expect("the folder is writable");
        let written = report.write(ReportFormat::Json, Some(&path), false);
        written.expect("the folder is writable");
        let text = fs::read_to_string(&path).expect("a report");
        assert!(text.starts_with('{'), "{text}");
        // The old file itself is not changed.
        assert_eq!(fs::read_to_string(&old).expect("a text"), "old");
    }
}
