//! The value of a hand: the number of plays needed to shed it, and how many of them can be beaten.

use super::ranks::{columns, columns_holding, counts, sequence_starts, stronger_columns};
use hattari_games::daihinmin::card::{COLUMN_8, CardSet, JOKER_SET, SPADE_3, SUITED, column_set};
use hattari_games::daihinmin::rule;

/// The numbers of plays in a partition of a hand into singles, whole ranks and sequences, each of
/// which is led once. The joker joins another play; it costs a turn only if it is the last card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Number of plays that shed the hand.
    pub turns: u8,
    /// Number of plays that no other seat can beat, including the joker alone.
    pub sure: u8,
    /// Number of plays that very few cards can beat.
    pub near: u8,
    /// Number of plays that many cards can beat.
    pub weak: u8,
}

impl Plan {
    /// Returns the number of plays that are neither sure nor nearly sure, so others can beat them.
    #[must_use]
    pub fn beatable(&self) -> u8 {
        self.turns.saturating_sub(self.sure + self.near)
    }

    /// Former name of [`Plan::beatable`].
    #[deprecated(since = "0.3.0", note = "renamed to `beatable`")]
    #[must_use]
    pub fn slow(&self) -> u8 {
        self.beatable()
    }

    /// Returns the cost to be minimised: beatable plays cost most, then turns.
    fn cost(&self) -> u32 {
        4 * u32::from(self.beatable()) + 2 * u32::from(self.turns) + u32::from(self.weak)
    }

    /// Counts a play that `answers` cards or ranks can beat. With 1 to `near` answers it is nearly
    /// sure, with more than `weak` answers it is weak.
    fn count_play(&mut self, answers: u32, [near, weak]: [u32; 2]) {
        self.sure += u8::from(answers == 0);
        self.near += u8::from((1..=near).contains(&answers));
        self.weak += u8::from(answers > weak);
    }
}

/// Returns the best partition of `hand` that the search finds. `unseen` are the cards of the other
/// seats, `reversed` is `true` if low ranks beat high ones, and `rules` are the flags of a view.
#[must_use]
pub fn plan(hand: CardSet, unseen: CardSet, reversed: bool, rules: u8) -> Plan {
    let search = PlanSearch {
        unseen,
        reversed,
        rules,
    };
    let suited = hand & SUITED;
    let mut best = search.plan_by_rank(suited);
    if rules & rule::SEQUENCES != 0 && sequence_starts(suited) != 0 {
        search.with_sequences(suited, suited, Plan::default(), 0, &mut best);
    }
    if hand & JOKER_SET != 0 {
        if suited == 0 {
            best.turns = 1;
        }
        if unseen & SPADE_3 == 0 {
            best.sure += 1;
        } else {
            best.near += 1;
        }
    }
    best
}

/// Maximum number of sequences in a partition.
const SEQUENCES_MAX: u32 = 3;

/// The cards and rules that decide which plays of a hand can be beaten.
struct PlanSearch {
    unseen: CardSet,
    reversed: bool,
    rules: u8,
}

impl PlanSearch {
    /// Returns the numbers of plays if the hand is played rank by rank, without sequences.
    fn plan_by_rank(&self, suited: CardSet) -> Plan {
        let held_in = counts(suited);
        let mut plan = Plan::default();
        let mut held = columns(suited);
        while held != 0 {
            let column = ((held.trailing_zeros() / 4) & 15) as u8;
            held &= held - 1;
            plan.turns += 1;
            let count = (held_in >> (4 * column) & 7) as u8;
            if column == COLUMN_8 && self.rules & rule::EIGHT_CUT != 0 {
                plan.sure += 1;
            } else {
                plan.count_play(
                    self.answers_to_rank(column, count),
                    if count == 1 { [3, 12] } else { [1, 4] },
                );
            }
        }
        plan
    }

    /// Returns the number of cards that beat a single, or of ranks that beat a group.
    fn answers_to_rank(&self, column: u8, count: u8) -> u32 {
        let stronger = self.unseen & stronger_columns(column, column, self.reversed);
        let joker = u8::from(self.unseen & JOKER_SET != 0);
        match count {
            1 => stronger.count_ones() + u32::from(joker),
            2..=4 => columns_holding(stronger, count - joker).count_ones(),
            _ => 0,
        }
    }

