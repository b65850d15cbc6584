//! Loops over collections that go the same way in every run.
//!
//! Luau goes through a table in the order in which its keys lie in memory, and where a key is
//! itself a table or a function that is where the system happened to put it. The loop is an
//! instruction of the machine, so no function of the library can stand in its way; but its text can
//! be led through one. `for k, v in t do` is compiled as `for k, v in __each(t) do`, on the same
//! line, and [`super::order`] has the function.
//!
//! Where a list of expressions ends is found by counting what opens and closes. Should a text
//! mislead the count, a bracket is missing where the loop starts, and the script is refused: no
//! loop gets round it.

use std::ops::Range;

/// What loops are led through. No script may use the name.
pub(super) const EACH: &str = "__each";

/// A script's text with every loop over a collection led through [`EACH`]. The text is one that
/// Luau compiles.
///
/// # Errors
/// The line where it uses the name itself.
pub(super) fn led(source: &str) -> Result<String, usize> {
    let tokens = Lexer::new(source).tokens();
    if let Some(token) = tokens.iter().find(|token| token.is(source, EACH)) {
        return Err(source[..token.at.start].matches('\n').count() + 1);
    }
    let mut text = String::with_capacity(source.len() + 64);
    let mut copied = 0;
    for (at, insertion) in insertions(source, &tokens) {
        text.push_str(&source[copied..at]);
        text.push_str(insertion);
        copied = at;
    }
    text.push_str(&source[copied..]);
    Ok(text)
}

/// Where a text calls `require`: the line, and the name that stands there in quotes, without them;
/// `None` where something else stands there. A field or a method of that name is another matter.
pub(super) fn required(source: &str) -> Vec<(usize, Option<&str>)> {
    let tokens = Lexer::new(source).tokens();
    let sign =
        |at: Option<&Token>, wanted: u8| at.is_some_and(|token| token.kind == Kind::Sign(wanted));
    let quoted = |token: &Token| {
        let text = &source[token.at.clone()];
        let pair = [("\"", "\""), ("'", "'"), ("[[", "]]")];
        let inner = pair
            .iter()
            .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
        inner.filter(|_| token.kind == Kind::Value)
    };
    let mut found = Vec::new();
    for (number, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.is(source, "require"))
    {
        let before = number.checked_sub(1).and_then(|before| tokens.get(before));
        if sign(before, b'.')
            || sign(before, b':')
            || before.is_some_and(|before| before.is(source, "function"))
        {
            continue;
        }
        let line = source[..token.at.start].matches('\n').count() + 1;
        match tokens.get(number + 1) {
            Some(next) if next.kind == Kind::Sign(b'(') => {
                let name = tokens.get(number + 2).and_then(quoted);
                found.push((line, name.filter(|_| sign(tokens.get(number + 3), b')'))));
            }
            Some(next) if next.kind == Kind::Value => found.push((line, quoted(next))),
            _ => {}
        }
    }
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A name or a keyword.
    Word,
    /// A number, a text, or `...`.
    Value,
    /// One character of anything else.
    Sign(u8),
    /// The `{` within a text in backquotes, and the `}` that ends it.
    Within,
    Without,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    at: Range<usize>,
}

