//! Entrants that cannot take part, and their removal from a league.

use super::{Challenge, Duel, Entrant, Format, League, Pairs, Race, RoundRobin, Sequential, Swiss};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The policy for an entrant whose bot cannot be found or started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnError {
    /// The entrant is left out.
    Exclude,
    /// The league is not played.
    #[default]
    Stop,
}

impl OnError {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde calls it with a reference"
    )]
    pub(super) fn is_default(&self) -> bool {
        *self == OnError::default()
    }
}

/// An entrant that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    #[must_use]
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
        let excluded_names: BTreeSet<String> = excluded
            .iter()
            .map(|excluded| excluded.name.clone())
            .collect();
        let told = |why: String| with_excluded(&why, &excluded);
        let field = match &self.format {
            Format::Duel(format) => &format.field[..],
            Format::Challenge(format) => &format.field,
            Format::Race(format) => &format.field,
            _ => &[],
        };
        if let Some(seated) = field.iter().find(|name| excluded_names.contains(*name)) {
            return Err(told(format!(
                "`{seated}` cannot be excluded, because it is in the `field` of the format"
            )));
        }
        let size = match &self.format {
            Format::LineUps(format) => format.size,
            Format::Swiss(format) => format.size,
            Format::Knockout(format) => format.size,
            Format::Ladder(format) => format.size,
            Format::RoundRobin(format) => format.size,
            _ => 1,
        };
        let left = self
            .entrants
            .iter()
            .filter(|entrant| !excluded_names.contains(&entrant.name))
            .count();
        if left < size {
            return Err(told(format!(
                "only {left} entrants are left for tables of {size}"
            )));
        }
        self.entrants
            .retain(|entrant| !excluded_names.contains(&entrant.name));
        let mut is_emptied = false;
        let mut remove_names = |names: &mut Vec<String>| {
            let before = names.len();
            names.retain(|name| !excluded_names.contains(name));
            is_emptied |= names.is_empty() && 0 < before;
        };
        let leave_rounds = |rounds: &mut BTreeMap<String, u32>| {
            rounds.retain(|name, _| !excluded_names.contains(name))
        };
        match &mut self.format {
            Format::LineUps(format) => format.require.iter_mut().for_each(&mut remove_names),
            Format::Duel(Duel { a, b, .. }) | Format::Pairs(Pairs { a, b }) => {
                [a, b].into_iter().for_each(&mut remove_names)
            }
            Format::Challenge(Challenge { challengers, .. })
            | Format::Race(Race { challengers, .. }) => remove_names(challengers),
            Format::Swiss(Swiss {
                late, withdrawn, ..
            })
            | Format::RoundRobin(RoundRobin {
                late, withdrawn, ..
            }) => [late, withdrawn].into_iter().for_each(leave_rounds),
            Format::Knockout(format) => leave_rounds(&mut format.withdrawn),
            Format::Ladder(format) => {
                remove_names(&mut format.entrants);
                leave_rounds(&mut format.withdrawn);
            }
        }
        if let Some(Sequential { pairs, .. }) = &mut self.sequential {
            let before = pairs.len();
            pairs.retain(|pair| !pair.iter().any(|name| excluded_names.contains(name)));
            is_emptied |= pairs.is_empty() && 0 < before;
        }
        // An empty list would mean all entrants, or none.
        if is_emptied {
            return Err(told(
                "no entrant is left in a list of `format` or `sequential`".to_owned(),
            ));
        }
        self.excluded.extend(excluded);
        super::check_size(self).map_err(|problem| with_excluded(&problem.message, &self.excluded))
    }
}

/// Formats the reason why a league cannot be played, with the excluded entrants.
fn with_excluded(why: &str, excluded: &[Excluded]) -> String {
    let one = |excluded: &Excluded| format!("\n      {excluded}");
    let reasons: String = excluded.iter().map(one).collect();
    format!("{why}; excluded:{reasons}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excluded_entrant_is_described_with_its_file_exactly_once() {
        for (name, bot, reason, told) in [
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
            assert_eq!(excluded.to_string(), told);
        }
    }
}
