//! The report of a sandbox: its restrictions and which of them are in effect.

use serde::{Deserialize, Serialize};

/// A restriction of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restriction {
    /// Name of the restriction.
    pub name: String,
    /// `true` if the restriction is completely in effect.
    #[serde(rename = "holds")]
    pub is_in_effect: bool,
    /// Extent of the restriction, or the reason why it is not in effect.
    pub text: String,
}

/// The restrictions of a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxReport {
    /// All restrictions, whether in effect or not.
    #[serde(rename = "measures")]
    pub restrictions: Vec<Restriction>,
}

/// Name of the restriction of system calls. If it is in effect, the bot cannot have killed its own
/// process.
pub const SYSTEM_CALLS: &str = "system calls (seccomp)";

impl SandboxReport {
    /// Returns the restrictions that are not, or not completely, in effect.
    pub fn missing(&self) -> impl Iterator<Item = &Restriction> {
        self.restrictions
            .iter()
            .filter(|restriction| !restriction.is_in_effect)
    }

    /// Returns `true` if system calls are restricted, so that the bot cannot start processes or
    /// more threads than granted.
    pub(crate) fn restricts_system_calls(&self) -> bool {
        self.restrictions
            .iter()
            .any(|restriction| restriction.name == SYSTEM_CALLS && restriction.is_in_effect)
    }

    /// Adds a restriction with its extent, or with the reason why it is not in effect.
    #[cfg(target_os = "linux")]
    pub(crate) fn note(&mut self, name: &str, outcome: Result<String, String>) {
        let is_in_effect = outcome.is_ok();
        let (Ok(text) | Err(text)) = outcome;
        self.restrictions.push(Restriction {
            name: name.to_owned(),
            is_in_effect,
            text,
        });
    }
}
