//! Tests of reviews with mock bots: exactness, independence of threads, errors.

use super::collect::{BATCHES_MAX, Collector, FORK_SUMS_MAX};
use super::plan::{BOTH, BlockToReview};
use super::summary::{ForkExamples, SummaryBuilder};
use super::*;
use crate::league::League;
use crate::mock::{Folder, has};
use crate::prepared::PreparedLeague;
use crate::schedule::Schedule;
use hattari_agents::agent::{Agent, AgentError, AgentFactory, Turn};
use hattari_agents::record::{JobId, Record};
use hattari_agents::table::{ComparedDecision, FeatureValues};
use hattari_plugin::Choice;
use hattari_plugin::games::features::FeatureValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub(super) const CHALLENGE: &str = "blocks: 6\ndeals: 7\nsame_deals: true\nformat: {kind: challenge, challengers: [first, last, random, \
                         faulty, mortal], field: [random-else, last-else]}";

pub(super) fn folder() -> Folder {
    Folder::new("[first, last, random, faulty, mortal, random-else, last-else]")
}

pub(super) fn prepare(league: &League) -> PreparedLeague {
    PreparedLeague {
        league: league.clone(),
        schedule: Schedule::of(league),
        seats: Folder::seats(league),
    }
}

fn review(
    prepared: &PreparedLeague,
    reviewed: &str,
    other: &str,
    threads: usize,
) -> Result<Review, ReviewError> {
    let plan = ReviewPlan {
        threads,
        checks_all: true,
        ..ReviewPlan::new(prepared, reviewed, other)?
    };
    plan.run(prepared, None, &AtomicBool::new(false), |_| {})
}

/// Returns the sum of an entrant's payoffs in a block.
fn sum(records: &[Record], prepared: &PreparedLeague, entrant: &str, block: u32) -> i64 {
    let entrant = prepared.league.entrant(entrant).unwrap();
    let is_wanted = |record: &&Record| {
        record.job.block == block && prepared.line_up(record.job).contains(&entrant)
    };
    let record = records.iter().find(is_wanted).unwrap();
    let mut line_up = prepared.line_up(record.job).iter();
    record.sum[line_up.position(|&other| other == entrant).unwrap()]
}

#[test]
fn fork_values_sum_to_the_score_difference_in_the_league() {
    for more in ["", "\nduplicate: true", "\npreset: low"] {
        let folder = folder();
        let league = folder.league(&format!("{CHALLENGE}{more}"));
        let records = folder.play_all("x.sqlite", &league, 2);
        let prepared = prepare(&league);
        for (reviewed, other) in [("first", "last"), ("random", "first"), ("last", "faulty")] {
            let review =
                review(&prepared, reviewed, other, 1).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(review.batches().count(), 6);
            for block in review.batches() {
                assert_eq!(block.jobs.len(), 1);
                let number = block.jobs[0].block;
                let in_league = sum(&records, &prepared, other, number)
                    - sum(&records, &prepared, reviewed, number);
                let sums = block.sums;
                assert_eq!(sums.difference, in_league, "{reviewed} {other} {more}");
                let parts = sums.decisions + sums.carried + sums.memory;
                assert_eq!(parts, sums.difference);
                for first in [REVIEWED, OTHER] {
                    let values = block.forks.iter().map(|sum| sum.values[first]);
                    assert_eq!(values.sum::<i64>(), sums.decisions);
                }
            }
            assert!(review.batches().any(|block| block.sums.decisions != 0));
        }
    }
}

#[test]
fn a_review_does_not_depend_on_the_number_of_threads() {
    let folder = folder();
    let prepared = prepare(&folder.league(CHALLENGE));
    let digests =
        [1, 2, 4].map(|threads| review(&prepared, "random", "last", threads).unwrap().digest);
    assert!(digests[0] != 0 && digests.iter().all(|digest| *digest == digests[0]));
    let other = review(&prepared, "random", "first", 1).unwrap().digest;
    assert_ne!(other, digests[0]);
}

#[test]
fn bots_without_state_have_no_score_difference_from_memory() {
    let folder = Folder::new("[first, last, first-else, last-else]");
    let prepared = prepare(&folder.league(
        "blocks: 6\ndeals: 7\nsame_deals: true\nformat: {kind: challenge, challengers: [first, last], \
         field: [first-else, last-else]}",
    ));
    let review = review(&prepared, "first", "last", 1).unwrap();
    for block in review.batches() {
        assert_eq!(block.sums.memory, 0, "{:?}", block.sums);
    }
}

