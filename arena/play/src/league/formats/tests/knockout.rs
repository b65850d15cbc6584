//! Tests of the knockout format.

use super::super::*;
use super::simulated::{
    Strengths, by_name, field, live, noisy, pairings, played, shuffled, standing, strengths, tables,
};
use crate::league::formats::round_schedule::Round;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn knockout(size: usize, through: usize, double: bool) -> Knockout {
    Knockout {
        size,
        through,
        double,
        withdrawn: BTreeMap::new(),
    }
}

fn round_schedule(count: usize, format: Knockout, levels: &[f64]) -> RoundSchedule {
    played(
        &field(count, 2, Format::Knockout(format)),
        &strengths(levels),
    )
}

/// Returns falling strengths.
fn levels(count: usize) -> Vec<f64> {
    (0_u32..20).rev().skip(20 - count).map(f64::from).collect()
}

fn rounds(round_schedule: &RoundSchedule) -> Vec<(&str, String)> {
    round_schedule
        .rounds
        .iter()
        .map(|round| (round.name.as_str(), tables(round)))
        .collect()
}

fn note(round_schedule: &RoundSchedule, entrant: usize) -> &str {
    let line = round_schedule
        .rounds
        .last()
        .unwrap()
        .standing
        .iter()
        .find(|line| line.entrant == entrant);
    &line.unwrap().note
}

#[test]
fn the_bracket_separates_top_seeds_and_gives_them_byes() {
    // The bracket of eight is 1-8, 4-5, 2-7, 3-6. The fifth beats the fourth and takes its line.
    let levels = [8.0, 7.0, 6.0, 4.0, 5.0, 3.0, 2.0, 1.0];
    let eight = round_schedule(8, knockout(2, 1, false), &levels);
    let names = ["quarter-finals", "semi-finals", "final"];
    let expected = ["0-7 1-6 2-5 3-4", "0-4 1-2", "0-1"];
    assert_eq!(
        rounds(&eight),
        names
            .into_iter()
            .zip(expected.map(String::from))
            .collect::<Vec<_>>()
    );
    assert_eq!(
        standing(&eight.rounds[2]),
        "0:3 1:2 2:1 4:1 3:0 5:0 6:0 7:0"
    );
    assert_eq!(
        (note(&eight, 0), note(&eight, 1), note(&eight, 7)),
        ("winner", "out in round 3", "out in round 1")
    );
    // With six entrants, the last four play for two places beside the first two.
    let six = round_schedule(6, knockout(2, 1, false), &levels);
    assert_eq!(rounds(&six)[0], ("round 1", "2-5 3-4".into()));
    assert_eq!(
        (six.rounds[0].byes.as_slice(), six.rounds[1].byes.len()),
        ([0, 1].as_slice(), 0)
    );
}

#[test]
fn the_best_entrants_of_larger_tables_advance() {
    // 16 at tables of four: each table has one of each quarter, in rows of alternating direction.
    // The best two advance.
    let levels: Vec<f64> = (0..16).rev().map(f64::from).collect();
    let sixteen = round_schedule(16, knockout(4, 2, false), &levels);
    assert_eq!(
        tables(&sixteen.rounds[0]),
        "0-7-8-15 1-6-9-14 2-5-10-13 3-4-11-12"
    );
    assert_eq!(sixteen.rounds.len(), 3);
    // Entrants of one table do not meet in the next round: 0 and 7 have different tables.
    assert!(
        !sixteen.rounds[1]
            .pairings
            .iter()
            .any(|table| table.entrants.contains(&0) && table.entrants.contains(&7))
    );
    assert_eq!(sixteen.rounds[2].name, "final");
    assert_eq!(note(&sixteen, 0), "winner");
    // With five entrants, one has a bye, and three of the others advance, because a final needs
    // four.
    let five = round_schedule(5, knockout(4, 2, false), &levels);
    assert_eq!(
        (rounds(&five), &five.rounds[0].byes[..]),
        (
            vec![("round 1", "1-2-3-4".into()), ("final", "0-1-2-3".into())],
            &[0][..]
        )
    );
}

