//! Hybrids: entrants that play like one bot, with the choices of another bot in some decisions.

use super::Entrant;
use super::fields::Reader;
use super::keys::{Text, keys};
use super::yaml::Node;
use hattari_agents::games::GameInfo;
use hattari_agents::table::parse_conditions;
use serde::{Deserialize, Serialize};

keys! {
    /// A hybrid of two bots.
    HybridKeys = "a hybrid";
    /// instead of the name of a bot: an entrant of this league, or a bot, that makes most decisions
    /// of a [hybrid](#hybrids)
    hybrid = Text("the name of an entrant or a bot"), needs "hybrid: mine";
    /// with `hybrid`: the entrant or bot that makes the other decisions
    with = Text("the name of an entrant or a bot"), needs "with: base";
    /// with `hybrid`: the decisions of the other bot, as `hattari review` prints classes
    when = Text("conditions, as `hattari review` prints them"), needs "when: \"turn: follow\"";
}

/// Keys of an entrant that cannot be given with a hybrid.
const KEYS_OF_PARTS: [&str; 6] = [
    "config",
    "sweep",
    "isolation",
    "threads",
    "command",
    "folder",
];

/// The two bots of a hybrid, and the decisions of the second one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hybrid {
    /// The bot that makes most decisions, and the bot that makes the decisions selected by `when`.
    pub parts: [Entrant; 2],
    /// The decisions of the second bot, in the syntax that [`parse_conditions`] reads.
    pub when: String,
}

/// Reads a hybrid. Its parts contain only names so far. `entrant` is the mapping of the entrant,
/// and `node` is the mapping under its key `bot`.
pub(super) fn read(reader: &Reader<'_>, entrant: &Node, node: &Node) -> Option<Entrant> {
    let keys = HybridKeys::read(reader, node)?;
    for key in KEYS_OF_PARTS {
        if let Some(value) = entrant.get(key) {
            return reader.fail(
                value,
                format!("`{key}` cannot be given with a hybrid"),
                "give it to the entrants that the hybrid names",
            );
        }
    }
    let (first, second) = (keys.hybrid?, keys.with?);
    let hybrid = Hybrid {
        parts: [Entrant::of_bot(&first), Entrant::of_bot(&second)],
        when: keys.when?,
    };
    Some(Entrant {
        hybrid: Some(Box::new(hybrid)),
        ..Entrant::of_bot(&format!("{first} with {second}"))
    })
}

/// Replaces the names in hybrids by the entrants of these names, and checks the conditions. A name
/// that is not the name of an entrant is the name of a bot. Returns `false` if a part is an entrant
/// that cannot be a part.
pub(super) fn resolve_parts(
    reader: &Reader<'_>,
    facts: Option<&GameInfo>,
    items: &mut [(Vec<Entrant>, &Node)],
) -> bool {
    let mut is_valid = true;
    let all: Vec<Entrant> = items.iter().flat_map(|(all, _)| all).cloned().collect();
    for (entrants, node) in items {
        let hybrids = entrants
            .iter_mut()
            .filter_map(|entrant| entrant.hybrid.as_mut());
        for hybrid in hybrids {
            for part in &mut hybrid.parts {
                let Some(entrant) = all.iter().find(|entrant| entrant.name == part.name) else {
                    continue;
                };
                if entrant.hybrid.is_some() || entrant.client.is_some() {
                    reader.problem(
                        node,
                        format!("`{}` cannot be part of a hybrid", entrant.name),
                        "name entrants that are bots, not hybrids and not programs that connect",
                    );
                    is_valid = false;
                }
                *part = entrant.clone();
            }
            if let Some(error) = facts.and_then(|facts| parse_conditions(facts, &hybrid.when).err())
            {
                let condition = node.get("bot").and_then(|bot| bot.get("when"));
                reader.problem(
                    condition.unwrap_or(node),
                    format!("`when`: {}", error.message),
                    error.remedy,
                );
            }
        }
    }
    is_valid
}
