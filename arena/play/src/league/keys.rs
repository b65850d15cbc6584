//! Declarations of the keys of a league file. A declaration provides the reader of a mapping, its
//! part of the JSON schema for editors, and its rows in the reference documentation.

use super::fields::{Fields, Reader};
use super::yaml::{Node, Value};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The type of a key's value.
pub(super) trait KeyType<'n> {
    /// Type of the parsed value.
    type Value;
    /// Returns the JSON schema of the value.
    fn schema(&self) -> Json;
    /// Returns the value at `node`, or reports a problem.
    fn read(&self, reader: &Reader<'_>, node: &'n Node, key: &str) -> Option<Self::Value>;
}

/// An integer between two inclusive bounds.
pub(super) struct IntegerRange<T>(pub T, pub T);

impl<T: Copy + TryInto<u64>> IntegerRange<T> {
    fn range(&self) -> RangeInclusive<u64> {
        let bound = |number: T| number.try_into().unwrap_or(u64::MAX);
        bound(self.0)..=bound(self.1)
    }
}

impl<T: Copy + TryFrom<u64> + TryInto<u64>> KeyType<'_> for IntegerRange<T> {
    type Value = T;

    fn schema(&self) -> Json {
        let range = self.range();
        json!({"type": "integer", "minimum": range.start(), "maximum": range.end()})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<T> {
        reader.integer(node, key, self.range())
    }
}

/// A number between two exclusive bounds.
pub(super) struct OpenInterval(pub f64, pub f64);

impl KeyType<'_> for OpenInterval {
    type Value = f64;

    fn schema(&self) -> Json {
        json!({"type": "number", "exclusiveMinimum": self.0, "exclusiveMaximum": self.1})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<f64> {
        let &OpenInterval(low, high) = self;
        reader.number(
            node,
            key,
            &format!("above {low} and below {high}"),
            |number| low < number && number < high,
        )
    }
}

/// A number between an inclusive lower and an exclusive upper bound.
pub(super) struct HalfOpenInterval(pub f64, pub f64);

impl KeyType<'_> for HalfOpenInterval {
    type Value = f64;

    fn schema(&self) -> Json {
        json!({"type": "number", "minimum": self.0, "exclusiveMaximum": self.1})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<f64> {
        let &HalfOpenInterval(low, high) = self;
        reader.number(
            node,
            key,
            &format!("from {low} to below {high}"),
            |number| low <= number && number < high,
        )
    }
}

/// `true` or `false`.
pub(super) struct Flag;

impl KeyType<'_> for Flag {
    type Value = bool;

    fn schema(&self) -> Json {
        json!({"type": "boolean"})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<bool> {
        match node.value {
            Value::Flag(flag) => Some(flag),
            _ => reader.expected(node, key, "`true` or `false`"),
        }
    }
}

/// One of several keywords, each of which stands for a value.
pub(super) struct OneOf<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Copy> KeyType<'_> for OneOf<T> {
    type Value = T;

    fn schema(&self) -> Json {
        json!({"enum": self.0.iter().map(|(word, _)| word).collect::<Vec<_>>()})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<T> {
        let words: Vec<&str> = self.0.iter().map(|&(word, _)| word).collect();
        Some(self.0[reader.keyword(node, key, &words)?].1)
    }
}

/// One of several keywords, like [`OneOf`]. The other fields are keywords that only earlier
/// versions accepted, and the remedy that is reported for them.
pub(super) struct OneOfCurrent<T: 'static>(
    pub &'static [(&'static str, T)],
    pub &'static [&'static str],
    pub &'static str,
);

impl<T: Copy> KeyType<'_> for OneOfCurrent<T> {
    type Value = T;

    fn schema(&self) -> Json {
        OneOf(self.0).schema()
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<T> {
        if let Some(word) = node.as_text().filter(|word| self.1.contains(word)) {
            return reader.fail(
                node,
                format!("`{key}`: `{word}` is no longer available"),
                self.2,
            );
        }
        OneOf(self.0).read(reader, node, key)
    }
}

/// Text; the field describes the expected value for messages.
pub(super) struct Text(pub &'static str);

impl KeyType<'_> for Text {
    type Value = String;

    fn schema(&self) -> Json {
        text()
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<String> {
        reader.text(node, key, self.0).map(str::to_owned)
    }
}

/// Returns the schema of non-blank text.
pub(super) fn text() -> Json {
    json!({"type": "string", "pattern": "\\S"})
}

/// A value that a separate function parses later: reading returns its node. The field returns the
/// schema.
pub(super) struct DeferredNode(pub fn() -> Json);

impl<'n> KeyType<'n> for DeferredNode {
    type Value = &'n Node;

    fn schema(&self) -> Json {
        (self.0)()
    }

    fn read(&self, _: &Reader<'_>, node: &'n Node, _: &str) -> Option<&'n Node> {
        Some(node)
    }
}

/// The lists of entrants that a key accepts.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum EntrantList {
    /// At least one entrant, and each only once.
    Distinct,
    /// Any list; it may be empty and have duplicates.
    Any,
}

/// A list of entrants' names; the field states which lists are accepted.
pub(super) struct EntrantNames(pub EntrantList);

