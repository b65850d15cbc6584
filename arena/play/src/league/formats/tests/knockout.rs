//! Tests of the knockout format.

use super::super::*;
use super::simulated::{
    Strengths, field, line, live, noisy, pairings, played, plays, schedule, shuffled, standing,
    strengths, tables,
};
use proptest::prelude::*;

/// The format of single elimination at tables of two.
const SINGLE: &str = "{kind: knockout, size: 2, through: 1}";
/// The format of double elimination at tables of two.
const DOUBLE: &str = "{kind: knockout, size: 2, through: 1, double: true}";
/// The format of single elimination at tables of four, from which two advance.
const FOURS: &str = "{kind: knockout, size: 4, through: 2}";

/// Returns falling strengths.
fn levels(count: u32) -> Vec<f64> {
    (0..count).rev().map(f64::from).collect()
}

fn rounds(round_schedule: &RoundSchedule) -> Vec<(&str, String)> {
    round_schedule
        .rounds
        .iter()
        .map(|round| (round.name.as_str(), tables(round)))
        .collect()
}

fn note(round_schedule: &RoundSchedule, entrant: usize) -> &str {
    &line(round_schedule.rounds.last().unwrap(), entrant)
        .unwrap()
        .note
}

#[test]
fn the_bracket_separates_top_seeds_and_gives_them_byes() {
    // The bracket of eight is 1-8, 4-5, 2-7, 3-6. The fifth beats the fourth and takes its line.
    let levels = [8.0, 7.0, 6.0, 4.0, 5.0, 3.0, 2.0, 1.0];
    let eight = schedule(2, SINGLE, &levels);
    let expected = [
        ("quarter-finals", "0-7 1-6 2-5 3-4".into()),
        ("semi-finals", "0-4 1-2".into()),
        ("final", "0-1".into()),
    ];
    assert_eq!(rounds(&eight), expected);
    assert_eq!(
        standing(&eight.rounds[2]),
        "0:3 1:2 2:1 4:1 3:0 5:0 6:0 7:0"
    );
    assert_eq!(
        (note(&eight, 0), note(&eight, 1), note(&eight, 7)),
        ("winner", "out in round 3", "out in round 1")
    );
    // With six entrants, the last four play for two places beside the first two.
    let six = schedule(2, SINGLE, &levels[..6]);
    assert_eq!(rounds(&six)[0], ("round 1", "2-5 3-4".into()));
    assert_eq!(
        (&six.rounds[0].byes[..], six.rounds[1].byes.len()),
        (&[0, 1][..], 0)
    );
}

#[test]
fn the_best_entrants_of_larger_tables_advance() {
    // 16 at tables of four: each table has one of each quarter, in rows of alternating direction.
    // The best two advance.
    let sixteen = schedule(2, FOURS, &levels(16));
    assert_eq!(
        tables(&sixteen.rounds[0]),
        "0-7-8-15 1-6-9-14 2-5-10-13 3-4-11-12"
    );
    assert_eq!(sixteen.rounds.len(), 3);
    // Entrants of one table do not meet in the next round: 0 and 7 have different tables.
    let mut second = sixteen.rounds[1].pairings.iter();
    assert!(!second.any(|table| {
        [0, 7]
            .iter()
            .all(|entrant| table.entrants.contains(entrant))
    }));
    assert_eq!(sixteen.rounds[2].name, "final");
    assert_eq!(note(&sixteen, 0), "winner");
    // With five entrants, one has a bye, and three of the others advance, because a final needs
    // four.
    let five = schedule(2, FOURS, &levels(5));
    let expected = [("round 1", "1-2-3-4".into()), ("final", "0-1-2-3".into())];
    assert_eq!(rounds(&five), expected);
    assert_eq!(five.rounds[0].byes, [0]);
}

