//! From text to records.

use super::write::Origin;
use super::{Hand, Step, Variant};
use thiserror::Error;
use toml::{Table, Value};

/// Why a text is not hands of games that are played here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Not TOML.
    #[error("not TOML: {0}")]
    Toml(String),
    /// A field that is wrong or missing.
    #[error("hand {hand}, field `{field}`: {message}")]
    Field {
        /// Number of the hand, from 1.
        hand: usize,
        /// Its name.
        field: &'static str,
        /// What is wrong.
        message: String,
    },
    /// An action that is none.
    #[error("hand {hand}, action {number} `{text}`: {message}")]
    Action {
        /// Number of the hand, from 1.
        hand: usize,
        /// Number of the action, from 1.
        number: usize,
        /// Its text.
        text: String,
        /// What is wrong.
        message: String,
    },
}

/// The hands of a text: one document, or tables `[1]`, `[2]` and so on in the order of their numbers. Fields that are not
/// needed are left out of the records.
///
/// # Errors
/// The first field or action that is wrong, with its hand.
pub fn parse(text: &str) -> Result<Vec<Hand>, ParseError> {
    let document: Table = text.parse().map_err(|error: toml::de::Error| ParseError::Toml(error.to_string()))?;
    if document.contains_key("variant") {
        return Ok(vec![Reader { hand: 1, fields: &document }.hand()?]);
    }
    let mut tables: Vec<(u64, &Table)> =
        (document.iter()).filter_map(|(name, value)| Some((name.parse().ok()?, value.as_table()?))).collect();
    tables.sort_unstable_by_key(|(number, _)| *number);
    (1..).zip(tables).map(|(hand, (_, fields))| Reader { hand, fields }.hand()).collect()
}

struct Reader<'a> {
    hand: usize,
    fields: &'a Table,
}

impl Reader<'_> {
    fn hand(&self) -> Result<Hand, ParseError> {
        let code = self.required("variant")?.as_str().unwrap_or_default();
        let variant = Variant::ALL.into_iter().find(|variant| variant.code() == code).ok_or_else(|| {
            let codes = Variant::ALL.map(Variant::code).join(", ");
            self.wrong("variant", format!("`{code}` is not played here; {codes} are"))
        })?;
        let stacks = self.amounts("starting_stacks")?;
        let is_stud = variant == Variant::FixedLimitStud;
        let (small_bet, big_bet) = if variant == Variant::NoLimitHoldem {
            let least = self.amount("min_bet")?;
            (least, least)
        } else {
            (self.amount("small_bet")?, self.amount("big_bet")?)
        };
        let hand = Hand {
            variant,
            antes: self.amounts("antes")?,
            blinds: if is_stud { Vec::new() } else { self.amounts("blinds_or_straddles")? },
            bring_in: if is_stud { self.amount("bring_in")? } else { 0 },
            small_bet,
            big_bet,
            finishing_stacks: if self.has("finishing_stacks") { self.amounts("finishing_stacks")? } else { Vec::new() },
            actions: self.actions()?,
            players: self.texts("players")?,
            origin: self.origin()?,
            starting_stacks: stacks,
        };
        let count = hand.starting_stacks.len();
        for (field, list) in [("antes", &hand.antes), ("blinds_or_straddles", &hand.blinds)] {
            if list.len() != count && !(is_stud && field == "blinds_or_straddles") {
                let message = format!("has {} entries for {count} players", list.len());
                return Err(self.wrong(field, message));
            }
        }
        Ok(hand)
    }

    fn actions(&self) -> Result<Vec<Step>, ParseError> {
        let list = self.required("actions")?.as_array().ok_or_else(|| self.wrong("actions", "is not a list"))?;
        let step = |(number, action): (usize, &Value)| {
            let text = action.as_str().unwrap_or_default();
            let wrong = |message| ParseError::Action { hand: self.hand, number, text: text.into(), message };
            text.parse().map_err(wrong)
        };
        (1..).zip(list).map(step).collect()
    }

    fn origin(&self) -> Result<Origin, ParseError> {
        let text = |field: &str| self.fields.get(field).and_then(Value::as_str).map(str::to_owned);
        let number = |field: &'static str| match self.fields.get(field) {
            None => Ok(None),
            Some(value) => {
                let number = value.as_integer().and_then(|number| u32::try_from(number).ok());
                number.map(Some).ok_or_else(|| self.wrong(field, "is not a number of ours"))
            }
        };
        let seed = match self.fields.get("_seed") {
            None => None,
            Some(Value::Integer(seed)) => u64::try_from(*seed).ok(),
            Some(other) => other.as_str().and_then(|seed| seed.parse().ok()),
        };
        if self.has("_seed") && seed.is_none() {
            return Err(self.wrong("_seed", "is not a seed of ours"));
        }
        Ok(Origin {
            seed,
            league: text("_league"),
            line_up: number("_line_up")?,
            block: number("_block")?,
            deal: number("_deal")?,
            options: text("_options"),
        })
    }

    fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    fn required(&self, field: &'static str) -> Result<&Value, ParseError> {
        self.fields.get(field).ok_or_else(|| self.wrong(field, "is missing"))
    }

    fn amount(&self, field: &'static str) -> Result<i64, ParseError> {
        self.chips(field, self.required(field)?)
    }

    fn amounts(&self, field: &'static str) -> Result<Vec<i64>, ParseError> {
        let list = self.required(field)?.as_array().ok_or_else(|| self.wrong(field, "is not a list"))?;
        list.iter().map(|value| self.chips(field, value)).collect()
    }

    /// A whole number of chips. The format allows fractions; hands with cents have to be counted in cents.
    fn chips(&self, field: &'static str, value: &Value) -> Result<i64, ParseError> {
        let whole = value.as_float().filter(|number| number.fract() == 0.0 && number.abs() < 9e15);
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and within 2^53")]
        let number = value.as_integer().or(whole.map(|number| number as i64));
        let number = number.filter(|&number| number >= 0);
        number.ok_or_else(|| self.wrong(field, format!("`{value}` is not a whole number of chips")))
    }

    fn texts(&self, field: &'static str) -> Result<Vec<String>, ParseError> {
        let Some(value) = self.fields.get(field) else { return Ok(Vec::new()) };
        let list = value.as_array().ok_or_else(|| self.wrong(field, "is not a list"))?;
        Ok(list.iter().map(|value| value.as_str().unwrap_or_default().to_owned()).collect())
    }

    fn wrong(&self, field: &'static str, message: impl Into<String>) -> ParseError {
        ParseError::Field { hand: self.hand, field, message: message.into() }
    }
}
