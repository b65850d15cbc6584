//! Strict judgement of one play, without generating all others; the verb for strangers' moves.
//!
//! The contest's server lets two illegal plays through: the three of spades on a lone joker with
//! other cards beside it, and a joker that nobody holds from the holder of the three of spades.
//! Neither passes here.

use super::card::{self, CardSet, JOKER, JOKER_SET, SPADE_3, SUITED};
use super::moves::{LONE_JOKER, Situation, effects_of};
use super::records::{Action, NONE, kind, rule};
use super::sequences::SEQUENCE_MIN;
use thiserror::Error;

/// Why a play is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The cards form no single, group or sequence.
    #[error("the cards form neither a single nor a group nor a sequence")]
    Shape,
    /// A card is not in the hand.
    #[error("a card is not in the hand")]
    NotHeld,
    /// A sequence where the rules have none.
    #[error("sequences are not played under these rules")]
    NoSequences,
    /// Not the number of cards or the shape that lies on the table.
    #[error("the play must have the same shape and number of cards as the play on the table")]
    OtherShape,
    /// Suits are locked to others.
    #[error("suits are locked")]
    Locked,
    /// Not stronger than the table.
    #[error("the play does not beat the table")]
    TooWeak,
    /// Only the three of spades answers a lone joker.
    #[error("only the three of spades beats a single joker")]
    OnlySpade3,
}

/// The play that `cards` make with the joker standing for cell `joker`: [`JOKER`] where it stands
/// alone or fifth in a group, [`NONE`] where it is not among the cards. Effects are left 0.
///
/// # Errors
/// [`Illegal::Shape`] where they make none. No cards are no play: the pass is not a shape.
pub fn shape(cards: CardSet, joker: u8) -> Result<Action, Illegal> {
    let has_joker = cards & JOKER_SET != 0;
    if cards & !card::PACK != 0 || has_joker == (joker == NONE) {
        return Err(Illegal::Shape);
    }
    if cards == JOKER_SET {
        // Where a lone joker is put on the table does not matter.
        return if joker <= JOKER {
            Ok(LONE_JOKER)
        } else {
            Err(Illegal::Shape)
        };
    }
    let suited = cards & SUITED;
    let cells = match joker {
        NONE | JOKER => suited,
        place if place < JOKER && suited & (1 << place) == 0 => suited | 1 << place,
        _ => return Err(Illegal::Shape),
    };
    if cells == 0 {
        return Err(Illegal::Shape);
    }
    let count = u8::try_from(cards.count_ones()).map_err(|_| Illegal::Shape)?;
    let column = u8::try_from(cells.trailing_zeros()).map_err(|_| Illegal::Shape)? / 4;
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
        // The joker stands outside the suits only where all four of them are there.
        let fifth_fits = joker != JOKER || suits == 0xf;
        return match count {
            1 => Ok(play),
            _ if fifth_fits => Ok(Action {
                kind: kind::GROUP,
                ..play
            }),
            _ => Err(Illegal::Shape),
        };
    }
    let sequence = (0..count).fold(0, |sequence, step| {
        sequence | 1_u64.checked_shl(sequence_cell(&play, step)).unwrap_or(0)
    });
    if count >= SEQUENCE_MIN && joker != JOKER && cells == sequence {
        return Ok(Action {
            kind: kind::SEQUENCE,
            ..play
        });
    }
    Err(Illegal::Shape)
}

/// The cell that a sequence from the play's lowest cell covers after so many steps.
fn sequence_cell(play: &Action, step: u8) -> u32 {
    play.cells.trailing_zeros() + 4 * u32::from(step)
}

/// Judges a play of `hand`: the same play with its effects filled in.
///
/// # Errors
/// Why it may not be played. Passing is always legal and not judged here.
pub fn judge(play: &Action, hand: CardSet, situation: &Situation) -> Result<Action, Illegal> {
    let play = Action {
        effects: 0,
        ..shape(play.cards, play.joker)?
    };
    if play.cards & !hand != 0 {
        return Err(Illegal::NotHeld);
    }
    if play.kind == kind::SEQUENCE && situation.rules & rule::SEQUENCES == 0 {
        return Err(Illegal::NoSequences);
    }
    beats(&play, situation)?;
    Ok(Action {
        effects: effects_of(&play, situation),
        ..play
    })
}

/// Whether a well-formed play may be laid on the table, whoever holds it.
///
/// # Errors
/// Why not.
pub fn beats(play: &Action, situation: &Situation) -> Result<(), Illegal> {
    let table = &situation.table;
    if table.is_pass() {
        return Ok(());
    }
    if table.is_lone_joker() {
        return if play.cards == SPADE_3 {
            Ok(())
        } else {
            Err(Illegal::OnlySpade3)
        };
    }
    if play.kind != table.kind || play.count != table.count {
        return Err(Illegal::OtherShape);
    }
    if play.is_lone_joker() {
        return Ok(());
    }
    if situation.lock && play.suits != table.suits {
        return Err(Illegal::Locked);
    }
    // In a sequence every card must beat every card: the weaker end of the one, the stronger end of
    // the other.
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
        Err(Illegal::TooWeak)
    }
}
