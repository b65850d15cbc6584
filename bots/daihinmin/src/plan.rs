//! The sequence plan of styles with `stairs`: the sequences of a hand that are kept together (Satō
//! and Itō, 4.1).
//!
//! A hand without sequences needs as many moves as it has ranks, because a group plays all cards of
//! its rank. A sequence is useful if it removes more ranks than the one move that it costs. The
//! joker is not counted, because it can be added to any move.

use hattari_plugin::daihinmin::card::{COLUMN_J, CardSet, SUITED, cells};
use hattari_plugin::games::daihinmin::moves::{columns, sequence_starts};

/// A set of sequences that a hand keeps together.
#[derive(Clone, Copy, Default)]
pub struct Plan {
    /// All cards of the sequences.
    pub reserved: CardSet,
    /// The sequences; unused entries at the end are 0.
    pub sequences: [CardSet; SEQUENCES_MAX],
}

/// Maximum number of sequences of at least three cards in a hand of at most 13 suited cards.
pub(crate) const SEQUENCES_MAX: usize = 4;
/// Columns in which sequences are considered: all below Q.
const BELOW_Q: CardSet = SUITED & ((1 << (4 * (COLUMN_J + 1))) - 1);

/// Returns the plan for `hand`.
///
/// Only sequences below the four strongest ranks and without the joker are considered. The paper
/// excludes sequences with Q or more because such cards can win a trick alone; so can the joker.
/// `revolution` reverses the ranks, so that sequences with 6 or less are excluded.
///
/// Among all sets of such sequences without common cards, the plan is the set that
///
/// 1. needs the fewest moves for the hand,
///
/// 2. has the most sequences that overlap in rank with another sequence of the set,
///
/// 3. reserves the fewest cards,
///
/// 4. has the weakest cards.
///
/// The plan is used if it needs fewer moves than the hand without sequences, or the same number if
/// sequences overlap in rank (figure 1 of the paper). Otherwise the result is empty. Because of
/// rules 2 and 3, a sequence that saves no move is in the plan exactly if it overlaps another one.
/// This corresponds to the two conditions of the paper: `<` in general, and `≤` if ranges overlap.
pub fn plan(hand: CardSet, revolution: bool) -> Plan {
    let turned = |set| if revolution { reverse_ranks(set) } else { set };
    let hand = turned(hand & SUITED);
    let usable = hand & BELOW_Q;
    if sequence_starts(usable) == 0 {
        return Plan::default();
    }
    let mut search = Search {
        hand,
        ranks: ranks(hand),
        best: Plan::default(),
        best_worth: Worth::NOTHING,
    };
    search.extend(usable, Plan::default(), 0);
    let mut best = search.best;
    best.reserved = turned(best.reserved);
    for sequence in &mut best.sequences {
        *sequence = turned(*sequence);
    }
    best
}

/// Returns the number of ranks in `cards` without the joker. This is the smallest number of groups
/// and singles with which all cards can be played.
#[inline]
pub(crate) fn ranks(cards: CardSet) -> u32 {
    columns(cards & SUITED).count_ones()
}

