//! Messages about the isolation of bots.

use hattari_agents::agent::ProcessReport;
use hattari_agents::text::quoted;
use std::collections::BTreeMap;

/// The entrants of a league that run in separate processes, and the restrictions of the sandbox
/// that this system cannot enforce.
#[derive(Default)]
pub(super) struct IsolationSummary {
    entrants: Vec<String>,
    /// Names of entrants, by missing restriction and reason.
    missing: BTreeMap<(String, String), Vec<String>>,
}

impl IsolationSummary {
    /// Adds an entrant, unless it runs in this process (`process_report` is `None`).
    pub(super) fn add(&mut self, entrant: &str, process_report: Option<&ProcessReport>) {
        let Some(process_report) = process_report else {
            return;
        };
        self.entrants.push(entrant.to_owned());
        for restriction in process_report.sandbox.missing() {
            let key = (restriction.name.clone(), restriction.text.clone());
            self.missing
                .entry(key)
                .or_default()
                .push(entrant.to_owned());
        }
    }

    /// Returns a line that lists the entrants in separate processes, or `None` if there are none.
    pub(super) fn summary(&self) -> Option<String> {
        let names = quoted(self.entrants.iter().map(String::as_str));
        let note = if self.missing.is_empty() {
            "; all limits are enforced"
        } else {
            ""
        };
        (!self.entrants.is_empty()).then(|| format!("in separate processes: {names}{note}"))
    }

    /// Logs a warning for each missing restriction.
    pub(super) fn warn(&self) {
        for ((name, reason), entrants) in &self.missing {
            let who = quoted(entrants.iter().map(String::as_str));
            tracing::warn!(
                "isolation of {who}: the restriction `{name}` cannot be enforced ({reason})"
            );
        }
    }
}