#[test]
fn a_second_loss_eliminates_an_entrant() {
    let four = round_schedule(4, knockout(2, 1, true), &[4.0, 3.0, 2.0, 1.0]);
    // 2 and 3 play for third place; 1 comes from the winners' bracket, beats 2 and meets 0 again.
    let expected = [
        ("round 1", "0-3 1-2"),
        ("round 2", "0-1 2-3"),
        ("round 3", "1-2"),
        ("final", "0-1"),
    ];
    assert_eq!(
        rounds(&four),
        expected.map(|(name, tables)| (name, tables.to_owned()))
    );
    assert_eq!(
        four.rounds[3].pairings[0].blocks,
        2..4,
        "a second meeting continues after the blocks of the first"
    );
    assert_eq!(four.rounds[1].standing[1].note, "has lost once");
    assert_eq!(standing(&four.rounds[3]), "0:4 1:3 2:2 3:1");
    // With luck, 1 wins the final, which is then replayed.
    let lucky = |seed| Strengths {
        noise: 3.0,
        seed,
        ..strengths(&[4.0, 3.0, 2.0, 1.0])
    };
    let league = field(4, 1, Format::Knockout(knockout(2, 1, true)));
    let again = (0..50)
        .map(|seed| played(&league, &lucky(seed)))
        .find(|round_schedule| round_schedule.rounds.len() == 5)
        .unwrap();
    let names: Vec<&str> = again.rounds[3..]
        .iter()
        .map(|round| round.name.as_str())
        .collect();
    assert_eq!(names, ["final", "second final"]);
    assert_eq!(
        again.rounds[3].pairings[0].entrants,
        again.rounds[4].pairings[0].entrants
    );
    assert!(
        again.rounds[3].standing[..2]
            .iter()
            .all(|line| line.note == "has lost once")
    );
}

#[test]
fn tied_tables_play_more_blocks_until_the_seed_decides() {
    let level = round_schedule(2, knockout(2, 1, false), &[1.0, 1.0]);
    assert_eq!(
        level.rounds[0].pairings[0].blocks,
        0..2 + round_builder::MORE_BLOCKS
    );
    assert_eq!(
        note(&level, 0),
        "winner; still tied after 12 blocks; the better seed advances"
    );
    // A tie between places that both advance or both lose is ignored.
    let third = round_schedule(4, knockout(4, 2, false), &[3.0, 2.0, 1.0, 1.0]);
    assert_eq!(
        (
            third.rounds.len(),
            third.rounds[0].pairings[0].blocks.clone()
        ),
        (1, 0..2)
    );
    // A block that breaks the tie ends the match.
    struct Later;
    impl Results for Later {
        fn scores(&self, _: &[usize], block: u32) -> Option<Vec<f64>> {
            Some(if block < 4 {
                vec![0.1, 0.1]
            } else {
                vec![0.0, 1.0]
            })
        }
    }
    let league = field(2, 2, Format::Knockout(knockout(2, 1, false)));
    let later = league.format.round_schedule(&league, &Later).unwrap();
    assert_eq!(
        (
            later.rounds[0].pairings[0].blocks.clone(),
            later.rounds[0].standing[0].entrant
        ),
        (0..5, 1)
    );
    assert_eq!(note(&later, 1), "winner");
}

#[test]
fn a_withdrawn_entrant_is_eliminated() {
    let with = |count, round, format| {
        let withdrawn = by_name(&[(usize::from(count == 5), round)]);
        round_schedule(
            count,
            Knockout {
                withdrawn,
                ..format
            },
            &levels(count),
        )
    };
    let eight = with(8, 1, knockout(2, 1, false));
    assert_eq!(
        rounds(&eight)[1..],
        [("round 2", "2-3".into()), ("final", "1-2".into())]
    );
    assert_eq!(
        (note(&eight, 0), note(&eight, 1)),
        ("withdrawn after round 1", "winner")
    );
    assert_eq!(
        standing(eight.rounds.last().unwrap()).split(' ').nth(2),
        Some("3:1")
    );
    // No opponent is left for the final.
    let eight = with(8, 2, knockout(2, 1, false));
    assert_eq!((eight.rounds.len(), note(&eight, 1)), (2, "winner"));
    let eight = with(8, 3, knockout(2, 1, false));
    assert_eq!((eight.rounds.len(), note(&eight, 0)), (3, "winner"));
    let five = with(5, 1, knockout(4, 2, false));
    assert_eq!(
        (five.rounds.len(), note(&five, 0)),
        (1, "winner, because too few entrants are left for a table")
    );
}