    /// Tries all sets of sequences that start in `usable`. `chosen` is the plan of the sequences
    /// chosen so far.
    fn with_sequences(
        &self,
        suited: CardSet,
        usable: CardSet,
        chosen: Plan,
        depth: u32,
        best: &mut Plan,
    ) {
        let mut from = sequence_starts(usable);
        while from != 0 {
            let start = from.trailing_zeros();
            from &= from - 1;
            let mut cells = 0b1_0001_0001_u64 << start;
            loop {
                let mut with = chosen;
                with.turns += 1;
                if cells & column_set(COLUMN_8) != 0 && self.rules & rule::EIGHT_CUT != 0 {
                    with.sure += 1;
                } else {
                    with.count_play(self.answers_to_sequence(cells), [2, 6]);
                }
                let rest = suited & !cells;
                let mut whole = self.plan_by_rank(rest);
                whole.turns += with.turns;
                whole.sure += with.sure;
                whole.near += with.near;
                whole.weak += with.weak;
                if whole.cost() < best.cost() {
                    *best = whole;
                }
                if depth + 1 < SEQUENCES_MAX {
                    // Sequences with lower starts were tried before.
                    self.with_sequences(
                        rest,
                        usable & !cells & !((1 << start) - 1),
                        with,
                        depth + 1,
                        best,
                    );
                }
                let longer = cells | cells << 4;
                if longer & !usable != 0 {
                    break;
                }
                cells = longer;
            }
        }
    }

    fn answers_to_sequence(&self, cells: CardSet) -> u32 {
        let (low, high) = (cells.trailing_zeros() / 4, cells.ilog2() / 4);
        let held =
            self.unseen & stronger_columns((low & 15) as u8, (high & 15) as u8, self.reversed);
        let mut windows = held;
        for step in 1..=(high - low) {
            windows &= held >> (4 * step);
        }
        windows.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_games::daihinmin::Options;
    use hattari_games::daihinmin::card::{PACK, parse_set};

    #[track_caller]
    fn check(hand: &str, gone: &str, reversed: bool, expected: [u8; 4]) {
        let (hand, gone) = (parse_set(hand).unwrap(), parse_set(gone).unwrap());
        let [turns, sure, near, weak] = expected;
        assert_eq!(
            plan(
                hand,
                PACK & !hand & !gone,
                reversed,
                Options::default().flags()
            ),
            Plan {
                turns,
                sure,
                near,
                weak
            }
        );
    }

    #[test]
    fn plays_are_classified_by_the_cards_that_can_beat_them() {
        // A two that only the joker beats, eights that cut, and a four.
        check("S2 H8 D8 C4", "", false, [3, 1, 1, 1]);
        // If the joker is gone, the two is sure.
        check("S2 H8 D8 C4", "JK", false, [3, 2, 0, 1]);
        // In a revolution the four is nearly sure, and the two is weak.
        check("S2 H8 D8 C4", "JK", true, [3, 1, 0, 1]);
        check("S2 C4", "S3 H3", true, [2, 0, 1, 1]);
        // A pair of queens: kings, aces and twos can beat it; a single of these can do so with the
        // joker.
        check("SQ HQ", "", false, [1, 0, 0, 0]);
        check("SQ HQ", "SK HK DK SA HA DA S2 H2 D2", false, [1, 0, 0, 0]);
        check(
            "SQ HQ",
            "SK HK DK SA HA DA S2 H2 D2 JK",
            false,
            [1, 1, 0, 0],
        );
    }

    #[test]
    fn sequences_are_used_if_they_save_plays() {
        check("S3 S4 S5 D9", "", false, [2, 0, 0, 2]);
        // Two sequences of three need fewer plays than three pairs.
        check("S3 H3 S4 H4 S5 H5", "", false, [2, 0, 0, 2]);
        // The three sixes are a group, and the rest is a sequence.
        check("S3 S4 S5 S6 H6 D6", "", false, [2, 0, 0, 2]);
    }

    #[test]
    fn the_joker_needs_no_turn_of_its_own() {
        check("JK", "", false, [1, 0, 1, 0]);
        check("JK S3", "", false, [1, 1, 0, 1]);
        check("JK S2", "S3", false, [1, 2, 0, 0]);
    }
}
