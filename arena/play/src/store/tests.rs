//! Tests of reading and writing stores.

use super::*;
use crate::mock::{Folder, has};
use crate::schedule::Part;
use hattari_agents::record::{BlockResult, DecisionTime, Record};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;

thread_local! {
    /// Number of complete readings of the records by this thread, and the statements used.
    static READINGS: RefCell<(u32, BTreeSet<String>)> = RefCell::default();
    /// The action of [`at_next_reading`].
    static ACTION: RefCell<Option<Box<dyn FnOnce()>>> = RefCell::default();
}

/// Sets the action of another process while this thread reads records the next time.
pub(super) fn at_next_reading(action: impl FnOnce() + 'static) {
    ACTION.set(Some(Box::new(action)));
}

/// Counts a reading of records.
pub(super) fn note_reading(one: Option<JobId>, sql: &str) {
    READINGS.with_borrow_mut(|(all, statements)| {
        *all += u32::from(one.is_none());
        statements.insert(sql.to_owned());
    });
    if let Some(action) = ACTION.take() {
        action();
    }
}

/// Returns the number of times that `work` reads all records, and the number of different
/// statements by which it reads records.
pub(crate) fn readings(work: impl FnOnce()) -> (u32, usize) {
    READINGS.take();
    work();
    let (all, statements) = READINGS.take();
    (all, statements.len())
}

pub(super) const FORMAT: &str = "format: {kind: line-ups, size: 2}\nblocks: 3\ndeals: 4\n";

/// Plays the nine blocks of a league of three bots with [`FORMAT`] into the store `name`.
pub(super) fn nine_blocks(name: &str) -> (Folder, League, Vec<Record>) {
    let (folder, league) = Folder::with_league("[first, last, random]", FORMAT);
    let records = folder.play_all(name, &league, 1);
    (folder, league, records)
}

/// Returns a played block with this record, without answers and kills.
pub(super) fn played(record: &Record) -> BlockResult {
    let one = DecisionTime {
        decisions: 1,
        ..DecisionTime::default()
    };
    BlockResult {
        record: record.clone(),
        timing: vec![one; 2],
        answers: None,
        kills: Vec::new(),
    }
}

pub(super) fn refusal<T>(result: Result<T, StoreError>) -> String {
    result.err().expect("the store must be refused").to_string()
}

/// Checks that an error contains `words`.
#[track_caller]
pub(super) fn refused<T>(result: Result<T, StoreError>, words: &str) {
    has(&refusal(result), words);
}

/// Plays a league into the existing store `x.sqlite`. Checks that its records are the same as in a
/// separate store.
fn as_if_alone(folder: &Folder, league: &League) -> Vec<Record> {
    let records = folder.play_all("x.sqlite", league, 2);
    assert_eq!(records, folder.play_all("alone.sqlite", league, 1));
    fs::remove_file(folder.path("alone.sqlite")).unwrap();
    records
}

/// Returns the number of open blocks of a league, and descriptions of the blocks in `x.sqlite` that
/// it does not use.
fn found(folder: &Folder, league: &League) -> (u64, Vec<String>) {
    let writer = folder.open("x.sqlite", league);
    let store = writer.store();
    let open = store.schedule.jobs() - store.blocks_played().unwrap();
    let unused = store.unused_blocks().unwrap().into_iter();
    let unused = unused.map(|unused| format!("{} {}", unused.blocks, unused.why));
    (open, unused.collect())
}

