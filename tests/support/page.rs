//! Parsed pages of reports.

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

/// Parses a page.
///
/// # Panics
/// Panics if the page is not well-formed.
pub(crate) fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).unwrap()
}

/// Returns the element with the id.
pub(crate) fn with_id<'a>(document: &'a Document<'a>, id: &str) -> Option<Node<'a, 'a>> {
    document
        .descendants()
        .find(|node| node.attribute("id") == Some(id))
}

/// Returns all text in an element.
pub(crate) fn text_of(node: Node<'_, '_>) -> String {
    node.descendants()
        .filter(Node::is_text)
        .filter_map(|node| node.text())
        .collect()
}

/// Returns the games of a page.
pub(crate) fn games(document: &Document<'_>) -> Vec<Value> {
    let text = text_of(with_id(document, "hattari-replays").expect("the page has games"));
    let data: Value = serde_json::from_str(&text).unwrap();
    data["games"].as_array().unwrap().clone()
}
