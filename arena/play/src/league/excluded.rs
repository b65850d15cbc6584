//! Entrants that cannot take part, and their removal from a league.

use super::{Entrant, League, NamedEntrants, Sequential};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The policy for an entrant whose bot cannot be found or started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnError {
    /// The entrant is left out.
    Exclude,
    /// The league is not played.
    #[default]
    Stop,
}

/// An entrant that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Excluded {
    /// The entrant's name.
    pub name: String,
    /// The entrant's bot, as the league names it.
    pub bot: String,
    /// The problem with the bot.
    pub reason: String,
}

impl Excluded {
    /// Creates the entry for an entrant that is left out because of `reason`.
    pub fn new(entrant: &Entrant, reason: impl Into<String>) -> Excluded {
        Excluded {
            name: entrant.name.clone(),
            bot: entrant.bot.clone(),
            reason: reason.into(),
        }
    }
}

impl std::fmt::Display for Excluded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Excluded { name, bot, reason } = self;
        if name == bot || reason.contains(bot) {
            write!(f, "`{name}`: {reason}")
        } else {
            write!(f, "`{name}` ({bot}): {reason}")
        }
    }
}

impl League {
    /// Excludes the entrants that were excluded when the league was played, if `on_error` is still
    /// `exclude`.
    pub fn exclude_again(&mut self, excluded: &[Excluded]) {
        if self.on_error == OnError::Exclude {
            // The league was played without these entrants, so the removal succeeds.
            _ = self.exclude(excluded.to_vec());
        }
    }

    /// Removes entrants as if they had never been listed, and adds them to [`League::excluded`].
    ///
    /// # Errors
    /// Returns a message if too few entrants are left, or if an excluded entrant has a fixed seat.
    pub fn exclude(&mut self, excluded: Vec<Excluded>) -> Result<(), String> {
        if excluded.is_empty() {
            return Ok(());
        }
        self.remove_entrants(&excluded)
            .map_err(|reason| with_excluded(&reason, &excluded))?;
        self.excluded.extend(excluded);
        super::formats::check_size(self)
            .map_err(|problem| with_excluded(&problem.message, &self.excluded))
    }

    /// Removes entrants from the league, its format and its comparisons.
    fn remove_entrants(&mut self, excluded: &[Excluded]) -> Result<(), String> {
        let excluded: BTreeSet<&String> = excluded.iter().map(|entry| &entry.name).collect();
        let remains = |name: &String| !excluded.contains(name);
        let NamedEntrants {
            table_size,
            field,
            lists,
            rounds,
        } = self.format.named_entrants();
        if let Some(name) = field.iter().find(|&name| !remains(name)) {
            return Err(format!(
                "`{name}` cannot be excluded, because it is in the `field` of the format"
            ));
        }
        let count = self
            .entrants
            .iter()
            .filter(|entrant| remains(&entrant.name))
            .count();
        if let Some(size) = table_size.filter(|&size| count < size) {
            return Err(format!(
                "only {count} entrants are left for tables of {size}"
            ));
        }
        self.entrants.retain(|entrant| remains(&entrant.name));
        let mut is_emptied = false;
        for list in lists {
            let was_empty = list.is_empty();
            list.retain(remains);
            is_emptied |= list.is_empty() && !was_empty;
        }
        for round_by_entrant in rounds {
            round_by_entrant.retain(|name, _| remains(name));
        }
        if let Some(Sequential { pairs, .. }) = &mut self.sequential {
            let was_empty = pairs.is_empty();
            pairs.retain(|pair| pair.iter().all(remains));
            is_emptied |= pairs.is_empty() && !was_empty;
        }
        // An empty list would mean all entrants, or none.
        if is_emptied {
            return Err("no entrant is left in a list of `format` or `sequential`".to_owned());
        }
        Ok(())
    }
}

/// Formats the reason why a league cannot be played, with the excluded entrants.
fn with_excluded(message: &str, excluded: &[Excluded]) -> String {
    let lines: String = excluded
        .iter()
        .map(|excluded| format!("\n      {excluded}"))
        .collect();
    format!("{message}; excluded:{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excluded_entrant_is_described_with_its_file_exactly_once() {
        for (name, bot, reason, text) in [
            ("a", "a", "no such bot", "`a`: no such bot"),
            (
                "a",
                "in/a.lua",
                "does not start",
                "`a` (in/a.lua): does not start",
            ),
            (
                "a",
                "in/a.lua",
                "x/in/a.lua: line 2: wrong",
                "`a`: x/in/a.lua: line 2: wrong",
            ),
        ] {
            let excluded = Excluded {
                name: name.into(),
                bot: bot.into(),
                reason: reason.into(),
            };
            assert_eq!(excluded.to_string(), text);
        }
    }
}
