//! The duel format: every entrant of `a` against every entrant of `b`.

use super::{
    League, NamedEntrants, Problem, Reader, TournamentFormat, different, indices, join_names,
};
use crate::league::keys::{EntrantList, EntrantNames, keys};
use serde::{Deserialize, Serialize};

/// A duel. Each table has one entrant of `a`, one of `b`, and all of `field`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Duel {
    /// Entrants of the first side.
    pub a: Vec<String>,
    /// Entrants of the second side.
    pub b: Vec<String>,
    /// The other entrants at the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub field: Vec<String>,
}

keys! {
    /// each of `a` with each of `b`, at a table with the same `field`
    Keys = "a duel", kind "duel";
    /// one side, a list of entrants
    a = EntrantNames(EntrantList::Distinct), needs "a: [base]";
    /// the other side
    b = EntrantNames(EntrantList::Distinct), needs "b: [base]";
    /// the other entrants at the table; an entrant may be listed several times
    field = EntrantNames(EntrantList::Any), or "none";
}

impl Duel {
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<Duel> {
        let (a, b) = reader.sides(keys.fields.node, keys.a, keys.b, "duel")?;
        let field = keys.field.unwrap_or_default();
        reader.check_players(keys.fields.node, 2 + field.len());
        Some(Duel { a, b, field })
    }
}

impl TournamentFormat for Duel {
    fn count(&self, _: &League) -> Result<u64, Problem> {
        Ok(self.a.len() as u64 * self.b.len() as u64)
    }

    fn line_ups(&self, league: &League) -> Vec<Vec<usize>> {
        let (b, field) = (indices(league, &self.b), indices(league, &self.field));
        indices(league, &self.a)
            .into_iter()
            .flat_map(|a| b.iter().map(move |&b| [a, b]).collect::<Vec<_>>())
            .map(|pair| pair.into_iter().chain(field.iter().copied()).collect())
            .collect()
    }

    fn sides(&self) -> Option<(&[String], &[String])> {
        Some((&self.a, &self.b))
    }

    fn entrants_per_table(&self) -> usize {
        2 + different(&self.field)
    }

    fn named_entrants(&mut self) -> NamedEntrants<'_> {
        NamedEntrants {
            field: &self.field,
            lists: vec![&mut self.a, &mut self.b],
            ..NamedEntrants::default()
        }
    }

    fn description(&self, _: &League) -> String {
        let with_field = if self.field.is_empty() {
            String::new()
        } else {
            format!(" at a table with {}", join_names(&self.field))
        };
        format!(
            "each of {} with each of {}{with_field}",
            self.a.join(", "),
            self.b.join(", ")
        )
    }
}
