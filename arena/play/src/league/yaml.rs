//! A YAML tree in which every node has a position in the text. Only this file uses the YAML
//! library.
//!
//! The library reports positions of errors but not of values. To find the position of a node, the
//! text is parsed again, with a deliberate error at this node. This is fast enough, because leagues
//! are small and positions are needed for messages only.

use super::problem::{Problem, TextPosition};
use hattari_agents::text::shortened;
use serde::Deserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;

/// Maximum length of a text of the file in a message, in bytes.
const SHOWN_BYTES_MAX: usize = 60;

/// A value with its position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Scalar, sequence or mapping at this position.
    pub value: Value,
    /// Number of earlier nodes in the text.
    number: u32,
}

/// The value of a node.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// No value, or `null`.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A number without decimal point and exponent.
    Integer(i128),
    /// Any other number.
    Float(f64),
    /// A string, with or without quotes.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// Keys and values in the order of the text, possibly with duplicate keys.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// Returns the text; `None` for other values.
    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the items of a sequence; empty for other values.
    pub(super) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the first entry with the key `key`; `None` if there is none or the node is not a
    /// mapping.
    pub(super) fn entry(&self, key: &str) -> Option<&(Node, Node)> {
        let Value::Map(entries) = &self.value else {
            return None;
        };
        entries.iter().find(|(name, _)| name.as_text() == Some(key))
    }

    /// Returns the first value of `key`; `None` if it is missing or the node is not a mapping.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    /// Describes the value for messages of the form "found …".
    pub(super) fn describe(&self) -> String {
        match &self.value {
            Value::Null => "nothing".to_owned(),
            Value::Flag(flag) => format!("`{flag}`"),
            Value::Integer(number) => format!("the number {number}"),
            Value::Float(number) => format!("the number {number}"),
            Value::Text(text) => format!("the text `{}`", shortened(text, SHOWN_BYTES_MAX)),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping".to_owned(),
        }
    }

    /// Returns the first key that is given twice in one of the mappings of the value, its text, and
    /// its earlier occurrence.
    pub(super) fn first_duplicate(&self) -> Option<(&Node, &str, &Node)> {
        match &self.value {
            Value::List(items) => items.iter().find_map(Node::first_duplicate),
            Value::Map(entries) => {
                let mut keys: HashMap<&str, &Node> = HashMap::new();
                entries.iter().find_map(|(key, value)| {
                    let name = key.as_text()?;
                    match keys.insert(name, key) {
                        Some(first) => Some((key, name, first)),
                        None => value.first_duplicate(),
                    }
                })
            }
            _ => None,
        }
    }

    /// Converts the value to JSON. The last of several equal keys of a mapping counts.
    ///
    /// # Errors
    /// Returns the node of a number that is not finite or too large, or of a key that is not text.
    pub(super) fn to_json(&self) -> Result<serde_json::Value, &Node> {
        Ok(match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Flag(flag) => (*flag).into(),
            Value::Integer(number) => match (i64::try_from(*number), u64::try_from(*number)) {
                (Ok(number), _) => number.into(),
                (_, Ok(number)) => number.into(),
                _ => return Err(self),
            },
            Value::Float(number) => serde_json::Number::from_f64(*number).ok_or(self)?.into(),
            Value::Text(text) => text.as_str().into(),
            Value::List(items) => items
                .iter()
                .map(Node::to_json)
                .collect::<Result<Vec<_>, _>>()?
                .into(),
            Value::Map(entries) => {
                let mut map = serde_json::Map::new();
                for (key, value) in entries {
                    let name = key.as_text().ok_or(key)?;
                    map.insert(name.to_owned(), value.to_json()?);
                }
                map.into()
            }
        })
    }
}

/// Maximum number of brackets that are open at the same time.
const BRACKETS_MAX: usize = 1000;

/// A well-formed YAML text with its tree.
pub(super) struct Document<'t> {
    text: &'t str,
    /// Node that contains the whole document.
    pub root: Node,
}

