//! Interface between studies and the program that runs them.

use hattari_report::report::PrintedResult;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A function that returns a flag, which is set when the user stops a study.
pub type StopFlag = fn() -> anyhow::Result<Arc<AtomicBool>>;

/// The result of a study.
#[derive(Debug)]
pub struct StudyResult {
    /// The output to print.
    pub output: PrintedResult,
    /// The outcome of the study.
    pub end: StudyOutcome,
}

/// The outcome of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyOutcome {
    /// The study is complete.
    Done,
    /// Some computed numbers differ from the recorded ones.
    Differs,
    /// The user stopped the study.
    Interrupted,
}

/// The error of a study that the user stopped before it had a result.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

impl From<PrintedResult> for StudyResult {
    fn from(shown: PrintedResult) -> StudyResult {
        let end = StudyOutcome::Done;
        StudyResult { output: shown, end }
    }
}
