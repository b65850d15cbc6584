//! Tests of reviews with mock bots: exactness, independence of threads, errors.

use super::block::BlockReview;
use super::collect::{BATCHES_MAX, Collector, FORK_SUMS_MAX};
use super::summary::{BlockSummary, SummaryBuilder};
use super::*;
use crate::league::League;
use crate::mock::{Folder, Mock, Style, has};
use crate::prepared::PreparedLeague;
use crate::schedule::{Part, Schedule};
use crate::store::{self, ReviewStore, Store};
use hattari_agents::agent::{Agent, AgentError, AgentFactory, Turn};
use hattari_agents::record::{JobId, Record};
use hattari_agents::table::ComparedDecision;
use hattari_plugin::Choice;
use hattari_plugin::games::features::FeatureValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const CHALLENGE: &str = "blocks: 6\ndeals: 7\nsame_deals: true\nformat: {kind: challenge, challengers: [first, last, random, \
                         faulty, mortal], field: [random-else, last-else]}";

fn folder() -> Folder {
    Folder::new("[first, last, random, faulty, mortal, random-else, last-else]")
}

fn prepare(league: &League) -> PreparedLeague {
    PreparedLeague {
        league: league.clone(),
        schedule: Schedule::of(league),
        seats: Folder::seats(league),
    }
}

fn review(
    prepared: &PreparedLeague,
    of: &str,
    by: &str,
    threads: usize,
) -> Result<Review, ReviewError> {
    let plan = ReviewPlan {
        threads,
        checks_all: true,
        ..ReviewPlan::new(prepared, of, by)?
    };
    plan.run(prepared, &AtomicBool::new(false), |_| {})
}

/// Returns the sum of an entrant's payoffs in a block.
fn sum(records: &[Record], prepared: &PreparedLeague, entrant: &str, block: u32) -> i64 {
    let entrant = prepared.league.entrant(entrant).unwrap();
    let of = |record: &&Record| {
        record.job.block == block && prepared.line_up(record.job).contains(&entrant)
    };
    let record = records.iter().find(of).unwrap();
    record.sum[prepared
        .line_up(record.job)
        .iter()
        .position(|&e| e == entrant)
        .unwrap()]
}

