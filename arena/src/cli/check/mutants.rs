//! Makes mutants of a Lua script: copies with one small change.

use super::tokens::{Token, TokenKind, tokens};
use hattari_agents::text::joined;
use std::ops::Range;

/// One change of a script.
pub(super) struct Mutation {
    /// Number of the changed line, from 1.
    pub line: usize,
    /// Description, such as `< becomes <=`.
    pub change: String,
    /// Range of bytes in the source that is replaced.
    place: Range<usize>,
    replacement: String,
}

impl Mutation {
    /// Returns the changed source. All other lines keep their numbers.
    pub(super) fn apply(&self, source: &str) -> String {
        let Range { start, end } = self.place;
        format!("{}{}{}", &source[..start], self.replacement, &source[end..])
    }
}

/// Words and symbols that replace each other.
const PAIRS: [(&str, &str); 7] = [
    ("and", "or"),
    ("true", "false"),
    ("min", "max"),
    ("==", "~="),
    ("<", "<="),
    (">", ">="),
    ("+", "-"),
];

/// Words after which `+` and `-` have no left operand.
const KEYWORDS: [&str; 22] = [
    "and", "break", "continue", "do", "else", "elseif", "end", "false", "for", "function", "if",
    "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// Returns all mutations of a script, in the order of the source. The functions of the table
/// `tests` are left out, because no game calls them.
pub(super) fn mutations(source: &str) -> Vec<Mutation> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    let mut add = |place: Range<usize>, replacement: String, change: String| {
        let line = 1 + source[..place.start].matches('\n').count();
        found.push(Mutation {
            line,
            change,
            place,
            replacement,
        });
    };
    let tests = test_functions(source);
    for (index, token) in tokens.iter().enumerate() {
        if tests.iter().any(|lines| lines.contains(&token.start)) {
            continue;
        }
        let (place, own) = (token.start..token.end(), token.text);
        let before = index
            .checked_sub(1)
            .map_or("", |before| tokens[before].text);
        match token.kind {
            TokenKind::Text => {}
            TokenKind::Number => {
                for (replacement, change) in other_numbers(own) {
                    add(place.clone(), replacement, change);
                }
            }
            TokenKind::Word if own == "not" => {
                add(place, String::new(), "`not` is removed".to_owned());
            }
            TokenKind::Word if matches!(own, "if" | "elseif") => {
                if let Some(end) = condition_end(&tokens, index) {
                    let place = tokens[index + 1].start..tokens[end - 1].end();
                    let condition = &source[place.clone()];
                    let change = format!("the condition `{}` is negated", one_line(condition));
                    add(place, format!("not ({condition})"), change);
                }
            }
            TokenKind::Word | TokenKind::Symbol => {
                let is_sign = matches!(own, "+" | "-") && !ends_operand(before);
                if let Some(other) = replacement(own).filter(|_| !is_sign) {
                    add(
                        place,
                        other.to_owned(),
                        format!("`{own}` becomes `{other}`"),
                    );
                }
            }
        }
        if let Some(place) = statement(&tokens, source, index) {
            let change = format!("`{}` is deleted", one_line(&source[place.clone()]));
            add(place, String::new(), change);
        }
    }
    found
}

/// Returns the replacement of a word or symbol.
fn replacement(own: &str) -> Option<&'static str> {
    PAIRS.iter().find_map(|&(one, other)| {
        let replacement = if own == one { other } else { one };
        (own == one || own == other).then_some(replacement)
    })
}

/// Returns the replacements of a number (one more, and 0), each with its description.
fn other_numbers(number: &str) -> Vec<(String, String)> {
    let digits = number.replace('_', "");
    let others = match (digits.parse::<u64>(), digits.parse::<f64>()) {
        (Ok(0), _) => vec!["1".to_owned()],
        (Ok(number), _) => vec![(number.saturating_add(1)).to_string(), "0".to_owned()],
        (_, Ok(number)) => vec![(number + 1.0).to_string(), "0".to_owned()],
        // Hexadecimal numbers stay, because most of them are bit masks.
        _ => Vec::new(),
    };
    others
        .into_iter()
        .map(|other| (other.clone(), format!("`{number}` becomes `{other}`")))
        .collect()
}

/// Returns `true` if a token can end the left operand of an operator.
fn ends_operand(token: &str) -> bool {
    let is_value = token
        .chars()
        .next_back()
        .is_some_and(|c| c.is_alphanumeric() || "_)]}'\"`".contains(c));
    is_value && !KEYWORDS.contains(&token)
}