impl<'t> Document<'t> {
    /// Parses a text.
    ///
    /// # Errors
    /// Returns an error if the text is not well-formed YAML or is nested too deeply. Multiple
    /// documents, tags, and anchors that expand without limit are errors too.
    pub(super) fn parse(text: &'t str) -> Result<Document<'t>, Problem> {
        check_brackets(text)?;
        let reader = NodeReader {
            next: &Cell::new(0),
            stop_at: None,
        };
        let mut root = reader
            .deserialize(serde_yaml::Deserializer::from_str(text))
            .map_err(|error| syntax_problem(&error))?;
        expand_merge_keys(&mut root);
        Ok(Document { text, root })
    }

    /// Returns the position of `node`, or of its anchor if it comes from an alias.
    pub(super) fn position(&self, node: &Node) -> Option<TextPosition> {
        let reader = NodeReader {
            next: &Cell::new(0),
            stop_at: Some(node.number),
        };
        let error = reader
            .deserialize(serde_yaml::Deserializer::from_str(self.text))
            .err()?;
        position_of(&error)
    }
}

/// Returns the position of an error of the library.
fn position_of(error: &serde_yaml::Error) -> Option<TextPosition> {
    let location = error.location()?;
    Some(TextPosition {
        line: location.line(),
        column: location.column(),
    })
}

/// Message for a value with a tag.
const TAG_MESSAGE: &str = "tags (`!name`) are not allowed in a league";

/// Converts an error of the library to a problem, with a remedy for the likely cause. Searches the
/// message for it, because the library has no error codes.
fn syntax_problem(error: &serde_yaml::Error) -> Problem {
    let mut detail = error.to_string();
    let position = position_of(error);
    if let Some(TextPosition { line, column }) = position {
        detail = detail.replace(&format!(" at line {line} column {column}"), "");
    }
    let names = |words: &str| detail.contains(words);
    let not_well_formed = format!("not well-formed YAML: {detail}");
    let (message, remedy) = if names("more than one document") {
        (
            "the file contains several YAML documents".to_owned(),
            "put each league into its own file, without `---`",
        )
    } else if names("repetition limit") || names("recursion limit") {
        return too_large(position, &detail);
    } else if names("unknown anchor") {
        (
            not_well_formed,
            "define the anchor with `&name` before this alias, or quote a text that starts with \
            `*`",
        )
    } else if names(TAG_MESSAGE) {
        (
            detail,
            "remove the tag, or quote a text that starts with `!`",
        )
    } else {
        (
            not_well_formed,
            "look for a missing space after a colon, uneven indentation, or an unclosed bracket or \
            quote here or just above",
        )
    };
    Problem::at(position, message, remedy)
}

/// Creates the problem of a text with too much nesting, or with aliases that expand too much.
fn too_large(position: Option<TextPosition>, detail: &str) -> Problem {
    Problem::at(
        position,
        format!("the YAML is too deeply nested or too large: {detail}"),
        "use less nesting and fewer aliases",
    )
}

/// Rejects a text with too many open brackets, because the library examines all open brackets at
/// each new one. Other nesting is cheap, and the library limits its depth. Brackets in texts and
/// comments are counted too, but no reasonable league has so many.
fn check_brackets(text: &str) -> Result<(), Problem> {
    let mut open = 0_usize;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > BRACKETS_MAX {
            return Err(too_large(
                Some(TextPosition::after(&text[..index])),
                &format!("more than {BRACKETS_MAX} brackets are open here"),
            ));
        }
    }
    Ok(())
}

/// Replaces `<<: *anchor` by the entries of the anchor, after the mapping's own entries.
fn expand_merge_keys(node: &mut Node) {
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(expand_merge_keys),
        Value::Map(entries) => {
            entries
                .iter_mut()
                .for_each(|(_, value)| expand_merge_keys(value));
            let (merges, mut own): (Vec<_>, Vec<_>) = entries
                .drain(..)
                .partition(|(key, _)| key.as_text() == Some("<<"));
            for (key, value) in merges {
                let sources = match value.value {
                    Value::Map(_) => vec![value],
                    Value::List(items)
                        if items.iter().all(|item| matches!(item.value, Value::Map(_))) =>
                    {
                        items
                    }
                    // The reader of the mapping will report an unknown key.
                    _ => {
                        own.push((key, value));
                        continue;
                    }
                };
                for source in sources {
                    let Value::Map(source) = source.value else {
                        continue;
                    };
                    for (key, value) in source {
                        let name = key.as_text();
                        let is_same = |other: &Node| name.is_some() && other.as_text() == name;
                        if !own.iter().any(|(other, _)| is_same(other)) {
                            own.push((key, value));
                        }
                    }
                }
            }
            *entries = own;
        }
        _ => {}
    }
}

