//! Which plays are legal: generation as pure functions over plain values, for the rules and for bots that look ahead.
//!
//! The order of the plays is fixed: singles, the lone joker, groups, then sequences from short to long; each by ascending
//! column, whatever order of ranks is in force.

use super::card::{COLUMN_8, COLUMN_J, CardSet, JOKER, JOKER_SET, SPADE_3, SUITED, column_set};
use super::groups::{REVOLUTION_GROUP, group_of_five, groups, groups_of};
use super::records::{Action, NONE, View, effect, kind, rule};

/// What decides, besides the hand, which plays are legal.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The play on the table; a pass (all zero will do) while it is empty.
    pub table: Action,
    /// Whether suits are locked.
    pub lock: bool,
    /// Whether low ranks beat high ones: a revolution or an eleven-back, but not both.
    pub reversed: bool,
    /// The switches that are on, as in [`View::rules`].
    pub rules: u8,
}

impl From<&View> for Situation {
    #[inline]
    fn from(view: &View) -> Situation {
        Situation {
            table: view.table,
            lock: view.lock != 0,
            reversed: view.revolution != view.eleven_back,
            rules: view.rules,
        }
    }
}

/// Fewest cards of a sequence.
pub const SEQUENCE_MIN: u8 = 3;
/// Fewest cards of a sequence that makes a revolution.
const REVOLUTION_SEQUENCE: u8 = 5;
/// The first cell of every column.
const EVERY_COLUMN: CardSet = 0x1111_1111_1111_1111;
/// Clears `actions` and fills it with the pass and every legal play of `hand`. The pass always comes first.
#[inline]
pub fn legal_plays(hand: CardSet, situation: &Situation, actions: &mut Vec<Action>) {
    actions.clear();
    actions.push(Action::PASS);
    if situation.table.is_pass() {
        lead_plays(hand, situation, actions);
    } else {
        follow_plays(hand, situation, actions);
    }
}

/// Appends every play of `hand` on an empty table.
pub fn lead_plays(hand: CardSet, situation: &Situation, actions: &mut Vec<Action>) {
    let marks = Marks::new(situation);
    let suited = hand & SUITED;
    let joker = hand & JOKER_SET != 0;
    singles(suited, &marks, actions);
    if joker {
        actions.push(LONE_JOKER);
    }
    let fewest = if joker { 1 } else { 2 };
    let mut columns = columns_holding(suited, fewest);
    while columns != 0 {
        let column = lowest(columns) / 4;
        columns &= columns - 1;
        groups(suited, column, (2, 4), joker, &marks, actions);
        if joker && suited & column_set(column) == column_set(column) {
            actions.push(group_of_five(column, &marks));
        }
    }
    if situation.rules & rule::SEQUENCES == 0 {
        return;
    }
    // Windows of one length come from those one shorter; when none is left, longer ones cannot exist.
    let mut windows = Windows::new(suited);
    for count in 2..=15 {
        windows.widen(suited, count);
        let (whole, gapped) = (windows.whole, if joker { windows.gapped_within(count) } else { 0 });
        if whole | gapped == 0 {
            break;
        }
        if count >= SEQUENCE_MIN {
            sequences(suited, whole | gapped, count, joker, &marks, actions);
        }
    }
}

/// Appends every play of `hand` that beats the play on the table; that must not be empty.
#[inline]
pub fn follow_plays(hand: CardSet, situation: &Situation, actions: &mut Vec<Action>) {
    let table = &situation.table;
    let joker = hand & JOKER_SET != 0;
    match table.kind {
        kind::SINGLE => {
            if table.is_lone_joker() {
                if hand & SPADE_3 != 0 {
                    actions.push(SPADE_3_ON_JOKER);
                }
                return;
            }
            let higher = hand & stronger_columns(table.column, situation) & suits_allowed(situation);
            if higher != 0 {
                singles(higher, &Marks::new(situation), actions);
            }
            if joker {
                actions.push(LONE_JOKER);
            }
        }
        kind::GROUP => follow_groups(hand, joker, situation, actions),
        _ => follow_sequences(hand, joker, situation, actions),
    }
}

fn follow_groups(hand: CardSet, joker: bool, situation: &Situation, actions: &mut Vec<Action>) {
    let table = &situation.table;
    let fewest = table.count - u8::from(joker);
    // Five cards need the joker, and that lies on the table already.
    if table.count > 4 {
        return;
    }
    let usable = hand & stronger_columns(table.column, situation) & suits_allowed(situation);
    let mut columns = columns_holding(usable, fewest);
    if columns == 0 {
        return;
    }
    let marks = Marks::new(situation);
    while columns != 0 {
        let column = lowest(columns) / 4;
        columns &= columns - 1;
        if situation.lock {
            groups_of(usable, column, table.suits, joker, &marks, actions);
        } else {
            groups(usable, column, (table.count, table.count), joker, &marks, actions);
        }
    }
}

