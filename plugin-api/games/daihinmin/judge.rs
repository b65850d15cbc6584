//! Checks a single play without generating all legal plays. Used for plays that come from outside
//! the program.
//!
//! The contest's server accepts two illegal plays, which are refused here. One is the three of
//! spades with other cards on a lone joker. The other is a joker played by the holder of the three
//! of spades, who does not hold it.

use super::card::{self, CardSet, JOKER, JOKER_SET, SPADE_3, SUITED};
use super::moves::{LONE_JOKER, Situation, effects_of, lowest};
use super::records::{Action, NONE, kind, rule};
use super::sequences::{SEQUENCE_MAX, SEQUENCE_MIN, sequence_cells};
use thiserror::Error;

/// The reason a play is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalPlay {
    /// The cards form no single, group or sequence.
    #[error("the cards form neither a single nor a group nor a sequence")]
    Shape,
    /// A card is not in the hand.
    #[error("a card is not in the hand")]
    NotHeld,
    /// The play is a sequence, but the rules do not allow sequences.
    #[error("these rules do not allow sequences")]
    NoSequences,
    /// The number of cards or the shape differs from the play on the table.
    #[error("the play must have the same shape and number of cards as the play on the table")]
    OtherShape,
    /// The suits differ from the locked suits.
    #[error("suits are locked")]
    Locked,
    /// The play is not stronger than the play on the table.
    #[error("the play does not beat the table")]
    TooWeak,
    /// The play on the table is a lone joker, and this play is not the three of spades.
    #[error("only the three of spades beats a single joker")]
    OnlySpade3,
}

/// Returns the play that `cards` form if the joker stands for cell `joker`. `joker` is [`JOKER`]
/// for a lone joker or the fifth card of a group, and [`NONE`] if `cards` has no joker. The effects
/// are 0.
///
/// # Errors
/// Returns [`IllegalPlay::Shape`] if the cards form no play. The empty set is not a play.
pub fn play_of(cards: CardSet, joker: u8) -> Result<Action, IllegalPlay> {
    let has_joker = cards & JOKER_SET != 0;
    if cards & !card::PACK != 0 || has_joker == (joker == NONE) {
        return Err(IllegalPlay::Shape);
    }
    if cards == JOKER_SET {
        // The cell of a lone joker does not matter.
        return if joker <= JOKER {
            Ok(LONE_JOKER)
        } else {
            Err(IllegalPlay::Shape)
        };
    }
    let suited = cards & SUITED;
    let cells = match joker {
        NONE | JOKER => suited,
        place if place < JOKER && suited & (1 << place) == 0 => suited | 1 << place,
        _ => return Err(IllegalPlay::Shape),
    };
    if cells == 0 {
        return Err(IllegalPlay::Shape);
    }
    let count = (cards.count_ones() & 63) as u8;
    let column = card::column(lowest(cells));
    let suits = (0..15).fold(0, |suits, column| suits | card::suits_in(cells, column));
    let play = Action {
        cards,
        cells,
        kind: kind::SINGLE,
        count,
        column,
        suits,
        joker,
        effects: 0,
        reserved: 0,
    };
    if cells & !card::column_set(column) == 0 {
        // The joker is the fifth card only if all four suits are present.
        let fifth_fits = joker != JOKER || suits == 0xf;
        return match count {
            1 => Ok(play),
            _ if fifth_fits => Ok(Action {
                kind: kind::GROUP,
                ..play
            }),
            _ => Err(IllegalPlay::Shape),
        };
    }
    let is_sequence = (SEQUENCE_MIN..=SEQUENCE_MAX).contains(&count)
        && cells == sequence_cells(lowest(cells), count);
    if is_sequence && joker != JOKER {
        return Ok(Action {
            kind: kind::SEQUENCE,
            ..play
        });
    }
    Err(IllegalPlay::Shape)
}

/// Checks a play of `hand` and returns it with its effects.
///
/// # Errors
/// Returns the reason if the play is illegal. Do not call this for a pass, which is always legal.
pub fn check_play(
    play: &Action,
    hand: CardSet,
    situation: &Situation,
) -> Result<Action, IllegalPlay> {
    let play = play_of(play.cards, play.joker)?;
    if play.cards & !hand != 0 {
        return Err(IllegalPlay::NotHeld);
    }
    if play.kind == kind::SEQUENCE && situation.rules & rule::SEQUENCES == 0 {
        return Err(IllegalPlay::NoSequences);
    }
    check_beats_table(&play, situation)?;
    Ok(Action {
        effects: effects_of(&play, situation),
        ..play
    })
}

/// Checks that a well-formed play beats the table, without regard to a hand.
///
/// # Errors
/// Returns the reason if it does not.
pub fn check_beats_table(play: &Action, situation: &Situation) -> Result<(), IllegalPlay> {
    let table = &situation.table;
    if table.is_pass() {
        return Ok(());
    }
    if table.is_lone_joker() {
        return if play.cards == SPADE_3 {
            Ok(())
        } else {
            Err(IllegalPlay::OnlySpade3)
        };
    }
    if play.kind != table.kind || play.count != table.count {
        return Err(IllegalPlay::OtherShape);
    }
    if play.is_lone_joker() {
        return Ok(());
    }
    if situation.lock && play.suits != table.suits {
        return Err(IllegalPlay::Locked);
    }
    // Every card of a sequence must beat every card on the table, so the nearest ends are compared.
    let span = if play.kind == kind::SEQUENCE {
        play.count - 1
    } else {
        0
    };
    let stronger = if situation.reversed {
        play.column + span < table.column
    } else {
        play.column > table.column + span
    };
    if stronger {
        Ok(())
    } else {
        Err(IllegalPlay::TooWeak)
    }
}
