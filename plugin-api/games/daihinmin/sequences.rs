//! Sequences: windows of adjacent cells of one suit. Bit shifts find them in all suits and columns
//! at once.

use super::card::{CardSet, JOKER_SET, SUITED};
use super::moves::{
    EVERY_COLUMN, EffectMasks, Situation, columns_below, lowest, nth_cell, revolution_effect,
    suits_allowed,
};
use super::records::{Action, NONE, kind};

/// Minimum number of cards of a sequence.
pub(super) const SEQUENCE_MIN: u8 = 3;
/// Maximum number of cards of a sequence: the number of columns.
pub(super) const SEQUENCE_MAX: u8 = 15;
/// Minimum number of cards of a sequence that makes a revolution.
pub(super) const REVOLUTION_SEQUENCE: u8 = 5;

/// Appends every sequence of the suited cards `suited`, with and without the joker.
#[inline]
pub(super) fn lead_sequences(
    suited: CardSet,
    joker: bool,
    masks: &EffectMasks,
    actions: &mut Vec<Action>,
) {
    if has_sequence(suited, joker) {
        for_each_length(suited, joker, |length| length.list(masks, actions));
    }
}

/// Returns `true` if the cards contain a sequence: three adjacent cards, or two of three with the
/// joker. Most hands contain none.
#[inline]
pub(super) fn has_sequence(suited: CardSet, joker: bool) -> bool {
    let neighbours = suited & suited >> 4;
    0 != if joker {
        neighbours | suited & suited >> 8
    } else {
        neighbours & suited >> 8
    }
}

/// Returns the number of plays that [`lead_sequences`] appends.
pub(super) fn count_leads(suited: CardSet, joker: bool) -> u32 {
    let mut count = 0;
    for_each_length(suited, joker, |length| count += length.plays());
    count
}

/// Returns the play that [`lead_sequences`] appends at this index, or the pass if there is none.
pub(super) fn nth_lead(
    suited: CardSet,
    joker: bool,
    mut index: u32,
    masks: &EffectMasks,
) -> Action {
    let mut play = Action::PASS;
    for_each_length(suited, joker, |length| {
        let plays = length.plays();
        if play.is_pass() && index < plays {
            play = length.nth(index, masks);
        }
        index = index.wrapping_sub(plays);
    });
    play
}

/// Appends every sequence that beats the sequence on the table.
pub(super) fn follow_sequences(
    hand: CardSet,
    joker: bool,
    situation: &Situation,
    actions: &mut Vec<Action>,
) {
    if let Some(beating) = beating_sequences(hand, joker, situation) {
        beating.list(&EffectMasks::new(situation), actions);
    }
}

/// Returns the sequences that beat the sequence on the table, or `None` if there are none.
pub(super) fn beating_sequences(
    hand: CardSet,
    joker: bool,
    situation: &Situation,
) -> Option<SequencesOfLength> {
    let table = &situation.table;
    let held = hand & suits_allowed(situation) & SUITED;
    if held.count_ones() + u32::from(joker) < u32::from(table.count) {
        return None;
    }
    let mut windows = Windows::new(held);
    for count in 2..=table.count {
        windows.widen(held, count);
    }
    // Every card must beat every card on the table, so windows start above its top or end below its
    // bottom.
    let beating = if situation.reversed {
        if table.column < table.count {
            0
        } else {
            columns_below(table.column - table.count + 1)
        }
    } else {
        // If the table reaches column 14, no window fits; the check also keeps the shift within the
        // word.
        let start = table.column + table.count;
        if start > 14 { 0 } else { !columns_below(start) }
    };
    let mut length = windows.sequences_of_length(held, table.count, joker);
    length.whole &= beating;
    length.gapped &= beating;
    (length.whole | length.gapped != 0).then_some(length)
}

/// Returns `count` adjacent cells of one suit, the lowest of which is `start`. `count` is at most
/// [`SEQUENCE_MAX`].
#[inline]
pub(super) fn sequence_cells(start: u8, count: u8) -> CardSet {
    (EVERY_COLUMN & columns_below(count)) << start
}

/// Windows of adjacent cells of one suit. Bit `c` is the window that starts at cell `c`.
struct Windows {
    /// Windows in which all cells are held.
    whole: CardSet,
    /// Windows in which all cells but one are held.
    gapped: CardSet,
}

impl Windows {
    /// Creates the windows of one cell.
    #[inline]
    fn new(held: CardSet) -> Windows {
        Windows {
            whole: held,
            gapped: !held,
        }
    }

