//! What the files of formats share: reading names of entrants, and whether a table takes them.

use crate::league::Entrant;
use crate::league::fields::{Fields, Reader};
use crate::league::yaml::Node;
use hattari_hosts::games::Facts;
use hattari_hosts::text;

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
    pub(crate) fn sides(&self, node: &Node, fields: &Fields<'_>, what: &str) -> Option<(Vec<String>, Vec<String>)> {
        let side = |key: &str| {
            let node = self.reader.required(fields, &format!("a {what}"), key, &format!("{key}: [base]"))?;
            self.names(node, key, false)
        };
        let (a, b) = (side("a"), side("b"));
        let (a, b) = (a?, b?);
        if let Some(both) = a.iter().find(|name| b.contains(name)) {
            let cure = "give two entrants of the same bot different names if it is to meet itself";
            self.reader.problem(node, format!("`{both}` stands on both sides of the {what}"), cure);
        }
        Some((a, b))
    }

    /// The others at the table; none where the key is left out.
    pub(crate) fn field(&self, fields: &Fields<'_>) -> Option<Vec<String>> {
        fields.get("field").map_or(Some(Vec::new()), |node| self.names(node, "field", true))
    }

    /// A list of entrants' names, each of them there, none twice unless `copies` are allowed.
    pub(crate) fn names(&self, node: &Node, what: &str, copies: bool) -> Option<Vec<String>> {
        let reader = self.reader;
        let items = reader.list(node, what, "a list of entrants' names, as in `[base, all-k]`")?;
        if items.is_empty() && !copies {
            reader.problem(node, format!("`{what}` is empty"), "name at least one entrant");
            return None;
        }
        let mut names: Vec<String> = Vec::with_capacity(items.len());
        for item in items {
            let name = reader.text(item, what, "an entrant's name")?;
            if let Some(entrants) = self.entrants
                && !entrants.iter().any(|entrant| entrant.name == name)
            {
                let cure = text::suggestion(name, "entrants", entrants.iter().map(|entrant| entrant.name.as_str()));
                reader.problem(item, format!("`{what}`: no entrant is called `{name}`"), cure);
            }
            if !copies && names.iter().any(|other| other == name) {
                reader.problem(item, format!("`{what}` names `{name}` twice"), "name it once");
            }
            names.push(name.to_owned());
        }
        Some(names)
    }

    /// Notes where the game takes no table of so many.
    pub(crate) fn check_players(&self, node: &Node, players: usize) {
        let Some(facts) = self.facts else { return };
        let (low, high) = facts.players;
        if !(low..=high).contains(&players) {
            let allowed = if low == high { format!("{low}") } else { format!("{low} to {high}") };
            let message = format!("a table of {} takes {allowed} players, not {players}", facts.name());
            self.reader.problem(node, message, format!("make line-ups of {allowed}"));
        }
    }
}
