//! Tests of sequential leagues with mock bots: they end early, and always at the same block.

use super::tests::{in_parts, on_any_threads, play_shards};
use super::*;
use crate::mock::{Folder, has};

const RULE: &str = "format: {kind: line-ups, size: 2}\nblocks: 300\ndeals: 12\nsequential: {rule: confidence-sequence}\n";

#[test]
fn a_decided_league_ends_at_the_same_block_on_any_number_of_threads() {
    let (folder, league) = Folder::with_league("[first, last, random]", RULE);
    let one = on_any_threads(&folder, &league);
    // Playing the highest card first beats random play. Every line-up ends at its own block, and
    // long before the planned number.
    assert!(one.len() < 600, "{}", one.len());
    // The blocks are the first ones of a league without the rule.
    let (without, _) = RULE.split_once("sequential").unwrap();
    let all = folder.play_all("all.sqlite", &folder.league(without), 2);
    assert_eq!(all.len(), 900);
    assert!(one.iter().all(|record| all.contains(record)));
    // A second run has nothing to play.
    let end = folder.play_part("1.sqlite", &league, 2, "1/1").unwrap();
    assert_eq!(end, RunEnd::Finished);
    assert_eq!(folder.records("1.sqlite"), one);
}

#[test]
fn interruptions_and_shards_do_not_change_the_last_block() {
    let (folder, league) = Folder::with_league("[first, last, random]", RULE);
    let whole = folder.play_all("whole.sqlite", &league, 2);
    let runs = in_parts(&folder, "parts.sqlite", &league, 2, 7);
    assert!(runs > 1, "stopping must have had an effect");

    play_shards(&folder, &league, 2);
    let shards = ["1.sqlite", "2.sqlite"];
    for shard in shards {
        // A shard does not depend on the other one.
        assert_eq!(folder.read(shard).blocks_played().unwrap(), 450);
    }
    folder.merge("out.sqlite", &shards).unwrap();
    assert_eq!(folder.records("out.sqlite"), whole);
    assert_eq!(folder.digest("out.sqlite"), folder.digest("whole.sqlite"));
    // The blocks after the end are neither missing nor foreign.
    let merged = folder.read("out.sqlite");
    assert_eq!(merged.jobs_of(&Part::WHOLE), whole.len() as u64);
    let unused = merged.unused_blocks().unwrap();
    assert_eq!(unused.len(), 1);
    assert_eq!(unused[0].blocks, 900 - whole.len() as u64);
    has(&unused[0].why, "the stopping rule ended");
    // One half is merged first and played to its end; the merge then drops blocks after the end.
    folder.merge("half.sqlite", &shards[..1]).unwrap();
    assert_eq!(folder.play_all("half.sqlite", &league, 2), whole);
}

#[test]
fn a_sequential_league_ends_when_all_listed_comparisons_are_decided() {
    let folder = Folder::new("[first, last, random, random-2]");
    let wide = folder.league(&RULE.replace("sequence}", "sequence, pairs: [[first, last]]}"));
    let records = folder.play_all("x.sqlite", &wide, 2);
    let blocks = |line_up| {
        let line_ups = records.iter().map(|record| record.job.line_up);
        line_ups.filter(|other| *other == line_up).count()
    };
    assert!((10..300).contains(&blocks(0)), "{}", blocks(0));
    assert!(
        (1..6).all(|line_up| blocks(line_up) == blocks(0)),
        "the other line-ups play until the comparison is decided"
    );
}

#[test]
fn a_failing_block_does_not_stall_other_threads() {
    let (folder, league) = Folder::with_league("[first, bomb]", RULE);
    for threads in [1, 3] {
        let store = format!("{threads}.sqlite");
        let error = folder
            .play_part(&store, &league, threads, "1/1")
            .unwrap_err();
        assert!(matches!(error, RunError::Panicked(_)), "{error}");
    }
}

/// The last progress of a run.
#[derive(Default)]
struct LastProgress(Progress);

impl RunObserver for LastProgress {
    fn progress(&mut self, progress: &Progress) {
        self.0 = *progress;
    }
}

#[test]
fn deals_of_dropped_blocks_are_not_part_of_the_progress() {
    let folder = Folder::new("[first, last, random]");
    let (league, stop) = (folder.league(RULE), AtomicBool::new(false));
    let mut last = LastProgress::default();
    let end = folder.play("x.sqlite", &league, (4, "1/1"), &stop, &mut last);
    assert_eq!(end.unwrap(), RunEnd::Finished);
    let progress = last.0;
    assert_eq!(progress.deals, 12 * progress.blocks);
    assert!(progress.deals <= progress.deals_planned, "{progress:?}");
}
