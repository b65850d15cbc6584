//! Plays as text: `S7 H7`; `JK=S5 S6 S7` with the joker as the five of spades; `JK` alone; `S7 H7
//! D7 C7 JK` with the joker as fifth card; `-` for the pass.

use super::card::{self, JOKER};
use super::judge::{IllegalPlay, play_of};
use super::records::{Action, NONE, kind};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use thiserror::Error;

/// The reason a text is not a play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// A word is not a card.
    #[error(
        "`{0}` is not a card; write suit S H D C and rank 3-9 T J Q K A 2, or JK, or JK= and the \
         card that the joker represents"
    )]
    Word(String),
    /// A card occurs twice.
    #[error("`{0}` occurs twice")]
    Twice(String),
    /// The cards form no play.
    #[error("{0}")]
    Illegal(#[from] IllegalPlay),
}

/// Writes cells by ascending column, then suit; the joker at the cell that it stands for, or last.
impl Display for Action {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.kind == kind::PASS {
            return f.write_str("-");
        }
        if self.kind == kind::GIVE {
            return f.write_str(&card::describe(self.cards));
        }
        let mut separator = "";
        for cell in card::cells(self.cells) {
            f.write_str(separator)?;
            if cell == self.joker {
                f.write_str("JK=")?;
            }
            f.write_str(card::name(cell).unwrap_or("?"))?;
            separator = " ";
        }
        if self.joker == JOKER {
            write!(f, "{separator}JK")?;
        }
        Ok(())
    }
}

/// Parses a play with its cards in any order. The effects are 0, because they depend on the table.
/// For gifts in the exchange, use [`card::parse_set`].
impl FromStr for Action {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Action, ParseError> {
        if text.trim() == "-" {
            return Ok(Action::PASS);
        }
        let (mut cards, mut joker) = (0, NONE);
        for word in text.split_whitespace() {
            let (card, place) = match word.strip_prefix("JK=") {
                Some(place) => (
                    Some(JOKER),
                    card::parse(place).filter(|&place| place < JOKER),
                ),
                None => (card::parse(word), Some(JOKER)),
            };
            let (Some(card), Some(place)) =
                (card.filter(|&card| 1 << card & card::PACK != 0), place)
            else {
                return Err(ParseError::Word(word.into()));
            };
            if cards & 1 << card != 0 {
                return Err(ParseError::Twice(word.into()));
            }
            cards |= 1 << card;
            if card == JOKER {
                joker = place;
            }
        }
        Ok(play_of(cards, joker)?)
    }
}

/// Returns the element of `legal` that is the same play, disregarding effects; `None` if there is
/// none.
pub fn find<'a>(legal: &'a [Action], play: &Action) -> Option<&'a Action> {
    legal.iter().find(|action| {
        action.kind == play.kind && action.cards == play.cards && action.joker == play.joker
    })
}
