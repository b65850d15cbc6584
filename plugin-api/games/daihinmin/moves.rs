//! Generation of the legal plays, as pure functions for the rules and for look-ahead.
//!
//! The order of plays is fixed: singles, the lone joker, groups, then sequences from short to long.
//! Plays of one type are ordered by ascending column, even if ranks are reversed.

use super::card::{COLUMN_8, COLUMN_J, CardSet, JOKER, JOKER_SET, SPADE_3, SUITED, column_set};
use super::groups::{REVOLUTION_GROUP, append_groups, group_of_five, ways_covering, ways_in};
use super::records::{Action, NONE, View, effect, kind, rule};
use super::sequences::{REVOLUTION_SEQUENCE, follow_sequences, lead_sequences};
use super::singles::append_singles;

/// The state of the table, which determines the legal plays of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Play on the table; a pass (or all zero) if it is empty.
    pub table: Action,
    /// `true` if suits are locked.
    pub lock: bool,
    /// `true` if low ranks beat high ones: in a revolution or an eleven-back, but not in both.
    pub reversed: bool,
    /// Options as flags of [`View::rules`].
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

/// The set of the first cells of all columns.
pub const EVERY_COLUMN: CardSet = 0x1111_1111_1111_1111;

/// Replaces `actions` by the pass, which is first, and every legal play of `hand`.
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

/// Appends every play that `hand` can lead. The table of `situation` must be empty.
pub fn lead_plays(hand: CardSet, situation: &Situation, actions: &mut Vec<Action>) {
    let masks = EffectMasks::new(situation);
    let suited = hand & SUITED;
    let joker = hand & JOKER_SET != 0;
    append_singles(suited, situation, actions);
    if joker {
        actions.push(LONE_JOKER);
    }
    let fewest = if joker { 1 } else { 2 };
    let mut columns = columns_holding(suited, fewest);
    while columns != 0 {
        let column = lowest(columns) / 4;
        columns &= columns - 1;
        let ways = ways_in(suited, column, (2, 4), joker).iter();
        append_groups(ways, column, &masks, actions);
        if joker && suited & column_set(column) == column_set(column) {
            actions.push(group_of_five(column, &masks));
        }
    }
    if situation.rules & rule::SEQUENCES != 0 {
        lead_sequences(suited, joker, &masks, actions);
    }
}

/// Appends every play of `hand` that beats the play on the table. The play on the table must be one
/// that [`super::play_of`] accepts.
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
            let higher = usable(hand, situation);
            if higher != 0 {
                append_singles(higher, situation, actions);
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
    // Five cards need the joker, which is already on the table.
    if table.count > 4 {
        return;
    }
    let fewest = table.count - u8::from(joker);
    let usable = usable(hand, situation);
    let mut columns = columns_holding(usable, fewest);
    if columns == 0 {
        return;
    }
    let masks = EffectMasks::new(situation);
    while columns != 0 {
        let column = lowest(columns) / 4;
        columns &= columns - 1;
        if situation.lock {
            let ways = ways_covering(usable, column, table.suits, joker);
            append_groups(ways, column, &masks, actions);
        } else {
            let ways = ways_in(usable, column, (table.count, table.count), joker).iter();
            append_groups(ways, column, &masks, actions);
        }
    }
}

/// The play of the joker alone.
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

/// The play of the three of spades on a lone joker.
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

/// Cells and suits that cause effects in a situation.
pub(super) struct EffectMasks {
    /// Cells that clear the trick.
    cut: CardSet,
    /// Cells that reverse the order for the trick.
    eleven_back: CardSet,
    /// Suits that cause a lock; an impossible mask if none do.
    lock: u64,
    /// [`effect::REVOLUTION`] if the rules have revolutions, otherwise 0.
    revolution: u8,
}