#[test]
fn a_second_loss_eliminates_an_entrant() {
    let four = schedule(2, DOUBLE, &[4.0, 3.0, 2.0, 1.0]);
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
    let league = field(4, 1, DOUBLE);
    let mut again = (0..50).map(|seed| played(&league, &lucky(seed)).rounds);
    let again = again.find(|rounds| rounds.len() == 5).unwrap();
    let names: Vec<&str> = again[3..].iter().map(|round| round.name.as_str()).collect();
    assert_eq!(names, ["final", "second final"]);
    assert_eq!(tables(&again[3]), tables(&again[4]));
    let mut notes = again[3].standing[..2].iter().map(|line| line.note.as_str());
    assert!(notes.all(|note| note == "has lost once"));
}

#[test]
fn tied_tables_play_more_blocks_until_the_seed_decides() {
    let level = schedule(2, SINGLE, &[1.0, 1.0]);
    let blocks = |schedule: &RoundSchedule| schedule.rounds[0].pairings[0].blocks.clone();
    assert_eq!(blocks(&level), 0..2 + round_builder::MORE_BLOCKS);
    assert_eq!(
        note(&level, 0),
        "winner; still tied after 12 blocks; the better seed advances"
    );
    // A tie between places that both advance or both lose is ignored.
    let third = schedule(2, FOURS, &[3.0, 2.0, 1.0, 1.0]);
    assert_eq!((third.rounds.len(), blocks(&third)), (1, 0..2));
    // A block that breaks the tie ends the match.
    struct Later;
    impl Results for Later {
        fn scores(&self, _: &[usize], block: u32) -> Option<Vec<f64>> {
            Some(if block < 4 { [0.1, 0.1] } else { [0.0, 1.0] }.to_vec())
        }
    }
    let league = field(2, 2, SINGLE);
    let later = league.format.round_schedule(&league, &Later).unwrap();
    assert_eq!(
        (blocks(&later), later.rounds[0].standing[0].entrant),
        (0..5, 1)
    );
    assert_eq!(note(&later, 1), "winner");
}

#[test]
fn a_withdrawn_entrant_is_eliminated() {
    let with = |format: &str, withdrawn: &str, levels: &[f64]| {
        let format = format.replace('}', &format!(", withdrawn: {{{withdrawn}}}}}"));
        schedule(2, &format, levels)
    };
    let eight = |withdrawn| with(SINGLE, withdrawn, &levels(8));
    let first = eight("a00: 1");
    assert_eq!(
        rounds(&first)[1..],
        [("round 2", "2-3".into()), ("final", "1-2".into())]
    );
    assert_eq!(
        (note(&first, 0), note(&first, 1)),
        ("withdrawn after round 1", "winner")
    );
    let last = first.rounds.last().unwrap();
    assert_eq!(standing(last).split(' ').nth(2), Some("3:1"));
    // No opponent is left for the final.
    for (withdrawn, rounds, winner) in [("a00: 2", 2, 1), ("a00: 3", 3, 0)] {
        let played = eight(withdrawn);
        assert_eq!(
            (played.rounds.len(), note(&played, winner)),
            (rounds, "winner")
        );
    }
    let five = with(FOURS, "a01: 1", &levels(5));
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
        let round_schedule = played(&field(count, 2, if double { DOUBLE } else { SINGLE }), &results);
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
        let through = through.min(size - 1);
        let results = strengths(&shuffled(count, seed));
        let round_schedule = played(&field(count, 1, &format!("{{kind: knockout, size: {size}, through: {through}, double: {double}}}")), &results);
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
                let mut later = round_schedule.rounds[number + 1..].iter();
                prop_assert!(!later.any(|round| round.byes.contains(&line.entrant) || plays(round, line.entrant)));
            }
        }
    }

    #[test]
    fn playing_round_by_round_gives_the_same_schedule(
        count in 3_usize..30, size in 2_usize..6, through in 1_usize..5, double: bool, noise in 0.0..20.0, seed in 0_u64..1000,
    ) {
        let size = size.min(count);
        let through = through.min(size - 1);
        live(&field(count, 1, &format!("{{kind: knockout, size: {size}, through: {through}, double: {double}, withdrawn: {{a00: 1, a01: 2}}}}")), &noisy(count, noise, seed));
    }
}
