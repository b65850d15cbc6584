//! Sequences: windows of neighbouring cells of one suit, found for all suits and columns at once by shifting.

use super::card::{CardSet, JOKER_SET, SUITED};
use super::moves::{EVERY_COLUMN, Marks, Situation, below, lowest, suits_allowed, turns};
use super::records::{Action, NONE, kind};

/// Fewest cards of a sequence.
pub const SEQUENCE_MIN: u8 = 3;
/// Fewest cards of a sequence that makes a revolution.
pub(super) const REVOLUTION_SEQUENCE: u8 = 5;

/// Appends every sequence that the suited cards `suited` make, with the joker or without.
#[inline]
pub(super) fn lead_sequences(suited: CardSet, joker: bool, marks: &Marks, actions: &mut Vec<Action>) {
    // Most hands have none; three neighbours without the joker, or two of three with it, are soon found missing.
    let neighbours = suited & suited >> 4;
    let enough = if joker { neighbours | suited & suited >> 8 } else { neighbours & suited >> 8 };
    if enough != 0 {
        lead_windows(suited, joker, marks, actions);
    }
}

fn lead_windows(suited: CardSet, joker: bool, marks: &Marks, actions: &mut Vec<Action>) {
    // Windows of one length come from those one shorter; when none is left, longer ones cannot exist.
    let mut windows = Windows::new(suited);
    for count in 2..=15 {
        windows.widen(suited, count);
        let (whole, gapped) = (windows.whole, if joker { windows.gapped_within(count) } else { 0 });
        if whole | gapped == 0 {
            break;
        }
        if count >= SEQUENCE_MIN {
            sequences(suited, whole | gapped, count, joker, marks, actions);
        }
    }
}

/// Appends every sequence that beats the one on the table.
pub(super) fn follow_sequences(hand: CardSet, joker: bool, situation: &Situation, actions: &mut Vec<Action>) {
    let table = &situation.table;
    let usable = hand & suits_allowed(situation) & SUITED;
    if usable.count_ones() + u32::from(joker) < u32::from(table.count) {
        return;
    }
    let mut windows = Windows::new(usable);
    for count in 2..=table.count {
        windows.widen(usable, count);
    }
    // Every card must beat every card on the table: the windows start above its top, or end below its bottom.
    let beating = if situation.reversed {
        if table.column < table.count { 0 } else { below(table.column - table.count + 1) }
    } else {
        // A table that reaches column 14 leaves no room, nor does a shift beyond the word.
        let start = table.column + table.count;
        if start > 14 { 0 } else { !below(start) }
    };
    let gapped = if joker { windows.gapped_within(table.count) } else { 0 };
    let starts = (windows.whole | gapped) & beating;
    if starts != 0 {
        sequences(usable, starts, table.count, joker, &Marks::new(situation), actions);
    }
}

/// Windows of neighbouring cells of one suit: bit `c` stands for the window that starts in cell `c`.
struct Windows {
    /// Windows of which every cell is held.
    whole: CardSet,
    /// Windows of which all cells but one are held.
    gapped: CardSet,
}

impl Windows {
    /// Windows of one cell.
    #[inline]
    fn new(held: CardSet) -> Windows {
        Windows { whole: held, gapped: !held }
    }

    /// Widens windows of `count - 1` cells to `count`.
    #[inline]
    fn widen(&mut self, held: CardSet, count: u8) {
        let next = held >> (4 * (count - 1));
        self.gapped = (self.gapped & next) | (self.whole & !next);
        self.whole &= next;
    }

    /// The gapped windows of `count` cells that end in column 14 or before.
    #[inline]
    fn gapped_within(&self, count: u8) -> CardSet {
        self.gapped & below(16 - count)
    }
}

/// Sequences of `count` cells that start in `starts`, which are whole or have one gap for the joker.
fn sequences(held: CardSet, mut starts: CardSet, count: u8, joker: bool, marks: &Marks, actions: &mut Vec<Action>) {
    let shape = EVERY_COLUMN & below(count);
    while starts != 0 {
        let start = lowest(starts);
        starts &= starts - 1;
        let cells = shape << start;
        let suits = 1_u8 << (start % 4);
        let by_cells = marks.cell_effects(cells);
        let effects = by_cells | marks.suit_effects(u64::from(suits), by_cells, turns(count, REVOLUTION_SEQUENCE));
        let missing = cells & !held;
        if missing == 0 {
            actions.push(Action::packed(cells, cells, kind::SEQUENCE, count, start / 4, suits, NONE, effects));
        }
        // The joker fills the one gap, or stands for any of the cards where there is none.
        let mut places = if !joker {
            0
        } else if missing == 0 {
            cells
        } else {
            missing
        };
        while places != 0 {
            let cell = lowest(places);
            places &= places - 1;
            let cards = (cells & !(1 << cell)) | JOKER_SET;
            actions.push(Action::packed(cards, cells, kind::SEQUENCE, count, start / 4, suits, cell, effects));
        }
    }
}
