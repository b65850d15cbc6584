//! Splits Lua source into tokens.

/// Kind of a token. Comments and white space are not tokens.
#[derive(PartialEq)]
pub(super) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A decimal or hexadecimal numeral.
    Number,
    /// A text in quotes, long brackets or backticks.
    Text,
    /// An operator or a bracket.
    Symbol,
}

/// A token with its position in the source.
pub(super) struct Token<'s> {
    pub kind: TokenKind,
    /// Index of the first byte in the source.
    pub start: usize,
    pub text: &'s str,
}

impl Token<'_> {
    /// Returns the index after the last byte in the source.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Symbols of several characters, the longest first.
const SYMBOLS: [&str; 17] = [
    "...", "..=", "//=", "==", "~=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=", "..", "//",
    "->", "::",
];

/// Returns the tokens of a source. A text or comment that is not closed extends to the end of the
/// source.
pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = source[start..].chars().next() {
        let rest = &source[start..];
        let (kind, length) = match first {
            _ if first.is_whitespace() => (None, first.len_utf8()),
            _ if rest.starts_with("--") => (None, 2 + comment_length(&rest[2..])),
            '[' if long_text_length(rest).is_some() => {
                (Some(TokenKind::Text), long_text_length(rest).unwrap_or(1))
            }
            '"' | '\'' => (Some(TokenKind::Text), quoted_length(rest, first)),
            '`' => (Some(TokenKind::Text), interpolated_length(rest)),
            'a'..='z' | 'A'..='Z' | '_' => (Some(TokenKind::Word), word_length(rest)),
            '0'..='9' => (Some(TokenKind::Number), number_length(rest)),
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                (Some(TokenKind::Number), number_length(rest))
            }
            _ => {
                let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
                let length = symbol.map_or(first.len_utf8(), |symbol| symbol.len());
                (Some(TokenKind::Symbol), length)
            }
        };
        let text = &rest[..length];
        tokens.extend(kind.map(|kind| Token { kind, start, text }));
        start += length;
    }
    tokens
}

fn word_length(rest: &str) -> usize {
    rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(rest.len())
}

/// Returns the length of a number, such as `1_000`, `0xff` or `1.5e-3`. Two dots are not part of
/// it.
fn number_length(rest: &str) -> usize {
    let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let bytes = rest.as_bytes();
    (0..bytes.len())
        .take_while(|&index| {
            let before = index.checked_sub(1).map(|before| bytes[before]);
            match bytes[index] {
                b'+' | b'-' => matches!(before, Some(b'e' | b'E')) && !is_hexadecimal,
                b'.' => before != Some(b'.') && bytes.get(index + 1) != Some(&b'.'),
                byte => byte == b'_' || byte.is_ascii_alphanumeric(),
            }
        })
        .count()
}

/// Returns the length of a text in quotes. A text that is not closed ends at the end of the line.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (position, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return position,
            _ if c == quote => return position + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Returns the length of a text in backticks. Expressions in its braces may contain further texts.
fn interpolated_length(rest: &str) -> usize {
    let mut position = 1;
    let mut depth = 0_usize;
    while let Some(c) = rest[position..].chars().next() {
        position += match c {
            '\\' => {
                1 + rest[position + 1..]
                    .chars()
                    .next()
                    .map_or(0, char::len_utf8)
            }
            '`' if depth == 0 => return position + 1,
            '`' => interpolated_length(&rest[position..]),
            '"' | '\'' if depth > 0 => quoted_length(&rest[position..], c),
            '{' => {
                depth += 1;
                1
            }
            '}' => {
                depth = depth.saturating_sub(1);
                1
            }
            _ => c.len_utf8(),
        };
    }
    rest.len()
}

/// Returns the length of a comment without the two dashes at its start.
fn comment_length(rest: &str) -> usize {
    long_text_length(rest).unwrap_or_else(|| rest.find('\n').unwrap_or(rest.len()))
}

/// Returns the length of a text in long brackets, such as `[==[ … ]==]`, or `None` if `rest` does
/// not begin with one.
fn long_text_length(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('[')?;
    let level = inner.find(|c| c != '=')?;
    inner[level..].strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(level));
    let start = level + 2;
    let length = rest[start..].find(&close);
    Some(length.map_or(rest.len(), |length| start + length + close.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).iter().map(|token| token.text).collect()
    }

    #[test]
    fn operators_and_numbers_are_separate_tokens() {
        assert_eq!(
            texts("a<=b..c~=1.5e-3+0xff//x[1]..2"),
            [
                "a", "<=", "b", "..", "c", "~=", "1.5e-3", "+", "0xff", "//", "x", "[", "1", "]",
                "..", "2"
            ]
        );
    }

    #[test]
    fn strings_are_single_tokens_and_comments_are_skipped() {
        let source = "x = 'a < \\' b' -- c < d\ny = [==[ < ]] ]==] --[[ < \n ]] z = `{f(\"}\", `{1}`)} <` + 2";
        assert_eq!(
            texts(source),
            [
                "x",
                "=",
                "'a < \\' b'",
                "y",
                "=",
                "[==[ < ]] ]==]",
                "z",
                "=",
                "`{f(\"}\", `{1}`)} <`",
                "+",
                "2"
            ]
        );
        assert_eq!(texts("'no end\nx"), ["'no end", "x"]);
        assert_eq!(texts("`ü{é} ü` é"), ["`ü{é} ü`", "é"]);
    }
}
