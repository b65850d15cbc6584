//! Reads a YAML tree as typed values. Collects all problems instead of stopping at the first one.

use super::mapping::Mapping;
use super::problem::{Problem, TextPosition};
use super::yaml::{Document, Node, Value};
use hattari_agents::games::GameInfo;
use hattari_agents::text;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Number of problems that are reported with their positions.
const POSITIONS_MAX: usize = 100;

/// A league file that is being read: the document, its data, and the problems found so far.
pub(super) struct Reader<'d> {
    document: &'d Document<'d>,
    pub(super) problems: RefCell<Vec<Problem>>,
    /// Folder against which relative paths in the file are resolved.
    pub base: &'d Path,
    /// Files that the league names, relative to `base`.
    pub files: RefCell<Vec<PathBuf>>,
    /// Names of the entrants; `None` if they are invalid or not read yet.
    pub entrants: Option<Vec<String>>,
    /// Properties of the game under the league's options; `None` if they are invalid or not read
    /// yet.
    pub facts: Option<GameInfo>,
}

/// A mapping whose keys have been checked.
pub(super) struct Fields<'n> {
    /// Node of the mapping, for the positions of problems.
    pub node: &'n Node,
    /// Name of the mapping in messages.
    pub what: &'static str,
    /// True if the value of a key is wrong or missing.
    pub is_wrong: bool,
    /// Valid keys that are probably meant by the unknown keys.
    intended_keys: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// Returns the value of `key`; `None` if the key is missing or has no value.
    pub(super) fn get(&self, key: &str) -> Option<&'n Node> {
        let value = self.node.get(key)?;
        (!matches!(value.value, Value::Null)).then_some(value)
    }
}

impl<'d> Reader<'d> {
    pub(super) fn new(document: &'d Document<'d>, base: &'d Path) -> Reader<'d> {
        Reader {
            document,
            problems: RefCell::default(),
            base,
            files: RefCell::default(),
            entrants: None,
            facts: None,
        }
    }

    /// Reports a problem at `node`.
    pub(super) fn problem(
        &self,
        node: &Node,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.report(node, Problem::of_file(message, remedy));
    }

    /// Reports a problem at `node`. Returns `None`.
    pub(super) fn fail<T>(
        &self,
        node: &Node,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Option<T> {
        self.problem(node, message, remedy);
        None
    }

    /// Reports `problem` at `node`.
    pub(super) fn report(&self, node: &Node, problem: Problem) {
        let mut problems = self.problems.borrow_mut();
        // Finding a position reads the file again.
        let position = (problems.len() < POSITIONS_MAX).then(|| self.position(node));
        problems.push(Problem {
            position: position.flatten(),
            ..problem
        });
    }

    pub(super) fn is_clean(&self) -> bool {
        self.problems.borrow().is_empty()
    }

    /// Returns the position of `node`, if known.
    pub(super) fn position(&self, node: &Node) -> Option<TextPosition> {
        self.document.position(node)
    }

    /// Returns the line of `node`, from 1; 0 if it is not known.
    pub(super) fn line(&self, node: &Node) -> usize {
        self.position(node).map_or(0, |position| position.line)
    }

    /// Reports that the value of `what` at `node` is not as `expected`. Returns `None`.
    pub(super) fn expected<T>(&self, node: &Node, what: &str, expected: &str) -> Option<T> {
        self.fail(
            node,
            format!("`{what}`: found {}", node.describe()),
            format!("give {expected}"),
        )
    }

    /// Returns the mapping at `node` after checking its keys.
    pub(super) fn fields<'n>(&self, node: &'n Node, mapping: &Mapping) -> Option<Fields<'n>> {
        let (what, valid) = (mapping.what, mapping.names());
        let Value::Map(entries) = &node.value else {
            let keys = text::quoted(valid);
            return self.fail(
                node,
                format!("{what}: found {}", node.describe()),
                format!("give a mapping with some of the keys {keys}"),
            );
        };
        let mut intended_keys = Vec::new();
        for (i, (key, _)) in entries.iter().enumerate() {
            let Some(name) = key.as_text() else {
                self.problem(
                    key,
                    format!("{what}: a key cannot be {}", key.describe()),
                    format!("valid keys: {}", text::quoted(valid.clone())),
                );
                continue;
            };
            if !valid.clone().any(|key| key == name) {
                intended_keys.extend(text::nearest(name, valid.clone()));
                let remedy = text::suggestion(name, "keys", valid.clone());
                self.problem(key, format!("{what} has no key `{name}`"), remedy);
            } else if let Some((first, _)) = entries[..i]
                .iter()
                .find(|(other, _)| other.as_text() == Some(name))
            {
                self.duplicate(key, name, first);
            }
        }
        Some(Fields {
            node,
            what,
            is_wrong: false,
            intended_keys,
        })
    }

