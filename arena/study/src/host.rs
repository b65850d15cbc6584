//! Interface between studies and the program that runs them.

use anyhow::Context;
use hattari_agents::files::NewFile;
use hattari_report::report::PrintedResult;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A function that returns a flag, which is set when the user stops a study.
pub(crate) type StopFlag = fn() -> anyhow::Result<Arc<AtomicBool>>;

/// The result of a study.
#[derive(Debug)]
pub struct StudyResult {
    /// The output to print.
    pub output: PrintedResult,
    /// The outcome of the study.
    pub end: Outcome,
}

/// The outcome of a command, which determines the exit code.
#[derive(Debug)]
pub enum Outcome {
    /// Success: exit code 0.
    Done,
    /// The command succeeded and found problems of the kind that it looks for (mismatches, faults):
    /// exit code 1.
    Found,
    /// The user stopped the command; finished work is kept: exit code 130.
    Interrupted,
}

impl Outcome {
    /// Returns [`Outcome::Found`] if `found` is true, otherwise [`Outcome::Done`].
    pub fn of_search(found: bool) -> Outcome {
        if found { Outcome::Found } else { Outcome::Done }
    }
}

/// The result of a command: its outcome, or an error that is printed.
pub type CommandResult = anyhow::Result<Outcome>;

/// The error of a command that the user stopped, and that has no result then: exit code 130.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

impl Interrupted {
    /// Returns this error if `stop` is set.
    ///
    /// # Errors
    /// Returns the error that the user stopped the command.
    pub fn check(stop: &AtomicBool) -> Result<(), Interrupted> {
        if stop.load(Ordering::Relaxed) {
            Err(Interrupted)
        } else {
            Ok(())
        }
    }
}

impl From<PrintedResult> for StudyResult {
    fn from(shown: PrintedResult) -> StudyResult {
        let end = Outcome::Done;
        StudyResult { output: shown, end }
    }
}

/// Results to whose errors the path of a file can be added.
pub trait AtPath<T> {
    /// Adds `path` to the error.
    ///
    /// # Errors
    /// Returns the error, which begins with `path`.
    fn at(self, path: &Path) -> anyhow::Result<T>;
}

impl<T, E> AtPath<T> for Result<T, E>
where
    Result<T, E>: Context<T, E>,
{
    fn at(self, path: &Path) -> anyhow::Result<T> {
        self.with_context(|| path.display().to_string())
    }
}

/// Writes a table as CSV. An existing file is replaced when the new file is complete.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_csv(
    path: &Path,
    rows: impl IntoIterator<Item: IntoIterator<Item = String>>,
) -> anyhow::Result<()> {
    let mut file = NewFile::create(path)?;
    let mut writer = csv::Writer::from_writer(&mut file);
    for row in rows {
        writer.write_record(row)?;
    }
    writer.flush()?;
    drop(writer);
    Ok(file.finish()?)
}