/// Returns the index of the `then` for the `if` or `elseif` at index `first`, or `None` if it has
/// no `then` or no condition.
fn condition_end(tokens: &[Token<'_>], first: usize) -> Option<usize> {
    let mut open = 0;
    for (index, token) in tokens.iter().enumerate().skip(first + 1) {
        match token.text {
            "if" | "elseif" => open += 1,
            "then" if open == 0 => return (index > first + 1).then_some(index),
            "then" => open -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the range of the statement that begins at the token with this index, or `None` if it is
/// not an assignment or a call that fills its line.
fn statement(tokens: &[Token<'_>], source: &str, index: usize) -> Option<Range<usize>> {
    let first = &tokens[index];
    let (before, after) = source.split_at(first.start);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line_end = first.start + after.find('\n').unwrap_or(after.len());
    let is_first = before[line_start..].trim().is_empty();
    if first.kind != TokenKind::Word || KEYWORDS.contains(&first.text) || !is_first {
        return None;
    }
    // A line in the middle of a list or an expression is not a statement.
    let opens = ["then", "do", "else", "repeat", "end", "break", "continue"];
    let before = index.checked_sub(1).map(|before| tokens[before].text);
    if before.is_some_and(|before| !opens.contains(&before) && !ends_operand(before)) {
        return None;
    }
    let length = tokens[index..].partition_point(|token| token.start < line_end);
    let (line, rest) = tokens[index..].split_at(length);
    let (mut depth, mut is_assignment) = (0_i32, false);
    for token in line {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "=" | "+=" | "-=" | "*=" | "/=" | "..=" => is_assignment |= depth == 0,
            "and" | "or" | "not" | "true" | "false" | "nil" => {}
            word if KEYWORDS.contains(&word) => return None,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    let last = line.last()?;
    let next = rest.first().map_or("end", |token| token.text);
    let starts_next = next.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_whole = depth == 0 && ends_operand(last.text) && starts_next;
    let is_statement = is_whole && !["and", "or"].contains(&next);
    let is_call = last.text == ")";
    (is_statement && (is_assignment || is_call)).then_some(first.start..last.end())
}

/// Returns the ranges of the functions `tests.NAME` that begin at the start of a line.
fn test_functions(source: &str) -> Vec<Range<usize>> {
    source
        .match_indices("function tests.")
        .filter(|(start, _)| *start == 0 || source[..*start].ends_with('\n'))
        .map(|(start, _)| {
            let end = source[start..].find("\nend");
            start..end.map_or(source.len(), |length| start + length)
        })
        .collect()
}

/// Returns a source text on one line, cut to 60 characters.
fn one_line(text: &str) -> String {
    const LENGTH_MAX: usize = 60;
    let line = joined(text.split_whitespace(), " ");
    if line.chars().count() <= LENGTH_MAX {
        return line;
    }
    line.chars().take(LENGTH_MAX).collect::<String>() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns line, description and the changed line of all mutations.
    fn all(source: &str) -> Vec<(usize, String, String)> {
        mutations(source)
            .into_iter()
            .map(|mutation| {
                let text = mutation.apply(source);
                let line = text.lines().nth(mutation.line - 1).unwrap_or("").trim();
                (mutation.line, mutation.change.clone(), line.to_owned())
            })
            .collect()
    }

    fn results(source: &str) -> Vec<String> {
        all(source).into_iter().map(|(_, _, text)| text).collect()
    }

    #[test]
    fn every_operator_produces_its_mutants() {
        assert_eq!(
            results("return a < b and not c"),
            [
                "return a <= b and not c",
                "return a < b or not c",
                "return a < b and  c"
            ]
        );
        assert_eq!(
            results("return x - 1"),
            ["return x + 1", "return x - 2", "return x - 0"]
        );
        assert_eq!(results("return -x"), Vec::<String>::new());
        assert_eq!(results("return 0.5"), ["return 1.5", "return 0"]);
        assert_eq!(results("return 'a < b' -- c < d"), Vec::<String>::new());
    }

    #[test]
    fn mutants_negate_whole_conditions() {
        assert_eq!(
            results("if a then return b end"),
            ["if not (a) then return b end"]
        );
        // The condition of the outer `if` has an `if` of its own.
        let negated = results("if (if a then b else c) then return d end");
        assert_eq!(
            negated,
            [
                "if not ((if a then b else c)) then return d end",
                "if (if not (a) then b else c) then return d end"
            ]
        );
    }

    #[test]
    fn mutants_delete_only_whole_statements() {
        let source = "local x = {\n  a = b,\n}\nx.a = f(c)\ng(x)\nlocal y = h\n(z)\nx = y or\n  z\nreturn x\n";
        let deleted: Vec<(usize, String)> = all(source)
            .into_iter()
            .filter(|(_, change, _)| change.ends_with("deleted"))
            .map(|(line, change, _)| (line, change))
            .collect();
        assert_eq!(
            deleted,
            [
                (4, "`x.a = f(c)` is deleted".to_owned()),
                (5, "`g(x)` is deleted".to_owned())
            ]
        );
    }

    #[test]
    fn test_functions_are_not_mutated() {
        let source = "function tests.one()\n  assert(a < b)\nend\nreturn a > b\n";
        assert_eq!(results(source), ["return a >= b"]);
    }
}