    /// Extends windows of `count - 1` cells to `count` cells.
    #[inline]
    fn widen(&mut self, held: CardSet, count: u8) {
        let next = held >> (4 * (count - 1));
        self.gapped = (self.gapped & next) | (self.whole & !next);
        self.whole &= next;
    }

    /// Returns the sequences of `count` cells, which must be the current size of the windows. A
    /// sequence with a gap needs the joker and must end in column 14 or below.
    #[inline]
    fn sequences_of_length(&self, held: CardSet, count: u8, joker: bool) -> SequencesOfLength {
        SequencesOfLength {
            held,
            whole: self.whole,
            gapped: if joker {
                self.gapped & columns_below(16 - count)
            } else {
                0
            },
            count,
            joker,
        }
    }
}

/// Calls `call` once for each length that has sequences.
#[inline]
fn for_each_length(suited: CardSet, joker: bool, mut call: impl FnMut(&SequencesOfLength)) {
    // Longer windows are extensions of shorter ones, so the loop ends at the first length without
    // windows.
    let mut windows = Windows::new(suited);
    for count in 2..=SEQUENCE_MAX {
        windows.widen(suited, count);
        let length = windows.sequences_of_length(suited, count, joker);
        if length.whole | length.gapped == 0 {
            break;
        }
        if count >= SEQUENCE_MIN {
            call(&length);
        }
    }
}

/// All sequences of one length.
pub(super) struct SequencesOfLength {
    held: CardSet,
    /// Starts of windows in which all cells are held.
    whole: CardSet,
    /// Starts of windows in which the joker fills the gap.
    gapped: CardSet,
    count: u8,
    joker: bool,
}

impl SequencesOfLength {
    /// Returns the number of plays of this length.
    #[inline]
    pub(super) fn plays(&self) -> u32 {
        self.whole.count_ones() * self.plays_of_whole() + self.gapped.count_ones()
    }

    /// Returns the number of plays of a complete window: one without the joker, and one for each
    /// cell that the joker can take.
    #[inline]
    fn plays_of_whole(&self) -> u32 {
        if self.joker {
            1 + u32::from(self.count)
        } else {
            1
        }
    }

    /// Appends all plays, window by window. For a complete window, the play without the joker is
    /// first.
    fn list(&self, masks: &EffectMasks, actions: &mut Vec<Action>) {
        let mut starts = self.whole | self.gapped;
        while starts != 0 {
            let window = self.window(lowest(starts), masks);
            starts &= starts - 1;
            if window.missing == 0 {
                actions.push(window.whole());
            }
            let mut places = self.joker_cells(&window);
            while places != 0 {
                actions.push(window.with_joker(lowest(places)));
                places &= places - 1;
            }
        }
    }

    /// Returns the play at `index` of the list, which must be less than
    /// [`SequencesOfLength::plays`].
    pub(super) fn nth(&self, mut index: u32, masks: &EffectMasks) -> Action {
        let mut starts = self.whole | self.gapped;
        loop {
            let start = lowest(starts);
            let is_whole = self.whole >> start & 1 == 1;
            let plays = if is_whole { self.plays_of_whole() } else { 1 };
            if index < plays {
                let window = self.window(start, masks);
                if is_whole && index == 0 {
                    return window.whole();
                }
                let places = self.joker_cells(&window);
                return window.with_joker(nth_cell(places, if is_whole { index - 1 } else { 0 }));
            }
            index -= plays;
            starts &= starts - 1;
        }
    }

    #[inline]
    fn window(&self, start: u8, masks: &EffectMasks) -> Window {
        let cells = sequence_cells(start, self.count);
        let suits = 1_u8 << (start % 4);
        let by_cells = masks.cell_effects(cells);
        let turns = revolution_effect(self.count, REVOLUTION_SEQUENCE);
        let effects = by_cells | masks.suit_effects(u64::from(suits), by_cells, turns);
        Window {
            cells,
            missing: cells & !self.held,
            count: self.count,
            column: start / 4,
            suits,
            effects,
        }
    }

    /// Returns the cells that the joker can take: the gap, or all cells of a window without a gap.
    #[inline]
    fn joker_cells(&self, window: &Window) -> CardSet {
        match window.missing {
            _ if !self.joker => 0,
            0 => window.cells,
            gap => gap,
        }
    }
}

/// The cells of one sequence, with the fields of its action.
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
        let (count, column, suits) = (self.count, self.column, self.suits);
        let small =
            Action::packed_fields(kind::SEQUENCE, count, column, suits, joker, self.effects);
        Action::from_words(cards, self.cells, small)
    }
}