#[test]
fn faults_in_a_review_are_attributed_and_do_not_stop_it() {
    let (_folder, league) = Folder::with_league(
        "[first, last, mortal, random-else, mortal-else]",
        "blocks: 4\ndeals: 7\nsame_deals: true\nformat: {kind: challenge, challengers: [first, last, mortal], \
         field: [random-else, mortal-else]}",
    );
    let prepared = prepare(&league);
    let entrant = |name: &str| prepared.league.entrant(name).unwrap();
    // In single games, the fifth call of an instance is the end of its block.
    let names = |reviewed, other| {
        let faults = review(&prepared, reviewed, other, 1).unwrap().faults;
        let faulty = faults.iter().map(|fault| {
            assert!(0 < fault.count && fault.message == "call 5");
            (fault.entrant, fault.kind)
        });
        faulty.collect::<std::collections::BTreeSet<_>>()
    };
    let else_alone = [(entrant("mortal-else"), "crash")];
    assert_eq!(names("first", "last"), else_alone.into());
    let both = [(entrant("mortal"), "crash"), else_alone[0]];
    assert_eq!(names("mortal", "last"), both.into());
    assert_eq!(names("last", "mortal"), both.into());
}

/// A bot whose choices depend on how often this process has called any bot of its kind.
struct Restless;

static CALLS: AtomicUsize = AtomicUsize::new(0);

impl AgentFactory for Restless {
    fn open(&self, _config_json: &str) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Restless))
    }
}

impl Agent for Restless {
    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError> {
        let call = CALLS.fetch_add(1, Ordering::Relaxed);
        Ok((call % turn.legal.count() as usize).into())
    }
}

#[test]
fn bots_that_choose_differently_in_a_replay_are_detected() {
    let folder = folder();
    let mut prepared = prepare(&folder.league(CHALLENGE));
    let first = prepared.league.entrant("first").unwrap();
    prepared.seats[first].bot = Arc::new(Restless);
    let of_error = |outcome: Result<Review, ReviewError>| match outcome {
        Err(error @ ReviewError::Unrepeatable { .. }) => error.to_string(),
        other => panic!("{:?}", other.map(|review| review.digest)),
    };
    for (reviewed, other) in [("first", "last"), ("last", "first")] {
        let message = of_error(review(&prepared, reviewed, other, 2));
        for words in [
            "the game was different when it was replayed",
            "`first`",
            "line-up",
        ] {
            has(&message, words);
        }
    }
    // A replay of the first deal of a block is enough.
    let plan = ReviewPlan::new(&prepared, "first", "last").unwrap();
    of_error(plan.run(&prepared, None, &AtomicBool::new(false), |_| {}));
}

#[test]
fn invalid_review_requests_are_rejected_with_the_reason() {
    let (_folder, league) = Folder::with_league(
        "[first, last, random-once, mortal, random]",
        "format: {kind: line-ups, size: 2}\nblocks: 3\ndeals: 5",
    );
    let prepared = prepare(&league);
    for (reviewed, other, words) in [
        ("firts", "last", "there is no entrant `firts`"),
        ("last", "last", "cannot be compared with itself"),
        ("first", "random-once", "declared nondeterministic"),
    ] {
        let error = review(&prepared, reviewed, other, 1).unwrap_err();
        has(&error, words);
    }
}

/// Returns a decision with these features of the position and of the choices of both bots.
fn decided(position: FeatureValues, choices: [FeatureValues; 2]) -> ComparedDecision {
    ComparedDecision {
        answers: [0.into(), 1.into()],
        position,
        choices,
    }
}

/// Adds a block of `games` games to a collector; `build` adds its forks and decisions.
fn add_block(
    collector: &mut Collector,
    job: JobId,
    cluster: usize,
    games: u64,
    build: impl FnOnce(&mut SummaryBuilder),
) {
    let mut builder = SummaryBuilder::new(job);
    build(&mut builder);
    let summary = builder.finish(games, 1, DifferenceParts::default(), Vec::new());
    collector.add(BlockToReview { job, cluster }, summary, true);
}

/// Collects blocks of random forks, two blocks per cluster. Returns the review and the sums of all
/// values.
fn collect(blocks: u32) -> (Review, PerBot<i64>) {
    let mut collector = Collector::new();
    let mut totals = [0; 2];
    let mut random = 1_u64;
    let mut below = |end: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) % end
    };
    for block in 0..blocks {
        let job = JobId { line_up: 0, block };
        add_block(&mut collector, job, block as usize / 2, 20, |builder| {
            for game in 0..20 {
                let mut feature = |end| {
                    let number = u8::try_from(below(end)).unwrap();
                    vec![("cards", FeatureValue::Count(number))]
                };
                let decided = decided(feature(200), [feature(4), feature(4)]);
                for first in [REVIEWED, OTHER] {
                    let value = below(100).cast_signed() - 40;
                    totals[first] += value;
                    builder.fork(first, game, 0, value, &decided);
                    builder.decision(first, &decided);
                }
            }
        });
    }
    (collector.finish(), totals)
}