/// A reader that numbers the nodes. It fails deliberately at the node `stop_at`.
#[derive(Clone, Copy)]
struct NodeReader<'c> {
    next: &'c Cell<u32>,
    stop_at: Option<u32>,
}

impl NodeReader<'_> {
    fn number<E: Error>(self) -> Result<u32, E> {
        let number = self.next.get();
        self.next.set(number + 1);
        if self.stop_at == Some(number) {
            return Err(E::custom("here"));
        }
        Ok(number)
    }

    fn leaf<E: Error>(self, value: Value) -> Result<Node, E> {
        Ok(Node {
            number: self.number()?,
            value,
        })
    }
}

impl<'de> DeserializeSeed<'de> for NodeReader<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodeReader<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        self.leaf(Value::Null)
    }
    fn visit_bool<E: Error>(self, flag: bool) -> Result<Node, E> {
        self.leaf(Value::Flag(flag))
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<Node, E> {
        self.leaf(Value::Integer(number.into()))
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<Node, E> {
        self.leaf(Value::Integer(number.into()))
    }
    fn visit_i128<E: Error>(self, number: i128) -> Result<Node, E> {
        self.leaf(Value::Integer(number))
    }
    fn visit_u128<E: Error>(self, number: u128) -> Result<Node, E> {
        self.leaf(i128::try_from(number).map_or(Value::Float(f64::INFINITY), Value::Integer))
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<Node, E> {
        self.leaf(Value::Float(number))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        self.leaf(Value::Text(text.to_owned()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Node, A::Error> {
        let number = self.number()?;
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Node {
            number,
            value: Value::List(items),
        })
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let number = self.number()?;
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(self)? {
            entries.push((key, map.next_value_seed(self)?));
        }
        Ok(Node {
            number,
            value: Value::Map(entries),
        })
    }
    fn visit_enum<A: EnumAccess<'de>>(self, _tagged: A) -> Result<Node, A::Error> {
        Err(A::Error::custom(TAG_MESSAGE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_in_messages() {
        let text = "あ".repeat(1000);
        let shown = Document::parse(&text).unwrap().root.describe();
        assert_eq!(shown, format!("the text `{}…`", "あ".repeat(20)));
    }

    #[test]
    fn the_cause_of_a_syntax_error_is_known() {
        let (lists, brackets) = ("- ".repeat(10_000), "[".repeat(10_000));
        for (text, remedy) in [
            ("a: 1\n---\nb: 2\n", "own file"),
            (lists.as_str(), "less nesting"),
            (brackets.as_str(), "less nesting"),
            ("a: *b\n", "define the anchor"),
            ("a: !b c\n", "remove the tag"),
            ("a: [1\n", "missing space"),
        ] {
            crate::mock::has(&Document::parse(text).err().unwrap().remedy, remedy);
        }
    }

    #[test]
    fn every_node_has_the_right_position() {
        let document = Document::parse("# comment\nname: x\nlist:\n  - one\n  - {inner: [1, 2.5]}\nbase: &b {k: v}\nuse: *b\nmore:\n  <<: *b\n  own: 1\n").unwrap();
        let step = |node, step: &str| match step.parse::<usize>() {
            Ok(index) => &Node::items(node)[index],
            Err(_) => Node::get(node, step).unwrap(),
        };
        for (path, line, column) in [
            ("name", 2, 7),
            ("list/0", 4, 5),
            ("list/1", 5, 5),
            ("list/1/inner/1", 5, 17),
            ("use/k", 6, 14),
            ("more/own", 10, 8),
            ("more/k", 6, 14),
        ] {
            let node = path.split('/').fold(&document.root, step);
            let position = Some(TextPosition { line, column });
            assert_eq!(document.position(node), position, "{path}");
        }
    }
}
