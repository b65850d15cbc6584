//! What a command prints besides reports of leagues: text, sections or JSON.

use super::markdown;
use super::table::Section;
use super::terminal::{Screen, render};
use hattari_agents::text;
use serde::Serialize;

/// A result that is printed, in the form that was asked for.
#[derive(Clone, Debug)]
pub enum Shown {
    /// Lines of text.
    Text(String),
    /// Tables as wide as the terminal.
    Sections(Vec<Section>),
    /// Tables as Markdown.
    Markdown(Vec<Section>),
    /// JSON, as [`Shown::json`] makes it.
    Json(String),
}

impl Shown {
    /// Makes indented JSON that ends with a newline. Hidden characters in texts are escaped.
    ///
    /// # Errors
    /// The value has a key that is not a string.
    pub fn json(value: &impl Serialize) -> serde_json::Result<Shown> {
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
        Ok(Shown::Json(json + "\n"))
    }

    /// Returns JSON of `value` where `is_json`, and `sections` otherwise.
    ///
    /// # Errors
    /// As [`Shown::json`].
    pub fn json_or(
        is_json: bool,
        value: &impl Serialize,
        sections: impl FnOnce() -> Vec<Section>,
    ) -> serde_json::Result<Shown> {
        if is_json {
            Shown::json(value)
        } else {
            Ok(Shown::Sections(sections()))
        }
    }

    /// Returns what goes to the terminal; nothing in it acts on a terminal but our own colours.
    #[must_use]
    pub fn into_text(self) -> String {
        match self {
            Shown::Text(text) => text::shown(&text).into_owned(),
            Shown::Sections(sections) => render(&sections, Screen::of_stdout()),
            Shown::Markdown(sections) => markdown::render(&sections),
            Shown::Json(json) => json,
        }
    }
}
