//! How bots are hosted, in words.

use hattari_agents::agent::Hosting;
use hattari_agents::text::quoted;
use std::collections::BTreeMap;

/// The entrants of a league that play in processes of their own, and what does not hold them.
#[derive(Debug, Default)]
pub(super) struct Isolated {
    entrants: Vec<String>,
    /// What is missing and why, with who lacks it.
    missing: BTreeMap<(String, String), Vec<String>>,
}

impl Isolated {
    /// Notes an entrant.
    pub(super) fn add(&mut self, entrant: &str, hosting: Option<&Hosting>) {
        let Some(hosting) = hosting else { return };
        self.entrants.push(entrant.to_owned());
        for measure in hosting.jail.missing() {
            let key = (measure.name.clone(), measure.text.clone());
            self.missing
                .entry(key)
                .or_default()
                .push(entrant.to_owned());
        }
    }

    /// Who plays in a process of its own; `None` where nobody does.
    pub(super) fn tell(&self) -> Option<String> {
        let names = quoted(self.entrants.iter().map(String::as_str));
        let held = if self.missing.is_empty() {
            "; all limits hold"
        } else {
            ""
        };
        (!self.entrants.is_empty()).then(|| format!("in processes of their own: {names}{held}"))
    }

    /// Warns of everything that does not hold.
    pub(super) fn warn(&self) {
        for ((name, why), entrants) in &self.missing {
            let who = quoted(entrants.iter().map(String::as_str));
            tracing::warn!("isolation of {who}: no limit of {name}: {why}");
        }
    }
}
