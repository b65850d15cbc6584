//! The record of a hand, with its actions, for example `d dh p1 AsAh` and `p2 cbr 300`.
//!
//! Chip amounts are decimal numbers in text, and integers in the smallest unit in records.

use hattari_games::poker::card;

/// The supported variants of the format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variant {
    /// No-limit hold'em, code `NT`.
    NoLimitHoldem,
    /// Fixed-limit hold'em, code `FT`.
    FixedLimitHoldem,
    /// Fixed-limit seven-card stud, code `F7S`.
    FixedLimitStud,
}

impl Variant {
    /// All supported variants.
    pub(crate) const ALL: [Variant; 3] = [
        Variant::NoLimitHoldem,
        Variant::FixedLimitHoldem,
        Variant::FixedLimitStud,
    ];

    /// Returns the code of the variant in the format.
    #[must_use]
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Variant::NoLimitHoldem => "NT",
            Variant::FixedLimitHoldem => "FT",
            Variant::FixedLimitStud => "F7S",
        }
    }
}

/// A recorded hand. Lists are indexed by position, and players are numbered by position from 0.
/// Amounts are integers in units of the last of [`Hand::decimals`] decimal places.
#[derive(Debug, PartialEq)]
pub struct Hand {
    /// Variant of poker, with its betting limit.
    pub variant: Variant,
    /// Number of decimal places of amounts. With 2, the unit is 0.01.
    pub decimals: u8,
    /// Smallest amount that can be bet, in units. More than 1 if the stacks after the hand have
    /// more decimal places than the bets.
    pub chip: i64,
    /// Antes, in the order of the format, which swaps the two players of a heads-up hand.
    pub antes: Vec<i64>,
    /// `true` if antes go to the main pot even if a player could not pay the full ante.
    pub dead_antes: bool,
    /// Blinds and straddles, the small blind first. The order is the same heads-up, although the
    /// last player posts the small blind. Empty for stud.
    pub blinds: Vec<i64>,
    /// Bring-in; 0 for hold'em.
    pub bring_in: i64,
    /// Small bet; the minimum bet in no-limit games.
    pub small_bet: i64,
    /// Big bet; the same as the small bet in no-limit games.
    pub big_bet: i64,
    /// Chips before the hand.
    pub starting_stacks: Vec<i64>,
    /// Chips after the hand; empty if not recorded.
    pub finishing_stacks: Vec<i64>,
    /// All events of the hand.
    pub actions: Vec<Step>,
    /// Names of the players; empty if not recorded.
    pub players: Vec<String>,
    /// League and deal from which the hand comes, as far as they are known.
    pub origin: HandOrigin,
}

/// The source of a hand. Unknown fields are not written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandOrigin {
    /// Seed of the league.
    pub seed: Option<u64>,
    /// Name of the league.
    pub league: Option<String>,
    /// Index of the line-up in the league.
    pub line_up: Option<u32>,
    /// Index of the block.
    pub block: Option<u32>,
    /// Index of the deal in the block.
    pub deal: Option<u32>,
    /// Options of the rules as JSON.
    pub options: Option<String>,
}

/// An event in a hand. Players are numbered from 0 (from 1 in text); unknown cards are `None` (`??`
/// in text).
#[derive(Debug, PartialEq)]
pub enum Step {
    /// A player is dealt cards.
    DealHole(usize, Vec<Option<u8>>),
    /// Community cards are dealt.
    DealBoard(Vec<Option<u8>>),
    /// A player posts the bring-in.
    BringIn(usize),
    /// A player completes, bets or raises to this total on the street.
    RaiseTo(usize, i64),
    /// A player checks or calls.
    CheckOrCall(usize),
    /// A player folds.
    Fold(usize),
    /// A player shows these cards; an empty list, or one with unknown cards only, is a mucked hand.
    Show(usize, Vec<Option<u8>>),
    /// A player shows the cards that were dealt.
    ShowDealt(usize),
    /// A player draws cards or stands pat. Games with draws are not supported.
    Draw(usize),
}