#[test]
fn fork_values_sum_to_the_score_difference_in_the_league() {
    for more in ["", "\nduplicate: true", "\npreset: low"] {
        let folder = folder();
        let league = folder.league(&format!("{CHALLENGE}{more}"));
        let records = folder.play_all("x.sqlite", &league, 2);
        let prepared = prepare(&league);
        for (of, by) in [("first", "last"), ("random", "first"), ("last", "faulty")] {
            let review = review(&prepared, of, by, 1).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(review.batches.len(), 6);
            for block in &review.batches {
                assert_eq!(block.jobs.len(), 1);
                let number = block.jobs[0].block;
                let of_league =
                    sum(&records, &prepared, by, number) - sum(&records, &prepared, of, number);
                let DifferenceParts {
                    difference,
                    decisions,
                    carried,
                    memory,
                } = block.sums;
                assert_eq!(difference, of_league, "{of} {by} {more}");
                assert_eq!(decisions + carried + memory, difference);
                for order in 0..2 {
                    let values = block.forks.iter().map(|sum| sum.values[order]);
                    assert_eq!(values.sum::<i64>(), decisions);
                }
            }
            assert!(review.batches.iter().any(|block| block.sums.decisions != 0));
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
    for block in &review.batches {
        assert_eq!(block.sums.memory, 0, "{:?}", block.sums);
    }
}

#[test]
fn faults_in_a_review_are_attributed_and_do_not_stop_it() {
    let folder = Folder::new("[first, last, mortal, random-else, mortal-else]");
    let league = folder.league(
        "blocks: 4\ndeals: 7\nsame_deals: true\nformat: {kind: challenge, challengers: [first, last, mortal], \
         field: [random-else, mortal-else]}",
    );
    let prepared = prepare(&league);
    let entrant = |name: &str| prepared.league.entrant(name).unwrap();
    // In single games, the fifth call of an instance is the end of its block.
    let names = |of, by| {
        let review = review(&prepared, of, by, 1).unwrap();
        assert!(
            review
                .faults
                .iter()
                .all(|fault| 0 < fault.count && fault.message == "call 5")
        );
        let faulty = review
            .faults
            .iter()
            .map(|fault| (fault.entrant, fault.kind));
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
    for (of, by) in [("first", "last"), ("last", "first")] {
        let message = of_error(review(&prepared, of, by, 2));
        has(&message, "the game was different when it was replayed");
        assert!(
            message.contains("`first`") && message.contains("line-up"),
            "{message}"
        );
    }
    // A replay of the first deal of a block is enough.
    let plan = ReviewPlan::new(&prepared, "first", "last").unwrap();
    of_error(plan.run(&prepared, &AtomicBool::new(false), |_| {}));
}

/// A review with its store.
struct StoredReview<'f> {
    folder: &'f Folder,
    league: League,
    plan: ReviewPlan,
}

impl StoredReview<'_> {
    fn open(&self, store: &str) -> ReviewStore {
        let (identity, source) = (Folder::identity(&self.league), self.folder.source());
        let pair = [self.plan.of, self.plan.by];
        let store = ReviewStore::open(&self.folder.path(store), &identity, &source, pair);
        store.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Reviews with the given bots, and stops after a number of games.
    fn resume(
        &self,
        store: &str,
        prepared: &PreparedLeague,
        end: u64,
    ) -> Result<Review, ReviewError> {
        let stop = AtomicBool::new(false);
        self.plan
            .resume(prepared, Some(&mut self.open(store)), &stop, |games| {
                if end <= games {
                    stop.store(true, Ordering::Relaxed);
                }
            })
    }

    fn part(&self, store: &str, prepared: &PreparedLeague, part: &str) -> [usize; 2] {
        let (part, stop) = (Part::unit(part).unwrap(), AtomicBool::new(false));
        let store = &mut self.open(store);
        self.plan
            .play_part(prepared, store, &part, &stop, |_| {})
            .unwrap()
    }

    fn merge(&self, into: &str, stores: &[&str]) -> Result<u64, String> {
        let stores: Vec<Store> = stores.iter().map(|store| self.folder.read(store)).collect();
        let merged = store::merge(&self.folder.path(into), &stores);
        merged
            .map(|merged| merged.reviewed)
            .map_err(|error| error.to_string())
    }
}

/// The same league with bots that cannot be opened, so that nothing can be played.
fn unplayable(prepared: &PreparedLeague) -> PreparedLeague {
    let mut prepared = prepared.clone();
    for seat in &mut prepared.seats {
        seat.bot = Arc::new(Mock(Style::Broken));
    }
    prepared
}

#[test]
fn an_interrupted_review_continues_and_stored_blocks_are_not_played_again() {
    let folder = folder();
    let league = folder.league(CHALLENGE);
    let prepared = prepare(&league);
    let plan = ReviewPlan::new(&prepared, "random", "faulty").unwrap();
    let whole = plan
        .run(&prepared, &AtomicBool::new(false), |_| {})
        .unwrap();
    assert_eq!(whole.jobs().count(), 6);
    let mut stored = StoredReview {
        folder: &folder,
        league,
        plan,
    };
    let part = stored.resume("x.sqlite", &prepared, 14).unwrap();
    let played = part.jobs().count();
    assert!((2..6).contains(&played), "{played}");
    // Two blocks are enough for a review of fewer games.
    stored.plan.games = 14;
    let two = stored
        .resume("x.sqlite", &unplayable(&prepared), u64::MAX)
        .unwrap();
    assert_eq!(two.jobs().count(), 2);
    stored.plan.games = 10_000;
    assert!(
        stored
            .resume("x.sqlite", &unplayable(&prepared), u64::MAX)
            .is_err()
    );
    stored.plan.threads = 4;
    let digest = |review: &Review| {
        (
            review.digest,
            review.batches.clone(),
            review.examples.clone(),
        )
    };
    let resumed = stored.resume("x.sqlite", &prepared, u64::MAX).unwrap();
    assert_eq!(digest(&resumed), digest(&whole));
    let again = stored
        .resume("x.sqlite", &unplayable(&prepared), u64::MAX)
        .unwrap();
    assert_eq!(digest(&again), digest(&whole));
    assert_eq!(
        (again.features, again.faults),
        (whole.features.clone(), whole.faults.clone())
    );
    // Stored blocks belong to one pair of bots.
    stored.plan.by = prepared.league.entrant("last").unwrap();
    assert!(
        stored
            .resume("x.sqlite", &unplayable(&prepared), u64::MAX)
            .is_err()
    );
}

#[test]
fn blocks_of_a_review_are_merged_in_any_order() {
    let folder = folder();
    let league = folder.league(CHALLENGE);
    let prepared = prepare(&league);
    let plan = ReviewPlan::new(&prepared, "random", "last").unwrap();
    let whole = plan
        .run(&prepared, &AtomicBool::new(false), |_| {})
        .unwrap();
    // One store is that of the league with its games.
    folder.play_all("1.sqlite", &league, 2);
    let digest = folder.digest("1.sqlite");
    let stored = StoredReview {
        folder: &folder,
        league,
        plan,
    };
    for (store, part, blocks) in [
        ("0.sqlite", "0-1,4", 3),
        ("1.sqlite", "2", 1),
        ("2.sqlite", "3-5", 3),
    ] {
        assert_eq!(stored.part(store, &prepared, part), [blocks, blocks]);
        assert_eq!(
            stored.part(store, &unplayable(&prepared), part),
            [blocks, 0]
        );
    }
    assert_eq!(
        stored.merge("all.sqlite", &["2.sqlite", "0.sqlite", "1.sqlite"]),
        Ok(6)
    );
    assert_eq!(stored.merge("1.sqlite", &["0.sqlite", "2.sqlite"]), Ok(5));
    assert_eq!(stored.merge("1.sqlite", &["all.sqlite"]), Ok(0));
    for store in ["all.sqlite", "1.sqlite"] {
        let review = stored
            .resume(store, &unplayable(&prepared), u64::MAX)
            .unwrap();
        assert_eq!(
            (review.digest, &review.batches),
            (whole.digest, &whole.batches)
        );
        assert_eq!(folder.digest(store), digest);
    }
}

#[test]
fn conflicting_results_of_the_same_review_are_rejected() {
    let folder = folder();
    let league = folder.league(CHALLENGE);
    let prepared = prepare(&league);
    let plan = ReviewPlan::new(&prepared, "random", "last").unwrap();
    let mut stored = StoredReview {
        folder: &folder,
        league,
        plan,
    };
    let mut other = prepared.clone();
    other.seats[stored.plan.of].bot = Arc::new(Mock(Style::First));
    stored.part("a.sqlite", &prepared, "0-3");
    stored.part("b.sqlite", &other, "3-5");
    let message = stored.merge("a.sqlite", &["b.sqlite"]).unwrap_err();
    assert!(
        message.contains("different results for a review of") && message.contains("block 3"),
        "{message}"
    );
    // With all checks, stored blocks are played again and compared.
    stored.plan.checks_all = true;
    stored.resume("a.sqlite", &prepared, u64::MAX).unwrap();
    let error = stored.resume("a.sqlite", &other, u64::MAX).err().unwrap();
    assert!(
        matches!(error, ReviewError::Differs { job, .. } if job.block == 0),
        "{error}"
    );
    assert!(error.to_string().contains("another result of this review"));
}

#[test]
fn reviewed_blocks_are_listed_pruned_and_checked() {
    let folder = folder();
    let league = folder.league(CHALLENGE);
    let prepared = prepare(&league);
    folder.play_all("x.sqlite", &league, 2);
    let layout = || {
        let connection = rusqlite::Connection::open(folder.path("x.sqlite")).unwrap();
        connection
            .pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))
            .unwrap()
    };
    assert_eq!(layout(), 8);
    let plan = ReviewPlan::new(&prepared, "random", "last").unwrap();
    let stored = StoredReview {
        folder: &folder,
        league,
        plan,
    };
    stored.part("x.sqlite", &prepared, "0-5");
    assert_eq!(layout(), 8);
    let pairs = || {
        let pairs = folder.read("x.sqlite").reviewed().unwrap();
        let pairs = pairs
            .into_iter()
            .map(|pair| (pair.of, pair.by, pair.blocks, pair.is_current));
        pairs.collect::<Vec<_>>()
    };
    let pair = |blocks, is_current| ("random".to_owned(), "last".to_owned(), blocks, is_current);
    assert_eq!(pairs(), [pair(6, true)]);
    // A league with fewer blocks uses fewer of them.
    let fewer = folder.league(&CHALLENGE.replace("blocks: 6", "blocks: 4"));
    let before = folder.digest("x.sqlite").1;
    let mut writer = folder.writer("x.sqlite", &fewer).unwrap().0;
    assert_eq!(pairs(), [pair(4, true), pair(2, false)]);
    let played = before - folder.digest("x.sqlite").1;
    assert_eq!(writer.prune().unwrap(), 2 + played);
    drop(writer);
    assert_eq!(pairs(), [pair(4, true)]);
    let rest = ReviewPlan {
        games: 28,
        ..stored.plan.clone()
    };
    let rest = StoredReview {
        folder: &folder,
        league: fewer,
        plan: rest,
    };
    rest.resume("x.sqlite", &unplayable(&prepared), u64::MAX)
        .unwrap();
    // A changed result is found when the store is opened for a review.
    let connection = rusqlite::Connection::open(folder.path("x.sqlite")).unwrap();
    let change = "UPDATE reviews SET result = zeroblob(length(result)) WHERE block = 1";
    assert_eq!(connection.execute(change, []).unwrap(), 1);
    drop(connection);
    let (identity, source) = (Folder::identity(&rest.league), folder.source());
    let pair = [rest.plan.of, rest.plan.by];
    let error = ReviewStore::open(&folder.path("x.sqlite"), &identity, &source, pair)
        .err()
        .unwrap();
    assert!(
        error
            .to_string()
            .contains("review of block 1: checksum mismatch"),
        "{error}"
    );
}