impl EffectMasks {
    #[inline]
    pub(super) fn new(situation: &Situation) -> EffectMasks {
        let rules = situation.rules;
        let locks = rules & rule::LOCK != 0 && !situation.lock && situation.table.suits != 0;
        EffectMasks {
            cut: if rules & rule::EIGHT_CUT == 0 {
                0
            } else {
                column_set(COLUMN_8)
            },
            eleven_back: if rules & rule::ELEVEN_BACK == 0 {
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

    /// Returns the effects that a play has because it covers cells of a column.
    #[inline]
    pub(super) fn column_effects(&self, column: u8) -> u8 {
        self.cell_effects(1 << (4 * column))
    }

    /// Returns the effects that a play has because it covers some of these cells.
    #[inline]
    pub(super) fn cell_effects(&self, cells: CardSet) -> u8 {
        (effect::CUT * u8::from(cells & self.cut != 0))
            | (effect::ELEVEN_BACK * u8::from(cells & self.eleven_back != 0))
    }

    /// Returns two kinds of effect. The first is the lock that the suits cause, unless the cells
    /// clear the trick. The second is `turns`, the effect of the number of cards, if the rules have
    /// revolutions.
    #[inline]
    pub(super) fn suit_effects(&self, suits: u64, cell_effects: u8, turns: u8) -> u8 {
        let locks = (suits == self.lock) & (cell_effects & effect::CUT == 0);
        (turns & self.revolution) | (effect::LOCK * u8::from(locks))
    }
}

/// Returns [`effect::REVOLUTION`] if `count` is at least `fewest`, the minimum for a revolution;
/// otherwise 0.
#[inline]
pub(super) fn revolution_effect(count: u8, fewest: u8) -> u8 {
    effect::REVOLUTION * u8::from(count >= fewest)
}

/// Returns the effects of a legal play in `situation`.
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
    let masks = EffectMasks::new(situation);
    let by_cells = masks.cell_effects(play.cells);
    by_cells
        | masks.suit_effects(
            u64::from(play.suits),
            by_cells,
            revolution_effect(play.count, fewest),
        )
}

/// Returns the cells in columns below `column`, which is at most 15.
#[inline]
pub(super) const fn columns_below(column: u8) -> CardSet {
    (1 << (4 * column)) - 1
}

/// Returns the cards of stronger ranks than the table's, in the suits that the lock allows. The
/// table must not be a lone joker.
#[inline]
pub fn usable(hand: CardSet, situation: &Situation) -> CardSet {
    let column = situation.table.column;
    let stronger = if situation.reversed {
        columns_below(column)
    } else {
        SUITED & !columns_below(column + 1)
    };
    hand & stronger & suits_allowed(situation)
}

/// Returns the cells whose suit the lock allows.
#[inline]
pub fn suits_allowed(situation: &Situation) -> CardSet {
    if situation.lock {
        EVERY_COLUMN * CardSet::from(situation.table.suits)
    } else {
        CardSet::MAX
    }
}

/// Returns the cells at which a sequence of three cards starts.
#[inline]
pub fn sequence_starts(cards: CardSet) -> CardSet {
    cards & cards >> 4 & cards >> 8
}

/// Returns the cards that belong to a sequence of at least three cards.
#[inline]
pub fn in_sequence(cards: CardSet) -> CardSet {
    let starts = sequence_starts(cards);
    starts | starts << 4 | starts << 8
}

/// Returns the columns that contain a card, each marked by the lowest of its four bits.
#[inline]
pub fn columns(cards: CardSet) -> CardSet {
    let halves = cards | cards >> 1;
    (halves | halves >> 2) & EVERY_COLUMN
}

/// Returns the number of cards in each column, in the four bits of the column.
#[inline]
pub fn column_counts(cards: CardSet) -> CardSet {
    let pairs = cards - ((cards >> 1) & 0x5555_5555_5555_5555);
    (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333)
}

/// Returns the columns that contain at least `fewest` (0 to 4) suited cards. Each is marked by the
/// top one of its four bits.
#[inline]
pub fn columns_holding(cards: CardSet, fewest: u8) -> CardSet {
    // Counts are at most 4, so no group of four bits overflows. Its top bit is set if the count
    // reaches the limit.
    (column_counts(cards) + EVERY_COLUMN * CardSet::from(8 - fewest)) & (EVERY_COLUMN << 3) & SUITED
}

#[inline]
pub(super) fn lowest(set: CardSet) -> u8 {
    (set.trailing_zeros() & 63) as u8
}

/// Returns the cell at `index` in a set, counted from 0 for the lowest bit.
#[inline]
pub(super) fn nth_cell(mut cards: CardSet, index: u32) -> u8 {
    for _ in 0..index {
        cards &= cards - 1;
    }
    lowest(cards)
}