impl Step {
    /// Parses a step. Amounts are converted to units of the last of `decimals` places.
    ///
    /// # Errors
    /// Returns a message if the text is not a step.
    pub(crate) fn read(text: &str, decimals: u8) -> Result<Step, String> {
        // A `#` begins a comment.
        let words: Vec<&str> = text
            .split_whitespace()
            .take_while(|word| !word.starts_with('#'))
            .collect();
        match words[..] {
            ["d", "dh", who, cards] => Ok(Step::DealHole(player(who)?, read_cards(cards)?)),
            ["d", "db", cards] => Ok(Step::DealBoard(read_cards(cards)?)),
            [who, "pb"] => Ok(Step::BringIn(player(who)?)),
            [who, "cbr", total] => {
                let amount = units(total, decimals).filter(|&amount| amount >= 0);
                Ok(Step::RaiseTo(
                    player(who)?,
                    amount.ok_or_else(|| format!("`{total}` is not an amount of chips"))?,
                ))
            }
            [who, "cc"] => Ok(Step::CheckOrCall(player(who)?)),
            [who, "f"] => Ok(Step::Fold(player(who)?)),
            [who, "sm"] => Ok(Step::Show(player(who)?, Vec::new())),
            [who, "sm", "-"] => Ok(Step::ShowDealt(player(who)?)),
            [who, "sm", cards] => Ok(Step::Show(player(who)?, read_cards(cards)?)),
            [who, "sd"] | [who, "sd", _] => Ok(Step::Draw(player(who)?)),
            _ => Err(
                "an action must be one of `d dh`, `d db`, `pN pb`, `pN cbr`, `pN cc`, `pN \
                 f`, `pN sm`, `pN sd`"
                    .into(),
            ),
        }
    }

    /// Returns the amount in the text of a raise (`cbr`); `None` for other steps.
    pub(super) fn amount(text: &str) -> Option<&str> {
        let mut words = text.split_whitespace().skip_while(|&word| word != "cbr");
        words.nth(1)
    }

    /// Formats the step. Amounts are in units of the last of `decimals` places.
    pub(crate) fn text(&self, decimals: u8) -> String {
        match self {
            Step::DealHole(player, cards) => format!("d dh p{} {}", player + 1, words(cards)),
            Step::DealBoard(cards) => format!("d db {}", words(cards)),
            Step::BringIn(player) => format!("p{} pb", player + 1),
            Step::RaiseTo(player, total) => {
                format!("p{} cbr {}", player + 1, decimal(*total, decimals))
            }
            Step::CheckOrCall(player) => format!("p{} cc", player + 1),
            Step::Fold(player) => format!("p{} f", player + 1),
            Step::Show(player, cards) if cards.is_empty() => format!("p{} sm", player + 1),
            Step::Show(player, cards) => format!("p{} sm {}", player + 1, words(cards)),
            Step::ShowDealt(player) => format!("p{} sm -", player + 1),
            Step::Draw(player) => format!("p{} sd", player + 1),
        }
    }
}

fn words(cards: &[Option<u8>]) -> String {
    cards
        .iter()
        .map(|card| card.and_then(card::name).unwrap_or("??"))
        .collect()
}

fn player(word: &str) -> Result<usize, String> {
    let number = word
        .strip_prefix('p')
        .and_then(|number| number.parse::<usize>().ok())
        .filter(|&number| number > 0);
    number
        .map(|number| number - 1)
        .ok_or_else(|| format!("`{word}` is not a player; write for example `p1`"))
}

fn read_cards(text: &str) -> Result<Vec<Option<u8>>, String> {
    let letters: Vec<char> = text.chars().collect();
    let card = |pair: &[char]| {
        let name: String = pair.iter().collect();
        if name == "??" {
            return Ok(None);
        }
        card::parse(&name).map(Some).ok_or_else(|| {
            format!("`{name}` is not a card; write for example `As`, or `??` for an unknown card")
        })
    };
    letters.chunks(2).map(card).collect()
}

pub(super) const DECIMALS_MAX: u8 = 6;
/// Maximum amount in the smallest unit. Integers up to this limit are exact as `f64`.
const UNITS_MAX: i64 = 1_000_000_000_000_000;

/// Splits a decimal number without exponent into sign (true if negative), integer digits and
/// decimal digits without trailing zeros. Returns `None` for other texts.
fn split_decimal(text: &str) -> Option<(bool, &str, &str)> {
    let (is_negative, digits) = text
        .strip_prefix('-')
        .map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let fits = !whole.is_empty() && is_number(whole) && is_number(fraction);
    fits.then(|| (is_negative, whole, fraction.trim_end_matches('0')))
}

