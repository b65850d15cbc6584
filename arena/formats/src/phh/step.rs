//! Actions of a hand, for example `d dh p1 AsAh` and `p2 cbr 300`.

use super::amount::{decimal, units};
use hattari_games::poker::card;

/// An event in a hand. Players are numbered from 0 (from 1 in text); unknown cards are `None` (`??`
/// in text).
#[derive(Clone, Debug, PartialEq, Eq)]
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
    pub fn read(text: &str, decimals: u8) -> Result<Step, String> {
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
    #[must_use]
    pub fn text(&self, decimals: u8) -> String {
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
}
