//! Tests of the ladder format.

use super::super::*;
use super::simulated::{
    all_tables, field, live, noisy, played, schedule, shuffled, standing, strengths,
};
use crate::league::formats::round_schedule::Round;
use proptest::prelude::*;

fn ladder(size: usize, new: std::ops::Range<usize>) -> String {
    let new: Vec<String> = new.map(|entrant| format!("a{entrant:02}")).collect();
    format!(
        "{{kind: ladder, size: {size}, entrants: [{}]}}",
        new.join(", ")
    )
}

#[test]
fn a_new_entrant_climbs_until_it_loses() {
    let league = field(5, 3, "{kind: ladder, size: 2}");
    let round_schedule = played(&league, &strengths(&[5.0, 3.0, 2.0, 1.0, 4.0]));
    let rounds = all_tables(&round_schedule);
    assert_eq!(rounds, ["3-4", "2-4", "1-4", "0-4"]);
    assert_eq!(round_schedule.rounds[0].byes, [0, 1, 2]);
    assert_eq!(standing(&round_schedule.rounds[0]), "0:4 1:3 2:2 4:1 3:0");
    assert_eq!(standing(&round_schedule.rounds[3]), "0:4 4:3 1:2 2:1 3:0");
    let note = |round: &Round| {
        let notes = round.standing.iter().map(|line| line.note.as_str());
        notes.collect::<String>()
    };
    assert_eq!(note(&round_schedule.rounds[0]), "still playing upwards");
    assert_eq!(note(&round_schedule.rounds[3]), "found rank 2");
    // Tied entrants keep their places; the weakest plays once.
    assert_eq!(played(&league, &strengths(&[1.0; 5])).rounds.len(), 1);
}

#[test]
fn a_new_entrant_climbs_past_lower_scores_at_larger_tables() {
    let league = field(7, 1, &ladder(4, 6..7));
    // It beats 5, 4 and 3 at once, then 2 and 1, but not 0.
    let round_schedule = played(&league, &strengths(&[9.0, 3.0, 4.0, 2.0, 1.0, 0.0, 6.0]));
    assert_eq!(all_tables(&round_schedule), ["3-4-5-6", "0-1-2-6"]);
    assert_eq!(
        standing(&round_schedule.rounds[1]),
        "0:6 6:5 1:4 2:3 3:2 4:1 5:0"
    );
    // It beats 3, but cannot pass 4.
    let round_schedule = played(&league, &strengths(&[9.0, 3.0, 4.0, 2.0, 8.0, 0.0, 6.0]));
    assert_eq!(
        standing(&round_schedule.rounds[0]),
        "0:6 1:5 2:4 3:3 4:2 6:1 5:0"
    );
    assert_eq!(round_schedule.rounds.len(), 1);
    // Two entrants are above it before the second table, so one from below fills that table.
    let round_schedule = schedule(1, &ladder(4, 5..6), &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(all_tables(&round_schedule), ["2-3-4-5", "0-1-2-5"]);
    assert_eq!(
        standing(&round_schedule.rounds[1]),
        "5:5 0:4 1:3 2:2 3:1 4:0"
    );
}

#[test]
fn a_withdrawn_entrant_is_removed_from_the_ladder() {
    let format = "{kind: ladder, size: 2, withdrawn: {a02: 1}}";
    let round_schedule = schedule(1, format, &[5.0, 3.0, 2.0, 1.0, 4.0]);
    assert_eq!(all_tables(&round_schedule), ["3-4", "1-4", "0-4"]);
    // A new entrant that withdraws before its turn never plays. One that withdraws while climbing
    // is removed.
    let rounds = schedule(
        1,
        "{kind: ladder, size: 2, entrants: [a03, a04], withdrawn: {a03: 1, a04: 1}}",
        &[1.0, 2.0, 3.0, 4.0, 5.0],
    )
    .rounds;
    assert_eq!(standing(&rounds[0]), "0:2 1:1 2:0 3:0 4:0");
    let notes: Vec<&str> = rounds[0].standing.iter().map(|line| &*line.note).collect();
    assert_eq!((rounds.len(), notes[3]), (1, "withdrawn after round 1"));
}

#[test]
fn a_ladder_needs_enough_entrants() {
    let refused = |league: League| check_size(&league).unwrap_err().message;
    let few = refused(field(5, 1, &ladder(4, 2..5)));
    assert_eq!(
        few,
        "the ladder has 2 entrants without the new ones, but a new entrant needs 3 opponents"
    );
    let many = refused(field(300, 1, &ladder(2, 1..300)));
    crate::mock::has(&many, "up to 44,850 rounds of 300 entrants are too many");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_the_other_entrants_does_not_change(count in 2_usize..14, size in 2_usize..5, new in 1_usize..14, noise in 0.0..20.0, seed in 0_u64..1000) {
        let size = size.min(count);
        let old = count.saturating_sub(new).max(size - 1);
        let league = field(count, 1, &ladder(size, old..count));
        let results = noisy(count, noise, seed);
        live(&league, &results);
        let round_schedule = played(&league, &results);
        for round in &round_schedule.rounds {
            let kept: Vec<usize> = round.standing.iter().map(|line| line.entrant).filter(|&entrant| entrant < old).collect();
            prop_assert!(kept.is_sorted());
        }
        let last = round_schedule.rounds.last().unwrap();
        prop_assert_eq!(last.standing.len(), count);
        let found = last.standing.iter().filter(|line| line.note.starts_with("found rank")).count();
        prop_assert_eq!(found, count - old);
    }

    #[test]
    fn a_ladder_with_noise_free_results_is_sorted_by_strength(count in 2_usize..14, size in 2_usize..5, seed in 0_u64..1000) {
        // All except the first few are new, and those few are in order.
        let size = size.min(count);
        let mut levels = shuffled(count, seed);
        levels[..size - 1].sort_by(|a, b| b.total_cmp(a));
        let round_schedule = schedule(1, &ladder(size, size - 1..count), &levels);
        let ranked: Vec<f64> = round_schedule.rounds.last().unwrap().standing.iter().map(|line| levels[line.entrant]).collect();
        prop_assert!(ranked.is_sorted_by(|a, b| b < a), "{:?}", ranked);
    }
}