    /// Reports that `key` and the earlier `first` are the same key.
    fn duplicate(&self, key: &Node, name: &str, first: &Node) {
        let line = self.line(first);
        self.problem(
            key,
            format!("the key `{name}` is given twice"),
            format!("remove one of them; the first is in line {line}"),
        );
    }

    /// Converts a value to JSON. Reports the first key that is given twice in a mapping within it.
    ///
    /// # Errors
    /// Returns the node of a number that is not finite or too large, or of a key that is not text.
    pub(super) fn json<'n>(&self, node: &'n Node) -> Result<serde_json::Value, &'n Node> {
        if let Some((key, name, first)) = node.first_duplicate() {
            self.duplicate(key, name, first);
        }
        node.to_json()
    }

    /// Returns the value of a required key. Reports a missing key, unless a misspelt form of the
    /// key was reported.
    pub(super) fn required<'n>(
        &self,
        fields: &Fields<'n>,
        what: &str,
        key: &str,
        example: &str,
    ) -> Option<&'n Node> {
        let value = fields.get(key);
        if value.is_none() && !fields.intended_keys.contains(&key) {
            let (node, message) = match fields.node.entry(key) {
                Some((key_node, _)) => (key_node, format!("{what}: the key `{key}` has no value")),
                None => (fields.node, format!("{what} lacks the key `{key}`")),
            };
            self.problem(node, message, format!("add it, for example `{example}`"));
        }
        value
    }

    /// Reads a text. Rejects numbers, because `001` and `1e3` would not keep their spelling.
    pub(super) fn text<'n>(&self, node: &'n Node, what: &str, expected: &str) -> Option<&'n str> {
        match &node.value {
            Value::Text(text) if !text.trim().is_empty() => Some(text),
            Value::Integer(_) | Value::Float(_) | Value::Flag(_) => self.expected(
                node,
                what,
                &format!("{expected}; put it in quotes if it looks like a number or true/false"),
            ),
            _ => self.expected(node, what, expected),
        }
    }

    pub(super) fn integer<T: TryFrom<u64>>(
        &self,
        node: &Node,
        what: &str,
        range: RangeInclusive<u64>,
    ) -> Option<T> {
        let number = match &node.value {
            Value::Integer(number) => u64::try_from(*number)
                .ok()
                .filter(|number| range.contains(number))
                .and_then(|number| T::try_from(number).ok()),
            _ => None,
        };
        number.or_else(|| {
            let (low, high) = (text::grouped(*range.start()), text::grouped(*range.end()));
            self.expected(node, what, &format!("a whole number from {low} to {high}"))
        })
    }

    /// Reads a number for which `is_valid` returns `true`; `bounds` describes the range.
    pub(super) fn number(
        &self,
        node: &Node,
        what: &str,
        bounds: &str,
        is_valid: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        real(node)
            .filter(|&number| is_valid(number))
            .or_else(|| self.expected(node, what, &format!("a number {bounds}")))
    }

    /// Reads a keyword, and returns its index in `words`.
    pub(super) fn keyword(&self, node: &Node, what: &str, words: &[&str]) -> Option<usize> {
        let name = self.text(
            node,
            what,
            &format!("one of {}", text::quoted(words.iter())),
        )?;
        words.iter().position(|&word| word == name).or_else(|| {
            let remedy = text::suggestion(name, "values", words.iter().copied());
            self.fail(node, format!("`{what}` cannot be `{name}`"), remedy)
        })
    }

    /// Reads the name of an entrant. Reports a name that no entrant has.
    pub(super) fn entrant<'n>(&self, node: &'n Node, what: &str) -> Option<&'n str> {
        let name = self.text(node, what, "an entrant's name")?;
        if let Some(entrants) = &self.entrants
            && !entrants.iter().any(|entrant| entrant == name)
        {
            let remedy = text::suggestion(name, "entrants", entrants.iter().map(String::as_str));
            self.problem(
                node,
                format!("`{what}`: there is no entrant `{name}`"),
                remedy,
            );
        }
        Some(name)
    }

    /// Reads a mapping whose keys are not fixed.
    pub(super) fn map<'n>(
        &self,
        node: &'n Node,
        what: &str,
        expected: &str,
    ) -> Option<&'n [(Node, Node)]> {
        match &node.value {
            Value::Map(entries) => Some(entries),
            _ => self.expected(node, what, expected),
        }
    }

    pub(super) fn list<'n>(
        &self,
        node: &'n Node,
        what: &str,
        expected: &str,
    ) -> Option<&'n [Node]> {
        match &node.value {
            Value::List(items) => Some(items),
            _ => self.expected(node, what, expected),
        }
    }
}

/// Returns the number at a node; `None` for other values.
#[expect(
    clippy::cast_precision_loss,
    reason = "numbers that lose precision are outside of all bounds"
)]
fn real(node: &Node) -> Option<f64> {
    match &node.value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}