fn follow_sequences(hand: CardSet, joker: bool, situation: &Situation, actions: &mut Vec<Action>) {
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

/// The joker alone, as an action.
pub const LONE_JOKER: Action = Action {
    cards: JOKER_SET,
    cells: 0,
    kind: kind::SINGLE,
    count: 1,
    column: 15,
    suits: 0,
    joker: JOKER,
    effects: 0,
    reserved: 0,
};

const SPADE_3_ON_JOKER: Action = Action {
    cards: SPADE_3,
    cells: SPADE_3,
    kind: kind::SINGLE,
    count: 1,
    column: 1,
    suits: 1,
    joker: NONE,
    effects: effect::CUT,
    reserved: 0,
};

/// What a situation makes of the cells that a play covers.
pub(super) struct Marks {
    /// Cells that cut.
    cut: CardSet,
    /// Cells that turn the order for the trick.
    back: CardSet,
    /// Suits that lock; no play has all bits of this byte where none do.
    lock: u8,
    /// Whether revolutions are on.
    revolution: bool,
}

impl Marks {
    #[inline]
    fn new(situation: &Situation) -> Marks {
        let rules = situation.rules;
        let locks = rules & rule::LOCK != 0 && !situation.lock && situation.table.suits != 0;
        Marks {
            cut: if rules & rule::EIGHT_CUT == 0 { 0 } else { column_set(COLUMN_8) },
            back: if rules & rule::ELEVEN_BACK == 0 { 0 } else { column_set(COLUMN_J) },
            lock: if locks { situation.table.suits } else { 0xff },
            revolution: rules & rule::REVOLUTION != 0,
        }
    }

    /// What covering a column brings about.
    #[inline]
    pub(super) fn column_effects(&self, column: u8) -> u8 {
        self.cell_effects(1 << (4 * column))
    }

    /// What covering these cells brings about.
    #[inline]
    fn cell_effects(&self, cells: CardSet) -> u8 {
        (effect::CUT * u8::from(cells & self.cut != 0)) | (effect::ELEVEN_BACK * u8::from(cells & self.back != 0))
    }

    /// What the suits and the size bring about, beside the effects of the cells.
    #[inline]
    pub(super) fn suit_effects(&self, suits: u8, cell_effects: u8, turns_order: bool) -> u8 {
        let locks = (suits == self.lock) & (cell_effects & effect::CUT == 0);
        (effect::REVOLUTION * u8::from(turns_order & self.revolution)) | (effect::LOCK * u8::from(locks))
    }
}

/// What a play brings about in `situation`, where it is legal.
#[must_use]
pub fn effects_of(play: &Action, situation: &Situation) -> u8 {
    if play.is_pass() || play.is_lone_joker() || play.kind == kind::GIVE {
        return 0;
    }
    if situation.table.is_lone_joker() {
        return effect::CUT;
    }
    let turns = play.count >= if play.kind == kind::GROUP { REVOLUTION_GROUP } else { REVOLUTION_SEQUENCE };
    let marks = Marks::new(situation);
    let by_cells = marks.cell_effects(play.cells);
    by_cells | marks.suit_effects(play.suits, by_cells, turns)
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

/// The cells in columns below `column`, which is at most 15.
#[inline]
const fn below(column: u8) -> CardSet {
    (1 << (4 * column)) - 1
}

/// The columns that beat `column`, 1 to 13, in the order in force.
#[inline]
fn stronger_columns(column: u8, situation: &Situation) -> CardSet {
    if situation.reversed { below(column) } else { SUITED & !below(column + 1) }
}

/// The cells whose suit the lock leaves.
#[inline]
fn suits_allowed(situation: &Situation) -> CardSet {
    if situation.lock { EVERY_COLUMN * CardSet::from(situation.table.suits) } else { CardSet::MAX }
}

/// The columns that hold `fewest` (0 to 4) cards or more, each by the top bit of its nibble.
#[inline]
fn columns_holding(cards: CardSet, fewest: u8) -> CardSet {
    let pairs = cards - ((cards >> 1) & 0x5555_5555_5555_5555);
    let counts = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    // A count is at most 4, so no nibble overflows; its top bit is set where the count reaches the limit.
    (counts + EVERY_COLUMN * CardSet::from(8 - fewest)) & (EVERY_COLUMN << 3) & SUITED
}

#[inline]
fn lowest(set: CardSet) -> u8 {
    (set.trailing_zeros() & 63) as u8
}

#[inline]
fn singles(mut cards: CardSet, marks: &Marks, actions: &mut Vec<Action>) {
    // One suit at most locks a single, and a card that cuts locks nothing.
    let locks = if marks.lock.count_ones() == 1 { (EVERY_COLUMN * CardSet::from(marks.lock)) & !marks.cut } else { 0 };
    // A count known beforehand lets the list grow once for all of them.
    actions.extend((0..cards.count_ones()).map(|_| {
        let cell = lowest(cards);
        let card = cards & cards.wrapping_neg();
        cards &= cards - 1;
        let cut = (marks.cut >> cell & 1) * u64::from(effect::CUT);
        let lock = (locks >> cell & 1) * u64::from(effect::LOCK);
        let back = (marks.back >> cell & 1) * u64::from(effect::ELEVEN_BACK);
        let small = SINGLES[usize::from(cell)] | (cut | lock | back) << Action::EFFECTS_SHIFT;
        Action::from_words(card, card, small)
    }));
}

/// The small fields of the single in every cell, without effects.
static SINGLES: [u64; 64] = {
    let mut words = [0; 64];
    let mut cell = 0_u8;
    while cell < 60 {
        words[cell as usize] = Action::small(kind::SINGLE, 1, cell / 4, 1 << (cell % 4), NONE, 0);
        cell += 1;
    }
    words
};

/// Sequences of `count` cells that start in `starts`, which are whole or have one gap for the joker.
fn sequences(held: CardSet, mut starts: CardSet, count: u8, joker: bool, marks: &Marks, actions: &mut Vec<Action>) {
    let shape = EVERY_COLUMN & below(count);
    while starts != 0 {
        let start = lowest(starts);
        starts &= starts - 1;
        let cells = shape << start;
        let suits = 1 << (start % 4);
        let by_cells = marks.cell_effects(cells);
        let effects = by_cells | marks.suit_effects(suits, by_cells, count >= REVOLUTION_SEQUENCE);
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
