//! The identity of a store's results: the league and the programs of its entrants. The identity may
//! not change while results are added.

use crate::league::{Entrant, League};
use hattari_agents::games::GameInfo;
use hattari_agents::text::joined;
use hattari_plugin::games::Seating;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Separator between the backend and the missing sandbox restrictions in [`BotContent::kind`].
pub const MISSING_LIMITS_SEPARATOR: &str = " without ";

/// Version of the code that all games share. It increases when the same seeds give different
/// records in every game, after a change of the tables or of random numbers. A change of one game's
/// rules increases its own [`Game::GENERATION`](hattari_plugin::games::Game::GENERATION).
const GENERATION: u32 = 2;

/// The program of an entrant, as it was found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BotContent {
    /// Description of the backend: `script`, `compiled`, or a separate process with the missing
    /// sandbox restrictions.
    pub kind: String,
    /// Name of the bot in its file.
    #[serde(default)]
    pub bot: String,
    /// Path of the file.
    pub path: String,
    /// Version declared by the bot; may be empty.
    pub version: String,
    /// Text that identifies the version: the declared version of a built-in bot, the digest of the
    /// sources if the bot declares one, otherwise the hash of the file.
    pub hash: String,
    /// Hash of the file; empty without a file, and in stores begun before this field existed.
    #[serde(default)]
    pub file: String,
}

impl BotContent {
    /// Returns `true` for a client that the host does not start. Its hash identifies no program.
    pub fn is_unknown(&self) -> bool {
        self.kind.ends_with(" client") && self.path.is_empty()
    }
}

/// A league with its programs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeagueIdentity {
    /// League whose results are stored.
    pub league: League,
    /// The program of each entrant.
    pub contents: Vec<BotContent>,
    /// Version of Hattari, which determines the rules.
    pub hattari: String,
}

