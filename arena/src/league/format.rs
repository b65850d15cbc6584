//! Reads who meets whom.

use super::fields::{Fields, Reader};
use super::yaml::{Node, Value};
use super::{Entrant, Format};
use crate::games::Facts;
use crate::text;

/// The format of a league; entrants and facts are `None` where they were wrong themselves.
pub fn read_format(
    reader: &Reader<'_>,
    fields: &Fields<'_>,
    entrants: Option<&[Entrant]>,
    facts: Option<&Facts>,
) -> Option<Format> {
    let node = reader.required(fields, "the league", "format", "format: {kind: line-ups, size: 5}")?;
    let Value::Map(entries) = &node.value else {
        let cure = "give a mapping, as in `format: {kind: line-ups, size: 5}`";
        reader.problem(node, format!("`format`: found {}", node.describe()), cure);
        return None;
    };
    let kind = entries.iter().find(|(key, _)| matches!(&key.value, Value::Text(name) if name == "kind"));
    let Some((_, kind)) = kind else {
        reader.problem(
            node,
            "`format` lacks the key `kind`",
            "add `kind: line-ups`, `kind: duel`, `kind: pairs` or `kind: challenge`",
        );
        return None;
    };
    let format = FormatReader { reader, entrants, facts };
    match reader.word(kind, "kind", &["line-ups", "duel", "pairs", "challenge"])? {
        0 => format.line_ups(node),
        1 => format.duel(node),
        2 => format.pairs(node),
        _ => format.challenge(node),
    }
}

/// Reads a format; entrants or facts are missing where they were wrong themselves.
struct FormatReader<'a> {
    reader: &'a Reader<'a>,
    entrants: Option<&'a [Entrant]>,
    facts: Option<&'a Facts>,
}

impl FormatReader<'_> {
    fn line_ups(&self, node: &Node) -> Option<Format> {
        let reader = self.reader;
        let fields = reader.fields(node, "a format of line-ups", &["kind", "size", "sample", "require"])?;
        let size_node = reader.required(&fields, "a format of line-ups", "size", "size: 5")?;
        let size = reader.whole(size_node, "size", 1..=64).and_then(|size| usize::try_from(size).ok());
        if let Some(size) = size {
            self.check_players(size_node, size);
            if let Some(entrants) = self.entrants.filter(|entrants| entrants.len() < size) {
                let message = format!("line-ups of {size} need {size} entrants; there are {}", entrants.len());
                reader.problem(
                    size_node,
                    message,
                    "add entrants (copies of a bot need names of their own) or lower `size`",
                );
            }
        }
        let sample = match fields.get("sample") {
            None => Some(None),
            Some(node) => {
                reader.whole(node, "sample", 1..=u64::from(u32::MAX)).map(|sample| u32::try_from(sample).ok())
            }
        };
        let require = match fields.get("require") {
            None => Some(Vec::new()),
            Some(node) => {
                let groups = reader.list(node, "require", "a list of lists of entrants, as in `[[base], [base-k]]`")?;
                groups.iter().map(|group| self.names(group, "require", false)).collect()
            }
        };
        Some(Format::LineUps { size: size?, sample: sample?, require: require? })
    }

    fn duel(&self, node: &Node) -> Option<Format> {
        let fields = self.reader.fields(node, "a duel", &["kind", "a", "b", "field"])?;
        let (sides, field) = (self.sides(node, &fields, "duel"), self.field(&fields));
        let ((a, b), field) = (sides?, field?);
        self.check_players(node, 2 + field.len());
        Some(Format::Duel { a, b, field })
    }

    fn pairs(&self, node: &Node) -> Option<Format> {
        let fields = self.reader.fields(node, "a format of pairs", &["kind", "a", "b"])?;
        let (a, b) = self.sides(node, &fields, "format of pairs")?;
        self.check_players(node, 4);
        Some(Format::Pairs { a, b })
    }

    /// The entrants `a` and `b`, none of them on both sides.
    fn sides(&self, node: &Node, fields: &Fields<'_>, what: &str) -> Option<(Vec<String>, Vec<String>)> {
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

    fn challenge(&self, node: &Node) -> Option<Format> {
        let fields = self.reader.fields(node, "a challenge", &["kind", "challengers", "field"])?;
        let challengers = self
            .reader
            .required(&fields, "a challenge", "challengers", "challengers: [base, all-k]")
            .and_then(|node| self.names(node, "challengers", false));
        let field = self
            .reader
            .required(&fields, "a challenge", "field", "field: [default, default, default, default]")
            .and_then(|node| self.names(node, "field", true));
        let (challengers, field) = (challengers?, field?);
        self.check_players(node, 1 + field.len());
        Some(Format::Challenge { challengers, field })
    }

    fn field(&self, fields: &Fields<'_>) -> Option<Vec<String>> {
        fields.get("field").map_or(Some(Vec::new()), |node| self.names(node, "field", true))
    }

    /// A list of entrants' names, each of them there, none twice unless `copies` are allowed.
    fn names(&self, node: &Node, what: &str, copies: bool) -> Option<Vec<String>> {
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

    fn check_players(&self, node: &Node, players: usize) {
        let Some(facts) = self.facts else { return };
        let (low, high) = facts.players;
        if !(low..=high).contains(&players) {
            let allowed = if low == high { format!("{low}") } else { format!("{low} to {high}") };
            let message = format!("a table of {} takes {allowed} players, not {players}", facts.name());
            self.reader.problem(node, message, format!("make line-ups of {allowed}"));
        }
    }
}
