//! What studies share with the program that runs them.

use hattari_report::report::Shown;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Returns a flag that the user sets to stop a study.
pub type StopFlag = fn() -> anyhow::Result<Arc<AtomicBool>>;

/// A study's result.
#[derive(Debug)]
pub struct Findings {
    /// What is printed.
    pub shown: Shown,
    /// How the study ended.
    pub end: End,
}

/// How a study ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was computed.
    Done,
    /// Something differs from what was recorded.
    Differs,
    /// The user stopped it.
    Interrupted,
}

impl From<Shown> for Findings {
    fn from(shown: Shown) -> Findings {
        let end = End::Done;
        Findings { shown, end }
    }
}
