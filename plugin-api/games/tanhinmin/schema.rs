//! The description of tanhinmin's records, for authors of bots in other languages.

use super::records::{Action, Event, NONE, PLAYERS_MAX, View};
use super::{CARDS_MAX, Tanhinmin};
use crate::GameTypes;
use crate::frame::{Constant, Framed, Schema};
use std::sync::LazyLock;

/// The description of tanhinmin's records.
pub(super) const SCHEMA: Schema = Schema {
    game: Tanhinmin::ID,
    doc: &[
        "Cards differ only in strength. They are numbered from 0, the weakest.",
        "In text, strengths start at 1, so card 0 is written \"1\".",
        "A set of cards has bit 1 << n for card n.",
        "",
        "Seats are numbered from 0 in the order of play; seat 0 leads the deal.",
        "A set of seats has bit 1 << n for seat n.",
    ],
    constants: &[
        Constant::number(
            "PLAYERS_MAX",
            PLAYERS_MAX as u64,
            "Maximum number of players at a table.",
        ),
        Constant::number(
            "CARDS_MAX",
            CARDS_MAX as u64,
            "Maximum number of cards in a hand.",
        ),
        Constant::number(
            "NONE",
            NONE as u64,
            "Value for no seat, player, place or card.",
        ),
    ],
    frames: &[Action::FRAME, Event::FRAME, View::FRAME],
};

/// Returns the name of a card: its strength, from 1. Returns `None` if there is no such card.
#[must_use]
pub fn card_name(card: u8) -> Option<&'static str> {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| (1..=60).map(|strength: u8| strength.to_string()).collect());
    NAMES.get(usize::from(card)).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_names_are_strengths_counted_from_1() {
        for card in 0..=u8::MAX {
            let expected = (card < 60).then(|| (u32::from(card) + 1).to_string());
            assert_eq!(card_name(card).map(str::to_owned), expected);
        }
    }
}
