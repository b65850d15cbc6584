//! Sequences: windows of neighbouring cells of one suit, found for all suits and columns at once by
//! shifting.

use super::card::{CardSet, JOKER_SET, SUITED};
use super::moves::{EVERY_COLUMN, Marks, Situation, below, lowest, nth_cell, suits_allowed, turns};
use super::records::{Action, NONE, kind};

/// Fewest cards of a sequence.
pub(super) const SEQUENCE_MIN: u8 = 3;
/// Fewest cards of a sequence that makes a revolution.
pub(super) const REVOLUTION_SEQUENCE: u8 = 5;

/// Appends every sequence that the suited cards `suited` make, with the joker or without.
#[inline]
pub(super) fn lead_sequences(
    suited: CardSet,
    joker: bool,
    marks: &Marks,
    actions: &mut Vec<Action>,
) {
    if may_lead(suited, joker) {
        every_length(suited, joker, |length| length.list(marks, actions));
    }
}

/// Whether there may be a sequence. Most hands have none; three neighbours without the joker, or
/// two of three with it, are soon found missing.
#[inline]
pub(super) fn may_lead(suited: CardSet, joker: bool) -> bool {
    let neighbours = suited & suited >> 4;
    0 != if joker {
        neighbours | suited & suited >> 8
    } else {
        neighbours & suited >> 8
    }
}

/// How many plays [`lead_sequences`] appends.
pub(super) fn count_leads(suited: CardSet, joker: bool) -> u32 {
    let mut count = 0;
    every_length(suited, joker, |length| count += length.plays());
    count
}

/// The play that [`lead_sequences`] appends with this index, the pass past the last.
pub(super) fn nth_lead(suited: CardSet, joker: bool, mut index: u32, marks: &Marks) -> Action {
    let mut play = Action::PASS;
    every_length(suited, joker, |length| {
        let plays = length.plays();
        if play.is_pass() && index < plays {
            play = length.nth(index, marks);
        }
        index = index.wrapping_sub(plays);
    });
    play
}

/// Appends every sequence that beats the one on the table.
pub(super) fn follow_sequences(
    hand: CardSet,
    joker: bool,
    situation: &Situation,
    actions: &mut Vec<Action>,
) {
    if let Some(beating) = beating(hand, joker, situation) {
        beating.list(&Marks::new(situation), actions);
    }
}

/// The sequences that beat the one on the table, `None` if there are none.
pub(super) fn beating(hand: CardSet, joker: bool, situation: &Situation) -> Option<Length> {
    let table = &situation.table;
    let held = hand & suits_allowed(situation) & SUITED;
    if held.count_ones() + u32::from(joker) < u32::from(table.count) {
        return None;
    }
    let mut windows = Windows::new(held);
    for count in 2..=table.count {
        windows.widen(held, count);
    }
    // Every card must beat every card on the table: the windows start above its top, or end below
    // its bottom.
    let beating = if situation.reversed {
        if table.column < table.count {
            0
        } else {
            below(table.column - table.count + 1)
        }
    } else {
        // A table that reaches column 14 leaves no room, nor does a shift beyond the word.
        let start = table.column + table.count;
        if start > 14 { 0 } else { !below(start) }
    };
    let mut length = windows.length(held, table.count, joker);
    length.whole &= beating;
    length.gapped &= beating;
    (length.whole | length.gapped != 0).then_some(length)
}

/// Windows of neighbouring cells of one suit: bit `c` stands for the window that starts in cell
/// `c`.
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
        Windows {
            whole: held,
            gapped: !held,
        }
    }

    /// Widens windows of `count - 1` cells to `count`.
    #[inline]
    fn widen(&mut self, held: CardSet, count: u8) {
        let next = held >> (4 * (count - 1));
        self.gapped = (self.gapped & next) | (self.whole & !next);
        self.whole &= next;
    }

    /// The sequences of `count` cells, to which the windows have been widened. With a gap they need
    /// the joker, and must end in column 14 or before.
    #[inline]
    fn length(&self, held: CardSet, count: u8, joker: bool) -> Length {
        Length {
            held,
            whole: self.whole,
            gapped: if joker {
                self.gapped & below(16 - count)
            } else {
                0
            },
            count,
            joker,
        }
    }
}

