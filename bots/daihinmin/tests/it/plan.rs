//! Compares the sequence plan with all sets of sequences in a hand.

use hattari_bots_daihinmin::plan::plan;
use hattari_plugin::daihinmin::card::{self, CardSet, cells};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Returns all sequences of a hand within the columns, by brute force.
fn sequences(hand: CardSet, columns: std::ops::RangeInclusive<u8>) -> Vec<CardSet> {
    let mut found = Vec::new();
    for suit in 0..4 {
        for low in columns.clone() {
            for high in low + 2..=*columns.end() {
                let cards = (low..=high).fold(0, |set, column| set | 1 << (4 * column + suit));
                if hand & cards == cards {
                    found.push(cards);
                }
            }
        }
    }
    found
}

fn columns_of(cards: CardSet) -> BTreeSet<u8> {
    cells(cards & card::SUITED).map(card::column).collect()
}

/// Returns moves saved, overlapping sequences and free cards of the best set, or `None` if no set
/// is better than no sequences.
fn best(hand: CardSet, sequences: &[CardSet]) -> Option<(usize, usize, u32)> {
    let sets = (1u32..1 << sequences.len()).filter_map(|choice| {
        let set: Vec<CardSet> = (0..sequences.len())
            .filter(|i| choice >> i & 1 == 1)
            .map(|i| sequences[i])
            .collect();
        let cards = set.iter().fold(0, |all, sequence| all | sequence);
        // Sequences with a common card cannot all be played.
        if cards.count_ones()
            != set
                .iter()
                .map(|sequence| sequence.count_ones())
                .sum::<u32>()
        {
            return None;
        }
        let (without, with) = (
            columns_of(hand).len(),
            set.len() + columns_of(hand & !cards).len(),
        );
        let overlaps = |i: &usize| {
            (0..set.len()).any(|j| *i != j && !columns_of(set[*i]).is_disjoint(&columns_of(set[j])))
        };
        let overlapping = (0..set.len()).filter(overlaps).count();
        let serves = with < without || (with == without && overlapping > 0);
        serves.then(|| (without - with, overlapping, u32::MAX - cards.count_ones()))
    });
    sets.max()
        .map(|(saved, overlapping, free)| (saved, overlapping, u32::MAX - free))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Hands with few ranks, in which sequences compete.
    #[test]
    fn the_plan_is_optimal_among_all_sets_of_sequences(
        low in 1u8..=9, cards in prop::collection::btree_set((0u8..5, 0u8..4), 3..13), revolution: bool, joker: bool
    ) {
        let cards = cards.into_iter().map(|(column, suit)| 1 << (4 * (low + column) + suit));
        let hand = cards.fold(if joker { card::JOKER_SET } else { 0 }, |set, card| set | card);
        let columns = if revolution { 5..=13 } else { 1..=9 };
        let sequences = sequences(hand, columns);
        prop_assume!(sequences.len() <= 12);

        let plan = plan(hand, revolution);
        let planned: Vec<CardSet> = plan.sequences.into_iter().filter(|&sequence| sequence != 0).collect();
        prop_assert!(planned.iter().all(|sequence| sequences.contains(sequence)));
        prop_assert_eq!(plan.reserved, planned.iter().fold(0, |all, sequence| all | sequence));
        let found = best(hand, &planned).filter(|_| !planned.is_empty());
        prop_assert_eq!(found, best(hand, &sequences));
        if let Some((_, _, kept)) = found {
            prop_assert_eq!(kept, plan.reserved.count_ones());
        }
    }
}
