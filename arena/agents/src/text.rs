//! Functions for the texts of messages: nearest names, lists, readable numbers, escaped text.

use serde::Serializer;
use std::borrow::{Borrow, Cow};
use std::fmt::Display;
use std::path::Path;

/// Returns the candidate that is most similar to `word`, if one is similar enough.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(word);
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&folded, &fold(candidate)),
                candidate,
            )
        })
        .filter(|&(distance, candidate)| {
            distance <= 1 + folded.chars().count().min(candidate.chars().count()) / 4
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Returns a word in lower case with `-` for `_`, because misspelled names often differ only in
/// case and separators.
fn fold(word: &str) -> String {
    word.to_lowercase().replace('_', "-")
}

/// Returns a remedy that suggests the most similar candidate and lists all candidates: "did you
/// mean `blocks`? Valid keys: …". `what` is a plural noun for the candidates.
pub fn suggestion<'a>(
    word: &str,
    what: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    let all = quoted(candidates.clone());
    match nearest(word, candidates) {
        Some(candidate) => format!("did you mean `{candidate}`? Valid {what}: {all}"),
        None => format!("valid {what}: {all}"),
    }
}

/// Formats names in backquotes, separated by commas; returns `none` for an empty list.
pub fn quoted(names: impl IntoIterator<Item: Display>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// Joins texts, with `separator` between them.
pub fn joined(texts: impl Iterator<Item: Borrow<str>>, separator: &str) -> String {
    texts.collect::<Vec<_>>().join(separator)
}

/// Quotes a word for a shell if necessary.
pub fn shell(word: &str) -> String {
    if !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || "-_./,:=+@%".contains(c))
    {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Returns the message of an error.
pub fn error_text(error: impl Display) -> String {
    error.to_string()
}

/// Formats a number with commas as thousands separators.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a key for natural sorting: groups of digits sort by their value, letters regardless of
/// case.
pub fn natural_sort_key(name: &str) -> impl Ord + use<> {
    let mut parts: Vec<(bool, usize, String)> = Vec::new();
    for character in name.chars() {
        let is_digit = character.is_ascii_digit();
        match parts.last_mut() {
            Some((is_text, _, part)) if *is_text != is_digit => {
                part.extend(character.to_lowercase())
            }
            _ => parts.push((!is_digit, 0, character.to_lowercase().collect())),
        }
    }
    for (is_text, length, part) in &mut parts {
        if !*is_text {
            // Of two numbers without leading zeros the longer one is larger.
            *part = part.trim_start_matches('0').to_owned();
            *length = part.len();
        }
    }
    (parts, name.to_owned())
}

/// Formats a count with its noun: "1 block", "2 blocks". The plural of the noun must be formed with
/// `s`.
pub fn counted(number: u64, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        grouped(number),
        if number == 1 { "" } else { "s" }
    )
}

/// Returns `true` for invisible characters: control characters, direction marks and zero-width
/// characters.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Escapes untrusted text for a terminal: replaces [hidden](is_hidden) characters except line ends
/// by spaces.
pub fn escape_for_terminal(text: &str) -> Cow<'_, str> {
    blanked(text, |c| c != '\n' && is_hidden(c))
}

/// Escapes untrusted text for one line: replaces line ends and other [hidden](is_hidden) characters
/// by spaces.
pub fn escape_line(text: &str) -> Cow<'_, str> {
    blanked(text, is_hidden)
}

/// Escapes untrusted text for a spreadsheet: returns one [line](escape_line) that spreadsheets do
/// not interpret as a formula. Numbers and marks such as `++` are unchanged.
pub fn escape_cell(text: &str) -> Cow<'_, str> {
    let line = escape_line(text);
    let acts = line
        .trim_start()
        .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        || text.starts_with(['\t', '\r']);
    let is_mark = line.chars().all(|c| matches!(c, '+' | '-'));
    if acts && !is_mark && line.parse::<f64>().is_err() {
        Cow::Owned(format!("'{line}"))
    } else {
        line
    }
}

