//! The pairs format: partners are two copies of one entrant and sit opposite each other.

use super::{League, NamedEntrants, Problem, Reader, TournamentFormat, indices};
use crate::league::keys::{EntrantList, EntrantNames, keys};
use serde::{Deserialize, Serialize};

/// Every entrant of `a` against every entrant of `b` at a table of four. Partners are two copies of
/// an entrant and sit opposite each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairs {
    /// Entrants of the first side.
    pub a: Vec<String>,
    /// Entrants of the second side.
    pub b: Vec<String>,
}

keys! {
    /// each of `a` with each of `b` at a table of four; partners sit opposite each other
    Keys = "a format of pairs", kind "pairs";
    /// one side, a list of entrants
    a = EntrantNames(EntrantList::Distinct), needs "a: [base]";
    /// the other side
    b = EntrantNames(EntrantList::Distinct), needs "b: [base]";
}

impl Pairs {
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<Pairs> {
        let (a, b) = reader.sides(keys.fields.node, keys.a, keys.b, "format of pairs")?;
        reader.check_players(keys.fields.node, 4);
        Some(Pairs { a, b })
    }
}

impl TournamentFormat for Pairs {
    fn count(&self, _: &League) -> Result<u64, Problem> {
        Ok(self.a.len() as u64 * self.b.len() as u64)
    }

    fn line_ups(&self, league: &League) -> Vec<Vec<usize>> {
        let b = indices(league, &self.b);
        indices(league, &self.a)
            .into_iter()
            .flat_map(|a| b.iter().map(move |&b| vec![a, b, a, b]))
            .collect()
    }

    fn sides(&self) -> Option<(&[String], &[String])> {
        Some((&self.a, &self.b))
    }

    fn entrants_per_table(&self) -> usize {
        2
    }

    fn named_entrants(&mut self) -> NamedEntrants<'_> {
        NamedEntrants {
            lists: vec![&mut self.a, &mut self.b],
            ..NamedEntrants::default()
        }
    }

    fn description(&self, _: &League) -> String {
        format!(
            "each of {} with each of {}, as pairs",
            self.a.join(", "),
            self.b.join(", ")
        )
    }
}
