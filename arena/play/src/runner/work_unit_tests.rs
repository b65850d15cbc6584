//! Tests of leagues played in units: lost, repeated or interrupted units do not change the result.

use super::tests::{StopAfter, in_parts};
use super::*;
use crate::mock::{Folder, has};
use crate::plan::plan;
use crate::store::{Store, merge};
use hattari_agents::seeds::Seeds;

/// Pseudorandom numbers below a bound, the same in every run of the test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = Seeds::league(self.0).number(0);
        self.0 % bound
    }
}

/// Plays a league by units that are lost, repeated, interrupted and returned in any order. Returns
/// the number of rounds.
fn in_units(folder: &Folder, league: &League, dice: &mut Dice) -> u32 {
    let out = folder.path("out.sqlite");
    for round in 1.. {
        let store = out.exists().then(|| Store::read(&out).unwrap());
        let plan = plan(league, store.as_ref(), 1 + dice.below(9)).unwrap();
        drop(store);
        assert_eq!(
            plan.open,
            plan.units.iter().map(|unit| unit.blocks).sum::<u64>()
        );
        if plan.units.is_empty() {
            return round;
        }
        let mut parts: Vec<Store> = Vec::new();
        for (number, unit) in plan.units.iter().enumerate() {
            let fate = dice.below(6);
            // One of six units is lost, and one is played twice.
            for copy in 0..[0, 2, 1, 1, 1, 1][usize::try_from(fate).unwrap()] {
                let name = format!("part-{round}-{number}-{copy}.sqlite");
                let stop = AtomicBool::new(false);
                // One of six is stopped after a block or two.
                let blocks = match fate {
                    2 => 1 + dice.below(2),
                    _ => u64::MAX,
                };
                let mut end = StopAfter(blocks, &stop);
                let threads = 1 + usize::try_from(dice.below(2)).unwrap();
                folder
                    .play(&name, league, (threads, &unit.unit), &stop, &mut end)
                    .unwrap();
                let index = dice.below(parts.len() as u64 + 1);
                parts.insert(usize::try_from(index).unwrap(), folder.read(&name));
            }
        }
        merge(&out, &parts, None).unwrap();
    }
    unreachable!("numbers do not end")
}

#[test]
fn lost_repeated_and_reordered_units_merge_to_the_whole_league() {
    for seed in 0..2 {
        for more in [
            "format: {kind: line-ups, size: 3}\nblocks: 7\ndeals: 2",
            "format: {kind: line-ups, size: 2}\nblocks: 60\ndeals: 12\nsequential: {rule: confidence-sequence}",
            "format: {kind: swiss, rounds: 4, size: 2}\nblocks: 5\ndeals: 3",
            "format: {kind: knockout, size: 2, double: true}\nblocks: 4\ndeals: 3",
            "format: {kind: ladder, size: 3, entrants: [y, last]}\nblocks: 5\ndeals: 3",
            "format: {kind: round-robin, size: 2}\nblocks: 3\ndeals: 3",
            "format: {kind: race, challengers: [first, last, random, faulty], field: [x, y], margin: 0.5}\nblocks: 60\ndeals: 4",
        ] {
            let (folder, league) = Folder::with_league(
                "[first, last, random, faulty, {name: x, bot: random}, {name: y, bot: last}]",
                more,
            );
            let whole = folder.play_all("whole.sqlite", &league, 2);
            let rounds = in_units(&folder, &league, &mut Dice(seed));
            assert!(rounds > 1);
            let out = folder.read("out.sqlite");
            assert_eq!(out.records().unwrap(), whole, "{seed}: {more}");
            assert_eq!(out.digest().unwrap(), folder.digest("whole.sqlite"));
            let end = folder.play_part("out.sqlite", &league, 2, "1/1").unwrap();
            assert_eq!(
                (end, folder.records("out.sqlite")),
                (RunEnd::Finished, whole)
            );
        }
    }
}

#[test]
fn a_league_in_rounds_can_be_continued_with_any_number_of_threads() {
    let (folder, league) = Folder::with_league(
        "[first, last, random, faulty, {name: x, bot: random}]",
        "format: {kind: swiss, rounds: 4, size: 2}\nblocks: 6\ndeals: 3",
    );
    let whole = folder.play_all("whole.sqlite", &league, 1);
    let store = folder.read("whole.sqlite");
    let round_schedule = store.round_schedule().unwrap();
    assert!(
        round_schedule.is_over && round_schedule.rounds.len() == 4,
        "{round_schedule:?}"
    );
    // Two tables and one bye in each of four rounds.
    assert_eq!((whole.len(), store.schedule.jobs()), (48, 48));
    for threads in [1, 3] {
        let name = format!("{threads}.sqlite");
        let runs = in_parts(&folder, &name, &league, threads, 7);
        assert!(runs > 3, "stopping must have had an effect");
    }
    // Blocks of a line-up count in leagues of every format.
    let all = folder.league("format: {kind: line-ups, size: 2}\nblocks: 6\ndeals: 3");
    let writer = folder.open("whole.sqlite", &all);
    assert_eq!(writer.store().blocks_played().unwrap(), 48);
}

#[test]
fn a_unit_of_another_league_is_refused() {
    let (folder, league) = Folder::with_league(
        "[first, last, random]",
        "format: {kind: swiss, rounds: 2, size: 2}\nblocks: 2\ndeals: 3",
    );
    let other = folder.league("format: {kind: line-ups, size: 2}\nblocks: 2\ndeals: 3");
    for (store, league, unit, cause) in [
        (
            "x.sqlite",
            &league,
            "0.7:0-1",
            "names entrant 7, but the league has 3",
        ),
        (
            "x.sqlite",
            &league,
            "0:0-1",
            "names 1 players for a line-up, but the game has 2 to ",
        ),
        ("y.sqlite", &other, "0.1:0-1", "does not play in rounds"),
    ] {
        let error = folder.play_part(store, league, 1, unit).unwrap_err();
        has(&error, cause);
    }
}
