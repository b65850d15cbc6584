//! The parser of PHH documents.

use super::hand::{DECIMALS_MAX, decimals, units};
use super::{Hand, HandOrigin, Step, Variant};
use std::ops::Range;
use thiserror::Error;
use toml::{Table, Value};

/// The reason a text is not a hand of a supported game.
#[derive(Debug, Error)]
pub enum ParseError {
    /// The text is not valid TOML; contains the line in the file and the error of the parser.
    #[error("not TOML: {0}")]
    Toml(String),
    /// The game is not supported; contains the code of its variant.
    #[error("field `variant`: `{0}` is not supported; supported variants: {codes}", codes = Variant::ALL.map(Variant::code).join(", "))]
    Game(String),
    /// A field is missing or invalid.
    #[error("field `{field}`: {message}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// Description of the error.
        message: String,
    },
    /// An action is not valid.
    #[error("action {number} `{text}`: {message}")]
    Action {
        /// Number of the action, from 1.
        number: usize,
        /// Text of the action.
        text: String,
        /// Description of the error.
        message: String,
    },
}

/// The place of a hand in a text.
#[derive(Clone, Copy, Debug)]
pub struct HandLocation {
    /// Number of the TOML table with the hand, such as `[2]`; 1 for a document with a single hand.
    pub hand: u64,
    /// First line of the hand, from 1.
    pub line: usize,
}

/// Parses the hands of a text in order: a single document, or tables `[1]`, `[2]` and so on. An
/// error in one hand does not affect the others. Unknown fields are ignored.
pub fn parse(text: &str) -> Vec<(HandLocation, Result<Hand, ParseError>)> {
    let read = |text: &str, first_line: usize| {
        let fields: Table = text.parse().map_err(|error: toml::de::Error| {
            let place = error.span().map_or(0, |span| span.start);
            let before = text.bytes().take(place);
            let line = first_line + before.filter(|&byte| byte == b'\n').count();
            ParseError::Toml(format!("line {line}: {}", error.message()))
        })?;
        Reader {
            fields: &fields,
            decimals: 0,
        }
        .hand()
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Place, header and range of each hand. A first hand may have no header.
    let mut tables: Vec<(HandLocation, Option<&str>, Range<usize>)> = Vec::new();
    let mut from = 0;
    for (line, text) in (1..).zip(text.split_inclusive('\n')) {
        let end = from + text.len();
        let content = text.split('#').next().unwrap_or_default().trim();
        let hand = tables.len() as u64 + 1;
        if let Some(header) = header_of_hand(content) {
            let hand = header.parse().unwrap_or(hand);
            tables.push((HandLocation { hand, line }, Some(header), end..end));
        } else if let Some((_, _, range)) = tables.last_mut() {
            range.end = end;
        } else if !content.is_empty() {
            tables.push((HandLocation { hand, line }, None, from..end));
        }
        from = end;
    }
    tables
        .into_iter()
        .map(|(place, header, range)| {
            let is_number = |header: &str| header.parse::<u64>().is_ok();
            let hand = match header {
                Some(header) if !is_number(header) => Err(ParseError::Toml(format!(
                    "line {}: `[{header}]` is not the number of a hand, as in `[2]`",
                    place.line
                ))),
                // The text of a table begins after the line of its header.
                _ => read(&text[range], place.line + usize::from(header.is_some())),
            };
            (place, hand)
        })
        .collect()
}

/// Returns the text in brackets of the header of a hand, such as `[2]`. Returns `None` for other
/// lines, and for tables of additional fields, such as `[_notes]` and `[2.notes]`.
fn header_of_hand(line: &str) -> Option<&str> {
    let header = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    let key = header.trim_matches(['[', ']', '"', '\'']);
    let is_key = |text: &str| {
        let mut letters = text.chars();
        letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '+'))
    };
    let is_hand = is_key(header) && !header.starts_with('_');
    (is_hand || key.parse::<u64>().is_ok()).then_some(header)
}

struct Reader<'a> {
    fields: &'a Table,
    decimals: u8,
}