#[test]
fn the_size_of_a_review_does_not_grow_with_the_number_of_blocks() {
    for blocks in [1000, 2 * 1024, 2 * 1025, 10_000] {
        let (review, totals) = collect(blocks);
        let batches = review.batches().count();
        assert!(batches <= BATCHES_MAX, "{batches}");
        assert!(
            batches == blocks as usize / 2 || BATCHES_MAX / 2 < batches,
            "{batches}"
        );
        let mut jobs: Vec<u32> = review.jobs().map(|job| job.block).collect();
        jobs.sort_unstable();
        assert_eq!(jobs, (0..blocks).collect::<Vec<_>>());
        // Both blocks of a cluster are in the same batch.
        assert!(review.batches().all(|batch| batch.jobs.len() % 2 == 0));
        // Every batch has each combination of features at most once.
        assert!(review.fork_sums().count() <= batches * 200 * 16);
        let counts = review
            .fork_sums()
            .map(|sum| u64::from(sum.counts[REVIEWED]));
        assert_eq!(counts.sum::<u64>(), u64::from(blocks) * 20);
        let mut sums = [0; 2];
        for sum in review.fork_sums() {
            BOTH.iter().for_each(|&bot| sums[bot] += sum.values[bot]);
        }
        assert_eq!(sums, totals);
        // Every block has 20 decisions of each bot.
        for half in 0..2 {
            let jobs = review.halves[half].iter();
            let expected = 20 * jobs.map(|batch| batch.jobs.len()).sum::<usize>();
            for bot in [REVIEWED, OTHER] {
                let decisions = review.decisions.iter();
                let counts = decisions.map(|count| count.by_half[half][bot]);
                assert_eq!(counts.sum::<u32>() as usize, expected);
            }
        }
        let ForkExamples {
            gains,
            losses,
            sample,
        } = &review.examples;
        assert_eq!([gains.len(), losses.len(), sample.len()], [50, 50, 512]);
        assert!(
            gains.iter().all(|fork| fork.value == 59)
                && losses.iter().all(|fork| fork.value == -40)
        );
        for forks in [gains, losses, sample] {
            let places = forks.iter();
            let places = places.map(|fork| (fork.job, fork.game, fork.decision));
            let places: std::collections::HashSet<_> = places.collect();
            assert_eq!(places.len(), forks.len(), "a fork is listed twice");
        }
    }
}

/// Otherwise, classes would be found with some opponents and measured with others.
#[test]
fn both_halves_contain_the_same_line_ups() {
    for line_ups in 1..=4 {
        for shared in [false, true] {
            let mut collector = Collector::new();
            for number in 0..10 * line_ups {
                let (line_up, block) = (number % line_ups, number / line_ups);
                let cluster = if shared { block } else { number };
                let job = JobId { line_up, block };
                add_block(&mut collector, job, cluster as usize, 1, |_| {});
            }
            for half in collector.finish().halves {
                let jobs = || half.iter().flat_map(|batch| &batch.jobs);
                for line_up in 0..line_ups {
                    let blocks = jobs().filter(|job| job.line_up == line_up).count();
                    assert_eq!(blocks, 5, "{line_ups} line-ups, {shared}");
                }
            }
        }
    }
}

#[test]
fn the_number_of_distinct_forks_is_limited() {
    let wide = |builder: &mut SummaryBuilder| {
        for number in 0..4000_u16 {
            let [high, low] = number.to_be_bytes().map(FeatureValue::Count);
            let decided = decided(vec![("high", high), ("low", low)], [Vec::new(), Vec::new()]);
            builder.fork(REVIEWED, 0, usize::from(number), 1, &decided);
            builder.decision(REVIEWED, &decided);
        }
    };
    let mut collector = Collector::new();
    for block in 0..300 {
        let job = JobId { line_up: 0, block };
        add_block(&mut collector, job, block as usize, 1, wide);
    }
    let review = collector.finish();
    assert_eq!(review.jobs().count(), 300);
    // The numbers were rounded at 66 batches, and batches were merged in pairs at 257.
    assert_eq!(review.batches().count(), 150);
    let sums = review.fork_sums().count();
    assert!(
        (FORK_SUMS_MAX / 4..=FORK_SUMS_MAX).contains(&sums),
        "{sums}"
    );
    let values = review.fork_sums().map(|sum| sum.values[REVIEWED]);
    assert_eq!(values.sum::<i64>(), 300 * 4000);
    // The positions of sums are rounded, those of examples are not.
    let low = |position: u32| review.features[position as usize][1].1;
    let is_odd = |value| matches!(value, FeatureValue::Count(number) if number % 2 == 1);
    assert!(!review.fork_sums().any(|sum| is_odd(low(sum.kind.position))));
    let decisions = review.decisions.iter();
    assert!(!decisions.clone().any(|count| is_odd(low(count.position))));
    let counts = decisions.flat_map(|count| count.by_half.map(|counts| counts[REVIEWED]));
    assert_eq!(counts.sum::<u32>(), 300 * 4000);
    let mut sample = review.examples.sample.iter();
    assert!(sample.any(|fork| is_odd(low(fork.kind.position))));
}
