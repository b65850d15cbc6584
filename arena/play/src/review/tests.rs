//! Tests of reviews with mock bots: exactness, independence of threads, errors.

use super::*;
use crate::league::League;
use crate::mock::Folder;
use crate::prepared::PreparedLeague;
use crate::schedule::Schedule;
use hattari_agents::record::Record;
use std::sync::atomic::AtomicBool;

const CHALLENGE: &str = "blocks: 6\ndeals: 7\nsame_deals: true\nformat: {kind: challenge, challengers: [first, last, random, \
                         faulty, mortal], field: [random-else, last-else]}";

fn folder() -> Folder {
    Folder::new("[first, last, random, faulty, mortal, random-else, last-else]")
}

fn cast(league: &League) -> PreparedLeague {
    PreparedLeague {
        league: league.clone(),
        schedule: Schedule::of(league),
        seats: Folder::seats(league),
    }
}

fn review(
    cast: &PreparedLeague,
    of: &str,
    by: &str,
    threads: usize,
) -> Result<Review, ReviewError> {
    let plan = ReviewPlan {
        threads,
        checks_all: true,
        ..ReviewPlan::new(cast, of, by)?
    };
    plan.run(cast, &AtomicBool::new(false), |_| {})
}

/// Returns the sum of an entrant's payoffs in a block.
fn sum(records: &[Record], cast: &PreparedLeague, entrant: &str, block: u32) -> i64 {
    let entrant = cast.league.entrant(entrant).unwrap();
    let of =
        |record: &&Record| record.job.block == block && cast.line_up(record.job).contains(&entrant);
    let record = records.iter().find(of).unwrap();
    record.sum[cast
        .line_up(record.job)
        .iter()
        .position(|&e| e == entrant)
        .unwrap()]
}

#[test]
fn forks_add_up_to_the_difference_that_the_league_plays() {
    for more in ["", "\nduplicate: true", "\npreset: low"] {
        let folder = folder();
        let league = folder.league(&format!("{CHALLENGE}{more}"));
        let records = folder.play_all("x.sqlite", &league, 2);
        let cast = cast(&league);
        for (of, by) in [("first", "last"), ("random", "first"), ("last", "faulty")] {
            let review = review(&cast, of, by, 1).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(review.blocks.len(), 6);
            for block in &review.blocks {
                let number = block.job.block;
                let of_league = sum(&records, &cast, by, number) - sum(&records, &cast, of, number);
                let Identity {
                    difference,
                    decisions,
                    carried,
                    memory,
                } = block.sums;
                assert_eq!(difference, of_league, "{of} {by} {more}");
                assert_eq!(decisions + carried + memory, difference);
                for order in 0..2 {
                    let forks = block.forks.iter().filter(|fork| fork.order == order);
                    assert_eq!(forks.map(|fork| fork.value).sum::<i64>(), decisions);
                }
            }
            assert!(review.blocks.iter().any(|block| block.sums.decisions != 0));
        }
    }
}

#[test]
fn a_review_is_the_same_on_any_number_of_threads() {
    let folder = folder();
    let cast = cast(&folder.league(CHALLENGE));
    let digests = [1, 2, 4].map(|threads| review(&cast, "random", "last", threads).unwrap().digest);
    assert!(digests[0] != 0 && digests.iter().all(|digest| *digest == digests[0]));
    let other = review(&cast, "random", "first", 1).unwrap().digest;
    assert_ne!(other, digests[0]);
}

#[test]
fn bots_that_do_not_remember_leave_nothing_to_memory() {
    let folder = Folder::new("[first, last, first-else, last-else]");
    let cast = cast(&folder.league(
        "blocks: 6\ndeals: 7\nsame_deals: true\nformat: {kind: challenge, challengers: [first, last], \
         field: [first-else, last-else]}",
    ));
    let review = review(&cast, "first", "last", 1).unwrap();
    for block in &review.blocks {
        assert_eq!(block.sums.memory, 0, "{:?}", block.sums);
    }
}

#[test]
fn faults_are_attributed_and_stop_nothing() {
    let folder = folder();
    let cast = cast(&folder.league(CHALLENGE));
    let faulty = cast.league.entrant("faulty").unwrap();
    // The third decision of each instance is a fault, and an instance plays one deal.
    let review = review(&cast, "faulty", "last", 1).unwrap();
    assert!(review.faults.iter().all(|fault| fault.entrant == faulty));
}

#[test]
fn what_cannot_be_reviewed_is_refused_with_the_reason() {
    let folder = Folder::new("[first, last, random-once, mortal, random]");
    let league = folder.league("format: {kind: line-ups, size: 2}\nblocks: 3\ndeals: 5");
    let cast = cast(&league);
    let refusal = |of, by| match review(&cast, of, by, 1) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    assert!(refusal("firts", "last").contains("there is no entrant `firts`"));
    assert!(refusal("last", "last").contains("cannot be compared with itself"));
    assert!(refusal("first", "random-once").contains("declared nondeterministic"));
}
