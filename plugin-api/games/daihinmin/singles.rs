//! Singles, precomputed for all cells and effects.

use super::card::{COLUMN_8, COLUMN_J, CardSet};
use super::moves::Situation;
use super::records::{Action, NONE, effect, kind, rule};

/// Appends the single of every card in `cards`, which must be suited.
#[inline]
pub(super) fn append_singles(mut cards: CardSet, situation: &Situation, actions: &mut Vec<Action>) {
    let singles = singles_of(situation);
    while cards != 0 {
        let cell = cards.trailing_zeros() & 63;
        cards &= cards - 1;
        actions.push(singles[cell as usize]);
    }
}

/// Returns the single of the suited card in `cell`.
#[inline]
pub(super) fn single_in(cell: u8, situation: &Situation) -> Action {
    singles_of(situation)[usize::from(cell & 63)]
}

/// Returns the singles of all cells in a situation.
#[inline]
fn singles_of(situation: &Situation) -> &'static [Action; 64] {
    let locks = (situation.rules & rule::LOCK != 0) & !situation.lock;
    let suit = if locks {
        SUIT_OF[usize::from(situation.table.suits & 0xf)]
    } else {
        NO_SUIT
    };
    &SINGLES[usize::from(situation.rules >> rule::EIGHT_CUT.trailing_zeros() & 3)][suit]
}

/// Index of [`SINGLES`] if no suit causes a lock.
const NO_SUIT: usize = 4;

/// Suit of each mask that has one bit; [`NO_SUIT`] for other masks, which a single cannot lock.
static SUIT_OF: [usize; 16] = {
    let mut suits = [NO_SUIT; 16];
    let mut suit = 0;
    while suit < 4 {
        suits[1 << suit] = suit;
        suit += 1;
    }
    suits
};

/// Singles, indexed by the options that affect them (1 eight-cut, 2 eleven-back), the suit that
/// causes a lock, and the cell.
static SINGLES: [[[Action; 64]; 5]; 4] = {
    assert!(rule::EIGHT_CUT << 1 == rule::ELEVEN_BACK);
    let mut table = [[[Action::PASS; 64]; 5]; 4];
    let mut cell = 4;
    while cell < 56 {
        let mut index = 0;
        while index < 4 * 5 {
            let (switches, lock) = (index / 5, index % 5);
            table[switches][lock][cell as usize] = single(cell, switches, lock);
            index += 1;
        }
        cell += 1;
    }
    table
};

const fn single(cell: u8, switches: usize, lock: usize) -> Action {
    let (column, suit) = (cell / 4, cell % 4);
    let mut effects = 0;
    if switches & 1 != 0 && column == COLUMN_8 {
        effects |= effect::CUT;
    } else if lock == suit as usize {
        effects |= effect::LOCK;
    }
    if switches & 2 != 0 && column == COLUMN_J {
        effects |= effect::ELEVEN_BACK;
    }
    Action {
        cards: 1 << cell,
        cells: 1 << cell,
        kind: kind::SINGLE,
        count: 1,
        column,
        suits: 1 << suit,
        joker: NONE,
        effects,
        reserved: 0,
    }
}