/// Converts a number to decimal notation without exponent: `1e3` becomes `1000`. The result is no
/// decimal number if the text is not a finite number.
fn plain_notation(text: &str) -> Option<String> {
    if split_decimal(text).is_some() {
        return Some(text.to_owned());
    }
    Some(text.parse::<f64>().ok()?.to_string())
}

/// Returns the number of decimal places without trailing zeros; `None` if the text is not a number.
pub(super) fn decimals(text: &str) -> Option<u8> {
    let plain = plain_notation(text)?;
    let (_, _, fraction) = split_decimal(&plain)?;
    u8::try_from(fraction.len()).ok()
}

/// Converts a number to an integer in units of the last of `decimals` decimal places. Returns
/// `None` if the text is not a number, has more decimal places or is out of range.
pub(super) fn units(text: &str, decimals: u8) -> Option<i64> {
    let plain = plain_notation(text)?;
    let (is_negative, whole, fraction) = split_decimal(&plain)?;
    if fraction.len() > usize::from(decimals) {
        return None;
    }
    let number: i64 = format!("{whole}{fraction:0<width$}", width = usize::from(decimals))
        .parse()
        .ok()?;
    (number <= UNITS_MAX).then_some(if is_negative { -number } else { number })
}

/// Formats an amount as a decimal number without trailing zeros. The unit is the last of `decimals`
/// decimal places.
pub fn decimal(units: i64, decimals: u8) -> String {
    let width = usize::from(decimals);
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = width + 1);
    let (whole, fraction) = digits.split_at(digits.len() - width);
    let (sign, fraction) = (
        if units < 0 { "-" } else { "" },
        fraction.trim_end_matches('0'),
    );
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_survive_parsing_and_writing() {
        for text in [
            "d dh p1 AsAh",
            "d dh p9 ????",
            "d db 2c7dTs",
            "p3 pb",
            "p1 cbr 40",
            "p2 cc",
            "p2 f",
            "p1 sm AsAh",
            "p1 sm",
            "p1 sm -",
            "p4 sd",
        ] {
            assert_eq!(Step::read(text, 0).unwrap().text(0), text);
        }
        assert_eq!(
            Step::read("p1 cc # thinks long", 0),
            Ok(Step::CheckOrCall(0))
        );
        assert_eq!(Step::read("p1 cbr 40.0", 0), Ok(Step::RaiseTo(0, 40)));
        assert_eq!(Step::read("p1 sd AsKs", 0), Ok(Step::Draw(0)));
        let half = Step::read("p1 cbr 4.50", 2).unwrap();
        assert_eq!(
            (&half, half.text(2).as_str()),
            (&Step::RaiseTo(0, 450), "p1 cbr 4.5")
        );
        for wrong in [
            "",
            "p0 cc",
            "x1 cc",
            "p1 cbr",
            "p1 cbr 4.5",
            "p1 bet 4",
            "d dh p1 Axx",
            "d db 1s",
        ] {
            assert!(Step::read(wrong, 0).is_err(), "{wrong}");
        }
    }

    #[test]
    fn decimal_amounts_are_converted_exactly() {
        let cases = [
            ("0", 0, 0),
            ("40.0", 0, 40),
            ("1e3", 0, 1000),
            ("0.1", 1, 1),
            ("2067.40", 1, 20674),
            ("-0.05", 2, -5),
            ("33.333333", 6, 33_333_333),
        ];
        for (text, places, number) in cases {
            assert_eq!(
                (decimals(text), units(text, places)),
                (Some(places), Some(number)),
                "{text}"
            );
            assert_eq!(units(&decimal(number, places), places), Some(number));
        }
        assert_eq!(units("2.5", 3), Some(2500));
        assert_eq!(decimal(2500, 3), "2.5");
        assert_eq!(
            [
                decimal(-5, 2),
                decimal(120, 0),
                decimal(0, 2),
                decimal(100, 2)
            ],
            ["-0.05", "120", "0", "1"]
        );
        for wrong in ["", "-", "x", ".5x", "inf", "nan", "1_0", "1e30"] {
            assert_eq!(units(wrong, 2), None, "{wrong}");
        }
        assert_eq!(
            (units("0.001", 2), units("10000000000000000", 0)),
            (None, None)
        );
    }
}