#[test]
fn a_changed_league_plays_only_missing_blocks() {
    const X: &str = "[first, last, {name: x, bot: random}]";
    let mut folder = Folder::new(X);
    let league = folder.league(FORMAT);
    let nine = folder.play_all("x.sqlite", &league, 1);
    assert_eq!(found(&folder, &league), (0, vec![]));

    // A new version of a bot keeps the blocks of the others, and the old blocks stay in the store.
    folder.entrants = "[first, last, {name: x, bot: last}]";
    let edited = folder.league(FORMAT);
    let aside = vec!["6 another version of x".to_owned()];
    assert_eq!(found(&folder, &edited), (6, aside.clone()));
    assert_eq!(as_if_alone(&folder, &edited)[..3], nine[..3]);
    assert_eq!(found(&folder, &league), (0, aside), "and back");
    assert_eq!(folder.play_all("x.sqlite", &league, 1), nine);

    let conditions = "blocks: 3\ndeals: 5\nduplicate: true\npreset: low\nfaults: forfeit";
    for (entrants, size, settings, open, aside) in [
        // An entrant joins, another leaves, and the order changes.
        (
            "[{name: y, bot: random}, last, first]",
            2,
            "blocks: 3\ndeals: 4",
            6,
            &["12 x is not an entrant"][..],
        ),
        // First more blocks, then fewer blocks and tables of three.
        (X, 2, "blocks: 5\ndeals: 4", 6, &[]),
        (
            X,
            2,
            "blocks: 2\ndeals: 4",
            0,
            &["9 not in the schedule of the format"],
        ),
        (X, 3, "blocks: 3\ndeals: 4", 3, &[]),
        // Under other conditions, no block counts, and the reasons are listed.
        (
            X,
            2,
            conditions,
            9,
            &[
                "deals: 4 before, 5 now",
                "duplicate: false before, true now",
                "options.low: false before, true now",
                "faults: \"substitute\" before, \"forfeit\" now",
            ],
        ),
        // Settings of reports change nothing.
        (
            X,
            2,
            "blocks: 3\ndeals: 4\nreport: {confidence: 0.99}",
            0,
            &[],
        ),
    ] {
        folder.entrants = entrants;
        let league = folder.league(&format!(
            "format: {{kind: line-ups, size: {size}}}\n{settings}\n"
        ));
        let (found, listed) = found(&folder, &league);
        assert_eq!(found, open, "{settings}");
        if settings == conditions {
            for listed in &listed {
                aside.iter().for_each(|why| has(listed, why));
            }
        } else {
            assert_eq!(listed[..aside.len()], *aside);
        }
        as_if_alone(&folder, &league);
        assert_eq!(folder.read("x.sqlite").league(), &league);
    }
}

