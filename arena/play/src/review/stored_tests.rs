//! Tests of stored reviews: interrupted, divided, merged, pruned and damaged.

use super::block::BlockReview;
use super::summary::BlockSummary;
use super::tests::{CHALLENGE, folder, prepare};
use super::*;
use crate::league::League;
use crate::mock::{Folder, Mock, Style, has};
use crate::prepared::PreparedLeague;
use crate::schedule::Part;
use crate::store::{ReviewStore, ReviewedPair, StoreError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A review with its store.
struct StoredReview {
    folder: Folder,
    league: League,
    plan: ReviewPlan,
}

impl StoredReview {
    /// Returns a review of the bot `random`, with the bots of its league.
    fn of_random(other: &str) -> (StoredReview, PreparedLeague) {
        let folder = folder();
        let league = folder.league(CHALLENGE);
        let prepared = prepare(&league);
        let plan = ReviewPlan::new(&prepared, "random", other).unwrap();
        let stored = StoredReview {
            folder,
            league,
            plan,
        };
        (stored, prepared)
    }

    /// Reviews without a store.
    fn whole(&self, prepared: &PreparedLeague) -> Review {
        let stop = AtomicBool::new(false);
        let whole = self.plan.run(prepared, None, &stop, |_| {});
        whole.unwrap()
    }

    fn try_open(&self, store: &str) -> Result<ReviewStore, StoreError> {
        let (identity, source) = (Folder::identity(&self.league), self.folder.source());
        let path = self.folder.path(store);
        let (reviewed, other) = (self.plan.reviewed, self.plan.other);
        ReviewStore::open(&path, &identity, &source, reviewed, other)
    }

    fn open(&self, store: &str) -> ReviewStore {
        self.try_open(store)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Continues with bots that cannot be opened, so that only stored blocks can be used.
    fn stored_only(&self, store: &str, prepared: &PreparedLeague) -> Result<Review, ReviewError> {
        self.resume(store, &unplayable(prepared), u64::MAX)
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
            .run(prepared, Some(&mut self.open(store)), &stop, |games| {
                if end <= games {
                    stop.store(true, Ordering::Relaxed);
                }
            })
    }

    /// Reviews a part. Returns the numbers of its blocks and of the blocks that were played now.
    fn part(&self, store: &str, prepared: &PreparedLeague, part: &str) -> (usize, u64) {
        let plan = ReviewPlan {
            part: Part::unit(part).unwrap(),
            ..self.plan.clone()
        };
        let (store, stop) = (&mut self.open(store), AtomicBool::new(false));
        let review = plan.run(prepared, Some(store), &stop, |_| {}).unwrap();
        (review.jobs().count(), review.played)
    }

    fn merge(&self, into: &str, stores: &[&str]) -> Result<u64, String> {
        match self.folder.merge(into, stores) {
            Ok(merged) => Ok(merged.reviewed),
            Err(error) => Err(error.to_string()),
        }
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
    let (mut stored, prepared) = StoredReview::of_random("faulty");
    let whole = stored.whole(&prepared);
    assert_eq!(whole.jobs().count(), 6);
    let part = stored.resume("x.sqlite", &prepared, 14).unwrap();
    let played = part.jobs().count();
    assert!((2..6).contains(&played), "{played}");
    // Two blocks are enough for a review of fewer games.
    stored.plan.games = 14;
    let two = stored.stored_only("x.sqlite", &prepared).unwrap();
    assert_eq!(two.jobs().count(), 2);
    stored.plan.games = 10_000;
    assert!(stored.stored_only("x.sqlite", &prepared).is_err());
    stored.plan.threads = 4;
    let resumed = stored.resume("x.sqlite", &prepared, u64::MAX).unwrap();
    let again = stored.stored_only("x.sqlite", &prepared).unwrap();
    for review in [resumed, again] {
        assert_eq!(review.digest, whole.digest);
        assert_eq!(review.halves, whole.halves);
        assert_eq!(review.examples, whole.examples);
        assert_eq!(review.features, whole.features);
        assert_eq!(review.faults, whole.faults);
    }
    // Stored blocks belong to one pair of bots.
    stored.plan.other = prepared.league.entrant("last").unwrap();
    assert!(stored.stored_only("x.sqlite", &prepared).is_err());
}

#[test]
fn blocks_of_a_review_are_merged_in_any_order() {
    let (stored, prepared) = StoredReview::of_random("last");
    let whole = stored.whole(&prepared);
    // One store is that of the league with its games.
    let folder = &stored.folder;
    folder.play_all("1.sqlite", &stored.league, 2);
    let digest = folder.digest("1.sqlite");
    for (store, part, blocks) in [
        ("0.sqlite", "0-1,4", 3),
        ("1.sqlite", "2", 1),
        ("2.sqlite", "3-5", 3),
    ] {
        for (bots, played) in [(&prepared, blocks), (&unplayable(&prepared), 0)] {
            let reviewed = stored.part(store, bots, part);
            assert_eq!(reviewed, (usize::try_from(blocks).unwrap(), played));
        }
    }
    let stores = ["2.sqlite", "0.sqlite", "1.sqlite"];
    assert_eq!(stored.merge("all.sqlite", &stores), Ok(6));
    assert_eq!(stored.merge("1.sqlite", &["0.sqlite", "2.sqlite"]), Ok(5));
    assert_eq!(stored.merge("1.sqlite", &["all.sqlite"]), Ok(0));
    for store in ["all.sqlite", "1.sqlite"] {
        let review = stored.stored_only(store, &prepared).unwrap();
        assert_eq!(review.digest, whole.digest);
        assert_eq!(review.halves, whole.halves);
        assert_eq!(folder.digest(store), digest);
    }
}

#[test]
fn conflicting_results_of_the_same_review_are_rejected() {
    let (mut stored, prepared) = StoredReview::of_random("last");
    let mut other = prepared.clone();
    other.seats[stored.plan.reviewed].bot = Arc::new(Mock(Style::First));
    stored.part("a.sqlite", &prepared, "0-3");
    stored.part("b.sqlite", &other, "3-5");
    let message = stored.merge("a.sqlite", &["b.sqlite"]).unwrap_err();
    has(&message, "different results for a review of");
    has(&message, "block 3");
    // With all checks, stored blocks are played again and compared.
    stored.plan.checks_all = true;
    stored.resume("a.sqlite", &prepared, u64::MAX).unwrap();
    let error = stored.resume("a.sqlite", &other, u64::MAX).err().unwrap();
    assert!(
        matches!(error, ReviewError::Differs { job, .. } if job.block == 0),
        "{error}"
    );
    has(&error, "another result of this review");
}

#[test]
fn reviewed_blocks_are_listed_pruned_and_checked() {
    let (mut stored, prepared) = StoredReview::of_random("last");
    stored.folder.play_all("x.sqlite", &stored.league, 2);
    let layout = |folder: &Folder| folder.number("x.sqlite", "PRAGMA user_version");
    assert_eq!(layout(&stored.folder), 9);
    stored.part("x.sqlite", &prepared, "0-5");
    assert_eq!(layout(&stored.folder), 9);
    let pairs = |folder: &Folder| folder.read("x.sqlite").reviewed().unwrap();
    let pair = |blocks, is_current| ReviewedPair {
        reviewed: "random".to_owned(),
        other: "last".to_owned(),
        blocks,
        is_current,
    };
    let folder = &stored.folder;
    assert_eq!(pairs(folder), [pair(6, true)]);
    // A league with fewer blocks uses fewer of them.
    let fewer = folder.league(&CHALLENGE.replace("blocks: 6", "blocks: 4"));
    let before = folder.digest("x.sqlite").1;
    let mut writer = folder.open("x.sqlite", &fewer);
    assert_eq!(pairs(folder), [pair(4, true), pair(2, false)]);
    let played = before - folder.digest("x.sqlite").1;
    assert_eq!(writer.prune().unwrap(), 2 + played);
    drop(writer);
    assert_eq!(pairs(folder), [pair(4, true)]);
    stored.league = fewer;
    stored.plan.games = 28;
    stored.stored_only("x.sqlite", &prepared).unwrap();
    // A changed result is found when the store is opened for a review.
    let change = "UPDATE reviews SET result = zeroblob(length(result)) WHERE block = 1";
    stored.folder.execute("x.sqlite", change);
    let error = stored.try_open("x.sqlite").err().unwrap();
    has(&error, "review of block 1: checksum mismatch");
}

#[test]
fn invalid_stored_results_are_detected() {
    let (StoredReview { plan, .. }, prepared) = StoredReview::of_random("faulty");
    let job = plan.blocks(&prepared).unwrap()[0].job;
    let entrants = [prepared.line_up(job), &[plan.other]].concat();
    let game = prepared.game().unwrap();
    let review = BlockReview::new(&prepared, &*game, &plan, job).unwrap();
    let summary = review.review().unwrap();
    let bytes = summary.encode(job, &entrants);
    let decode = |bytes: &[u8]| BlockSummary::decode(bytes, job, &entrants);
    assert_eq!(decode(&bytes).as_ref(), Some(&summary));
    for end in 0..bytes.len() {
        assert_eq!(decode(&bytes[..end]), None, "{end}");
    }
    for index in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[index] ^= 1 << bit;
            // It may be another valid result, but must not panic.
            _ = decode(&changed);
        }
    }
    let count = 1 << 40;
    let huge = hattari_agents::packed::pack([1, 1, 0, 0, 0, 0, 0, count].into_iter());
    assert_eq!(decode(&huge), None);
}