/// Returns the number of tables at which each entrant was not the best.
fn failures(round_schedule: &RoundSchedule, results: &Strengths, count: usize) -> Vec<usize> {
    let mut failures = vec![0; count];
    for meeting in pairings(round_schedule) {
        let mut sums = vec![0.0; meeting.entrants.len()];
        for block in meeting.blocks.clone() {
            let scores = results.scores(&meeting.entrants, block).unwrap();
            sums.iter_mut()
                .zip(scores)
                .for_each(|(sum, score)| *sum += score);
        }
        let most = sums.iter().copied().fold(f64::MIN, f64::max);
        for (&entrant, sum) in meeting.entrants.iter().zip(sums) {
            failures[entrant] += usize::from(sum < most);
        }
    }
    failures
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_entrant_except_the_winner_is_eliminated_after_its_allowed_losses(count in 2_usize..70, noise in 0.1..40.0, double: bool, seed in 0_u64..1000) {
        let results = noisy(count, noise, seed);
        let round_schedule = played(&field(count, 2, Format::Knockout(knockout(2, 1, double))), &results);
        let last = round_schedule.rounds.last().unwrap();
        let winner = last.standing[0].entrant;
        let failures = failures(&round_schedule, &results, count);
        let lives = if double { 2 } else { 1 };
        for (entrant, &failures) in failures.iter().enumerate() {
            prop_assert!(if entrant == winner { failures < lives } else { failures == lives }, "{}: {}", entrant, failures);
        }
        let tables: usize = round_schedule.rounds.iter().map(|round| round.pairings.len()).sum();
        prop_assert_eq!(tables, lives * (count - 1) + failures[winner]);
        if !double {
            prop_assert_eq!(round_schedule.rounds[0].byes.len(), count.next_power_of_two() - count);
            prop_assert!(round_schedule.rounds[1..].iter().all(|round| round.byes.is_empty()));
            prop_assert_eq!(round_schedule.rounds.len(), count.next_power_of_two().trailing_zeros() as usize);
        }
    }

    #[test]
    fn every_knockout_table_is_full_and_the_strongest_entrant_wins(
        count in 2_usize..60, size in 2_usize..7, through in 1_usize..6, double: bool, seed in 0_u64..1000,
    ) {
        let size = size.min(count);
        let format = knockout(size, through.min(size - 1), double);
        let results = strengths(&shuffled(count, seed));
        let round_schedule = played(&field(count, 1, Format::Knockout(format)), &results);
        prop_assert!(pairings(&round_schedule).all(|meeting| meeting.entrants.len() == size));
        let last = round_schedule.rounds.last().unwrap();
        prop_assert!(last.name.ends_with("final"), "{}", last.name);
        let winner = last.standing[0].entrant;
        prop_assert!(results.levels.iter().all(|&strength| strength <= results.levels[winner]));
        let winners = last.standing.iter().filter(|line| line.note.starts_with("winner")).count();
        let out = last.standing.iter().filter(|line| line.note.starts_with("out in round")).count();
        prop_assert_eq!((winners, out), (1, count - 1));
        // Eliminated entrants do not play again.
        for (number, round) in round_schedule.rounds.iter().enumerate() {
            for line in round.standing.iter().filter(|line| line.note.starts_with("out")) {
                let plays = |round: &Round| round.byes.contains(&line.entrant)
                    || round.pairings.iter().any(|meeting| meeting.entrants.contains(&line.entrant));
                prop_assert!(!round_schedule.rounds[number + 1..].iter().any(plays));
            }
        }
    }

    #[test]
    fn playing_round_by_round_gives_the_same_schedule(
        count in 3_usize..30, size in 2_usize..6, through in 1_usize..5, double: bool, noise in 0.0..20.0, seed in 0_u64..1000,
    ) {
        let size = size.min(count);
        let withdrawn = BTreeMap::from([("a00".to_owned(), 1), ("a01".to_owned(), 2)]);
        let format = Knockout { withdrawn, ..knockout(size, through.min(size - 1), double) };
        live(&field(count, 1, Format::Knockout(format)), &noisy(count, noise, seed));
    }
}
