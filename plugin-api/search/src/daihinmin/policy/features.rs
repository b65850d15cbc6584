//! The features of the light policy: a few small numbers for each action.
//!
//! Every action has one feature of each group. A feature is a row of the weight table, and the
//! strength of an action is the product of the weights of its rows. The cost of a choice is
//! therefore one table look-up per group and action.

use super::ranks::{
    EVERY_COLUMN, columns, columns_holding, counts, in_sequence, stronger_columns, suits_allowed,
};
use super::view::PolicyView;
use super::weights::{Groups, Policy, PolicyInput, weights};
use crate::daihinmin::sure::situation_after;
use hattari_games::daihinmin::card::{CardSet, JOKER_SET, SPADE_3, SUITED};
use hattari_games::daihinmin::{Action, effect, kind, rule};

/// The feature groups of a [`LightPolicy`](super::LightPolicy); a type without values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightFeatures {}

impl Groups<7> for LightFeatures {
    const NAMES: [&'static str; 7] = [
        "shape", "cost", "after", "danger", "effect", "step", "joker",
    ];
    const SIZES: [u16; 7] = [256, 256, 96, 144, 16, 60, 33];
}

impl PolicyInput<7> for LightFeatures {
    weights!(LightFeatures, 7, shipped: "light.txt", learned: "learned-light.txt");
    type Judge<'a> = LightContext<'a>;

    #[inline]
    fn judge(sight: &PolicyView) -> LightContext<'_> {
        LightContext::new(sight)
    }

    #[inline]
    fn feature_indices(context: &LightContext<'_>, action: &Action) -> [u16; 7] {
        context.feature_indices(action)
    }
}

/// The part of the features that is the same for all actions of a decision.
#[derive(Clone, Copy, Debug)]
pub struct LightContext<'a> {
    pub(super) sight: &'a PolicyView,
    pub(super) leads: bool,
    pub(super) reversed: bool,
    /// Own cards that are part of a sequence in the hand.
    in_sequence: CardSet,
    /// Number of own cards in each column, four bits each.
    counts: CardSet,
    /// Class of [`PolicyView::fewest`]. The classes 0 to 3 are 1, 2, 3, more cards.
    pub(super) danger: u16,
    /// Class of [`PolicyView::owner`]. The classes 0 to 3 are 1, 2, 3, more cards.
    owner: u16,
    /// Class of the number of own cards, from the table `SIZE`.
    pub(super) size: u16,
    /// Level of the play on the table.
    pub(super) table: u16,
}

