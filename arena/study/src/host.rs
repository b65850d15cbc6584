//! Interface between studies and the program that runs them.

use hattari_report::report::PrintedResult;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The error of a command that the user stopped, and that has no result then: exit code 130.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

impl From<PrintedResult> for StudyResult {
    fn from(shown: PrintedResult) -> StudyResult {
        let end = Outcome::Done;
        StudyResult { output: shown, end }
    }
}
