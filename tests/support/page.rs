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

/// Returns all text in the element with the id, which the page must have.
#[track_caller]
pub(crate) fn text_with_id(document: &Document<'_>, id: &str) -> String {
    text_of(with_id(document, id).unwrap())
}

/// Returns the elements of a kind in a page or a part of it.
pub(crate) fn elements<'a>(
    part: Node<'a, 'a>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'a>> {
    part.descendants()
        .filter(move |node| node.has_tag_name(name))
}

/// Returns the games of a page.
pub(crate) fn games(document: &Document<'_>) -> Vec<Value> {
    let text = text_with_id(document, "hattari-replays");
    let data: Value = serde_json::from_str(&text).unwrap();
    data["games"].as_array().unwrap().clone()
}
