//! One action of a hand: `d dh p1 AsAh`, `p2 cbr 300`.

use hattari_games::poker::card;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// Something that happens in a hand. Players are numbered from 0 here, from 1 in the text; unknown cards are `None`, `??`
/// in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A player is dealt cards.
    DealHole(usize, Vec<Option<u8>>),
    /// Community cards are dealt.
    DealBoard(Vec<Option<u8>>),
    /// A player posts the bring-in.
    BringIn(usize),
    /// A player completes, bets or raises to this total of the street.
    RaiseTo(usize, i64),
    /// A player checks or calls.
    Stay(usize),
    /// A player folds.
    Fold(usize),
    /// A player shows these cards; none of them is a hand thrown away.
    Show(usize, Vec<Option<u8>>),
    /// A player draws cards or stands pat, in games that are not played here.
    Draw(usize),
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Step::DealHole(player, cards) => write!(f, "d dh p{} {}", player + 1, words(cards)),
            Step::DealBoard(cards) => write!(f, "d db {}", words(cards)),
            Step::BringIn(player) => write!(f, "p{} pb", player + 1),
            Step::RaiseTo(player, total) => write!(f, "p{} cbr {total}", player + 1),
            Step::Stay(player) => write!(f, "p{} cc", player + 1),
            Step::Fold(player) => write!(f, "p{} f", player + 1),
            Step::Show(player, cards) if cards.is_empty() => write!(f, "p{} sm", player + 1),
            Step::Show(player, cards) => write!(f, "p{} sm {}", player + 1, words(cards)),
            Step::Draw(player) => write!(f, "p{} sd", player + 1),
        }
    }
}

fn words(cards: &[Option<u8>]) -> String {
    cards.iter().map(|card| card.and_then(card::name).unwrap_or("??")).collect()
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Step, String> {
        // What follows a `#` is commentary.
        let words: Vec<&str> = text.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
        match words[..] {
            ["d", "dh", who, cards] => Ok(Step::DealHole(player(who)?, read_cards(cards)?)),
            ["d", "db", cards] => Ok(Step::DealBoard(read_cards(cards)?)),
            [who, "pb"] => Ok(Step::BringIn(player(who)?)),
            [who, "cbr", total] => Ok(Step::RaiseTo(player(who)?, read_amount(total)?)),
            [who, "cc"] => Ok(Step::Stay(player(who)?)),
            [who, "f"] => Ok(Step::Fold(player(who)?)),
            [who, "sm"] => Ok(Step::Show(player(who)?, Vec::new())),
            // A hand that wins without being seen.
            [who, "sm", "-"] => Ok(Step::Show(player(who)?, Vec::new())),
            [who, "sm", cards] => Ok(Step::Show(player(who)?, read_cards(cards)?)),
            [who, "sd"] | [who, "sd", _] => Ok(Step::Draw(player(who)?)),
            _ => Err("it is none of `d dh`, `d db`, `pN pb`, `pN cbr`, `pN cc`, `pN f`, `pN sm`, `pN sd`".into()),
        }
    }
}

fn player(word: &str) -> Result<usize, String> {
    let number = word.strip_prefix('p').and_then(|number| number.parse::<usize>().ok()).filter(|&number| number > 0);
    number.map(|number| number - 1).ok_or_else(|| format!("`{word}` is not a player, as in `p1`"))
}

fn read_cards(text: &str) -> Result<Vec<Option<u8>>, String> {
    let letters: Vec<char> = text.chars().collect();
    let card = |pair: &[char]| {
        let name: String = pair.iter().collect();
        if name == "??" {
            return Ok(None);
        }
        card::parse(&name).map(Some).ok_or_else(|| format!("`{name}` is not a card, as in `As`, or `??`"))
    };
    letters.chunks(2).map(card).collect()
}

/// Chips out of a number; a fraction that is whole, such as `2.0` or `1e3`, counts too.
fn read_amount(word: &str) -> Result<i64, String> {
    let whole = |number: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and within 2^53")]
        (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
    };
    let number = word.parse().ok().or_else(|| word.parse().ok().and_then(whole));
    number.ok_or_else(|| format!("`{word}` is not a whole number of chips"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_they_are_written() {
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
            "p4 sd",
        ] {
            assert_eq!(text.parse::<Step>().unwrap().to_string(), text);
        }
        assert_eq!("p1 cc # thinks long".parse(), Ok(Step::Stay(0)));
        assert_eq!("p1 cbr 40.0".parse(), Ok(Step::RaiseTo(0, 40)));
        assert_eq!("p1 sd AsKs".parse(), Ok(Step::Draw(0)));
        for wrong in ["", "p0 cc", "x1 cc", "p1 cbr", "p1 cbr 4.5", "p1 bet 4", "d dh p1 Axx", "d db 1s"] {
            assert!(wrong.parse::<Step>().is_err(), "{wrong}");
        }
    }
}
