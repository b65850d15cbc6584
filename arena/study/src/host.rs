//! Interface between studies and the program that runs them.

use hattari_report::report::PrintedResult;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A function that returns a flag, which is set when the user stops a study.
pub type StopFlag = fn() -> anyhow::Result<Arc<AtomicBool>>;

/// The result of a study.
#[derive(Debug)]
pub struct Findings {
    /// The output to print.
    pub shown: PrintedResult,
    /// The outcome of the study.
    pub end: End,
}

/// The outcome of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The study is complete.
    Done,
    /// Some computed numbers differ from the recorded ones.
    Differs,
    /// The user stopped the study.
    Interrupted,
}

impl From<PrintedResult> for Findings {
    fn from(shown: PrintedResult) -> Findings {
        let end = End::Done;
        Findings { shown, end }
    }
}
