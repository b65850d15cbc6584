//! Tests of runs with mock bots: threads, shards and interruptions do not change the records.

use super::worker::PANICS_MAX;
use super::*;
use crate::mock::{Folder, has};
use crate::store::StoreError;
use hattari_agents::agent::{AgentError, FaultScope};
use hattari_agents::record::FaultKind;

const FORMAT: &str = "format: {kind: line-ups, size: 3}\nblocks: 9\ndeals: 12\n";

/// Stops the run after a number of blocks.
pub(super) struct StopAfter<'a>(pub(super) u64, pub(super) &'a AtomicBool);

impl RunObserver for StopAfter<'_> {
    fn record(&mut self, _record: &Record) {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

/// Plays a league into a new store, with an interruption after every few blocks. Checks that the
/// records are those of the store `whole.sqlite`. Returns the number of runs.
pub(super) fn in_parts(
    folder: &Folder,
    store: &str,
    league: &League,
    threads: usize,
    blocks: u64,
) -> usize {
    for runs in 1.. {
        let stop = AtomicBool::new(false);
        let mut stop_after = StopAfter(blocks, &stop);
        let part = (threads, "1/1");
        let end = folder.play(store, league, part, &stop, &mut stop_after);
        let is_finished = end.unwrap() == RunEnd::Finished;
        let whole = folder.read("whole.sqlite");
        if let Some(rounds) = folder.read(store).round_schedule() {
            assert_eq!(rounds.is_over, is_finished);
        }
        if is_finished {
            assert_eq!(folder.records(store), whole.records().unwrap());
            assert_eq!(folder.digest(store), whole.digest().unwrap());
            return runs;
        }
    }
    unreachable!("numbers do not end")
}

/// Plays a league on one thread, and checks that the records are the same on more threads.
pub(super) fn on_any_threads(folder: &Folder, league: &League) -> Vec<Record> {
    let one = folder.play_all("1.sqlite", league, 1);
    for threads in [2, 4] {
        let store = format!("{threads}.sqlite");
        assert_eq!(folder.play_all(&store, league, threads), one);
        assert_eq!(folder.digest(&store), folder.digest("1.sqlite"));
    }
    one
}

/// Plays the shards of a league into stores that have the numbers of the shards as names.
pub(super) fn play_shards(folder: &Folder, league: &League, count: u32) {
    for shard in 1..=count {
        let (store, part) = (format!("{shard}.sqlite"), format!("{shard}/{count}"));
        folder.play_part(&store, league, 2, &part).unwrap();
    }
}

#[test]
fn records_do_not_depend_on_the_number_of_threads() {
    let (folder, league) = Folder::with_league("[first, last, random, faulty, random-2]", FORMAT);
    let one = on_any_threads(&folder, &league);
    assert_eq!(one.len(), 90);
    assert!(one.iter().any(|record| !record.faults.is_empty()));
    let other = folder.league(&FORMAT.replace("deals: 12", "deals: 12\noptions: {low: true}"));
    assert_ne!(folder.play_all("other.sqlite", &other, 2), one);
}

#[test]
fn copies_of_an_entrant_have_separate_seats() {
    let (folder, league) = Folder::with_league(
        "[first, random, last]",
        "format: {kind: duel, a: [first], b: [last], field: [random, random]}\nblocks: 4\nduplicate: true",
    );
    let records = folder.play_all("x.sqlite", &league, 2);
    assert_eq!(records.len(), 4);
    // 20 deals, rotated through 4 places.
    assert!(
        records
            .iter()
            .all(|record| record.deals == 80 && record.sum.len() == 4)
    );
    assert!(
        records.iter().any(|record| record.sum[2] != record.sum[3]),
        "each copy has its own seed"
    );
    let timing = folder.read("x.sqlite").timing().unwrap();
    // Every deal has one decision per seat, and copies are counted for their entrant.
    let decisions: Vec<u64> = timing.iter().map(|time| time.decisions).collect();
    assert_eq!(decisions, [320, 640, 320]);
}

/// Two line-ups of the same players differ only in the cards.
#[test]
fn line_ups_share_deals_only_if_same_deals_is_set() {
    let folder = Folder::new("[first, last, {name: again, bot: last}]");
    let format = "format: {kind: duel, a: [first], b: [last, again]}\nblocks: 3\ndeals: 12\n";
    for (same, store) in [(true, "same.sqlite"), (false, "own.sqlite")] {
        let league = folder.league(&format!("{format}same_deals: {same}"));
        let records = folder.play_all(store, &league, 2);
        let digests = |line_up| -> Vec<u64> {
            records
                .iter()
                .filter(|record| record.job.line_up == line_up)
                .map(|record| record.digest)
                .collect()
        };
        assert_eq!((digests(0).len(), digests(0) == digests(1)), (3, same));
        assert!(
            digests(0)[0] != digests(0)[1],
            "different blocks have different cards"
        );
    }
}

#[test]
fn a_stopped_run_can_be_continued() {
    let (folder, league) = Folder::with_league(
        "[first, last, random, faulty]",
        "format: {kind: line-ups, size: 3}\nblocks: 200\ndeals: 12",
    );
    folder.play_all("whole.sqlite", &league, 2);
    let runs = in_parts(&folder, "parts.sqlite", &league, 2, 5);
    assert!(runs > 1, "stopping must have had an effect");
    let stored_runs = folder.read("parts.sqlite").runs().unwrap();
    assert_eq!(stored_runs.len(), runs);
    assert_eq!(stored_runs.iter().map(|run| run.blocks).sum::<u64>(), 800);
    assert_eq!(
        stored_runs.iter().map(|run| run.deals).sum::<u64>(),
        800 * 12
    );
}

#[test]
fn merged_shards_equal_an_unsharded_run() {
    let (folder, league) = Folder::with_league("[first, last, random, faulty]", FORMAT);
    let whole = folder.play_all("whole.sqlite", &league, 2);
    play_shards(&folder, &league, 3);
    for (stores, numbers) in [
        (["3.sqlite", "1.sqlite"], (24, 0)),
        (["1.sqlite", "2.sqlite"], (12, 12)),
    ] {
        let merged = folder.merge("out.sqlite", &stores).unwrap();
        assert_eq!((merged.added, merged.same), numbers);
    }
    assert_eq!(folder.records("out.sqlite"), whole);
    assert_eq!(folder.read("out.sqlite").runs().unwrap().len(), 3);
    let decisions = |name: &str| -> Vec<u64> {
        let timing = folder.read(name).timing().unwrap();
        timing.iter().map(|time| time.decisions).collect()
    };
    assert_eq!(decisions("out.sqlite"), decisions("whole.sqlite"));
    // A merged store is complete, so nothing is left to play.
    let end = folder.play_part("out.sqlite", &league, 1, "1/1").unwrap();
    assert_eq!(end, RunEnd::Finished);
    let runs = folder.read("out.sqlite").runs().unwrap();
    assert_eq!(runs.iter().map(|run| run.blocks).sum::<u64>(), 36);
}

#[test]
fn faults_stop_ends_the_league_and_keeps_the_faulty_block() {
    let folder = Folder::new("[first, last, faulty]");
    let text = "format: {kind: line-ups, size: 2}\nblocks: 400\nfaults: stop";
    let league = folder.league(text);
    let substitute = folder.league(&text.replace("stop", "substitute"));
    let whole = folder.play_all("whole.sqlite", &substitute, 2);
    let mut kept = Vec::new();
    for run in 0..5 {
        let error = folder.play_part("x.sqlite", &league, 2, "1/1").unwrap_err();
        let RunError::Stopped { job, fault, .. } = &error else {
            panic!("{error}")
        };
        let expected = match run {
            0 => "faulty in line-up 1, block 0, deal 2 (illegal action): action 3 does not exist",
            _ => "faulty in line-up",
        };
        has(&error, expected);
        assert_eq!(fault.kind, FaultKind::IllegalAction);
        let now = folder.records("x.sqlite");
        let is_stopped = |record: &&Record| record.job == *job;
        let stopped = now.iter().find(is_stopped).expect("its block is kept");
        assert_eq!(&stopped.faults[0], fault);
        assert!(kept.iter().all(|record| now.contains(record)));
        assert_eq!(kept.iter().find(is_stopped), None);
        // A few blocks that were running at that time are finished.
        assert!(
            now.len() < kept.len() + 200,
            "{} after {}",
            now.len(),
            kept.len()
        );
        kept = now;
    }
    assert!(
        kept.iter().all(|record| whole.contains(record)),
        "the records are the same as in any other run"
    );
}

/// If such a block were replayed, a bot could crash after bad results until a replay goes well.
#[test]
fn a_block_that_stopped_a_league_is_not_replayed() {
    for rule in ["", "sequential: {rule: confidence-sequence}\n"] {
        let (folder, league) = Folder::with_league(
            "[last, faulty-once]",
            &format!(
                "format: {{kind: line-ups, size: 2}}\nblocks: 30\ndeals: 12\n{rule}faults: stop"
            ),
        );
        let mut faults = 0;
        let stop = AtomicBool::new(false);
        while let Err(error) = folder.play("x.sqlite", &league, (2, "1/1"), &stop, &mut ()) {
            assert!(matches!(error, RunError::Stopped { .. }), "{error}");
            let records = folder.records("x.sqlite");
            let now: u32 = records
                .iter()
                .map(|record| record.fault_counts.iter().sum::<u32>())
                .sum();
            assert!(
                faults < now,
                "a block that is known to have a fault is not played again"
            );
            faults = now;
        }
        assert!(faults > 0);
    }
}

#[test]
fn a_host_panic_affects_only_its_own_blocks() {
    let (folder, league) = Folder::with_league(
        "[first, last, random, bomb]",
        "format: {kind: line-ups, size: 3}\nblocks: 2",
    );
    let error = folder.play_part("x.sqlite", &league, 3, "1/1").unwrap_err();
    let RunError::Panicked(panics) = &error else {
        panic!("{error}")
    };
    assert_eq!(panics.len(), 6);
    has(&error, "block 1: the mock bomb went off");
    assert_eq!(folder.read("x.sqlite").blocks_played().unwrap(), 2);

    let many = folder.league("format: {kind: line-ups, size: 3}\nblocks: 1000");
    let error = folder.play_part("y.sqlite", &many, 3, "1/1").unwrap_err();
    let RunError::Panicked(panics) = &error else {
        panic!("{error}")
    };
    assert!(
        (PANICS_MAX..PANICS_MAX + 3).contains(&panics.len()),
        "it gives up: {}",
        panics.len()
    );
}

#[test]
fn a_bot_that_cannot_be_opened_faults_and_the_league_continues() {
    let folder = Folder::new("[first, last, broken]");
    let format = "format: {kind: line-ups, size: 3}\nblocks: 3\ndeals: 4\n";
    let records = folder.play_all("x.sqlite", &folder.league(format), 2);
    let fault = &records[0].faults[0];
    assert_eq!(fault.kind, FaultKind::Start);
    assert_eq!(fault.message, "it does not compile");
    assert_eq!(records[2].fault_counts, [4, 0, 0], "places go by name");

    let forfeit = folder.league(&format!("{format}faults: forfeit"));
    let records = folder.play_all("y.sqlite", &forfeit, 2);
    assert!(
        records
            .iter()
            .all(|record| record.forfeits == 0b001 && record.sum[0] == 4)
    );
}

/// Plays all open jobs of a store with these seats.
fn run(
    writer: &mut StoreWriter,
    league: &League,
    seats: &[SeatConfig],
    threads: usize,
    stop: &AtomicBool,
) -> Result<RunEnd, RunError> {
    let game = hattari_agents::table::game(&league.game, &league.options).unwrap();
    let part = Part::WHOLE;
    let context = RunContext {
        game: &*game,
        league,
        seats,
        options: &RunOptions { threads, part },
        stop,
    };
    context.run(writer, &mut ())
}

/// A bot for which the system has no room. Its start interrupts the run.
struct BotWithoutRoom(Arc<AtomicBool>);

impl AgentFactory for BotWithoutRoom {
    fn open(&self, _config_json: &str) -> Result<Box<dyn Agent>, AgentError> {
        self.0.store(true, Ordering::Relaxed);
        Err(AgentError::new(FaultKind::Start, "no room").with_scope(FaultScope::Outside))
    }
}

#[test]
fn a_disturbed_block_is_not_restarted_after_an_interruption() {
    let (folder, league) = Folder::with_league(
        "[first, last]",
        "format: {kind: line-ups, size: 2}\nblocks: 3",
    );
    let mut writer = folder.open("x.sqlite", &league);
    let stop = Arc::new(AtomicBool::new(false));
    let mut seats = Folder::seats(&league);
    seats[0].bot = Arc::new(BotWithoutRoom(Arc::clone(&stop)));
    let end = run(&mut writer, &league, &seats, 1, &stop);
    assert_eq!(end.unwrap(), RunEnd::Interrupted);
    assert_eq!(writer.store().blocks_played().unwrap(), 0);
}

#[test]
fn a_full_disk_ends_the_run_and_keeps_saved_records() {
    let folder = Folder::new("[first, last, random, faulty]");
    let format = "format: {kind: line-ups, size: 3}\ndeals: 2\nblocks: ";
    let saved = folder.play_all("x.sqlite", &folder.league(&format!("{format}3")), 1);
    let league = folder.league(&format!("{format}2000"));
    let mut writer = folder.open("x.sqlite", &league);
    writer.limit_pages(90);
    let (seats, stop) = (Folder::seats(&league), AtomicBool::new(false));
    let error = run(&mut writer, &league, &seats, 2, &stop).unwrap_err();
    assert!(
        matches!(&error, RunError::Store(StoreError::Full(_))),
        "{error}"
    );
    has(&error, "free some space and run again");
    drop(writer);
    let kept = folder.records("x.sqlite");
    assert!(kept.len() < 8_000 && saved.iter().all(|record| kept.contains(record)));
    let whole = folder.play_all("x.sqlite", &league, 2);
    assert_eq!(whole.len(), 8_000);
    assert!(kept.iter().all(|record| whole.contains(record)));
}
