//! What holds a stranger's code. The keeper enters name spaces (`spaces`); each process that it
//! starts gives up what it can and sets its last filter (`hold`, `calls`) before a byte of the
//! library is mapped; the keeper opens the files that loading needs on its behalf (`opener`) and
//! looks from outside at what holds it once it is loaded (`status`).

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
pub(in crate::agent) mod filters;
#[cfg(target_os = "linux")]
mod hold;
#[cfg(target_os = "linux")]
mod opener;
#[cfg(target_os = "linux")]
mod spaces;
#[cfg(target_os = "linux")]
mod status;

#[cfg(target_os = "linux")]
pub(super) use {
    calls::{FILTERS, can_be_supervised},
    hold::{Terms, flush_outputs, hold, put_in_place},
    opener::{Copies, Opener, file_ranges},
    spaces::{Spaces, enter},
};
#[cfg(target_os = "linux")]
pub(in crate::agent) use {
    spaces::{give_up_root, map_user},
    status::{Status, filters_of_this_process},
};

use serde::{Deserialize, Serialize};

/// A measure, and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// What it is about.
    pub name: String,
    /// Whether it holds.
    pub holds: bool,
    /// How far it goes, or why it does not hold.
    pub text: String,
}

/// The measures that hold a worker, and those that do not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jailed {
    /// All that was tried.
    pub measures: Vec<Measure>,
}

/// Name of the measure that the host relies on to tell a bot's own doing from others'.
pub const SYSTEM_CALLS: &str = "system calls (seccomp)";

impl Jailed {
    /// The measures that do not hold, or not whole.
    pub fn missing(&self) -> impl Iterator<Item = &Measure> {
        self.measures.iter().filter(|measure| !measure.holds)
    }

    /// Whether the bot can do nothing with the system but what playing needs: no process, no thread
    /// that it was not granted.
    #[must_use]
    pub fn holds_system_calls(&self) -> bool {
        self.measures
            .iter()
            .any(|measure| measure.name == SYSTEM_CALLS && measure.holds)
    }

    #[cfg(target_os = "linux")]
    pub(in crate::agent) fn note(&mut self, name: &str, outcome: Result<String, String>) {
        let holds = outcome.is_ok();
        let (Ok(text) | Err(text)) = outcome;
        self.measures.push(Measure {
            name: name.to_owned(),
            holds,
            text,
        });
    }
}
