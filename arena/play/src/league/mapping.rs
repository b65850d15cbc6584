//! What is known of the keys of a league file's mappings, and their schema for editors.

use serde_json::{Map, Value as Json, json};

/// A mapping of a league file with the keys that it may have.
pub(super) struct Mapping {
    /// Its name in messages, as in "a duel".
    pub what: &'static str,
    /// Its value of the key `kind`; `None` where it has no such key, or declares it like others.
    pub kind: Option<&'static str>,
    /// Its description.
    pub about: &'static str,
    /// Its keys in the order of messages, but for `kind`.
    pub keys: &'static [Key],
}

/// A key of a mapping.
pub(super) struct Key {
    /// Its name.
    pub name: &'static str,
    /// Its description, with links of Markdown.
    pub about: &'static str,
    /// An example to add where the key is missing; `None` if it need not be there.
    pub needed: Option<&'static str>,
    /// What it is without the key; empty where the description says so.
    pub default: &'static str,
    /// Returns what the key takes, for editors.
    pub schema: fn() -> Json,
}

impl Mapping {
    /// Returns the names of its keys.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        let kind = self.kind.map(|_| "kind");
        kind.into_iter().chain(self.keys.iter().map(|key| key.name))
    }

    /// Returns a schema of the mapping.
    pub(super) fn schema(&self) -> Json {
        let property = |key: &Key| {
            let mut schema = (key.schema)();
            schema["description"] = key.description().into();
            (key.name.to_owned(), schema)
        };
        let mut properties: Map<String, Json> = self.keys.iter().map(property).collect();
        if let Some(kind) = self.kind {
            properties.insert("kind".to_owned(), json!({"const": kind}));
        }
        let needed = self.keys.iter().filter(|key| key.needed.is_some());
        json!({
            "type": "object", "description": without_links(self.about), "properties": properties,
            "required": needed.map(|key| key.name).collect::<Vec<_>>(), "additionalProperties": false,
        })
    }
}

impl Key {
    /// Returns the description without links, and the default.
    fn description(&self) -> String {
        let about = without_links(self.about);
        if self.default.is_empty() {
            about
        } else {
            format!("{about}; default: {}", self.default)
        }
    }
}

/// Returns a description with the texts of its links in place of them.
fn without_links(about: &str) -> String {
    let mut text = about.trim().to_owned();
    while let Some(middle) = text.find("](")
        && let Some(start) = text[..middle].rfind('[')
        && let Some(end) = text[middle..].find(')')
    {
        let (shown, rest) = (&text[start + 1..middle], &text[middle + end + 1..]);
        text = [&text[..start], shown, rest].concat();
    }
    text
}
