//! What a store's results are results of: nothing of it may change while results are added.

use crate::league::{Entrant, League};
use hattari_agents::games::Facts;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// In the kind of a program, stands before the limits that it was not held by.
pub const WITHOUT: &str = " without ";

/// Raised whenever the same seeds give other records in every game: by a change of the tables or of
/// chance. A change of one game's rules raises its own
/// [`Game::GENERATION`](hattari_plugin::games::Game::GENERATION).
const GENERATION: u32 = 2;

/// The program behind an entrant, as it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// How it is hosted, in words: `script`, `compiled`, or that it has a process of its own and
    /// what does not hold it there.
    pub kind: String,
    /// Which of the bots in its file.
    #[serde(default)]
    pub bot: String,
    /// The file.
    pub path: String,
    /// The version that the bot tells, empty where it tells none.
    pub version: String,
    /// Text by which stores tell versions of the bot apart: its declared version where it is built
    /// in, the digest of its sources where it declares one, else the hash of its file's
    /// contents.
    pub hash: String,
    /// Hash of its file's contents; empty for what is no file, and where a store was begun before
    /// it was kept.
    #[serde(default)]
    pub file: String,
}

/// A league with its programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The league.
    pub league: League,
    /// The program of each entrant.
    pub contents: Vec<Content>,
    /// Version of the host, and with it of the rules.
    pub hattari: String,
}

impl Identity {
    /// The identity of a league that this host plays; `contents` go by entrant.
    #[must_use]
    pub fn new(league: League, contents: Vec<Content>) -> Identity {
        Identity {
            league,
            contents,
            hattari: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The identity of another league with the same programs, by the names of entrants. Of those
    /// who are new nothing is known.
    #[must_use]
    pub fn with_league(&self, league: League) -> Identity {
        let known = |name: &str| {
            self.league
                .entrants
                .iter()
                .position(|entrant| entrant.name == name)
        };
        let content = |entrant: &Entrant| {
            known(&entrant.name)
                .and_then(|at| self.contents.get(at))
                .cloned()
                .unwrap_or_default()
        };
        let contents = league.entrants.iter().map(content).collect();
        Identity {
            league,
            contents,
            hattari: self.hattari.clone(),
        }
    }

    /// Where two identities differ in what results depend on, field by field; `here` and `there`
    /// say where each is from.
    ///
    /// Results of blocks do not depend on who else takes part and meets whom, but the league's do.
    /// The number of blocks, the settings of the report, in which process a bot runs and where its
    /// file lies do not matter.
    #[must_use]
    pub fn differences(&self, other: &Identity, here: &str, there: &str) -> Vec<String> {
        compare(&self.essence(), &other.essence(), here, there)
    }

    /// The same of what blocks are known by: conditions, and the versions of those who take part in
    /// both.
    #[must_use]
    pub fn contradictions(&self, other: &Identity, here: &str, there: &str) -> Vec<String> {
        let mut differences = compare(&self.conditions(), &other.conditions(), here, there);
        for (name, ours) in self.versions() {
            for (_, theirs) in other.versions().filter(|(other, _)| *other == name) {
                let changed = compare(&ours, &theirs, here, there);
                differences.extend(
                    changed
                        .into_iter()
                        .map(|what| format!("entrant {name}.{what}")),
                );
            }
        }
        differences
    }

    /// All that results depend on but the entrants, in the words of the league file.
    #[must_use]
    pub fn conditions(&self) -> Value {
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
        let facts = Facts::find(&self.league.game);
        let mut conditions = json!({
            "game": facts.map_or(self.league.game.as_str(), |facts| facts.id), "options": options, "seed": seed, "deals": deals,
            "duplicate": duplicate, "same_deals": same_deals,
            "faults": faults, "restarts": restarts, "budget": budget, "generation": GENERATION,
        });
        // Absent in the first generation: stores of older versions know no other.
        if let Some(generation) = facts
            .map(|facts| facts.generation)
            .filter(|generation| 1 < *generation)
        {
            conditions["rules"] = generation.into();
        }
        conditions
    }

    /// What the play of each entrant depends on, with its name.
    pub fn versions(&self) -> impl Iterator<Item = (&str, Value)> {
        self.league.entrants.iter().zip(&self.contents).map(|(entrant, content)| {
            let mut program =
                json!({"bot": content.bot, "contents of the bot's file": content.hash, "config": entrant.config});
            if entrant.threads > 0 {
                program["threads"] = entrant.threads.into();
            }
            if let Some(budget) = &entrant.budget {
                program["budget"] = json!(budget);
            }
            // How a client is started counts; where it comes in does not.
            if let Some(client) = entrant.client.as_ref().filter(|client| !client.command.is_empty()) {
                program["command"] = client.command.join(" ").into();
                if let Some(folder) = &client.folder {
                    program["folder"] = folder.as_str().into();
                }
            }
            if let Some(command) = &entrant.command {
                program["command"] = command.to_string().into();
                if let Some(folder) = &command.folder {
                    program["folder"] = folder.as_str().into();
                }
            }
            (entrant.name.as_str(), program)
        })
    }

    /// All of it, with who meets whom.
    fn essence(&self) -> Value {
        let mut value = self.conditions();
        value["format"] = serde_json::to_value(&self.league.format).unwrap_or_default();
        value["sequential"] = serde_json::to_value(&self.league.sequential).unwrap_or_default();
        let names: Vec<&str> = self
            .league
            .entrants
            .iter()
            .map(|entrant| entrant.name.as_str())
            .collect();
        value["entrants"] = names.join(", ").into();
        for (name, program) in self.versions() {
            value[format!("entrant {name}")] = program;
        }
        value
    }
}

/// Where two values differ, down to the innermost fields; `here` and `there` say where each is
/// from.
pub(super) fn compare(a: &Value, b: &Value, here: &str, there: &str) -> Vec<String> {
    let mut comparison = Comparison {
        here,
        there,
        differences: Vec::new(),
    };
    comparison.compare("", a, b);
    comparison.differences
}

/// Two identities side by side.
struct Comparison<'a> {
    here: &'a str,
    there: &'a str,
    differences: Vec<String>,
}

impl Comparison<'_> {
    /// Notes where two values differ, down to the innermost fields.
    fn compare(&mut self, path: &str, a: &Value, b: &Value) {
        if a == b {
            return;
        }
        let (here, there) = (self.here, self.there);
        let (Value::Object(a), Value::Object(b)) = (a, b) else {
            self.differences
                .push(format!("{path}: {a} {here}, {b} {there}"));
            return;
        };
        let join = |key: &str| {
            if path.is_empty() {
                key.to_owned()
            } else {
                format!("{path}.{key}")
            }
        };
        for (key, value) in a {
            match b.get(key) {
                Some(other) => self.compare(&join(key), value, other),
                None => self
                    .differences
                    .push(format!("{}: {value} {here}, none {there}", join(key))),
            }
        }
        for (key, value) in b.iter().filter(|(key, _)| !a.contains_key(*key)) {
            self.differences
                .push(format!("{}: none {here}, {value} {there}", join(key)));
        }
    }
}
