//! Output of commands other than league reports: text, sections or JSON.

use super::markdown;
use super::table::Section;
use super::terminal::{Screen, render};
use hattari_agents::text;
use serde::Serialize;

/// A result in its output format.
#[derive(Debug)]
pub enum PrintedResult {
    /// Lines of text.
    Text(String),
    /// Tables that fit the width of the terminal.
    Sections(Vec<Section>),
    /// Tables in Markdown.
    Markdown(Vec<Section>),
    /// JSON, made by [`PrintedResult::json`].
    Json(String),
}

impl PrintedResult {
    /// Returns indented JSON that ends with a newline. Hidden characters in strings are escaped.
    ///
    /// # Errors
    /// Returns an error if the value has a key that is not a string.
    pub fn json(value: &impl Serialize) -> serde_json::Result<PrintedResult> {
        let mut json = String::new();
        for character in serde_json::to_string_pretty(value)?.chars() {
            if character != '\n' && text::is_hidden(character) {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    json += &format!("\\u{unit:04x}");
                }
            } else {
                json.push(character);
            }
        }
        Ok(PrintedResult::Json(json + "\n"))
    }

    /// Returns JSON of `value` if `is_json`, otherwise `sections`.
    ///
    /// # Errors
    /// Returns the same errors as [`PrintedResult::json`].
    pub fn json_or(
        is_json: bool,
        value: &impl Serialize,
        sections: impl FnOnce() -> Vec<Section>,
    ) -> serde_json::Result<PrintedResult> {
        if is_json {
            PrintedResult::json(value)
        } else {
            Ok(PrintedResult::Sections(sections()))
        }
    }

    /// Returns the text for the terminal. Hidden and control characters are replaced by spaces,
    /// except for our own colours.
    #[must_use]
    pub fn into_text(self) -> String {
        match self {
            PrintedResult::Text(text) => text::escape_for_terminal(&text).into_owned(),
            PrintedResult::Sections(sections) => render(&sections, Screen::of_stdout()),
            PrintedResult::Markdown(sections) => markdown::render(&sections),
            PrintedResult::Json(json) => json,
        }
    }
}
