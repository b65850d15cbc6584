//! Descriptions of the mappings of a league file, and their JSON schemas for editors.

use serde_json::{Map, Value as Json, json};

/// A mapping of a league file with the keys that it may have.
pub(super) struct Mapping {
    /// Name of the mapping in messages, for example "a duel".
    pub what: &'static str,
    /// Value of the key `kind`; `None` if the mapping has no such key, or declares it in `keys`.
    pub kind: Option<&'static str>,
    /// Description of the mapping.
    pub about: &'static str,
    /// The keys except `kind`, in the order in which messages list them.
    pub keys: &'static [Key],
}

/// A key of a mapping.
pub(super) struct Key {
    /// Name of the key.
    pub name: &'static str,
    /// Description with Markdown links.
    pub about: &'static str,
    /// An example for messages if the key is required; `None` for an optional key.
    pub needed: Option<&'static str>,
    /// The default; empty if the description contains it.
    pub default: &'static str,
    /// A function that returns the schema of the value.
    pub schema: fn() -> Json,
}

impl Mapping {
    /// Returns the names of the keys.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.kind
            .map(|_| "kind")
            .into_iter()
            .chain(self.keys.iter().map(|key| key.name))
    }

    /// Returns the schema of the mapping.
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
    /// Returns the description without links, with the default.
    fn description(&self) -> String {
        let about = without_links(self.about);
        if self.default.is_empty() {
            about
        } else {
            format!("{about}; default: {}", self.default)
        }
    }
}

/// Replaces Markdown links by their texts.
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