#[test]
fn invalid_stored_results_are_detected() {
    let folder = folder();
    let prepared = prepare(&folder.league(CHALLENGE));
    let plan = ReviewPlan::new(&prepared, "random", "faulty").unwrap();
    let job = plan.blocks(&prepared).unwrap()[0].job;
    let entrants = [prepared.line_up(job), &[plan.by]].concat();
    let summary = BlockReview::new(&prepared, &plan, job)
        .unwrap()
        .review()
        .unwrap();
    let bytes = summary.encode(&entrants);
    assert_eq!(
        BlockSummary::decode(&bytes, job, &entrants).as_ref(),
        Some(&summary)
    );
    for end in 0..bytes.len() {
        assert_eq!(
            BlockSummary::decode(&bytes[..end], job, &entrants),
            None,
            "{end}"
        );
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            // It may be another valid result, but must not panic.
            _ = BlockSummary::decode(&changed, job, &entrants);
        }
    }
    let count = 1 << 40;
    let huge = hattari_agents::packed::pack([1, 1, 0, 0, 0, 0, 0, count].into_iter());
    assert_eq!(BlockSummary::decode(&huge, job, &entrants), None);
}

#[test]
fn invalid_review_requests_are_rejected_with_the_reason() {
    let folder = Folder::new("[first, last, random-once, mortal, random]");
    let league = folder.league("format: {kind: line-ups, size: 2}\nblocks: 3\ndeals: 5");
    let prepared = prepare(&league);
    let refusal = |of, by| match review(&prepared, of, by, 1) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    has(&refusal("firts", "last"), "there is no entrant `firts`");
    has(&refusal("last", "last"), "cannot be compared with itself");
    has(
        &refusal("first", "random-once"),
        "declared nondeterministic",
    );
}

