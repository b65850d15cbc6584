//! Tests of the Swiss format.

use super::super::*;
use super::simulated::{
    Strengths, all_tables, field, line, live, noisy, pairings, played, plays, schedule, shuffled,
    standing, strengths,
};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

fn swiss(rounds: u32, size: usize) -> String {
    format!("{{kind: swiss, rounds: {rounds}, size: {size}}}")
}

#[test]
fn four_entrants_meet_each_other_in_three_swiss_rounds() {
    let round_schedule = schedule(2, &swiss(3, 2), &[4.0, 3.0, 2.0, 1.0]);
    let rounds = all_tables(&round_schedule);
    // The winners of the first round meet in the second. In the third, 0-1 and 2-3 would be next,
    // but they have met.
    assert_eq!(rounds, ["0-2 1-3", "0-1 2-3", "0-3 1-2"]);
    // After the second round, 1 and 2 have one point each, and equal sums of opponents' points; 1
    // has scored more.
    assert_eq!(standing(&round_schedule.rounds[1]), "0:2 1:1 2:1 3:0");
    assert_eq!(standing(&round_schedule.rounds[2]), "0:3 1:2 2:1 3:0");
    assert_eq!(round_schedule.rounds[0].pairings[0].blocks, 0..2);
}

#[test]
fn ties_share_points_and_stronger_opponents_break_ties() {
    // All scores are equal, so only names decide.
    let rounds = schedule(1, &swiss(1, 2), &[1.0; 4]).rounds;
    assert_eq!(standing(&rounds[0]), "0:0.5 1:0.5 2:0.5 3:0.5");
    // At a table of four, the first beats three; two tied entrants share the points of their
    // places.
    let rounds = schedule(1, &swiss(1, 4), &[1.0, 2.0, 2.0, 3.0]).rounds;
    assert_eq!(standing(&rounds[0]), "3:3 1:1.5 2:1.5 0:0");
    // There are three winners, so 5, the last of them, meets the first of the losers. 0 has had
    // stronger opponents than 5. 3 and 1 have had equal opponents, and 3 has scored more.
    let round_schedule = schedule(1, &swiss(2, 2), &[6.0, 5.0, 1.0, 5.5, 2.0, 3.0]);
    assert_eq!(all_tables(&round_schedule), ["0-3 1-4 2-5", "0-1 4-5 2-3"]);
    assert_eq!(
        standing(&round_schedule.rounds[1]),
        "0:2 5:2 3:1 1:1 4:0 2:0"
    );
}

#[test]
fn byes_go_to_the_last_entrants_without_a_bye() {
    let rounds = schedule(1, &swiss(5, 2), &[5.0, 4.0, 3.0, 2.0, 1.0]).rounds;
    let byes: BTreeSet<usize> = rounds.iter().map(|round| round.byes[0]).collect();
    assert_eq!((rounds[0].byes[0], byes), (4, (0..5).collect()));
    // A bye is a win: the last entrant has a point before it has played.
    assert_eq!(standing(&rounds[0]), "0:1 1:1 4:1 2:0 3:0");
    // At tables of four, a bye gives two points.
    let first = &schedule(1, &swiss(1, 4), &shuffled(11, 1)).rounds[0];
    assert_eq!(first.byes.len(), 3);
    assert!((line(first, first.byes[0]).unwrap().points - 2.0).abs() < 1e-9);
}

#[test]
fn a_late_entrant_changes_no_earlier_round() {
    let rounds = |count, late| {
        let format = "{kind: swiss, rounds: 6, size: 2, withdrawn: {a02: 3}";
        let results = Strengths {
            noise: 6.0,
            ..strengths(&shuffled(12, 5))
        };
        played(&field(count, 1, &format!("{format}{late}}}")), &results).rounds
    };
    let (without, with) = (rounds(11, ""), rounds(12, ", late: {a11: 3}"));
    assert_eq!(without[..2], with[..2]);
    for (round, number) in with.iter().zip(1..) {
        let is_there = |entrant| round.byes.contains(&entrant) || plays(round, entrant);
        assert_eq!(
            (is_there(11), is_there(2), line(round, 11).is_some()),
            (3 <= number, number <= 3, 3 <= number),
            "round {number}"
        );
        let note = if number < 3 {
            ""
        } else {
            "withdrawn after round 3"
        };
        assert_eq!(line(round, 2).unwrap().note, note);
    }
    assert_eq!(
        check_size(&field(
            4,
            1,
            "{kind: swiss, rounds: 2, size: 4, withdrawn: {a00: 1}}"
        ))
        .unwrap_err()
        .message,
        "in round 2 there would be 3 entrants for tables of 4"
    );
}

#[test]
fn a_thousand_entrants_have_no_rematches() {
    for (count, rounds, size) in [(1000, 11, 2), (999, 9, 5), (100, 30, 2)] {
        let met = meetings(&schedule(1, &swiss(rounds, size), &shuffled(count, 3)));
        assert!(met.values().all(|&times| times == 1), "{count} entrants");
    }
}

