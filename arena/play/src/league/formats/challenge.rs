//! The gauntlet format: every challenger in turn against the same field.

use super::{
    League, NamedEntrants, Problem, Reader, TournamentFormat, different, indices, join_names,
};
use crate::league::keys::{EntrantList, EntrantNames, keys};
use hattari_agents::text::counted;
use serde::{Deserialize, Serialize};

/// A gauntlet: every challenger against the same field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// Entrants that take the first place of the line-up in turn.
    pub challengers: Vec<String>,
    /// The other entrants at the table.
    pub field: Vec<String>,
}

keys! {
    /// each of the `challengers` in turn at a table with the same `field`
    Keys = "a challenge", kind "challenge";
    /// the entrants that take the first place in turn
    challengers = EntrantNames(EntrantList::Distinct), needs "challengers: [base, all-k]";
    /// the other entrants at the table, `[]` for none; an entrant may be listed several times
    field = EntrantNames(EntrantList::Any), needs "field: [default, default, default, default]";
}

impl Challenge {
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<Challenge> {
        let (challengers, field) = (keys.challengers?, keys.field?);
        reader.check_players(keys.fields.node, 1 + field.len());
        Some(Challenge { challengers, field })
    }
}

/// Returns the line-up of each challenger with the field.
pub(super) fn tables(league: &League, challengers: &[String], field: &[String]) -> Vec<Vec<usize>> {
    let field = indices(league, field);
    indices(league, challengers)
        .into_iter()
        .map(|challenger| [&[challenger], &field[..]].concat())
        .collect()
}

impl TournamentFormat for Challenge {
    fn count(&self, _: &League) -> Result<u64, Problem> {
        Ok(self.challengers.len() as u64)
    }

    fn line_ups(&self, league: &League) -> Vec<Vec<usize>> {
        tables(league, &self.challengers, &self.field)
    }

    fn sides(&self) -> Option<(&[String], &[String])> {
        self.challengers()
    }

    fn challengers(&self) -> Option<(&[String], &[String])> {
        Some((&self.challengers, &self.field))
    }

    fn entrants_per_table(&self) -> usize {
        1 + different(&self.field)
    }

    fn named_entrants(&mut self) -> NamedEntrants<'_> {
        NamedEntrants {
            field: &self.field,
            lists: vec![&mut self.challengers],
            ..NamedEntrants::default()
        }
    }

    fn description(&self, _: &League) -> String {
        let count = counted(self.challengers.len() as u64, "challenger");
        format!("{count} in turn, each against {}", join_names(&self.field))
    }
}