impl KeyType<'_> for EntrantNames {
    type Value = Vec<String>;

    fn schema(&self) -> Json {
        match self.0 {
            EntrantList::Any => json!({"type": "array", "items": text()}),
            EntrantList::Distinct => {
                json!({"type": "array", "minItems": 1, "uniqueItems": true, "items": text()})
            }
        }
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<Vec<String>> {
        let is_distinct = self.0 == EntrantList::Distinct;
        let items = reader.list(
            node,
            key,
            "a list of entrants' names, as in `[base, all-k]`",
        )?;
        if items.is_empty() && is_distinct {
            return reader.fail(
                node,
                format!("`{key}` is empty"),
                "give at least one entrant",
            );
        }
        let mut names = Vec::with_capacity(items.len());
        for item in items {
            let name = reader.entrant(item, key)?.to_owned();
            if is_distinct && names.contains(&name) {
                reader.problem(
                    item,
                    format!("`{key}` names `{name}` twice"),
                    "list it once",
                );
            }
            names.push(name);
        }
        Some(names)
    }
}

/// A mapping from entrants to rounds; the field is the first allowed round.
pub(super) struct RoundByEntrant(pub u32);

impl RoundByEntrant {
    /// Returns the allowed rounds.
    fn rounds(&self) -> IntegerRange<u32> {
        IntegerRange(self.0, 1_000_000)
    }
}

impl KeyType<'_> for RoundByEntrant {
    type Value = BTreeMap<String, u32>;

    fn schema(&self) -> Json {
        json!({"type": "object", "additionalProperties": self.rounds().schema()})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<Self::Value> {
        let expected = format!("a mapping from entrants to rounds, as in `{key}: {{base: 3}}`");
        let mut round_by_entrant = BTreeMap::new();
        for (name_node, round) in reader.map(node, key, &expected)? {
            let name = reader.entrant(name_node, key)?;
            let round = self.rounds().read(reader, round, key)?;
            if round_by_entrant.insert(name.to_owned(), round).is_some() {
                reader.problem(
                    name_node,
                    format!("`{key}` names `{name}` twice"),
                    "list it once",
                );
            }
        }
        Some(round_by_entrant)
    }
}

/// Reads the value of a key. `needed` is the example for a required key; `None` for an optional
/// key.
pub(super) fn read<'n, T: KeyType<'n>>(
    reader: &Reader<'_>,
    fields: &mut Fields<'n>,
    key: &str,
    needed: Option<&str>,
    key_type: &T,
) -> Option<T::Value> {
    let node = match needed {
        Some(example) => reader.required(fields, fields.what, key, example),
        None => Some(fields.get(key)?),
    };
    let value = node.and_then(|node| key_type.read(reader, node, key));
    fields.is_wrong |= value.is_none();
    value
}

/// Declares a mapping of league files: the struct of its values, its reader and its
/// [`Mapping`](super::mapping::Mapping).
///
/// `needs` marks a required key and gives an example; `or` describes the default of an optional
/// key. The value of a key is `None` if an optional key is absent, or if a problem has been
/// reported.
macro_rules! keys {
    (@some) => {
        None
    };
    (@some $value:literal) => {
        Some($value)
    };
    (
        $(#[doc = $about:literal])+
        $name:ident = $what:literal $(, kind $kind:literal)?;
        $(
            $(#[doc = $doc:literal])+
            $key:ident = $key_type:ident $(<$number:ty>)? $(($($bound:expr),*))?
            $(, or $default:literal)? $(, needs $needed:literal)?;
        )+
    ) => {
        $(#[doc = $about])+
        #[allow(dead_code, reason = "some keys are read from the mapping itself")]
        pub(in crate::league) struct $name<'n> {
            /// The mapping itself.
            pub(in crate::league) fields: $crate::league::fields::Fields<'n>,
            $(pub(in crate::league) $key: Option<<$key_type $(<$number>)? as $crate::league::keys::KeyType<'n>>::Value>,)+
        }

        impl<'n> $name<'n> {
            /// The declaration of the keys.
            pub(in crate::league) const MAPPING: $crate::league::mapping::Mapping = $crate::league::mapping::Mapping {
                what: $what,
                kind: $crate::league::keys::keys!(@some $($kind)?),
                about: concat!($($about),+),
                keys: &[$($crate::league::mapping::Key {
                    name: stringify!($key),
                    about: concat!($($doc),+),
                    needed: $crate::league::keys::keys!(@some $($needed)?),
                    default: concat!($($default)?),
                    schema: || $crate::league::keys::KeyType::schema(&$key_type $(::<$number>)? $(($($bound),*))?),
                }),+],
            };

            /// Reads the mapping; returns `None` if the node is not a mapping.
            pub(in crate::league) fn read(
                reader: &$crate::league::fields::Reader<'_>,
                node: &'n $crate::league::yaml::Node,
            ) -> Option<$name<'n>> {
                let mut fields = reader.fields(node, &Self::MAPPING)?;
                $(let $key = $crate::league::keys::read(
                    reader,
                    &mut fields,
                    stringify!($key),
                    $crate::league::keys::keys!(@some $($needed)?),
                    &$key_type $(::<$number>)? $(($($bound),*))?,
                );)+
                Some($name { fields, $($key),+ })
            }
        }
    };
}

pub(super) use keys;
