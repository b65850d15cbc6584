//! Tests of the round-robin format.

use super::super::*;
use super::simulated::{
    Strengths, all_tables, field, line, live, noisy, pairings, played, plays, schedule, shuffled,
    standing, strengths,
};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

const PAIRS: &str = "{kind: round-robin, size: 2}";

/// Returns the number of blocks that each table plays.
fn blocks(round_schedule: &RoundSchedule) -> HashMap<Vec<usize>, u32> {
    let mut blocks = HashMap::new();
    for meeting in pairings(round_schedule) {
        assert_eq!(meeting.blocks.len(), 1);
        *blocks.entry(meeting.entrants.clone()).or_default() += 1;
    }
    blocks
}

#[test]
fn four_entrants_complete_a_round_robin_cycle_in_three_rounds() {
    let round_schedule = schedule(2, PAIRS, &[4.0, 3.0, 2.0, 1.0]);
    let rounds = all_tables(&round_schedule);
    // 0 stays, the others rotate.
    assert_eq!(rounds[..3], ["0-3 1-2", "0-1 2-3", "0-2 1-3"]);
    assert_eq!(rounds[3..], rounds[..3]);
    assert_eq!(round_schedule.rounds[4].pairings[0].blocks, 1..2);
    // Points per table: 1 has won its first and lost its second.
    assert_eq!(standing(&round_schedule.rounds[1]), "0:1 1:0.5 2:0.5 3:0");
    assert!(standing(&round_schedule.rounds[5]).starts_with("0:1 "));
}

#[test]
fn a_bye_does_not_lower_the_standing() {
    let round_schedule = schedule(1, PAIRS, &[2.0, 3.0, 1.0]);
    assert_eq!(all_tables(&round_schedule), ["1-2", "0-1", "0-2"]);
    let byes = round_schedule.rounds.iter().map(|round| round.byes[0]);
    assert_eq!(byes.collect::<Vec<_>>(), [0, 2, 1]);
    assert!(standing(&round_schedule.rounds[1]).starts_with("1:1 "));
}

#[test]
fn fourteen_entrants_play_at_two_tables_of_five() {
    let round_schedule = schedule(1, "{kind: round-robin, size: 5}", &shuffled(14, 1));
    assert_eq!(blocks(&round_schedule).len(), 2002);
    // At least 1001 rounds are necessary. At any moment, all entrants have played about equally
    // often.
    let rounds = round_schedule.rounds;
    assert!(rounds.len() < 1050, "{} rounds", rounds.len());
    let mut times = [0_usize; 14];
    for round in rounds {
        for entrant in round.pairings.iter().flat_map(|meeting| &meeting.entrants) {
            times[*entrant] += 1;
        }
        let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
        assert!(most - least <= 12, "{times:?}");
    }
}

#[test]
fn a_late_entrant_meets_all_others_and_changes_no_earlier_round() {
    let results = strengths(&shuffled(9, 4));
    let without = played(&field(8, 1, PAIRS), &results);
    for (round, first) in [(4, 4), (30, 8)] {
        let with = played(
            &field(
                9,
                1,
                &format!("{{kind: round-robin, size: 2, late: {{a08: {round}}}}}"),
            ),
            &results,
        );
        assert_eq!(with.rounds[..first - 1], without.rounds[..first - 1]);
        assert!(blocks(&with).values().all(|&blocks| blocks == 1) && blocks(&with).len() == 36);
        let starts = with.rounds.iter().position(|round| plays(round, 8));
        assert_eq!(starts, Some(first - 1));
    }
    assert_eq!(
        check_size(&field(4, 1, "{kind: round-robin, size: 4, late: {a00: 2}}"))
            .unwrap_err()
            .message,
        "in round 1 there would be 3 entrants for tables of 4"
    );
}

#[test]
fn a_withdrawn_entrant_keeps_its_results() {
    let round_schedule = schedule(
        3,
        "{kind: round-robin, size: 2, withdrawn: {a00: 2}}",
        &shuffled(6, 4),
    );
    let mut tables_of_first = 0;
    for (table, blocks) in blocks(&round_schedule) {
        let is_of_first = table.contains(&0);
        tables_of_first += u32::from(is_of_first);
        assert_eq!(blocks, if is_of_first { 1 } else { 3 });
    }
    assert_eq!(tables_of_first, 2);
    let line = line(&round_schedule.rounds[7], 0).unwrap();
    assert_eq!(line.note, "withdrawn after round 2");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_pairing_is_played_once_per_cycle(count in 2_usize..12, size in 2_usize..5, cycles in 1_u32..4, noise in 0.0..10.0, seed in 0_u64..1000) {
        let size = size.min(count);
        let league = field(count, cycles, &format!("{{kind: round-robin, size: {size}}}"));
        let results = noisy(count, noise, seed);
        let round_schedule = played(&league, &results);
        let blocks = blocks(&round_schedule);
        prop_assert_eq!(blocks.len() as u64, line_ups::binomial(count as u64, size as u64));
        prop_assert!(blocks.values().all(|&blocks| blocks == cycles));
        // A cycle ends before the next one begins.
        let numbers: Vec<u32> = pairings(&round_schedule).map(|m| m.blocks.start).collect();
        prop_assert!(numbers.is_sorted());
        if size == 2 {
            prop_assert_eq!(round_schedule.rounds.len(), cycles as usize * (count - 1 + count % 2));
        }
        if noise == 0.0 {
            let first = round_schedule.rounds.last().unwrap().standing[0].entrant;
            prop_assert!(results.levels.iter().all(|&strength| strength <= results.levels[first]));
        }
    }

    #[test]
    fn playing_round_by_round_gives_the_same_schedule(count in 5_usize..9, size in 2_usize..4, noise in 0.0..10.0, late in 2_u32..12, seed in 0_u64..1000) {
        let results = noisy(count, noise, seed);
        let league = field(count, 2, &format!("{{kind: round-robin, size: {size}, late: {{a01: {late}}}, withdrawn: {{a00: 3}}}}"));
        live(&league, &results);
        // The pairings do not depend on results.
        let other = Strengths { seed: seed + 1, ..results.clone() };
        let asked = |round_schedule: RoundSchedule| round_schedule.rounds.into_iter().map(|round| round.pairings).collect::<Vec<_>>();
        prop_assert_eq!(asked(played(&league, &results)), asked(played(&league, &other)));
        // The late entrant meets all others that stay.
        let round_schedule = played(&league, &results);
        let partners: BTreeSet<usize> = blocks(&round_schedule).into_keys().filter(|table| table.contains(&1)).flatten().collect();
        prop_assert!((2..count).all(|other| partners.contains(&other)), "{:?}", partners);
    }
}
