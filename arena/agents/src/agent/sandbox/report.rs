//! The report of a sandbox: its measures, and which of them hold.

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

/// The measures of a sandbox, and whether each holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandboxed {
    /// All that was tried.
    pub measures: Vec<Measure>,
}

/// Name of the measure that the host relies on to tell a bot's own doing from others'.
pub const SYSTEM_CALLS: &str = "system calls (seccomp)";

impl Sandboxed {
    /// The measures that do not hold, or not whole.
    pub fn missing(&self) -> impl Iterator<Item = &Measure> {
        self.measures.iter().filter(|measure| !measure.holds)
    }

    /// Whether the bot can do nothing with the system but what playing needs: no process, no thread
    /// that it was not granted.
    #[must_use]
    pub(crate) fn holds_system_calls(&self) -> bool {
        self.measures
            .iter()
            .any(|measure| measure.name == SYSTEM_CALLS && measure.holds)
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn note(&mut self, name: &str, outcome: Result<String, String>) {
        let holds = outcome.is_ok();
        let (Ok(text) | Err(text)) = outcome;
        self.measures.push(Measure {
            name: name.to_owned(),
            holds,
            text,
        });
    }
}