fn blanked(text: &str, is_blank: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().any(&is_blank) {
        Cow::Owned(
            text.chars()
                .map(|c| if is_blank(c) { ' ' } else { c })
                .collect(),
        )
    } else {
        Cow::Borrowed(text)
    }
}

/// Escapes untrusted text for use in a sentence: one line, with spaces for [hidden](is_hidden)
/// characters, apostrophes for backquotes, and `|` between lines.
pub fn escape_for_sentence(text: &str) -> String {
    let lines = text
        .lines()
        .map(|text| escape_line(text).trim().replace('`', "'"));
    joined(lines.filter(|line| !line.is_empty()), " | ")
}

/// Returns the longest prefix of at most `bytes_max` bytes that ends at a character boundary.
pub fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

/// Cuts off a text after at most `bytes_max` bytes, and appends `…` if it was longer.
pub fn shortened(text: &str, bytes_max: usize) -> String {
    let kept = cut(text, bytes_max);
    let mark = if kept.len() < text.len() { "…" } else { "" };
    format!("{kept}{mark}")
}

/// Serializes a path as text (`#[serde(serialize_with)]`); invalid UTF-8 is replaced.
///
/// # Errors
/// Returns the error of the serializer.
pub fn serialize_path<S: Serializer>(
    path: &impl AsRef<Path>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.as_ref().display())
}

/// Formats a path. A path inside the current folder becomes relative to it.
pub fn short(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    here.as_deref()
        .and_then(|here| path.strip_prefix(here).ok())
        .unwrap_or(path)
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_must_be_similar() {
        assert_eq!(
            nearest("block", ["blocks", "deals", "budget"]),
            Some("blocks")
        );
        assert_eq!(
            nearest("Eight-Cut", ["eight_cut", "lock"]),
            Some("eight_cut")
        );
        assert_eq!(
            nearest("entrnats", ["entrants", "format"]),
            Some("entrants")
        );
        assert_eq!(nearest("zebra", ["entrants", "format"]), None);
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(
            ["leagues/demo.yaml", ""].map(shell),
            ["leagues/demo.yaml", "''"]
        );
        assert_eq!(shell("my league's.yaml"), r"'my league'\''s.yaml'");
    }

    #[test]
    fn untrusted_text_is_reduced_to_one_line_without_control_characters() {
        assert_eq!(
            escape_for_sentence("\n a\x1b[31m`b`\u{202e}c \r\n\n\td\u{9b}"),
            "a [31m'b' c | d"
        );
    }

    #[test]
    fn escaped_text_has_no_effect_in_terminals_and_spreadsheets() {
        assert_eq!(
            escape_for_terminal("a\x1b[2J\nb\u{9b}31m\t\u{202e}c\r"),
            "a [2J\nb 31m  c "
        );
        assert_eq!(escape_line("a\nb\u{e0041}"), "a b ");
        let cells = [
            "=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", " =1", "＝1", "-1.5", "+2e3", "-inf", "++",
            "a=b", "",
        ];
        let expected = [
            "'=1+1",
            "'+cmd",
            "'-2+3",
            "'@SUM(A1)",
            "' =1",
            "' =1",
            "'＝1",
            "-1.5",
            "+2e3",
            "-inf",
            "++",
            "a=b",
            "",
        ];
        assert_eq!(cells.map(|text| escape_cell(text).into_owned()), expected);
    }

    #[test]
    fn numbers_are_formatted_with_thousands_separators() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(
            [counted(1, "block"), counted(2000, "block")],
            ["1 block", "2,000 blocks"]
        );
    }

    #[test]
    fn names_with_numbers_are_sorted_in_natural_order() {
        let mut names = [
            "b",
            "a10",
            "A2",
            "a2b10",
            "a02b9",
            "a",
            "a100000000000000000000",
            "10",
            "9",
        ];
        names.sort_by_cached_key(|name| natural_sort_key(name));
        assert_eq!(
            names,
            [
                "9",
                "10",
                "a",
                "A2",
                "a02b9",
                "a2b10",
                "a10",
                "a100000000000000000000",
                "b"
            ]
        );
    }
}