/// Returns the number of meetings of each pair.
fn meetings(round_schedule: &RoundSchedule) -> HashMap<(usize, usize), usize> {
    let mut met = HashMap::new();
    for table in pairings(round_schedule) {
        for (at, &a) in table.entrants.iter().enumerate() {
            table.entrants[at + 1..]
                .iter()
                .for_each(|&b| *met.entry((a.min(b), a.max(b))).or_default() += 1);
        }
    }
    met
}

/// Returns `true` if the `free` entrants can be seated without rematches. Tries all possibilities.
fn can_be_seated_without_rematches(
    free: u32,
    size: usize,
    fresh: &dyn Fn(usize, usize) -> bool,
    tried: &mut HashMap<u32, bool>,
) -> bool {
    fn with(
        table: &mut Vec<usize>,
        free: u32,
        size: usize,
        go_on: &mut dyn FnMut(u32) -> bool,
        fresh: &dyn Fn(usize, usize) -> bool,
    ) -> bool {
        if table.len() == size {
            return go_on(free);
        }
        let from = table[table.len() - 1] + 1;
        (from..32).filter(|at| free >> at & 1 == 1).any(|at| {
            if !table.iter().all(|&other| fresh(other, at)) {
                return false;
            }
            table.push(at);
            let found = with(table, free & !(1 << at), size, go_on, fresh);
            table.pop();
            found
        })
    }
    if free == 0 {
        return true;
    }
    if let Some(&known) = tried.get(&free) {
        return known;
    }
    let first = free.trailing_zeros() as usize;
    let mut go_on = |rest| can_be_seated_without_rematches(rest, size, fresh, tried);
    let found = with(
        &mut vec![first],
        free & !(1 << first),
        size,
        &mut go_on,
        fresh,
    );
    tried.insert(free, found);
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn byes_are_fair_and_rematches_occur_only_if_unavoidable(
        count in 3_usize..15, size in 2_usize..5, rounds in 1_u32..12, noise in 0.0..20.0, seed in 0_u64..1000,
    ) {
        let size = size.min(count);
        let results = noisy(count, noise, seed);
        let round_schedule = played(&field(count, 1, &swiss(rounds, size)), &results);
        prop_assert_eq!(round_schedule.rounds.len(), rounds as usize);
        let mut had = vec![0; count];
        for (number, round) in round_schedule.rounds.iter().enumerate() {
            prop_assert_eq!(round.byes.len(), count % size);
            // Compare with all possible tables after the earlier rounds.
            let before = RoundSchedule { rounds: round_schedule.rounds[..number].to_vec(), is_over: false };
            let met = meetings(&before);
            let fresh = |a: usize, b: usize| !met.contains_key(&(a.min(b), a.max(b)));
            let again = round.pairings.iter().any(|table| {
                let pairs = |at: usize| table.entrants[at + 1..].iter().any(|&b| !fresh(table.entrants[at], b));
                (0..size).any(pairs)
            });
            if again && size == 2 {
                let least = had.iter().min().unwrap();
                let could = (0..count).filter(|&bye| count % 2 == 1 && had[bye] == *least).map(|bye| 1_u32 << bye);
                let could = could.chain((count % 2 == 0).then_some(0));
                for bye in could {
                    let free = ((1_u32 << count) - 1) & !bye;
                    prop_assert!(!can_be_seated_without_rematches(free, size, &fresh, &mut HashMap::new()), "round {}", number + 1);
                }
            }
            if again && size > 2 {
                let free = (0..count).filter(|entrant| !round.byes.contains(entrant)).map(|entrant| 1_u32 << entrant).sum();
                prop_assert!(!can_be_seated_without_rematches(free, size, &fresh, &mut HashMap::new()), "round {}", number + 1);
            }
            round.byes.iter().for_each(|&bye| had[bye] += 1);
            prop_assert!(had.iter().max().unwrap() - had.iter().min().unwrap() <= 1, "{:?}", had);
        }
    }

    #[test]
    fn the_strongest_entrant_wins_when_results_are_noise_free(count in prop_oneof![2_usize..60, Just(16), Just(32), Just(64)], seed in 0_u64..1000) {
        let rounds = count.next_power_of_two().trailing_zeros();
        let results = strengths(&shuffled(count, seed));
        let round_schedule = played(&field(count, 1, &swiss(rounds, 2)), &results);
        // With byes, a lucky entrant may have as many points. If the number of entrants is a power
        // of two, only the strongest wins every round.
        let last = &round_schedule.rounds.last().unwrap().standing;
        let strongest = (0..count).max_by(|&a, &b| results.levels[a].total_cmp(&results.levels[b])).unwrap();
        let line = line(round_schedule.rounds.last().unwrap(), strongest).unwrap();
        prop_assert_eq!((line.points, last[0].points), (rounds.into(), rounds.into()));
        prop_assert!(!count.is_power_of_two() || (last[0].entrant == strongest && last[1].points < last[0].points));
    }

    #[test]
    fn playing_round_by_round_gives_the_same_schedule(count in 4_usize..20, size in 2_usize..5, noise in 0.0..20.0, seed in 0_u64..1000) {
        let (size, last) = (size.min(count - 2), count - 1);
        live(&field(count, 2, &format!("{{kind: swiss, rounds: 5, size: {size}, late: {{a00: 3}}, withdrawn: {{a{last:02}: 1}}}}")), &noisy(count, noise, seed));
    }
}