impl LeagueIdentity {
    /// Creates the identity of a league played by this program; `contents` has one entry per
    /// entrant.
    pub fn new(league: League, contents: Vec<BotContent>) -> LeagueIdentity {
        LeagueIdentity {
            league,
            contents,
            hattari: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Returns an identity of `league`. Each entrant gets the program that the entrant of the same
    /// name has in this identity; the program of a new entrant is empty.
    pub fn with_league(&self, league: League) -> LeagueIdentity {
        let content = |entrant: &Entrant| {
            self.league
                .entrant(&entrant.name)
                .and_then(|index| self.contents.get(index))
                .cloned()
                .unwrap_or_default()
        };
        let contents = league.entrants.iter().map(content).collect();
        LeagueIdentity {
            league,
            contents,
            hattari: self.hattari.clone(),
        }
    }

    /// Returns the differences between two identities that affect results, one per field.
    /// `own_origin` and `other_origin` describe the origins of `self` and `other` in these texts.
    ///
    /// The results of a league depend on all entrants and on the pairings, unlike the results of
    /// single blocks. The number of blocks, the settings of reports, the isolation of bots and the
    /// paths of their files have no effect.
    pub fn differences(
        &self,
        other: &LeagueIdentity,
        own_origin: &str,
        other_origin: &str,
    ) -> Vec<String> {
        self.compare(Self::result_data, other, [own_origin, other_origin])
    }

    /// Returns the differences that affect single blocks: in the conditions, and in the versions of
    /// entrants that both identities have.
    pub(crate) fn contradictions(
        &self,
        other: &LeagueIdentity,
        own_origin: &str,
        other_origin: &str,
    ) -> Vec<String> {
        self.compare(Self::conditions, other, [own_origin, other_origin])
    }

    /// Returns the differences between the `data` of both identities, and between the versions of
    /// entrants that both have.
    fn compare(
        &self,
        data: fn(&LeagueIdentity) -> Value,
        other: &LeagueIdentity,
        origins: [&str; 2],
    ) -> Vec<String> {
        let mut differences = compare(&data(self), &data(other), origins);
        let theirs: HashMap<&str, Value> = other.versions().collect();
        for (name, ours) in self.versions() {
            if let Some(theirs) = theirs.get(name) {
                let changes = compare(&ours, theirs, origins).into_iter();
                differences.extend(changes.map(|change| format!("entrant {name}.{change}")));
            }
        }
        differences
    }

    /// Returns everything that affects results except the entrants, with the keys of the league
    /// file.
    pub(crate) fn conditions(&self) -> Value {
        let League {
            options,
            seed,
            deals,
            duplicate,
            same_deals,
            faults,
            restarts,
            budget,
            ..
        } = &self.league;
        let facts = GameInfo::find(&self.league.game);
        let mut conditions = json!({
            "game": facts.map_or(self.league.game.as_str(), |facts| facts.id), "options": options, "seed": seed, "deals": deals,
            "duplicate": duplicate, "same_deals": same_deals,
            "faults": faults, "restarts": restarts, "budget": budget, "generation": GENERATION,
        });
        // The key is absent if no order is drawn, for compatibility with older stores.
        let has_order = || self.league.seating() == Seating::Ordered;
        if self.league.may_draw_seats() && has_order() {
            conditions["seats"] = "drawn".into();
        }
        // The key is absent in the first generation, for compatibility with older stores.
        if let Some(generation) = facts
            .map(|facts| facts.generation)
            .filter(|generation| *generation > 1)
        {
            conditions["rules"] = generation.into();
        }
        conditions
    }

    /// Returns the name of each entrant, and the data that affect its play.
    pub(crate) fn versions(&self) -> impl Iterator<Item = (&str, Value)> {
        self.league
            .entrants
            .iter()
            .zip(&self.contents)
            .map(|(entrant, content)| (entrant.name.as_str(), version(entrant, content)))
    }

    /// Returns all data that affect results, including the pairings, except the versions of
    /// entrants.
    fn result_data(&self) -> Value {
        let mut value = self.conditions();
        value["format"] = json!(self.league.format);
        value["sequential"] = json!(self.league.sequential);
        let names = self
            .league
            .entrants
            .iter()
            .map(|entrant| entrant.name.as_str());
        value["entrants"] = joined(names, ", ").into();
        value
    }
}

/// Returns the data of an entrant that affect its play.
fn version(entrant: &Entrant, content: &BotContent) -> Value {
    let mut program = json!({
        "bot": content.bot, "contents of the bot's file": content.hash, "config": entrant.config,
    });
    if entrant.threads > 0 {
        program["threads"] = entrant.threads.into();
    }
    if let Some(budget) = &entrant.budget {
        program["budget"] = json!(budget);
    }
    // The start command of a client affects its play; its address does not.
    let client = entrant.client.as_ref();
    let client = client.filter(|client| !client.command.is_empty());
    let client = client.map(|client| (client.command.join(" "), &client.folder));
    let command = entrant.command.as_ref();
    let command = command.map(|command| (command.to_string(), &command.folder));
    if let Some((command, folder)) = command.or(client) {
        program["command"] = command.into();
        if let Some(folder) = folder {
            program["folder"] = folder.as_str().into();
        }
    }
    if let Some(hybrid) = &entrant.hybrid {
        // `content` identifies the files of both parts.
        let parts = hybrid.parts.each_ref();
        program["parts"] = json!(parts.map(|part| version(part, &BotContent::default())));
        program["when"] = hybrid.when.as_str().into();
    }
    program
}

/// Returns the differences between two values, down to the innermost fields. The texts in `origins`
/// describe the origins of the values.
pub(super) fn compare(a: &Value, b: &Value, origins: [&str; 2]) -> Vec<String> {
    let mut differences = Vec::new();
    compare_field("", [Some(a), Some(b)], origins, &mut differences);
    differences
}

/// Adds the differences between two values at `path`; `None` stands for a missing value.
fn compare_field(
    path: &str,
    values: [Option<&Value>; 2],
    origins: [&str; 2],
    differences: &mut Vec<String>,
) {
    let [a, b] = values;
    if a == b {
        return;
    }
    let (Some(Value::Object(a)), Some(Value::Object(b))) = (a, b) else {
        let [a, b] = values.map(|value| value.map_or("none".to_owned(), Value::to_string));
        let [origin_a, origin_b] = origins;
        differences.push(format!("{path}: {a} {origin_a}, {b} {origin_b}"));
        return;
    };
    let other_keys = b.keys().filter(|key| !a.contains_key(*key));
    for key in a.keys().chain(other_keys) {
        let path = match path {
            "" => key.clone(),
            _ => format!("{path}.{key}"),
        };
        compare_field(&path, [a.get(key), b.get(key)], origins, differences);
    }
}