impl Token {
    fn is(&self, source: &str, word: &str) -> bool {
        self.kind == Kind::Word && &source[self.at.clone()] == word
    }
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    /// Open braces; true where one opened within a text in backquotes.
    braces: Vec<bool>,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a str) -> Lexer<'a> {
        Lexer {
            text: source.as_bytes(),
            at: 0,
            tokens: Vec::new(),
            braces: Vec::new(),
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.tokens.push(Token {
            kind,
            at: start..self.at,
        });
    }

    fn tokens(mut self) -> Vec<Token> {
        while self.at < self.text.len() {
            self.token();
        }
        self.tokens
    }

    fn token(&mut self) {
        let start = self.at;
        match self.peek(0) {
            b'-' if self.peek(1) == b'-' => self.comment(),
            b'[' if self.long_bracket().is_some() => {
                self.long();
                self.push(Kind::Value, start);
            }
            quote @ (b'"' | b'\'') => {
                self.quoted(quote);
                self.push(Kind::Value, start);
            }
            b'`' => {
                self.at += 1;
                self.backquoted(start);
            }
            b'{' => {
                self.braces.push(false);
                self.at += 1;
                self.push(Kind::Sign(b'{'), start);
            }
            b'}' if self.braces.pop() == Some(true) => {
                self.at += 1;
                self.push(Kind::Without, start);
                self.backquoted(self.at);
            }
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => {
                self.at += 3;
                self.push(Kind::Value, start);
            }
            c if c.is_ascii_digit() => {
                self.number();
                self.push(Kind::Value, start);
            }
            c if c.is_ascii_alphabetic() || c == b'_' => {
                while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
                    self.at += 1;
                }
                self.push(Kind::Word, start);
            }
            // The rest of a character of several bytes is like a blank: outside of texts there is
            // none in what compiles.
            c if c.is_ascii_whitespace() || c == 0x0b || !c.is_ascii() => self.at += 1,
            c => {
                self.at += 1;
                self.push(Kind::Sign(c), start);
            }
        }
    }

    /// The number of equality signs of the long bracket that opens here.
    fn long_bracket(&self) -> Option<usize> {
        let level = (1..).take_while(|&ahead| self.peek(ahead) == b'=').count();
        (self.peek(0) == b'[' && self.peek(level + 1) == b'[').then_some(level)
    }

    fn long(&mut self) {
        let level = self.long_bracket().unwrap_or(0);
        self.at += level + 2;
        let close = [b"]".as_slice(), &b"=".repeat(level), b"]"].concat();
        let rest = &self.text[self.at.min(self.text.len())..];
        let end = rest.windows(close.len()).position(|window| window == close);
        self.at = end.map_or(self.text.len(), |end| self.at + end + close.len());
    }

    fn comment(&mut self) {
        self.at += 2;
        if self.long_bracket().is_some() {
            return self.long();
        }
        while !matches!(self.peek(0), 0 | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    fn number(&mut self) {
        while self.peek(0).is_ascii_digit() || matches!(self.peek(0), b'.' | b'_') {
            self.at += 1;
        }
        if matches!(self.peek(0), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(0), b'+' | b'-') {
                self.at += 1;
            }
        }
        while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
            self.at += 1;
        }
    }

    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.text.len() && self.peek(0) != quote {
            if self.peek(0) == b'\\' {
                self.escape()
            } else {
                self.at += 1
            }
        }
        self.at += 1;
    }

    fn escape(&mut self) {
        self.at += 1;
        match self.peek(0) {
            b'\r' if self.peek(1) == b'\n' => self.at += 2,
            b'z' => {
                self.at += 1;
                while matches!(self.peek(0), b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c) {
                    self.at += 1;
                }
            }
            _ => self.at += 1,
        }
    }

    /// Text in backquotes up to its end, or up to an expression in it.
    fn backquoted(&mut self, start: usize) {
        while self.at < self.text.len() {
            match self.peek(0) {
                b'`' => {
                    self.at += 1;
                    return self.push(Kind::Value, start);
                }
                b'\\' if self.peek(1) == b'u' && self.peek(2) == b'{' => self.at += 3,
                b'\\' => self.escape(),
                b'{' => {
                    self.braces.push(true);
                    self.at += 1;
                    return self.push(Kind::Within, start);
                }
                _ => self.at += 1,
            }
        }
    }
}

/// What is open at a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// A bracket of any kind; true for the braces of a table.
    Bracket(bool),
    /// What `end` closes: a function, a loop or a block; or an `if` that is a statement.
    Block,
    If,
    /// An `if` that is an expression, up to its `else`.
    Choice,
    Repeat,
}

/// A loop whose head is being read: how much was open at its start, and whether it goes over a
/// collection; `None` until that is seen.
struct Head {
    depth: usize,
    is_generic: Option<bool>,
}