/// Returns a set of cards with the ranks reversed: 3 becomes 2, 4 becomes A and so on.
fn reverse_ranks(cards: CardSet) -> CardSet {
    let bytes = cards.swap_bytes();
    let columns = (bytes & 0x0f0f_0f0f_0f0f_0f0f) << 4 | (bytes >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    // Reversing sixteen columns moves column 1 to column 14, but the ranks are in columns 1 to 13.
    columns >> 4
}

/// The value of a set of sequences. Fields are compared in order; larger is better.
#[derive(PartialEq, Eq, PartialOrd)]
struct Worth {
    /// Number of moves that the set saves compared with no sequences.
    saved: u32,
    /// Number of sequences that overlap another sequence in rank.
    overlapping: u32,
    /// Number of cards that are not reserved.
    free: u32,
}

impl Worth {
    /// Value of the empty set. A set that saves no move and has no overlapping sequences is worse.
    const NOTHING: Worth = Worth {
        saved: 0,
        overlapping: 0,
        free: u32::MAX,
    };
}

/// The search for the best plan of a hand.
struct Search {
    hand: CardSet,
    /// Number of ranks of the hand.
    ranks: u32,
    best: Plan,
    best_worth: Worth,
}

impl Search {
    /// Tries every way to add sequences of cards in `usable` to the `count` sequences of `chosen`.
    /// There are usually one or two sets to try, and at most a few hundred.
    fn extend(&mut self, usable: CardSet, chosen: Plan, count: usize) {
        for start in cells(sequence_starts(usable)) {
            let mut sequence = 0b1_0001_0001 << start;
            let mut next = start + 12;
            // Sets with sequences that start in lower cells were already tried.
            let later = usable & !((1 << start) - 1);
            loop {
                let mut longer = chosen;
                longer.sequences[count] = sequence;
                longer.reserved |= sequence;
                self.judge(&longer, count + 1);
                if count + 1 < SEQUENCES_MAX {
                    self.extend(later & !sequence, longer, count + 1);
                }
                if usable & 1 << next == 0 {
                    break;
                }
                sequence |= 1 << next;
                next += 4;
            }
        }
    }

    fn judge(&mut self, plan: &Plan, count: usize) {
        let emptied = self.ranks - ranks(self.hand & !plan.reserved);
        let sequences = &plan.sequences[..count];
        let Some(saved) = emptied.checked_sub(u32::try_from(count).expect("a handful")) else {
            return;
        };
        let overlaps = |&&one: &&CardSet| {
            sequences
                .iter()
                .any(|&other| other != one && columns(one) & columns(other) != 0)
        };
        let overlapping = sequences.iter().filter(overlaps).map(|_| 1).sum();
        let worth = Worth {
            saved,
            overlapping,
            free: (self.hand & !plan.reserved).count_ones(),
        };
        // Equally good sets are found in ascending order of strength, so the first set is kept.
        if worth > self.best_worth {
            self.best = *plan;
            self.best_worth = worth;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::daihinmin::card::{describe, parse_set};

    fn check(hand: &str, revolution: bool, expected: &[&str]) {
        let plan = plan(parse_set(hand).unwrap(), revolution);
        let sequences: Vec<String> = plan
            .sequences
            .iter()
            .filter(|&&s| s != 0)
            .map(|&s| describe(s))
            .collect();
        assert_eq!(sequences, expected, "{hand}");
        assert_eq!(
            plan.reserved,
            plan.sequences.iter().fold(0, |all, s| all | s)
        );
    }

    #[test]
    fn both_sequences_of_figure_1_are_reserved_without_saving_a_move() {
        let hand = "S5 S6 S7 H5 D6 D7 D8 C6";
        assert_eq!(ranks(parse_set(hand).unwrap()), 4);
        check(hand, false, &["S5 S6 S7", "D6 D7 D8"]);
    }

    #[test]
    fn a_sequence_is_reserved_when_it_sheds_the_hand_in_fewer_moves() {
        check("H4 H5 H6", false, &["H4 H5 H6"]);
        // Four moves without the sequence; with it one move, and two for ♠4 ♣6.
        check("H4 H5 H6 S4 C6 DK", false, &[]);
        check("H4 H5 H6 S4 DK", false, &["H4 H5 H6"]);
        check("H4 H5 H6 S4 S5 S6", false, &["S4 S5 S6", "H4 H5 H6"]);
        check("S4 S5 H6", false, &[]);
    }

    #[test]
    fn sequences_without_a_saved_move_are_reserved_only_if_they_overlap() {
        // One move removes one rank: nothing is saved, and there is no overlap.
        check("S5 H5 S6 S7 D7", false, &[]);
        // A second sequence that does not overlap does not help the first.
        check("S3 H3 S4 S5 D5 S9 ST SJ", false, &["S9 ST SJ"]);
        // Three overlapping sequences save one of four moves.
        check(
            "S5 S6 S7 H6 H7 H8 C5 C6 C7 C8",
            false,
            &["S5 S6 S7", "C5 C6 C7 C8", "H6 H7 H8"],
        );
        // More moves than without sequences: overlapping does not help.
        check("S5 S6 S7 D6 D7 D8 H5 H6 C7 C8", false, &[]);
    }

    #[test]
    fn the_longest_useful_sequence_is_reserved_without_extra_cards() {
        check("H3 H4 H5 H6 H7", false, &["H3 H4 H5 H6 H7"]);
        // ♥7 would leave ♠7 behind in any case, so both are kept.
        check("H3 H4 H5 H6 H7 S7", false, &["H3 H4 H5 H6"]);
        // Both ends are possible; the weaker cards are used.
        check("H3 H4 H5 H6 S3 S6", false, &["H3 H4 H5"]);
        check("C3 C4 C5 C7 C8 C9", false, &["C3 C4 C5", "C7 C8 C9"]);
        check("C3 C4 C5 C6 C7 C8", false, &["C3 C4 C5 C6 C7 C8"]);
        let four = ["S3 S4 S5", "D3 D4 D5", "H6 H7 H8", "C9 CT CJ"];
        check(&four.join(" "), false, &four);
    }

    #[test]
    fn the_four_strongest_ranks_and_the_joker_are_never_reserved() {
        check("HT HJ HQ", false, &[]);
        check("H9 HT HJ", false, &["H9 HT HJ"]);
        check("H9 HT HJ HQ HK", false, &["H9 HT HJ"]);
        check("H4 H5 JK", false, &[]);
        // In a revolution 3 to 6 are the strong ranks.
        check("H6 H7 H8", true, &[]);
        check("H7 H8 H9", true, &["H7 H8 H9"]);
        check("HK HA H2", true, &["HK HA H2"]);
        // The weakest cards are those from the two down.
        check("H7 H8 H9 HT S7 ST", true, &["H8 H9 HT"]);
    }

    #[test]
    fn reversing_ranks_twice_is_the_identity() {
        let all = parse_set("S3 H4 DK C2").unwrap();
        assert_eq!(describe(reverse_ranks(all)), "C3 D5 HA S2");
        assert_eq!(reverse_ranks(reverse_ranks(SUITED)), SUITED);
    }
}