#[test]
fn a_new_entrant_is_listed_without_a_version() {
    let mut folder = Folder::new("[first, last]");
    let played = Folder::identity(&folder.league(FORMAT));
    folder.entrants = "[first, last, {name: x, bot: random, config: {a: 1}}]";
    let now = played.with_league(folder.league(FORMAT));
    assert_eq!(
        played.differences(&now, "as played", "now"),
        [r#"entrants: "first, last" as played, "first, last, x" now"#]
    );
}

#[test]
fn a_second_writer_of_a_store_is_rejected() {
    let (folder, league) = Folder::with_league("[first, last]", FORMAT);
    let writer = folder.open("x.sqlite", &league);
    let owner = format!("in use by process {}", std::process::id());
    refused(folder.writer("x.sqlite", &league), &owner);
    // Reading is possible meanwhile.
    let store = folder.read("x.sqlite");
    assert_eq!(store.blocks_played().unwrap(), 0);
    assert!(store.has_writer());
    drop(writer);
    assert!(!folder.path("x.sqlite.lock").exists() && !store.has_writer());
    // A lock file of a killed process does not block a new writer.
    fs::write(folder.path("x.sqlite.lock"), "1").unwrap();
    assert!(!store.has_writer());
    assert!(folder.writer("x.sqlite", &league).is_ok());
}

#[test]
#[cfg(unix)]
fn a_store_behind_a_symbolic_link_has_one_lock_and_is_removed_itself() {
    let (folder, league) = Folder::with_league("[first, last]", FORMAT);
    fs::create_dir(folder.path("disk")).unwrap();
    std::os::unix::fs::symlink("disk/x.sqlite", folder.path("x.sqlite")).unwrap();
    // The first writer creates the file, the second one finds it.
    for _ in 0..2 {
        let writer = folder.open("x.sqlite", &league);
        refused(folder.writer("disk/x.sqlite", &league), "in use by");
        drop(writer);
    }
    remove(&folder.path("x.sqlite")).unwrap();
    assert!(!folder.path("disk/x.sqlite").exists());
    assert!(folder.path("x.sqlite").is_symlink());
}

#[test]
fn uncommitted_blocks_are_played_again() {
    let (folder, league, whole) = nine_blocks("whole.sqlite");
    let (mut writer, is_new) = folder.writer("x.sqlite", &league).unwrap();
    assert!(is_new);
    writer.begin_run(1, &Part::WHOLE).unwrap();
    writer.push(&played(&whole[0])).unwrap();
    writer.commit().unwrap();
    writer.push(&played(&whole[1])).unwrap();
    let second = writer.store().schedule.index(whole[1].job);
    assert!(writer.done().contains(second));
    // Drop the writer within a batch, like a kill.
    drop(writer);
    assert_eq!(folder.records("x.sqlite"), whole[..1]);
    assert_eq!(folder.read("x.sqlite").runs().unwrap()[0].ended, None);
    assert_eq!(folder.play_all("x.sqlite", &league, 2), whole);
}

#[test]
fn the_file_of_a_store_has_all_blocks_although_others_read_it_when_a_run_ends() {
    let (folder, league, whole) = nine_blocks("whole.sqlite");
    let mut writer = folder.open("x.sqlite", &league);
    let reader = folder.read("x.sqlite");
    // A reader with an open transaction also needs the log until its end.
    let long = rusqlite::Connection::open(folder.path("x.sqlite")).unwrap();
    long.execute_batch("BEGIN; SELECT count(*) FROM records")
        .unwrap();
    for record in &whole {
        writer.push(&played(record)).unwrap();
    }
    writer.commit().unwrap();
    let long = std::thread::spawn(move || {
        long.execute_batch("COMMIT").unwrap();
        long
    });
    drop(writer);
    let long = long.join().unwrap();
    // A copy of the file, without its log.
    folder.copy("x.sqlite", "copy.sqlite");
    assert_eq!(folder.records("copy.sqlite"), whole);
    assert_eq!(reader.records().unwrap(), whole);
    drop(long);
    // A store can be an input of a merge into itself.
    folder.play_all("y.sqlite", &league, 1);
    folder
        .merge("new.sqlite", &["x.sqlite", "y.sqlite"])
        .unwrap();
    folder
        .merge("new.sqlite", &["new.sqlite", "y.sqlite"])
        .unwrap();
    folder.copy("new.sqlite", "moved.sqlite");
    assert_eq!(folder.records("moved.sqlite"), whole);
}

#[test]
fn files_that_are_not_stores_are_rejected_and_unchanged() {
    let (folder, league) = Folder::with_league("[first, last]", FORMAT);
    let check = |name: &str, expected: &str| {
        let before = fs::read(folder.path(name)).unwrap();
        refused(folder.writer(name, &league), expected);
        refused(Store::read(&folder.path(name)), expected);
        assert!(
            fs::read(folder.path(name)).unwrap() == before,
            "{name} was changed"
        );
    };
    fs::write(
        folder.path("text"),
        "not a database, but long enough to be taken for one: ".repeat(40),
    )
    .unwrap();
    fs::write(folder.path("short"), "SQLite").unwrap();
    for name in ["text", "short"] {
        check(name, "not an SQLite database");
    }

    folder.execute("foreign", "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    check("foreign", "another program");

    folder.play_all("later", &league, 1);
    for (layout, words) in [
        (99, "layout 99; this version supports 9"),
        (1, "written by an earlier version of Hattari (layout 1)"),
        (4, "written by an earlier version of Hattari (layout 4)"),
    ] {
        folder.execute("later", &format!("PRAGMA user_version = {layout}"));
        check("later", words);
    }
    folder.copy("later", "theirs");
    folder.execute("theirs", "PRAGMA application_id = 252006674");
    check("theirs", "another program");
    remove(&folder.path("later")).unwrap();
    assert!(!folder.path("later").exists());

    for name in ["", ":memory:", "file:x.sqlite?mode=memory"] {
        let path = Path::new(name);
        let identity = Folder::identity(&league);
        refused(
            StoreWriter::open(path, &identity, &folder.source()),
            "SQLite gives it a special meaning",
        );
        refused(Store::read(path), "as in `./league.sqlite`");
    }
    refused(
        Store::read(&folder.path("missing")),
        "play the league first",
    );
    refused(
        folder.writer("no/folder/x.sqlite", &league),
        "no such folder",
    );
    // Opening a pipe would wait without end.
    #[cfg(unix)]
    for result in [
        folder.writer("/dev/null", &league).map(drop),
        Store::read(Path::new("/dev/null")).map(drop),
    ] {
        refused(result, "it is not a regular file");
    }
    // A kill immediately after creation leaves an empty file.
    fs::write(folder.path("empty"), "").unwrap();
    assert_eq!(folder.play_all("empty", &league, 1).len(), 3);
}

#[test]
fn damaged_stores_are_detected() {
    let (folder, league) = Folder::with_league(
        "[first, last, random]",
        "format: {kind: line-ups, size: 2}\nblocks: 2000\ndeals: 2",
    );
    folder.play_all("x.sqlite", &league, 1);
    let good = fs::read(folder.path("x.sqlite")).unwrap();
    let damage = |name: &str, at: usize| {
        let mut bytes = good.clone();
        bytes[at..at + 4096].fill(0x5a);
        fs::write(folder.path(name), bytes).unwrap();
    };
    let pages = good.len() / 4096;
    assert!(pages > 20);
    for page in [pages / 2, pages - 2] {
        damage("broken.sqlite", page * 4096);
        refused(folder.writer("broken.sqlite", &league), "is damaged");
    }
    fs::write(folder.path("broken.sqlite"), &good[..good.len() / 2]).unwrap();
    refused(folder.writer("broken.sqlite", &league), "is damaged");

    // Damage that SQLite cannot detect: another league, inconsistent numbers.
    for column in ["identity", "file", "source"] {
        fs::write(folder.path("league.sqlite"), &good).unwrap();
        let sql = format!("UPDATE league SET {column} = {column} || ' '");
        folder.execute("league.sqlite", &sql);
        let path = folder.path("league.sqlite");
        refused(Store::read(&path), "league 1: checksum mismatch");
    }
    for (change, words) in [
        (
            "deals = deals + 1",
            "the place counts of an entrant do not add up to the number of deals",
        ),
        ("digest = digest + 1", "checksum mismatch"),
        ("checksum = checksum + 1", "checksum mismatch"),
    ] {
        fs::write(folder.path("numbers.sqlite"), &good).unwrap();
        let sql = format!("UPDATE records SET {change} WHERE seating = 2 AND block = 7");
        folder.execute("numbers.sqlite", &sql);
        let words = format!("first, random, block 7: {words}");
        refused(folder.read("numbers.sqlite").records(), &words);
        refused(folder.writer("numbers.sqlite", &league), &words);
    }
}

#[test]
fn answers_of_nondeterministic_blocks_are_stored_with_a_checksum() {
    let (folder, league) =
        Folder::with_league("[first, last, {name: x, bot: random-once}]", FORMAT);
    // Seatings are numbered when their first block is stored; on one thread, this is the order of
    // line-ups.
    let all = folder.play_all("x.sqlite", &league, 1);
    let store = folder.read("x.sqlite");
    let plain = Folder::new("[first, last, {name: x, bot: random}]");
    plain.play_all("x.sqlite", &plain.league(FORMAT), 1);
    // The digest covers records only.
    assert_eq!(folder.digest("x.sqlite"), plain.digest("x.sqlite"));
    let answers = |store: &Store| -> Vec<_> {
        let answers = all.iter().map(|record| store.answers(record.job).unwrap());
        answers.collect()
    };
    for (record, answers) in all.iter().zip(answers(&store)) {
        // Line-up 0 is first and last.
        assert_eq!(answers.is_some(), record.job.line_up > 0);
    }
    // Shards can be merged in any order.
    for shard in ["1/2", "2/2"] {
        let name = format!("{}.sqlite", &shard[..1]);
        folder.play_part(&name, &league, 1, shard).unwrap();
    }
    folder
        .merge("merged.sqlite", &["2.sqlite", "1.sqlite", "x.sqlite"])
        .unwrap();
    assert_eq!(answers(&folder.read("merged.sqlite")), answers(&store));
    // The output of programs is merged too.
    let mut writer = folder.open("x.sqlite", &league);
    writer.begin_run(1, &Part::WHOLE).unwrap();
    writer.store_output(1, "no parameters").unwrap();
    writer.end_run("finished").unwrap();
    drop(writer);
    folder.merge("merged.sqlite", &["x.sqlite"]).unwrap();
    assert_eq!(
        folder.read("merged.sqlite").outputs().unwrap(),
        [(1, "no parameters".to_owned())].into()
    );
    let good = fs::read(folder.path("x.sqlite")).unwrap();
    for (change, is_of_record) in [
        ("UPDATE answers SET packed = zeroblob(9)", false),
        ("DELETE FROM answers", false),
        ("UPDATE records SET answers = answers + 1", true),
        ("UPDATE records SET answers = NULL", true),
    ] {
        fs::write(folder.path("bad.sqlite"), &good).unwrap();
        let statement = format!("{change} WHERE seating = 2 AND block = 2");
        folder.execute("bad.sqlite", &statement);
        let bad = folder.read("bad.sqlite");
        let message = refusal(bad.answers(JobId {
            line_up: 1,
            block: 2,
        }));
        let expected = "line-up 1, block 2: the answers of the bots do not match their stored hash";
        has(&message, expected);
        assert_eq!(bad.records().is_err(), is_of_record, "{change}");
        refused(merge(&folder.path("out.sqlite"), &[bad], None), "block 2: ");
        assert!(!folder.path("out.sqlite").exists());
    }
}

#[test]
fn a_block_that_cannot_be_stored_whole_is_not_stored() {
    let (folder, league) = Folder::with_league("[first, last, random]", FORMAT);
    let whole = folder.play_all("whole.sqlite", &league, 1);
    let mut writer = folder.open("x.sqlite", &league);
    writer.begin_run(1, &Part::WHOLE).unwrap();
    // The line-up of the first record is not in the store yet.
    for (index, is_first) in [(0, true), (1, false)] {
        let mut large = played(&whole[index]);
        large.answers = Some(vec![0; (64 << 20) + 1]);
        let error = writer.push(&large).unwrap_err();
        has(&error, "more than 64 MiB");
        if is_first {
            writer.push(&played(&whole[index])).unwrap();
        }
    }
    writer.end_run("answers too large").unwrap();
    drop(writer);
    assert_eq!(folder.records("x.sqlite"), whole[..1]);
}

#[test]
fn a_store_removed_during_a_run_is_detected() {
    let (folder, league, whole) = nine_blocks("whole.sqlite");
    let path = folder.path("x.sqlite");
    let mut writer = folder.open("x.sqlite", &league);
    writer.push(&played(&whole[0])).unwrap();
    writer.commit().unwrap();
    fs::rename(&path, folder.path("y.sqlite")).unwrap();
    writer.push(&played(&whole[1])).unwrap();
    refused(writer.commit(), "removed or replaced during the run");
    // Another file at the path is treated like a missing one.
    fs::copy(folder.path("whole.sqlite"), &path).unwrap();
    assert!(matches!(writer.end_run("done"), Err(StoreError::Gone(gone)) if gone == path));
    fs::rename(folder.path("y.sqlite"), &path).unwrap();
    writer.end_run("done").unwrap();
}

#[test]
fn a_store_can_be_read_during_writing() {
    let (folder, league, whole) = nine_blocks("whole.sqlite");
    let mut writer = folder.open("x.sqlite", &league);
    let reader = folder.read("x.sqlite");
    for (count, record) in whole.iter().enumerate() {
        writer.push(&played(record)).unwrap();
        assert_eq!(
            reader.records().unwrap().len(),
            count,
            "unsafe text is not shown"
        );
        writer.commit().unwrap();
        assert_eq!(reader.records().unwrap(), whole[..=count]);
        assert_eq!(reader.record(record.job).unwrap().as_ref(), Some(record));
    }
}

/// Luck is part of the checksum, but not of the digest.
#[test]
fn luck_is_stored_and_covered_by_the_checksum() {
    let (folder, league, records) = nine_blocks("plain.sqlite");
    let mut writer = folder.open("x.sqlite", &league);
    let lucky = |record: &Record| Record {
        luck: vec![7, -7, 1_000_000, -1_000_000],
        ..record.clone()
    };
    let all: Vec<Record> = records.iter().map(lucky).collect();
    all.iter()
        .for_each(|record| writer.push(&played(record)).unwrap());
    writer.commit().unwrap();
    drop(writer);
    assert_eq!(folder.records("x.sqlite"), all);
    assert_eq!(folder.digest("x.sqlite"), folder.digest("plain.sqlite"));
    assert!(records[0].is_same_play(&all[0]));
    // A wrong value would change verdicts that are adjusted for luck.
    let mut other = all[0].clone();
    other.luck[0] += 1;
    assert!(!other.is_same_play(&all[0]));
    for (change, words) in [
        (
            "UPDATE records SET luck = CAST((SELECT luck FROM records LIMIT 1) || x'00' AS BLOB) WHERE block = 1",
            "invalid luck",
        ),
        ("UPDATE records SET luck = x'00000000'", "checksum mismatch"),
    ] {
        folder.execute("x.sqlite", change);
        refused(folder.read("x.sqlite").records(), words);
    }
}

/// The texts of conditions and versions are in their table and in its index.
#[test]
fn a_changed_byte_of_conditions_or_versions_is_detected() {
    let (folder, league, _) = nine_blocks("good.sqlite");
    let bytes = fs::read(folder.path("good.sqlite")).unwrap();
    let identity = Folder::identity(&league);
    let (_, version) = identity.versions().next().unwrap();
    for (table, json) in [("conditions", identity.conditions()), ("versions", version)] {
        let text = json.to_string();
        let places = bytes.windows(text.len()).enumerate();
        let places = places.filter(|(_, window)| *window == text.as_bytes());
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        assert_eq!(places.len(), 2, "{table}");
        for place in places {
            let mut bytes = bytes.clone();
            bytes[place + text.len() / 2] ^= 1;
            fs::write(folder.path("bad.sqlite"), bytes).unwrap();
            refused(Store::read(&folder.path("bad.sqlite")), table);
        }
    }
}

/// Compiling a statement takes much longer than looking up a block.
#[test]
fn the_number_of_statements_of_a_merge_does_not_depend_on_the_blocks() {
    let folder = Folder::new("[first, last, random]");
    let statements = |blocks: u32| {
        let league = folder.league(&FORMAT.replace("blocks: 3", &format!("blocks: {blocks}")));
        let (part, all) = (
            format!("part-{blocks}.sqlite"),
            format!("all-{blocks}.sqlite"),
        );
        folder.play_all(&part, &league, 1);
        let merged = || folder.merge(&all, &[&part]).unwrap();
        assert_eq!(merged().added, u64::from(3 * blocks));
        let expected = MergeResult {
            same: u64::from(3 * blocks),
            ..MergeResult::default()
        };
        readings(|| assert_eq!(merged(), expected)).1
    };
    assert_eq!(statements(2), statements(20));
}

/// A plan is computed again after every merged unit.
#[test]
fn standings_of_early_rounds_are_computed_only_on_request() {
    let (folder, league) = Folder::with_league(
        "[first, last, random, faulty, {name: x, bot: random}]",
        "format: {kind: swiss, rounds: 4, size: 2}\nblocks: 2\ndeals: 1",
    );
    folder.play_all("x.sqlite", &league, 1);
    let store = folder.read("x.sqlite");
    let round_schedule = store.round_schedule().unwrap();
    let lines = |round_schedule: &RoundSchedule| -> Vec<usize> {
        let rounds = round_schedule.rounds.iter();
        rounds.map(|round| round.standing.len()).collect()
    };
    assert_eq!(lines(round_schedule), [0, 0, 5, 5]);
    let all = store.round_schedule_from(0).unwrap().unwrap();
    assert_eq!(lines(&all), [5; 4]);
    assert!(all.is_over && all.rounds[2..] == round_schedule.rounds[2..]);
    let last = store.round_schedule_from(2).unwrap().unwrap();
    assert!(matches!(last, Cow::Borrowed(_)));
}

#[test]
fn planning_a_sequential_league_reads_its_store_once() {
    let (folder, league) = Folder::with_league(
        "[first, last, random]",
        "format: {kind: line-ups, size: 2}\nblocks: 40\ndeals: 4\nsequential: {}\n",
    );
    folder.play_all("x.sqlite", &league, 1);
    let (identity, mut open) = (folder.read("x.sqlite").identity.clone(), None);
    let found = readings(|| {
        let store = Store::read_as(&folder.path("x.sqlite"), identity).unwrap();
        open = Some(crate::plan::plan(&league, Some(&store), 4).unwrap().open);
    });
    assert_eq!((found.0, open), (1, Some(0)));
}

#[test]
fn a_look_up_of_a_review_adds_nothing_to_the_store() {
    let (folder, league) = Folder::with_league("[first, last, random]", FORMAT);
    let (path, identity) = (folder.path("x.sqlite"), Folder::identity(&league));
    let mut reviews = ReviewStore::open(&path, &identity, &folder.source(), 0, 1).unwrap();
    let job = JobId {
        line_up: 1,
        block: 0,
    };
    assert_eq!(reviews.get(job, &[0, 2], Some).unwrap(), None);
    reviews.commit().unwrap();
    drop(reviews);
    let seatings = "SELECT count(*) FROM seatings";
    assert_eq!(folder.number("x.sqlite", seatings), 0);
}

#[test]
fn the_state_of_a_stopping_rule_is_that_of_the_selected_league() {
    let folder = Folder::new("[first, last, random]");
    let format = "format: {kind: line-ups, size: 2}\nblocks: 40\ndeals: 4\n";
    let league = folder.league(&format!("{format}sequential: {{}}\n"));
    folder.play_all("x.sqlite", &league, 1);
    let store = folder.read("x.sqlite");
    assert!(store.stopping().is_some());
    let without = Folder::identity(&folder.league(format));
    let store = store.with_league(without).unwrap();
    assert!(store.stopping().is_none());
}

#[test]
fn a_store_of_a_game_that_the_program_does_not_have_is_refused() {
    let (folder, league, records) = nine_blocks("x.sqlite");
    let game = |from: &str, to: &str| {
        let change = format!(
            r#"UPDATE league SET seal = NULL, identity = replace(identity, '"game":"{from}"', '"game":"{to}"')"#
        );
        folder.execute("x.sqlite", &change);
    };
    game(&league.game, "kuhn");
    for result in [
        Store::read(&folder.path("x.sqlite")).map(drop),
        folder.writer("x.sqlite", &league).map(drop),
    ] {
        refused(
            result,
            "results of the game `kuhn`, which this program does not have",
        );
    }
    game("kuhn", &league.game);
    assert_eq!(folder.read("x.sqlite").records().unwrap(), records);
}
