//! Groups of one column, from a precomputed table.

use super::card::{CardSet, JOKER, JOKER_SET, column_set};
use super::moves::EffectMasks;
use super::records::{Action, NONE, effect, kind};

/// Minimum number of cards of a group that makes a revolution.
pub(super) const REVOLUTION_GROUP: u8 = 4;

/// A way to make a group from the suits held. The fields describe the group in column 0;
/// [`play`] moves it to other columns.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// Suited cards, in column 0.
    cards: CardSet,
    /// The joker, if it is used.
    joker: CardSet,
    /// Cells that the group covers in column 0; equal to the mask of its suits.
    cells: CardSet,
    /// Other fields of the action in column 0, packed by [`Action::packed_fields`], without
    /// effects.
    packed_fields: u64,
    /// Increment of `packed_fields` per column.
    step: u64,
    /// [`effect::REVOLUTION`] if the group is large enough, otherwise 0.
    revolution: u8,
}

const NO_WAY: Way = Way {
    cards: 0,
    joker: 0,
    cells: 0,
    packed_fields: 0,
    step: 0,
    revolution: 0,
};

/// The ways for one set of suits, by number of cards.
#[derive(Clone, Copy)]
struct Ways {
    ways: [Way; WAYS_MAX],
    /// Elements 2 to 4: index of the first way with that number of cards. Element 5: end index.
    bounds: [u8; 6],
}

/// Maximum number of ways. Four suits and the joker give 11 ways without the joker and 28 with it.
const WAYS_MAX: usize = 39;

/// Ways, indexed by 1 if the joker is held (otherwise 0) and by the mask of suits held.
static WAYS: [[Ways; 16]; 2] = {
    let mut table = [[Ways {
        ways: [NO_WAY; WAYS_MAX],
        bounds: [0; 6],
    }; 16]; 2];
    let mut held = 0_u8;
    while held < 16 {
        table[0][held as usize] = ways(held, false);
        table[1][held as usize] = ways(held, true);
        held += 1;
    }
    table
};

const fn ways(held: u8, joker: bool) -> Ways {
    let mut made = Ways {
        ways: [NO_WAY; WAYS_MAX],
        bounds: [0; 6],
    };
    let (mut filled, mut count) = (0, 2);
    while count <= 4 {
        made.bounds[count] = filled;
        let mut suits = 0;
        while suits < 16_u8 {
            let missing = suits & !held;
            // First without the joker, then with the joker in each possible suit.
            let mut place = 0;
            while suits.count_ones() as usize == count && place < 16 {
                let fits = if place == 0 {
                    missing == 0
                } else {
                    joker && suits & place != 0 && missing & !place == 0
                };
                if fits {
                    made.ways[filled as usize] = way(suits, place);
                    filled += 1;
                }
                place = if place == 0 { 1 } else { place << 1 };
            }
            suits += 1;
        }
        count += 1;
    }
    made.bounds[5] = filled;
    made
}

/// Returns the way to cover `suits`, with the joker in suit `joker`, if any.
const fn way(suits: u8, joker: u8) -> Way {
    let count = (suits.count_ones() & 7) as u8;
    let place = if joker == 0 {
        NONE
    } else {
        (joker.trailing_zeros() & 3) as u8
    };
    // In the next column, the lowest column is greater by one and the joker's cell by four.
    let step = Action::packed_fields(0, 0, 1, 0, if joker == 0 { 0 } else { 4 }, 0);
    Way {
        cards: (suits & !joker) as u64,
        joker: if joker == 0 { 0 } else { JOKER_SET },
        cells: suits as u64,
        packed_fields: Action::packed_fields(kind::GROUP, count, 0, suits, place, 0),
        step,
        revolution: if count >= REVOLUTION_GROUP {
            effect::REVOLUTION
        } else {
            0
        },
    }
}

/// Appends the groups of `column` that `ways` describe.
#[inline]
pub(super) fn append_groups(
    ways: impl Iterator<Item = &'static Way>,
    column: u8,
    masks: &EffectMasks,
    actions: &mut Vec<Action>,
) {
    let by_column = masks.column_effects(column);
    actions.extend(ways.map(|way| play(way, column, by_column, masks)));
}

/// Returns the number of [`ways_in`].
#[inline]
pub(super) fn count(held: CardSet, column: u8, sizes: (u8, u8), joker: bool) -> u32 {
    let ways = ways_at(held, column, joker);
    u32::from(ways.bounds[usize::from(sizes.1) + 1] - ways.bounds[usize::from(sizes.0)])
}

/// Returns the group of `column` that a way describes.
#[inline]
pub(super) fn group(way: &Way, column: u8, masks: &EffectMasks) -> Action {
    play(way, column, masks.column_effects(column), masks)
}

/// Returns the ways to make groups of `column` from the suits held.
#[inline]
fn ways_at(held: CardSet, column: u8, joker: bool) -> &'static Ways {
    &WAYS[usize::from(joker)][(held >> (4 * column) & 0xf) as usize]
}

/// Returns the ways to make groups of `column` with sizes within the range `sizes` (2 to 4),
/// including groups with the joker if `joker` is `true`.
#[inline]
pub(super) fn ways_in(held: CardSet, column: u8, sizes: (u8, u8), joker: bool) -> &'static [Way] {
    let ways = ways_at(held, column, joker);
    let (first, last) = (
        ways.bounds[usize::from(sizes.0)],
        ways.bounds[usize::from(sizes.1) + 1],
    );
    &ways.ways[usize::from(first)..usize::from(last)]
}

/// Returns the number of [`ways_covering`].
pub(super) fn count_of(held: CardSet, column: u8, suits: u8, joker: bool) -> u32 {
    ways_covering(held, column, suits, joker).map(|_| 1).sum()
}

/// Returns the ways to make groups of `column` that cover exactly `suits`.
#[inline]
pub(super) fn ways_covering(
    held: CardSet,
    column: u8,
    suits: u8,
    joker: bool,
) -> impl Iterator<Item = &'static Way> {
    let count = (suits.count_ones() & 7) as u8;
    ways_in(held, column, (count, count), joker)
        .iter()
        .filter(move |way| way.cells == u64::from(suits))
}

#[inline]
fn play(way: &Way, column: u8, by_column: u8, masks: &EffectMasks) -> Action {
    let shift = 4 * column;
    let effects = by_column | masks.suit_effects(way.cells, by_column, way.revolution);
    Action::from_words(
        way.cards << shift | way.joker,
        way.cells << shift,
        (way.packed_fields + u64::from(column) * way.step)
            | u64::from(effects) << Action::EFFECTS_SHIFT,
    )
}

/// Returns the group of all four cards of a column and the joker.
pub(super) fn group_of_five(column: u8, masks: &EffectMasks) -> Action {
    let cells = column_set(column);
    let by_column = masks.column_effects(column);
    let effects = by_column | masks.suit_effects(0xf, by_column, effect::REVOLUTION);
    Action::from_words(
        cells | JOKER_SET,
        cells,
        Action::packed_fields(kind::GROUP, 5, column, 0xf, JOKER, effects),
    )
}
