//! What a store's results are results of: nothing of it may change while results are added.

use crate::league::League;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// In the kind of a program, stands before the limits that it was not held by.
pub const WITHOUT: &str = " without ";

/// The program behind an entrant, as it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// How it is hosted, in words: `script`, `compiled`, or that it has a process of its own and what does not hold it there.
    pub kind: String,
    /// The file.
    pub path: String,
    /// The version that the bot tells, empty where it tells none.
    pub version: String,
    /// Hash of the file's contents.
    pub hash: String,
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
        Identity { league, contents, hattari: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// Where two identities differ in what results depend on, field by field; `here` and `there` say where each is from.
    ///
    /// The number of blocks, the settings of the report, in which process a bot runs and where its file lies do not matter.
    #[must_use]
    pub fn differences(&self, other: &Identity, here: &str, there: &str) -> Vec<String> {
        let mut differences = Comparison { here, there, differences: Vec::new() };
        differences.compare("", &self.essence(), &other.essence());
        differences.differences
    }

    /// All that results depend on, in the words of the league file.
    fn essence(&self) -> Value {
        let mut value = serde_json::to_value(&self.league).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            for unimportant in ["preset", "blocks", "report", "isolation"] {
                fields.remove(unimportant);
            }
            let names: Vec<&str> = self.league.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
            fields.insert("entrants".into(), names.join(", ").into());
            for (entrant, content) in self.league.entrants.iter().zip(&self.contents) {
                let mut program = json!({
                    "bot": entrant.bot,
                    "config": entrant.config,
                    "contents of the bot's file": content.hash,
                });
                if entrant.threads > 0 {
                    program["threads"] = entrant.threads.into();
                }
                // How a client is started counts; where it comes in does not.
                if let Some(client) = entrant.client.as_ref().filter(|client| !client.command.is_empty()) {
                    program["command"] = client.command.join(" ").into();
                    if let Some(folder) = &client.folder {
                        program["folder"] = folder.as_str().into();
                    }
                }
                fields.insert(format!("entrant {}", entrant.name), program);
            }
            fields.insert("version of hattari".into(), self.hattari.as_str().into());
        }
        value
    }
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
            self.differences.push(format!("{path}: {a} {here}, {b} {there}"));
            return;
        };
        let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        for (key, value) in a {
            match b.get(key) {
                Some(other) => self.compare(&join(key), value, other),
                None => self.differences.push(format!("{}: {value} {here}, none {there}", join(key))),
            }
        }
        for (key, value) in b.iter().filter(|(key, _)| !a.contains_key(*key)) {
            self.differences.push(format!("{}: none {here}, {value} {there}", join(key)));
        }
    }
}
