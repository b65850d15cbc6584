//! Plays as text: `S7 H7`, `JK=S5 S6 S7` with the joker as the five of spades, `JK` alone, `S7 H7
//! D7 C7 JK` with the joker fifth, `-` for the pass.

use super::card::{self, JOKER};
use super::judge::{Illegal, judge, shape};
use super::moves::Situation;
use super::records::{Action, NONE, kind};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use thiserror::Error;

/// Why a text is not a play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// A word that names no card.
    #[error(
        "`{0}` is not a card: write suit S H D C and rank 3-9 T J Q K A 2, or JK, or JK= and the \
         card that the joker represents"
    )]
    Word(String),
    /// A card that stands twice.
    #[error("`{0}` occurs twice")]
    Twice(String),
    /// Cards that make no play.
    #[error("{0}")]
    Illegal(#[from] Illegal),
}

/// Cells by ascending column, then suit; the joker at the cell that it stands for, or last.
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

/// The play in any order of its cards, with effects 0: those depend on the table. The text of a
/// play in the exchange is a card set, for [`card::parse_set`].
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
        Ok(shape(cards, joker)?)
    }
}

/// The legal play that a text stands for, in a situation and out of a hand.
///
/// # Errors
/// Why the text is no play, or why the play may not be played.
pub fn parse_legal(
    text: &str,
    hand: card::CardSet,
    situation: &Situation,
) -> Result<Action, ParseError> {
    let action: Action = text.parse()?;
    if action.is_pass() {
        return Ok(action);
    }
    Ok(judge(&action, hand, situation)?)
}

/// The one of `legal` that is the same play, if any; whatever its effects say.
#[must_use]
pub fn find<'a>(legal: &'a [Action], play: &Action) -> Option<&'a Action> {
    legal.iter().find(|action| {
        action.kind == play.kind && action.cards == play.cards && action.joker == play.joker
    })
}
