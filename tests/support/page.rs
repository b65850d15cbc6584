//! Pages of reports, read.

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

/// A page, parsed: every page has to be well-formed.
pub(crate) fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}"))
}

/// The element of that id.
pub(crate) fn with_id<'a>(document: &'a Document<'a>, id: &str) -> Option<Node<'a, 'a>> {
    document
        .descendants()
        .find(|node| node.attribute("id") == Some(id))
}

/// All text in an element.
pub(crate) fn text_of(node: Node<'_, '_>) -> String {
    node.descendants()
        .filter(Node::is_text)
        .filter_map(|node| node.text())
        .collect()
}

/// The games of a page.
pub(crate) fn games(document: &Document<'_>) -> Vec<Value> {
    let text = text_of(with_id(document, "hattari-replays").expect("the page has games"));
    let data: Value = serde_json::from_str(&text).unwrap();
    data["games"].as_array().unwrap().clone()
}