impl<'a> LightContext<'a> {
    /// Computes the part of the features that does not depend on the action.
    #[inline]
    #[must_use]
    pub fn new(sight: &'a PolicyView) -> LightContext<'a> {
        let hand = sight.hand & SUITED;
        let reversed = sight.situation.reversed;
        let few = |count: u8| u16::from(count.clamp(1, 4) - 1);
        let table = &sight.situation.table;
        LightContext {
            sight,
            leads: table.is_pass(),
            reversed,
            in_sequence: in_sequence(hand),
            counts: counts(hand),
            danger: few(sight.fewest),
            owner: few(sight.owner),
            size: SIZE[(sight.hand.count_ones() & 15) as usize],
            table: level(table, reversed),
        }
    }

    /// Returns the index of each feature of an action within its group.
    #[inline]
    #[must_use]
    pub fn feature_indices(&self, action: &Action) -> [u16; 7] {
        if action.is_pass() {
            self.of_pass()
        } else {
            self.of_play(action)
        }
    }

    fn of_pass(&self) -> [u16; 7] {
        let sight = self.sight;
        let leads = u16::from(self.leads);
        let waiting = u16::from(sight.waiting & 7);
        let waits = if sight.wins_by_passing() { 5 } else { waiting };
        let kind = u16::from(sight.situation.table.kind & 3);
        let lock = u16::from(sight.situation.lock);
        [
            leads << 7 | PASS << 4 | self.table,
            PASS << 5 | self.danger << 3 | self.size,
            64 | self.owner << 3 | waits,
            128 | kind << 2 | self.danger,
            15,
            48 | lock << 3 | kind,
            16 | self.pass_number(),
        ]
    }

    fn of_play(&self, play: &Action) -> [u16; 7] {
        let sight = self.sight;
        let class = class(play);
        let level = level(play, self.reversed);
        let leads = u16::from(self.leads);
        let rest = sight.hand & !play.cards;
        let ranks = ranks(rest);
        let left = ranks.min(7);
        let beaten = if rest == 0 { 0 } else { self.beaten_by(play) };
        let joker = play.cards & JOKER_SET != 0;
        [
            leads << 7 | class << 4 | level,
            class << 5
                | self.broken(play) << 2
                | u16::from(joker) << 1
                | u16::from(play.cards & self.in_sequence != 0),
            leads << 5 | left << 2 | beaten,
            self.danger << 5 | leads << 4 | DANGER_CLASS[usize::from(class & 7)] << 2 | level >> 2,
            self.effect_class(play, rest, left),
            if self.leads {
                0
            } else {
                // The class of a play that follows another: single, pair, other.
                class.min(2) << 4 | level.saturating_sub(self.table).min(15)
            },
            if joker { self.joker_class(play) } else { 32 },
        ]
    }

    /// Returns the number of cards of the played rank that stay in the hand; for a sequence, the
    /// number of columns with such cards; at most 3. Adds 4 if the joker replaces a card that is
    /// held.
    #[inline]
    fn broken(&self, play: &Action) -> u16 {
        let stands_for_own = play.joker < 60 && self.sight.hand >> (play.joker & 63) & 1 == 1;
        let left = if play.kind == kind::SEQUENCE {
            let rest = self.sight.hand & SUITED & !play.cards;
            let covered = columns(play.cells & SUITED);
            (columns(rest) & covered).count_ones().min(3)
        } else if play.column > 14 {
            0
        } else {
            let count = (self.counts >> (4 * play.column) & 7) as u32;
            count
                .saturating_sub((play.cards & SUITED).count_ones())
                .min(3)
        };
        (left & 3) as u16 | u16::from(stands_for_own) << 2
    }

    /// Returns the class of [`LightContext::beaters`]: 0 for none, 1 for one, 2 for two or three, 3
    /// for more.
    #[inline]
    pub(super) fn beaten_by(&self, play: &Action) -> u16 {
        [0, 1, 2, 2, 3][self.beaters(play).min(4) as usize]
    }

    /// Returns the number of unseen cards or ranks that can beat the play. Sequences with the joker
    /// are ignored.
    #[inline]
    pub(super) fn beaters(&self, play: &Action) -> u32 {
        if play.effects & effect::CUT != 0 {
            return 0;
        }
        let sight = self.sight;
        let unseen = sight.unseen;
        if play.is_lone_joker() {
            return u32::from(unseen & SPADE_3 != 0);
        }
        let after = situation_after(&sight.situation, play);
        let stronger = stronger(play, after.reversed) & suits_allowed(&after);
        let joker = u8::from(unseen & JOKER_SET != 0);
        match play.kind {
            kind::SINGLE => (unseen & stronger).count_ones() + u32::from(joker),
            kind::GROUP if play.count > 4 => 0,
            kind::GROUP => {
                columns_holding(unseen & stronger, play.count.saturating_sub(joker)).count_ones()
            }
            _ => {
                let mut windows = unseen & stronger & SUITED;
                for step in 1..play.count {
                    windows &= (unseen & stronger & SUITED) >> (4 * step);
                }
                windows.count_ones()
            }
        }
    }

    /// Returns the class of the effects:
    /// * 0: none
    /// * 1 to 3: a lock, by the number of own stronger cards of the locked suits
    /// * 4 and 5: a revolution that does not help the rest of the hand (4) or helps it (5)
    /// * 6 to 9: a cut, by the number of ranks left
    #[inline]
    fn effect_class(&self, play: &Action, rest: CardSet, left: u16) -> u16 {
        if play.effects & effect::CUT != 0 {
            return 6 + left.min(3);
        }
        if play.effects & effect::REVOLUTION != 0 {
            let (low, high) = (rest & LOW, rest & HIGH);
            let gains = if self.reversed {
                high.count_ones() > low.count_ones()
            } else {
                low.count_ones() > high.count_ones()
            };
            return 4 + u16::from(gains);
        }
        if play.effects & effect::LOCK != 0 {
            let suits = EVERY_COLUMN * CardSet::from(play.suits);
            let again = (rest & stronger(play, self.reversed) & suits).count_ones()
                + u32::from(rest & JOKER_SET != 0);
            return 1 + (again.min(2) & 3) as u16;
        }
        0
    }

    /// Returns the class of a play with the joker, from three properties: joker alone, ♠3 unseen,
    /// and size of the hand.
    #[inline]
    fn joker_class(&self, play: &Action) -> u16 {
        let beatable = u16::from(self.sight.unseen & SPADE_3 != 0);
        let alone = u16::from(play.is_lone_joker());
        (self.size >> 1) << 2 | alone << 1 | beatable
    }

    /// Returns the number for a pass in the group `joker`: the number of ranks in the hand, at most
    /// 7, plus 8 if the rules have no sequences.
    #[inline]
    fn pass_number(&self) -> u16 {
        ranks(self.sight.hand).min(7)
            | u16::from(self.sight.situation.rules & rule::SEQUENCES == 0) << 3
    }
}

/// Class of a pass.
pub(super) const PASS: u16 = 7;
/// Class in the group `danger` for each result of [`class`]. The classes 0 to 3 are single, pair,
/// larger group, sequence.
const DANGER_CLASS: [u16; 8] = [0, 1, 2, 2, 3, 3, 3, 3];
/// Class of each number of own cards. The classes 0 to 7 are 1, 2, 3, 4, 5 to 6, 7 to 8, 9 to 10,
/// more.
const SIZE: [u16; 16] = [0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 7];
/// The cards of the ranks 3 to 7.
const LOW: CardSet = 0x00ff_fff0;
/// The cards of the ranks 9 to 2. Eights are neither low nor high.
const HIGH: CardSet = SUITED & !0x0fff_ffff;

/// Returns the class of a play. The classes 0 to 6 are single, pair, three of a rank, four or five
/// of a rank, sequence of three, sequence of four, longer sequence.
#[inline]
pub(super) fn class(play: &Action) -> u16 {
    let count = u16::from(play.count);
    if play.kind == kind::SEQUENCE {
        (count + 1).min(6)
    } else {
        (count - 1).min(3)
    }
}

/// Returns the strength of a play in the current order, 0 to 15: the rank of its weaker end.
#[inline]
pub(super) fn level(play: &Action, reversed: bool) -> u16 {
    let column = u16::from(play.column & 15);
    if !reversed || column == 15 {
        return column;
    }
    let span = if play.kind == kind::SEQUENCE {
        u16::from(play.count) - 1
    } else {
        0
    };
    14_u16.saturating_sub(column + span)
}

/// Returns the cells of all columns that beat a play.
#[inline]
fn stronger(play: &Action, reversed: bool) -> CardSet {
    let span = if play.kind == kind::SEQUENCE {
        play.count - 1
    } else {
        0
    };
    stronger_columns(play.column & 15, (play.column & 15) + span, reversed)
}

/// Returns the number of ranks held, which is the number of plays that empty the hand without
/// sequences. The joker is played with another card, so it counts only if it is the only card.
#[inline]
fn ranks(hand: CardSet) -> u16 {
    if hand == JOKER_SET {
        return 1;
    }
    (columns(hand & SUITED).count_ones() & 15) as u16
}
