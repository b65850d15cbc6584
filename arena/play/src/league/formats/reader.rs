//! What the files of formats share: reading names of entrants, and whether a table takes them.

use crate::league::Entrant;
use crate::league::fields::{Fields, Reader};
use crate::league::yaml::{Node, Value};
use hattari_agents::games::Facts;
use hattari_agents::text;
use std::collections::BTreeMap;

/// Latest round that somebody may come or go at.
const ROUND_MAX: u64 = 1_000_000;

/// Reads a format; entrants or facts are missing where they were wrong themselves.
pub(crate) struct FormatReader<'a> {
    /// Reads values and notes problems.
    pub reader: &'a Reader<'a>,
    /// The league's entrants.
    pub entrants: Option<&'a [Entrant]>,
    /// Facts of its game.
    pub facts: Option<&'a Facts>,
}

impl FormatReader<'_> {
    /// The entrants `a` and `b`, none of them on both sides.
    pub(crate) fn sides(
        &self,
        node: &Node,
        fields: &Fields<'_>,
        what: &str,
    ) -> Option<(Vec<String>, Vec<String>)> {
        let side = |key: &str| {
            let node = self.reader.required(
                fields,
                &format!("a {what}"),
                key,
                &format!("{key}: [base]"),
            )?;
            self.names(node, key, false)
        };
        let (a, b) = (side("a"), side("b"));
        let (a, b) = (a?, b?);
        if let Some(both) = a.iter().find(|name| b.contains(name)) {
            let cure = "give two entrants of the same bot different names if it is to meet itself";
            self.reader.problem(
                node,
                format!("`{both}` stands on both sides of the {what}"),
                cure,
            );
        }
        Some((a, b))
    }

    /// The others at the table; none where the key is left out.
    pub(crate) fn field(&self, fields: &Fields<'_>) -> Option<Vec<String>> {
        fields
            .get("field")
            .map_or(Some(Vec::new()), |node| self.names(node, "field", true))
    }

    /// A list of entrants' names, each of them there, none twice unless `copies` are allowed.
    pub(crate) fn names(&self, node: &Node, what: &str, copies: bool) -> Option<Vec<String>> {
        let reader = self.reader;
        let items = reader.list(
            node,
            what,
            "a list of entrants' names, as in `[base, all-k]`",
        )?;
        if items.is_empty() && !copies {
            reader.problem(
                node,
                format!("`{what}` is empty"),
                "name at least one entrant",
            );
            return None;
        }
        let mut names: Vec<String> = Vec::with_capacity(items.len());
        for item in items {
            let name = reader.text(item, what, "an entrant's name")?;
            self.known(item, what, name);
            if !copies && names.iter().any(|other| other == name) {
                reader.problem(
                    item,
                    format!("`{what}` names `{name}` twice"),
                    "name it once",
                );
            }
            names.push(name.to_owned());
        }
        Some(names)
    }

    /// Notes where no entrant is called so.
    fn known(&self, node: &Node, what: &str, name: &str) {
        if let Some(entrants) = self.entrants
            && !entrants.iter().any(|entrant| entrant.name == name)
        {
            let cure = text::suggestion(
                name,
                "entrants",
                entrants.iter().map(|entrant| entrant.name.as_str()),
            );
            self.reader.problem(
                node,
                format!("`{what}`: no entrant is called `{name}`"),
                cure,
            );
        }
    }

    /// The players of a table, for which there must be entrants. May be left out where the game
    /// takes one number alone.
    pub(crate) fn size(&self, fields: &Fields<'_>, what: &str) -> Option<usize> {
        let reader = self.reader;
        let (node, size) = match (fields.get("size"), self.facts.map(|facts| facts.players)) {
            (None, Some((low, high))) if low == high => (fields.node, low),
            // What is missing cannot be told as long as the game is not known.
            (None, None) => return None,
            _ => {
                let node = reader.required(fields, what, "size", "size: 2")?;
                let size = reader
                    .whole(node, "size", 2..=64)
                    .and_then(|size| usize::try_from(size).ok())?;
                self.check_players(node, size);
                (node, size)
            }
        };
        if let Some(entrants) = self.entrants.filter(|entrants| entrants.len() < size) {
            let message = format!(
                "{what} at tables of {size} needs {size} entrants; there are {}",
                entrants.len()
            );
            let cure = "add entrants; copies of a bot need names of their own";
            reader.problem(node, message, cure);
        }
        Some(size)
    }

    /// Who comes `late`, from round 2 on, and who is `withdrawn` after a round: rounds by name.
    pub(crate) fn attendance(
        &self,
        fields: &Fields<'_>,
    ) -> Option<(BTreeMap<String, u32>, BTreeMap<String, u32>)> {
        let (late, withdrawn) = (
            self.rounds_of(fields, "late", 2),
            self.rounds_of(fields, "withdrawn", 1),
        );
        let (late, withdrawn) = (late?, withdrawn?);
        for (name, first) in &late {
            if let (Some(last), Some(node)) = (
                withdrawn.get(name).filter(|&last| last < first),
                fields.get("withdrawn"),
            ) {
                let message =
                    format!("`{name}` would join in round {first} and leave after round {last}");
                self.reader.problem(
                    node,
                    message,
                    "leave after a later round, or take it out of the entrants",
                );
            }
        }
        Some((late, withdrawn))
    }

    /// A mapping from entrants' names to rounds, not before `least`; empty where the key is left
    /// out.
    pub(crate) fn rounds_of(
        &self,
        fields: &Fields<'_>,
        key: &str,
        least: u64,
    ) -> Option<BTreeMap<String, u32>> {
        let Some(node) = fields.get(key) else {
            return Some(BTreeMap::new());
        };
        let Value::Map(entries) = &node.value else {
            let cure =
                format!("give a mapping from entrants to rounds, as in `{key}: {{base: 3}}`");
            self.reader
                .problem(node, format!("`{key}`: found {}", node.describe()), cure);
            return None;
        };
        let mut rounds = BTreeMap::new();
        for (name_node, round) in entries {
            let name = self.reader.text(name_node, key, "an entrant's name")?;
            self.known(name_node, key, name);
            let round = self.reader.whole(round, key, least..=ROUND_MAX)?;
            if rounds
                .insert(name.to_owned(), u32::try_from(round).ok()?)
                .is_some()
            {
                self.reader.problem(
                    name_node,
                    format!("`{key}` names `{name}` twice"),
                    "name it once",
                );
            }
        }
        Some(rounds)
    }

    /// Notes where the game takes no table of so many.
    pub(crate) fn check_players(&self, node: &Node, players: usize) {
        let Some(facts) = self.facts else { return };
        let (low, high) = facts.players;
        if !(low..=high).contains(&players) {
            let allowed = if low == high {
                format!("{low}")
            } else {
                format!("{low} to {high}")
            };
            let is_narrower =
                Facts::find(facts.id).is_some_and(|game| game.players != facts.players);
            let under = if is_narrower {
                " under these options"
            } else {
                ""
            };
            let message = format!(
                "a table of {}{under} takes {allowed} players, not {players}",
                facts.name()
            );
            self.reader
                .problem(node, message, format!("make line-ups of {allowed}"));
        }
    }
}
