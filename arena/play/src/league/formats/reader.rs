//! Functions shared by the formats: reading names of entrants and checking table sizes.

use crate::league::fields::{Fields, Reader};
use crate::league::keys::{EntrantList, IntegerRange, KeyType};
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
            let remedy = "to let a bot play against itself, list it twice with different names";
            self.problem(
                node,
                format!("`{both}` is on both sides of the {what}"),
                remedy,
            );
        }
        Some((a, b))
    }

    /// Reads a list of entrants. Reports unknown names and lists that `accepted` excludes.
    pub(in crate::league) fn names(
        &self,
        node: &Node,
        what: &str,
        accepted: EntrantList,
    ) -> Option<Vec<String>> {
        let is_distinct = accepted == EntrantList::Distinct;
        let items = self.list(
            node,
            what,
            "a list of entrants' names, as in `[base, all-k]`",
        )?;
        if items.is_empty() && is_distinct {
            self.problem(
                node,
                format!("`{what}` is empty"),
                "give at least one entrant",
            );
            return None;
        }
        let mut names: Vec<String> = Vec::with_capacity(items.len());
        for item in items {
            let name = self.entrant(item, what)?;
            if is_distinct && names.iter().any(|other| other == name) {
                self.problem(
                    item,
                    format!("`{what}` names `{name}` twice"),
                    "list it once",
                );
            }
            names.push(name.to_owned());
        }
        Some(names)
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
        self.check_players(node, size);
        if let Some(entrants) = self
            .entrants
            .as_ref()
            .filter(|entrants| entrants.len() < size)
        {
            let message = format!(
                "{what} at tables of {size} needs {size} entrants; there are {}",
                entrants.len()
            );
            let remedy = "add entrants; copies of a bot need different names";
            self.problem(node, message, remedy);
        }
        Some(size)
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
                let message =
                    format!("`{name}` would join in round {first} and leave after round {last}");
                let remedy = "give a later last round, or remove the entrant";
                self.problem(node, message, remedy);
            }
        }
        (late, withdrawn)
    }

    /// Reads a mapping from entrants to rounds.
    pub(in crate::league) fn rounds(
        &self,
        node: &Node,
        key: &str,
        rounds: &IntegerRange<u32>,
    ) -> Option<BTreeMap<String, u32>> {
        let expected = format!("a mapping from entrants to rounds, as in `{key}: {{base: 3}}`");
        let entries = self.map(node, key, &expected)?;
        let mut round_by_entrant = BTreeMap::new();
        for (name_node, round) in entries {
            let name = self.entrant(name_node, key)?;
            let round = rounds.read(self, round, key)?;
            if round_by_entrant.insert(name.to_owned(), round).is_some() {
                let message = format!("`{key}` names `{name}` twice");
                self.problem(name_node, message, "list it once");
            }
        }
        Some(round_by_entrant)
    }

    /// Reports a table size that the game does not allow.
    pub(super) fn check_players(&self, node: &Node, players: usize) {
        let Some(facts) = self.facts else { return };
        let (low, high) = facts.players;
        if !(low..=high).contains(&players) {
            let allowed = if low == high {
                format!("{low}")
            } else {
                format!("{low} to {high}")
            };
            let is_narrower =
                GameInfo::find(facts.id).is_some_and(|game| game.players != facts.players);
            let restriction = if is_narrower {
                " under these options"
            } else {
                ""
            };
            let message = format!(
                "a table of {}{restriction} takes {allowed} players, not {players}",
                facts.name()
            );
            self.problem(node, message, format!("choose line-ups of {allowed}"));
        }
    }
}