/// Where something is to be put into the text, and what.
fn insertions(source: &str, tokens: &[Token]) -> Vec<(usize, &'static str)> {
    let (mut open, mut heads, mut places) = (Vec::new(), Vec::<Head>::new(), Vec::new());
    // Whether a value is to come next, so that an `if` is an expression.
    let mut wants_value = false;
    for token in tokens {
        let own = |head: &&mut Head| head.depth == open.len();
        match token.kind {
            Kind::Value => wants_value = false,
            Kind::Within => {
                open.push(Open::Bracket(false));
                wants_value = true;
            }
            Kind::Without => {
                open.pop();
                wants_value = false;
            }
            Kind::Sign(sign) => {
                match sign {
                    b'(' | b'[' | b'{' => open.push(Open::Bracket(sign == b'{')),
                    b')' | b']' | b'}' => drop(open.pop()),
                    b'=' => {
                        if let Some(head) = heads
                            .last_mut()
                            .filter(own)
                            .filter(|head| head.is_generic.is_none())
                        {
                            head.is_generic = Some(false);
                        }
                    }
                    _ => {}
                }
                // `>` ends a type more often than an `if` follows it in an expression.
                wants_value = match sign {
                    b';' => open.last() == Some(&Open::Bracket(true)),
                    b')' | b']' | b'}' | b'>' | b'?' | b':' | b'@' => false,
                    _ => true,
                };
            }
            Kind::Word => {
                let word = &source[token.at.clone()];
                let after = match word {
                    "for" => {
                        heads.push(Head {
                            depth: open.len(),
                            is_generic: None,
                        });
                        false
                    }
                    "in" => {
                        if let Some(head) = heads
                            .last_mut()
                            .filter(own)
                            .filter(|head| head.is_generic.is_none())
                        {
                            head.is_generic = Some(true);
                            places.push((token.at.end, " __each("));
                        }
                        true
                    }
                    "do" => {
                        if heads.last().is_some_and(|head| head.depth == open.len())
                            && heads.pop().and_then(|head| head.is_generic) == Some(true)
                        {
                            places.push((token.at.start, ") "));
                        }
                        open.push(Open::Block);
                        false
                    }
                    "function" => {
                        open.push(Open::Block);
                        false
                    }
                    "repeat" => {
                        open.push(Open::Repeat);
                        false
                    }
                    "if" => {
                        open.push(if wants_value { Open::Choice } else { Open::If });
                        true
                    }
                    "then" => open.last() == Some(&Open::Choice),
                    "else" if open.last() == Some(&Open::Choice) => {
                        open.pop();
                        true
                    }
                    "end" | "until" => {
                        open.pop();
                        word == "until"
                    }
                    "and" | "or" | "not" | "return" | "elseif" | "while" => true,
                    _ => false,
                };
                wants_value = after;
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_over_collections_are_led() {
        for (source, expected) in [
            ("for k, v in t do end", "for k, v in __each( t ) do end"),
            (
                "for i = 1, 3 do for k in next, t do end end",
                "for i = 1, 3 do for k in __each( next, t ) do end end",
            ),
            (
                "for k in t --[[ do ]] -- do\ndo end",
                "for k in __each( t --[[ do ]] -- do\n) do end",
            ),
            (
                "for k in (function() while x do if y then end end return t end)() do end",
                "for k in __each( (function() while x do if y then end end return t end)() ) do end",
            ),
            (
                "for k in if a then b else if c then d else e do end",
                "for k in __each( if a then b else if c then d else e ) do end",
            ),
            (
                "local s = \"for k in t do\" .. [==[ for k in t do ]] ]==]",
                "local s = \"for k in t do\" .. [==[ for k in t do ]] ]==]",
            ),
            (
                "local s = `\\`\\{{(function() for k in t do end end)()} in do`",
                "local s = `\\`\\{{(function() for k in __each( t ) do end end)()} in do`",
            ),
            (
                "for k: string, v: { [string]: (number) -> () } in t do repeat local x = if k then 1 else 2 until if x then y else z end",
                "for k: string, v: { [string]: (number) -> () } in __each( t ) do repeat local x = if k then 1 else 2 until if x then y else z end",
            ),
            (
                "local x: Array<number>\nif a then for k in t do end end",
                "local x: Array<number>\nif a then for k in __each( t ) do end end",
            ),
            (
                "for k in f(function() if a then return end end) do end",
                "for k in __each( f(function() if a then return end end) ) do end",
            ),
        ] {
            assert_eq!(led(source).unwrap(), expected, "{source}");
        }
        assert_eq!(led("\n\nlocal __each = 1"), Err(3));
        assert!(led("local s = '__each'").is_ok());
    }
}
