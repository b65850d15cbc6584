//! Words for messages: the nearest name, lists, numbers that people can read.

use serde::Serializer;
use std::borrow::Cow;
use std::path::Path;

/// The candidate that `word` was most likely meant to be, if any is near.
#[must_use]
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

/// Case and the choice between `-` and `_` are what people mistake most.
fn fold(word: &str) -> String {
    word.to_lowercase().replace('_', "-")
}

/// A cure that names the nearest candidate and all of them: "did you mean `blocks`? Valid keys: …".
#[must_use]
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

/// Names in backquotes with commas between.
#[must_use]
pub fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// A word as a shell takes it: in quotes where it needs them.
#[must_use]
pub fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A number with its thousands set apart by commas.
#[must_use]
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

/// Returns the key by which people sort names: runs of digits by their value, letters without
/// regard to case.
#[must_use]
pub fn natural(name: &str) -> impl Ord + use<> {
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

/// "1 block", "2 blocks": a count with its noun, whose plural takes an s.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        grouped(number),
        if number == 1 { "" } else { "s" }
    )
}

/// Whether a character acts instead of being seen: controls, what turns the direction of writing,
/// and what takes no room.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// What strangers wrote, for a terminal: as it is, lines and all, with blanks for
/// [hidden](is_hidden) characters.
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    blanked(text, |c| c != '\n' && is_hidden(c))
}

/// What strangers wrote, where a line must stay one: with blanks for line ends and
/// [hidden](is_hidden) characters.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    blanked(text, is_hidden)
}

/// A cell of a sheet: a [`line()`] that no program for sheets takes for a formula. Numbers stay
/// numbers, and marks such as `++` what they are.
#[must_use]
pub fn cell(text: &str) -> Cow<'_, str> {
    let line = line(text);
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

/// What strangers wrote, in one line that goes into a sentence: with blanks for [hidden](is_hidden)
/// characters, plain quotes for backquotes, and `|` between lines.
#[must_use]
pub fn harmless(text: &str) -> String {
    let clean = |text: &str| line(text).trim().replace('`', "'");
    let lines = text.lines().map(clean);
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" | ")
}

/// The start of a text, of at most so many bytes; whole characters only.
#[must_use]
pub fn cut(text: &str, bytes_max: usize) -> &str {
    let end = (0..=bytes_max.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at));
    &text[..end.unwrap_or_default()]
}

/// Writes a path as text where it need not be text (`#[serde(serialize_with)]`): what is none is
/// replaced.
///
/// # Errors
/// What the serializer says.
pub fn serialize_path<S: Serializer>(
    path: &impl AsRef<Path>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.as_ref().display())
}

/// The path as it is shortest to write from the current folder.
#[must_use]
pub fn short(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let inside = here
        .as_deref()
        .and_then(|here| path.strip_prefix(here).ok());
    inside.unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_near() {
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
    fn what_strangers_wrote_is_one_plain_line() {
        assert_eq!(
            harmless("\n a\x1b[31m`b`\u{202e}c \r\n\n\td\u{9b}"),
            "a [31m'b' c | d"
        );
    }

    #[test]
    fn texts_act_nowhere() {
        assert_eq!(
            shown("a\x1b[2J\nb\u{9b}31m\t\u{202e}c\r"),
            "a [2J\nb 31m  c "
        );
        assert_eq!(line("a\nb\u{e0041}"), "a b ");
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
        assert_eq!(cells.map(|text| cell(text).into_owned()), expected);
    }

    #[test]
    fn numbers_can_be_read() {
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
    fn numbers_within_names_are_sorted_by_value() {
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
        names.sort_by_cached_key(|name| natural(name));
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
