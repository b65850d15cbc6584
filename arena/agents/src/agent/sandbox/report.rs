//! The report of a sandbox: its restrictions and which of them are in effect.

use serde::{Deserialize, Serialize};

/// A restriction and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// Name of the restriction.
    pub name: String,
    /// `true` if the restriction is completely in effect.
    pub holds: bool,
    /// Extent of the restriction, or the reason why it is not in effect.
    pub text: String,
}

/// The restrictions of a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxReport {
    /// All restrictions, whether in effect or not.
    pub measures: Vec<Measure>,
}

/// Name of the restriction of system calls. If it is in effect, the bot cannot have killed its own
/// process.
pub const SYSTEM_CALLS: &str = "system calls (seccomp)";

impl SandboxReport {
    /// Returns the restrictions that are not, or not completely, in effect.
    pub fn missing(&self) -> impl Iterator<Item = &Measure> {
        self.measures.iter().filter(|measure| !measure.holds)
    }

    /// Returns `true` if system calls are restricted, so that the bot cannot start processes or
    /// more threads than granted.
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
