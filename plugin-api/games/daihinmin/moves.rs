//! Which plays are legal: generation as pure functions over plain values, for the rules and for
//! bots that look ahead.
//!
//! The order of the plays is fixed: singles, the lone joker, groups, then sequences from short to
//! long; each by ascending column, whatever order of ranks is in force.

use super::card::{COLUMN_8, COLUMN_J, CardSet, JOKER, JOKER_SET, SPADE_3, SUITED, column_set};
use super::groups::{REVOLUTION_GROUP, group_of_five, groups, groups_of};
use super::records::{Action, NONE, View, effect, kind, rule};
use super::sequences::{REVOLUTION_SEQUENCE, follow_sequences, lead_sequences};
use super::singles::singles;

/// What decides, besides the hand, which plays are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The first cell of every column.
pub(super) const EVERY_COLUMN: CardSet = 0x1111_1111_1111_1111;

/// Clears `actions` and fills it with the pass and every legal play of `hand`. The pass always
/// comes first.
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

/// Appends every play of `hand` on the empty table of `situation`.
pub fn lead_plays(hand: CardSet, situation: &Situation, actions: &mut Vec<Action>) {
    let marks = Marks::new(situation);
    let suited = hand & SUITED;
    let joker = hand & JOKER_SET != 0;
    singles(suited, situation, actions);
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
    if situation.rules & rule::SEQUENCES != 0 {
        lead_sequences(suited, joker, &marks, actions);
    }
}

/// Appends every play of `hand` that beats the play on the table; that must be one that
/// [`super::shape`] makes.
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
            let higher =
                hand & stronger_columns(table.column, situation) & suits_allowed(situation);
            if higher != 0 {
                singles(higher, situation, actions);
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
    // Five cards need the joker, and that lies on the table already.
    if table.count > 4 {
        return;
    }
    let fewest = table.count - u8::from(joker);
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
            groups(
                usable,
                column,
                (table.count, table.count),
                joker,
                &marks,
                actions,
            );
        }
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

/// The three of spades on a lone joker.
pub(super) const SPADE_3_ON_JOKER: Action = Action {
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

/// What a situation makes of the cells and suits that a play covers.
pub(super) struct Marks {
    /// Cells that cut.
    cut: CardSet,
    /// Cells that turn the order for the trick.
    back: CardSet,
    /// Suits that lock; more than there are where none do.
    lock: u64,
    /// [`effect::REVOLUTION`] where there are revolutions.
    revolution: u8,
}

impl Marks {
    #[inline]
    pub(super) fn new(situation: &Situation) -> Marks {
        let rules = situation.rules;
        let locks = rules & rule::LOCK != 0 && !situation.lock && situation.table.suits != 0;
        Marks {
            cut: if rules & rule::EIGHT_CUT == 0 {
                0
            } else {
                column_set(COLUMN_8)
            },
            back: if rules & rule::ELEVEN_BACK == 0 {
                0
            } else {
                column_set(COLUMN_J)
            },
            lock: if locks {
                u64::from(situation.table.suits)
            } else {
                u64::MAX
            },
            revolution: if rules & rule::REVOLUTION == 0 {
                0
            } else {
                effect::REVOLUTION
            },
        }
    }

    /// What covering a column brings about.
    #[inline]
    pub(super) fn column_effects(&self, column: u8) -> u8 {
        self.cell_effects(1 << (4 * column))
    }

    /// What covering these cells brings about.
    #[inline]
    pub(super) fn cell_effects(&self, cells: CardSet) -> u8 {
        (effect::CUT * u8::from(cells & self.cut != 0))
            | (effect::ELEVEN_BACK * u8::from(cells & self.back != 0))
    }

    /// What the suits bring about, beside the effects of the cells; and `turns`, the effect of the
    /// size, where there are revolutions.
    #[inline]
    pub(super) fn suit_effects(&self, suits: u64, cell_effects: u8, turns: u8) -> u8 {
        let locks = (suits == self.lock) & (cell_effects & effect::CUT == 0);
        (turns & self.revolution) | (effect::LOCK * u8::from(locks))
    }
}

/// The effect of the size of a group or sequence, where there are revolutions.
#[inline]
pub(super) fn turns(count: u8, fewest: u8) -> u8 {
    effect::REVOLUTION * u8::from(count >= fewest)
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
    let fewest = if play.kind == kind::GROUP {
        REVOLUTION_GROUP
    } else {
        REVOLUTION_SEQUENCE
    };
    let marks = Marks::new(situation);
    let by_cells = marks.cell_effects(play.cells);
    by_cells | marks.suit_effects(u64::from(play.suits), by_cells, turns(play.count, fewest))
}

/// The cells in columns below `column`, which is at most 15.
#[inline]
pub(super) const fn below(column: u8) -> CardSet {
    (1 << (4 * column)) - 1
}

/// The columns that beat `column`, 1 to 13, in the order in force.
#[inline]
pub(super) fn stronger_columns(column: u8, situation: &Situation) -> CardSet {
    if situation.reversed {
        below(column)
    } else {
        SUITED & !below(column + 1)
    }
}

/// The cells whose suit the lock leaves.
#[inline]
pub(super) fn suits_allowed(situation: &Situation) -> CardSet {
    if situation.lock {
        EVERY_COLUMN * CardSet::from(situation.table.suits)
    } else {
        CardSet::MAX
    }
}

/// The columns that hold `fewest` (0 to 4) cards or more, each by the top bit of its nibble.
#[inline]
pub(super) fn columns_holding(cards: CardSet, fewest: u8) -> CardSet {
    let pairs = cards - ((cards >> 1) & 0x5555_5555_5555_5555);
    let counts = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    // A count is at most 4, so no nibble overflows; its top bit is set where the count reaches the
    // limit.
    (counts + EVERY_COLUMN * CardSet::from(8 - fewest)) & (EVERY_COLUMN << 3) & SUITED
}

#[inline]
pub(super) fn lowest(set: CardSet) -> u8 {
    (set.trailing_zeros() & 63) as u8
}

/// The bit that has `index` others below it.
#[inline]
pub(super) fn nth_cell(mut cards: CardSet, index: u32) -> u8 {
    for _ in 0..index {
        cards &= cards - 1;
    }
    lowest(cards)
}