impl Reader<'_> {
    fn hand(mut self) -> Result<Hand, ParseError> {
        let code = self.required("variant")?.as_str().unwrap_or_default();
        let variant = Variant::ALL
            .into_iter()
            .find(|variant| variant.code() == code);
        let variant = variant.ok_or_else(|| ParseError::Game(code.to_owned()))?;
        let places = self.max_decimals(&[
            "antes",
            "blinds_or_straddles",
            "bring_in",
            "small_bet",
            "big_bet",
            "min_bet",
        ])?;
        let places = places.max(self.max_decimals(&["starting_stacks", "actions"])?);
        self.decimals = places.max(self.max_decimals(&["finishing_stacks"])?.min(DECIMALS_MAX));
        let is_stud = variant == Variant::FixedLimitStud;
        let (small_bet, big_bet) = if variant == Variant::NoLimitHoldem {
            let least = self.amount("min_bet")?;
            (least, least)
        } else {
            (self.amount("small_bet")?, self.amount("big_bet")?)
        };
        let antes = self.amounts("antes")?;
        let is_trimmed = self
            .fields
            .get("ante_trimming_status")
            .and_then(Value::as_bool)
            == Some(true);
        let hand = Hand {
            variant,
            decimals: self.decimals,
            chip: 10_i64.pow(u32::from(self.decimals - places)),
            dead_antes: !is_trimmed && antes.iter().any(|&ante| ante != 0),
            antes,
            blinds: if is_stud {
                Vec::new()
            } else {
                self.amounts("blinds_or_straddles")?
            },
            bring_in: if is_stud { self.amount("bring_in")? } else { 0 },
            small_bet,
            big_bet,
            finishing_stacks: if self.fields.contains_key("finishing_stacks") {
                self.amounts("finishing_stacks")?
            } else {
                Vec::new()
            },
            actions: self.actions()?,
            players: self.texts("players")?,
            origin: self.origin()?,
            starting_stacks: self.amounts("starting_stacks")?,
        };
        let count = hand.starting_stacks.len();
        let after = if hand.finishing_stacks.is_empty() {
            count
        } else {
            hand.finishing_stacks.len()
        };
        let blinds = if is_stud { count } else { hand.blinds.len() };
        let lengths = [
            ("antes", hand.antes.len()),
            ("blinds_or_straddles", blinds),
            ("finishing_stacks", after),
        ];
        match lengths.into_iter().find(|&(_, length)| length != count) {
            Some((field, length)) => Err(wrong(
                field,
                format!("has {length} entries for {count} players"),
            )),
            None => Ok(hand),
        }
    }

    fn max_decimals(&self, fields: &[&'static str]) -> Result<u8, ParseError> {
        let mut most = 0;
        for &field in fields {
            let Some(value) = self.fields.get(field) else {
                continue;
            };
            let values = value
                .as_array()
                .map_or(std::slice::from_ref(value), Vec::as_slice);
            for value in values {
                let text = value.as_str().map_or_else(
                    || value.to_string(),
                    |text| Step::amount(text).unwrap_or("0").into(),
                );
                let places = decimals(&text).unwrap_or(0);
                if places > DECIMALS_MAX && field != "finishing_stacks" {
                    return Err(wrong(
                        field,
                        format!("`{text}` has more than {DECIMALS_MAX} decimal places"),
                    ));
                }
                most = most.max(places);
            }
        }
        Ok(most)
    }

    fn actions(&self) -> Result<Vec<Step>, ParseError> {
        let step = |(number, action): (usize, &Value)| {
            let text = action.as_str().unwrap_or_default();
            Step::read(text, self.decimals).map_err(|message| ParseError::Action {
                number,
                text: text.into(),
                message,
            })
        };
        (1..).zip(self.list("actions")?).map(step).collect()
    }

    fn origin(&self) -> Result<HandOrigin, ParseError> {
        let text = |field: &str| {
            self.fields
                .get(field)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        let number = |field: &'static str| {
            let number = |value: &Value| {
                let number = value.as_integer().map(u32::try_from);
                number
                    .and_then(Result::ok)
                    .ok_or_else(|| wrong(field, "must be an integer from 0 to 4294967295"))
            };
            self.fields.get(field).map(number).transpose()
        };
        let seed = match self.fields.get("_seed") {
            None => None,
            Some(Value::Integer(seed)) => u64::try_from(*seed).ok(),
            Some(other) => other.as_str().and_then(|seed| seed.parse().ok()),
        };
        if self.fields.contains_key("_seed") && seed.is_none() {
            return Err(wrong("_seed", "must be an integer from 0 to 2^64 - 1"));
        }
        Ok(HandOrigin {
            seed,
            league: text("_league"),
            line_up: number("_line_up")?,
            block: number("_block")?,
            deal: number("_deal")?,
            options: text("_options"),
        })
    }

    fn required(&self, field: &'static str) -> Result<&Value, ParseError> {
        self.fields
            .get(field)
            .ok_or_else(|| wrong(field, "is missing"))
    }

    fn list(&self, field: &'static str) -> Result<&[Value], ParseError> {
        let list = self.required(field)?.as_array();
        list.map(Vec::as_slice)
            .ok_or_else(|| wrong(field, "is not a list"))
    }

    fn amount(&self, field: &'static str) -> Result<i64, ParseError> {
        self.chips(field, self.required(field)?)
    }

    fn amounts(&self, field: &'static str) -> Result<Vec<i64>, ParseError> {
        let chips = |value| self.chips(field, value);
        self.list(field)?.iter().map(chips).collect()
    }

    /// Converts an amount to units. Blinds may be negative. Stacks after the hand are rounded if
    /// they have too many decimal places, for example after a pot was split by three.
    fn chips(&self, field: &'static str, value: &Value) -> Result<i64, ParseError> {
        let text = value.to_string();
        let rounded = || {
            value
                .as_float()
                .filter(|_| field == "finishing_stacks")
                .map(|chips| format!("{chips:.6}"))
        };
        let number = units(&text, self.decimals).or_else(|| units(&rounded()?, self.decimals));
        let number = number.filter(|&number| number >= 0 || field == "blinds_or_straddles");
        number.ok_or_else(|| wrong(field, format!("`{text}` is not an amount of chips")))
    }

    fn texts(&self, field: &'static str) -> Result<Vec<String>, ParseError> {
        if !self.fields.contains_key(field) {
            return Ok(Vec::new());
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok(self.list(field)?.iter().map(text).collect())
    }
}

fn wrong(field: &'static str, message: impl Into<String>) -> ParseError {
    ParseError::Field {
        field,
        message: message.into(),
    }
}
