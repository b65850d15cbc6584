//! Challenges: every challenger in turn against the same others.

use super::{FormatReader, League, Meetings, Node, copies, numbers};
use hattari_agents::text::counted;
use serde::{Deserialize, Serialize};

/// Every challenger against the same others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// Those who take the first place of the line-up in turn.
    pub challengers: Vec<String>,
    /// The others at the table.
    pub field: Vec<String>,
}

impl Meetings for Challenge {
    const KIND: &'static str = "challenge";

    fn read(reader: &FormatReader<'_>, node: &Node) -> Option<Challenge> {
        let fields =
            reader
                .reader
                .fields(node, "a challenge", &["kind", "challengers", "field"])?;
        let list = |key, example, copies| {
            let node = reader
                .reader
                .required(&fields, "a challenge", key, example)?;
            reader.names(node, key, copies)
        };
        let challengers = list("challengers", "challengers: [base, all-k]", false);
        let field = list("field", "field: [default, default, default, default]", true);
        let (challengers, field) = (challengers?, field?);
        reader.check_players(node, 1 + field.len());
        Some(Challenge { challengers, field })
    }

    fn count(&self, _: &League) -> Result<u64, (String, &'static str)> {
        Ok(self.challengers.len() as u64)
    }

    fn line_ups(&self, league: &League) -> Vec<Vec<usize>> {
        let field = numbers(league, &self.field);
        let table = |challenger| {
            std::iter::once(challenger)
                .chain(field.iter().copied())
                .collect()
        };
        numbers(league, &self.challengers)
            .into_iter()
            .map(table)
            .collect()
    }

    fn sides(&self) -> Option<(&[String], &[String])> {
        Some((&self.challengers, &self.field))
    }

    fn words(&self, _: &League) -> String {
        let count = counted(self.challengers.len() as u64, "challenger");
        format!("{count} in turn, each against {}", copies(&self.field))
    }
}