/// Collects blocks of random forks, two blocks per cluster. Returns the review and the sum of all
/// values by order.
fn collect(blocks: u32) -> (Review, [i64; 2]) {
    let (mut collector, mut totals, mut random) = (Collector::new(), [0; 2], 1_u64);
    let mut below = |end: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) % end
    };
    for block in 0..blocks {
        let job = JobId { line_up: 0, block };
        let mut builder = SummaryBuilder::new(job);
        for game in 0..20 {
            let feature =
                |number: u64| vec![("cards", FeatureValue::Count(u8::try_from(number).unwrap()))];
            let decided = ComparedDecision {
                answers: [0.into(), 1.into()],
                position: feature(below(200)),
                choices: [feature(below(4)), feature(below(4))],
            };
            for (order, total) in totals.iter_mut().enumerate() {
                let value = below(100).cast_signed() - 40;
                *total += value;
                builder.fork(order, [game, 0], value, &decided);
                builder.decision(order, &decided);
            }
        }
        let block = BlockToReview {
            job,
            cluster: block as usize / 2,
        };
        collector.add(
            block,
            builder.finish([20, 1], DifferenceParts::default(), Vec::new()),
        );
    }
    (collector.finish(), totals)
}

#[test]
fn the_size_of_a_review_does_not_grow_with_the_number_of_blocks() {
    for blocks in [1000, 2 * 1024, 2 * 1025, 10_000] {
        let (review, totals) = collect(blocks);
        let batches = review.batches.len();
        assert!(batches <= BATCHES_MAX, "{batches}");
        assert!(
            batches == blocks as usize / 2 || BATCHES_MAX / 2 < batches,
            "{batches}"
        );
        let jobs: Vec<u32> = review.jobs().map(|job| job.block).collect();
        assert_eq!(jobs, (0..blocks).collect::<Vec<_>>());
        // Both blocks of a cluster are in the same batch.
        assert!(review.batches.iter().all(|batch| batch.jobs.len() % 2 == 0));
        // Every batch has each combination of features at most once.
        assert!(review.fork_sums().count() <= batches * 200 * 16);
        let counts = review.fork_sums().map(|sum| u64::from(sum.counts[0]));
        assert_eq!(counts.sum::<u64>(), u64::from(blocks) * 20);
        for (order, total) in totals.into_iter().enumerate() {
            let values = review.fork_sums().map(|sum| sum.values[order]);
            assert_eq!(values.sum::<i64>(), total);
        }
        // Every block has 20 decisions of each bot.
        for half in 0..2 {
            let jobs = review.batches.iter().skip(half).step_by(2);
            let expected = 20 * jobs.map(|batch| batch.jobs.len()).sum::<usize>();
            for bot in 0..2 {
                let counts = review.decisions.iter().map(|count| count.counts[half][bot]);
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
            let places = forks
                .iter()
                .map(|fork| (fork.job, fork.game, fork.decision));
            let places: std::collections::HashSet<_> = places.collect();
            assert_eq!(places.len(), forks.len(), "a fork is listed twice");
        }
    }
}

#[test]
fn the_number_of_distinct_forks_is_limited() {
    let wide = |block: u32, collector: &mut Collector| {
        let job = JobId { line_up: 0, block };
        let mut builder = SummaryBuilder::new(job);
        for number in 0..4000_u16 {
            let [high, low] = number.to_be_bytes().map(FeatureValue::Count);
            let decided = ComparedDecision {
                answers: [0.into(), 1.into()],
                position: vec![("high", high), ("low", low)],
                choices: [Vec::new(), Vec::new()],
            };
            builder.fork(0, [0, usize::from(number)], 1, &decided);
            builder.decision(0, &decided);
        }
        let block = BlockToReview {
            job,
            cluster: block as usize,
        };
        collector.add(
            block,
            builder.finish([1, 1], DifferenceParts::default(), Vec::new()),
        );
    };
    let mut collector = Collector::new();
    (0..300).for_each(|block| wide(block, &mut collector));
    let review = collector.finish();
    assert_eq!(review.jobs().count(), 300);
    // The numbers were rounded at 66 batches, and batches were merged in pairs at 257.
    assert_eq!(review.batches.len(), 150);
    let sums = review.fork_sums().count();
    assert!(
        (FORK_SUMS_MAX / 4..=FORK_SUMS_MAX).contains(&sums),
        "{sums}"
    );
    let total = review.fork_sums().map(|sum| sum.values[0]).sum::<i64>();
    assert_eq!(total, 300 * 4000);
    // The positions of sums are rounded, those of examples are not.
    let low = |position: u32| review.features[position as usize][1].1;
    let is_odd = |value| matches!(value, FeatureValue::Count(number) if number % 2 == 1);
    assert!(!review.fork_sums().any(|sum| is_odd(low(sum.position))));
    let decisions = review.decisions.iter();
    assert!(!decisions.clone().any(|count| is_odd(low(count.position))));
    let counts = decisions.flat_map(|count| count.counts.map(|[of, _]| of));
    assert_eq!(counts.sum::<u32>(), 300 * 4000);
    assert!(
        review
            .examples
            .sample
            .iter()
            .any(|fork| is_odd(low(fork.position)))
    );
}