/// Shows the sequences of every length that there is.
#[inline]
fn every_length(suited: CardSet, joker: bool, mut show: impl FnMut(&Length)) {
    // Windows of one length come from those one shorter; when none is left, longer ones cannot
    // exist.
    let mut windows = Windows::new(suited);
    for count in 2..=15 {
        windows.widen(suited, count);
        let length = windows.length(suited, count, joker);
        if length.whole | length.gapped == 0 {
            break;
        }
        if count >= SEQUENCE_MIN {
            show(&length);
        }
    }
}

/// All sequences of one length.
pub(super) struct Length {
    held: CardSet,
    /// Where windows start of which every cell is held.
    whole: CardSet,
    /// Where windows start of which the joker fills the one gap.
    gapped: CardSet,
    count: u8,
    joker: bool,
}

impl Length {
    /// How many plays there are.
    #[inline]
    pub(super) fn plays(&self) -> u32 {
        self.whole.count_ones() * self.plays_of_whole() + self.gapped.count_ones()
    }

    /// The plays of one whole window: as it is, and with the joker in any place.
    #[inline]
    fn plays_of_whole(&self) -> u32 {
        if self.joker {
            1 + u32::from(self.count)
        } else {
            1
        }
    }

    /// Appends all of them, window by window; in a whole one the play without the joker comes
    /// first.
    fn list(&self, marks: &Marks, actions: &mut Vec<Action>) {
        let mut starts = self.whole | self.gapped;
        while starts != 0 {
            let window = self.window(lowest(starts), marks);
            starts &= starts - 1;
            if window.missing == 0 {
                actions.push(window.whole());
            }
            let mut places = self.places(&window);
            while places != 0 {
                actions.push(window.with_joker(lowest(places)));
                places &= places - 1;
            }
        }
    }

    /// The play with this index in the list, which must be below their number.
    pub(super) fn nth(&self, mut index: u32, marks: &Marks) -> Action {
        let mut starts = self.whole | self.gapped;
        loop {
            let start = lowest(starts);
            let is_whole = self.whole >> start & 1 == 1;
            let plays = if is_whole { self.plays_of_whole() } else { 1 };
            if index < plays {
                let window = self.window(start, marks);
                if is_whole && index == 0 {
                    return window.whole();
                }
                let places = self.places(&window);
                return window.with_joker(nth_cell(places, if is_whole { index - 1 } else { 0 }));
            }
            index -= plays;
            starts &= starts - 1;
        }
    }

    #[inline]
    fn window(&self, start: u8, marks: &Marks) -> Window {
        let cells = (EVERY_COLUMN & below(self.count)) << start;
        let suits = 1_u8 << (start % 4);
        let by_cells = marks.cell_effects(cells);
        let turns = turns(self.count, REVOLUTION_SEQUENCE);
        let effects = by_cells | marks.suit_effects(u64::from(suits), by_cells, turns);
        Window {
            cells,
            missing: cells & !self.held,
            count: self.count,
            column: start / 4,
            suits,
            effects,
        }
    }

    /// Where the joker can stand: in the one gap, or for any of the cards where there is none.
    #[inline]
    fn places(&self, window: &Window) -> CardSet {
        match window.missing {
            _ if !self.joker => 0,
            0 => window.cells,
            gap => gap,
        }
    }
}

/// One sequence.
struct Window {
    cells: CardSet,
    missing: CardSet,
    count: u8,
    column: u8,
    suits: u8,
    effects: u8,
}

impl Window {
    #[inline]
    fn whole(&self) -> Action {
        self.play(self.cells, NONE)
    }

    #[inline]
    fn with_joker(&self, cell: u8) -> Action {
        self.play((self.cells & !(1 << cell)) | JOKER_SET, cell)
    }

    #[inline]
    fn play(&self, cards: CardSet, joker: u8) -> Action {
        Action::packed(
            cards,
            self.cells,
            kind::SEQUENCE,
            self.count,
            self.column,
            self.suits,
            joker,
            self.effects,
        )
    }
}
