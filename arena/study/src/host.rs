//! Interface between studies and the program that runs them.

use hattari_report::report::Shown;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Returns a flag that is set when the user stops a study.
pub type StopFlag = fn() -> anyhow::Result<Arc<AtomicBool>>;

/// The result of a study.
#[derive(Debug)]
pub struct Findings {
    /// The output to print.
    pub shown: Shown,
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

impl From<Shown> for Findings {
    fn from(shown: Shown) -> Findings {
        let end = End::Done;
        Findings { shown, end }
    }
}
