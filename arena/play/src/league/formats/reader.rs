//! Functions shared by the formats: checks of sides, table sizes and attendance.

use crate::league::fields::{Fields, Reader};
use crate::league::yaml::Node;
use hattari_agents::games::GameInfo;
use std::collections::BTreeMap;

impl Reader<'_> {
    /// Returns the entrants of both sides. Reports entrants that are on both sides.
    pub(super) fn sides(
        &self,
        node: &Node,
        a: Option<Vec<String>>,
        b: Option<Vec<String>>,
        what: &str,
    ) -> Option<(Vec<String>, Vec<String>)> {
        let (a, b) = (a?, b?);
        if let Some(both) = a.iter().find(|name| b.contains(name)) {
            self.problem(
                node,
                format!("`{both}` is on both sides of the {what}"),
                "to let a bot play against itself, list it twice with different names",
            );
        }
        Some((a, b))
    }

    /// Returns the table size, and reports sizes that are impossible for the game or the entrants.
    /// The key is optional if the game has a single size.
    pub(super) fn size(&self, fields: &Fields<'_>, given: Option<usize>) -> Option<usize> {
        let what = fields.what;
        let node = fields.get("size").unwrap_or(fields.node);
        let size = match (given, self.facts.map(|facts| facts.players)) {
            (Some(size), _) => size,
            (None, Some((low, high))) if low == high && fields.get("size").is_none() => low,
            // Without a valid game the default is unknown.
            (None, None) => return None,
            _ => {
                self.required(fields, what, "size", "size: 2");
                return None;
            }
        };
        self.check_size(
            node,
            size,
            &format!("{what} at tables of {size} needs"),
            "add entrants; copies of a bot need different names",
        );
        Some(size)
    }

    /// Reports table sizes that are impossible for the game or the entrants. `needs` is the start
    /// of the message for too few entrants.
    pub(super) fn check_size(&self, node: &Node, size: usize, needs: &str, remedy: &str) {
        self.check_players(node, size);
        if let Some(entrants) = self.entrants.as_ref().filter(|all| all.len() < size) {
            self.problem(
                node,
                format!("{needs} {size} entrants; there are {}", entrants.len()),
                remedy,
            );
        }
    }

    /// Returns the first rounds of late entrants and the last rounds of withdrawn entrants. Reports
    /// entrants that would leave before they join.
    pub(super) fn attendance(
        &self,
        fields: &Fields<'_>,
        late: Option<BTreeMap<String, u32>>,
        withdrawn: Option<BTreeMap<String, u32>>,
    ) -> (BTreeMap<String, u32>, BTreeMap<String, u32>) {
        let (late, withdrawn) = (late.unwrap_or_default(), withdrawn.unwrap_or_default());
        for (name, first) in &late {
            if let (Some(last), Some(node)) = (
                withdrawn.get(name).filter(|&last| last < first),
                fields.get("withdrawn"),
            ) {
                self.problem(
                    node,
                    format!("`{name}` would join in round {first} and leave after round {last}"),
                    "give a later last round, or remove the entrant",
                );
            }
        }
        (late, withdrawn)
    }

    /// Reports a table size that the game does not allow.
    pub(super) fn check_players(&self, node: &Node, players: usize) {
        let Some(facts) = self.facts else { return };
        let (low, high) = facts.players;
        if !(low..=high).contains(&players) {
            let allowed = if low == high {
                low.to_string()
            } else {
                format!("{low} to {high}")
            };
            let restriction = match GameInfo::find(facts.id) {
                Some(game) if game.players != facts.players => " under these options",
                _ => "",
            };
            self.problem(
                node,
                format!(
                    "a table of {}{restriction} takes {allowed} players, not {players}",
                    facts.name()
                ),
                format!("choose line-ups of {allowed}"),
            );
        }
    }
}
