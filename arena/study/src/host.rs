//! Interface between studies and the program that runs them.

use hattari_play::league::League;
use hattari_play::store::Store;
use hattari_report::report::Shown;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Functions that studies need from the program that runs them.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Opens the results of a league. The first path is a league file or a store. The second path
    /// is the store of the league, if it is not next to the league file.
    pub open: fn(&Path, Option<&Path>) -> anyhow::Result<(Option<League>, Store)>,
    /// Returns a flag that is set when the user stops a study.
    pub stop_flag: fn() -> anyhow::Result<Arc<AtomicBool>>,
}

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
