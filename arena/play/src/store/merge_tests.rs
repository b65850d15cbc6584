//! Tests of merging stores.

use super::tests::{FORMAT, at_next_reading, nine_blocks, played, refusal, refused};
use super::*;
use crate::mock::{Folder, has};
use crate::schedule::Part;
use hattari_agents::record::Record;
use std::fs;

#[test]
fn kills_are_stored_outside_the_digest_and_merged_once() {
    let (folder, league, all) = nine_blocks("whole.sqlite");
    let digest = folder.digest("whole.sqlite");
    let write = |name: &str, records: &[Record], kills: &[(usize, &[u32])]| {
        let mut writer = folder.open(name, &league);
        for (number, record) in records.iter().enumerate() {
            let mut block = played(record);
            let kills = kills.iter().filter(|(index, _)| *index == number);
            kills.for_each(|(_, kills)| block.kills.extend(*kills));
            writer.push(&block).unwrap();
        }
        writer.commit().unwrap();
    };
    // Line-up 0 is first and last, line-up 1 first and random, with three blocks each.
    write(
        "a.sqlite",
        &all[..5],
        &[(0, &[2, 0]), (1, &[1, 3]), (3, &[0, 1])],
    );
    write("b.sqlite", &all[1..], &[(0, &[4]), (2, &[])]);
    let of = |name: &str| -> Vec<[u64; 2]> {
        let kills = folder.read(name).kills().unwrap().into_iter();
        kills.map(|k| [k.blocks, k.times]).collect()
    };
    assert_eq!(of("a.sqlite"), [[2, 3], [1, 3], [1, 1]]);
    assert_eq!(of("b.sqlite"), [[1, 4], [0, 0], [0, 0]]);
    for _ in 0..2 {
        // For a block in both stores, the larger numbers are kept, after any number of merges.
        let merged = folder.merge("out.sqlite", &["b.sqlite", "a.sqlite"]);
        merged.unwrap();
        assert_eq!(of("out.sqlite"), [[2, 6], [1, 3], [1, 1]]);
        assert_eq!(folder.digest("out.sqlite"), digest);
    }
}

#[test]
fn merging_stores_of_different_leagues_is_rejected() {
    let (folder, league, _) = nine_blocks("a.sqlite");
    let other = folder.league(&FORMAT.replace("deals: 4", "deals: 5"));
    folder.play_all("b.sqlite", &other, 1);
    let message = refusal(folder.merge("out.sqlite", &["a.sqlite", "b.sqlite"]));
    has(&message, "deals: 4 in `");
    has(&message, "a.sqlite`, 5 in `");
    assert!(!folder.path("out.sqlite").exists());

    let longer = folder.league(&FORMAT.replace("blocks: 3", "blocks: 5"));
    let mut writer = folder.open("c.sqlite", &longer);
    for mut record in folder.records("a.sqlite") {
        let JobId { line_up, block } = record.job;
        record.digest ^= u64::from((line_up, block) == (2, 1));
        writer.push(&played(&record)).unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    refused(
        folder.merge("out.sqlite", &["a.sqlite", "c.sqlite"]),
        "different results for last, random, block 1",
    );
    assert!(!folder.path("out.sqlite").exists());

    // A different message for the same fault is no contradiction.
    let words = Folder::new("[first, faulty, random]");
    let faulty = words.league(FORMAT);
    words.play_all("a.sqlite", &faulty, 1);
    words.copy("a.sqlite", "b.sqlite");
    let change = "UPDATE faults SET message = 'at 0x1234'";
    words.execute("b.sqlite", change);
    assert!(words.number("b.sqlite", "SELECT count(*) FROM faults") > 0);
    assert_eq!(words.digest("a.sqlite"), words.digest("b.sqlite"));
    let merged = words.merge("out.sqlite", &["a.sqlite", "b.sqlite"]);
    merged.unwrap();

    folder.play_part("shard.sqlite", &league, 1, "1/2").unwrap();
    let before = folder.digest("shard.sqlite");
    folder.copy("c.sqlite", "d.sqlite");
    refusal(folder.merge("shard.sqlite", &["c.sqlite", "a.sqlite"]));
    assert_eq!(folder.digest("shard.sqlite"), before, "all or nothing");
    assert_eq!(folder.read("shard.sqlite").league().blocks, 3);
}

#[test]
fn the_store_is_locked_before_its_league_is_selected() {
    let (folder, league, _) = nine_blocks("there.sqlite");
    for (name, is_there) in [("there.sqlite", true), ("new.sqlite", false)] {
        let writer = StoreWriter::begin(&folder.path(name), |existing| {
            assert_eq!(existing.is_some(), is_there);
            refused(folder.writer(name, &league), "is in use");
            Ok((Folder::identity(&league), folder.source()))
        });
        drop(writer.unwrap());
        assert_eq!(folder.path(name).exists(), is_there, "nothing is committed");
    }
}

#[test]
fn a_merge_that_cannot_open_its_output_removes_only_a_file_that_it_created() {
    let (folder, _, all) = nine_blocks("a.sqlite");
    let (out, log) = (folder.path("out.sqlite"), folder.path("out.sqlite-wal"));
    // SQLite cannot use a folder as its log.
    fs::create_dir(&log).unwrap();
    refusal(folder.merge("out.sqlite", &["a.sqlite"]));
    assert!(!out.exists());
    fs::write(&out, "").unwrap();
    refusal(folder.merge("out.sqlite", &["a.sqlite"]));
    assert!(out.exists(), "it may be the file of another process");
    fs::remove_dir(&log).unwrap();
    folder.merge("out.sqlite", &["a.sqlite"]).unwrap();
    assert_eq!(folder.records("out.sqlite"), all);
}

#[test]
fn a_store_with_pruned_blocks_can_be_merged() {
    let mut folder = Folder::new("[first, last, {name: x, bot: random}]");
    folder.play_all("x.sqlite", &folder.league(FORMAT), 1);
    let note = |folder: &Folder, league: &League| {
        let mut writer = folder.open("x.sqlite", league);
        writer.begin_run(1, &Part::WHOLE).unwrap();
        writer.store_output(2, "words of x").unwrap();
        writer.end_run("finished").unwrap();
        writer
    };
    drop(note(&folder, &folder.league(FORMAT)));
    folder.entrants = "[first, last, {name: x, bot: last}]";
    let edited = folder.league(FORMAT);
    let whole = folder.play_all("x.sqlite", &edited, 1);
    let mut writer = note(&folder, &edited);
    assert_eq!(writer.prune().unwrap(), 6);
    drop(writer);
    let rows = |table: &str| {
        let sql = format!(
            "SELECT count(*) FROM {table} WHERE version NOT IN (SELECT version FROM versions)"
        );
        folder.number("x.sqlite", &sql)
    };
    assert_eq!((rows("timing"), rows("words")), (0, 0));
    // Earlier releases left such rows.
    let left = "INSERT INTO timing SELECT run, 99, 1, 1, 1, 1 FROM runs; INSERT INTO words SELECT run, 99, 'x' FROM runs";
    folder.copy("x.sqlite", "old.sqlite");
    folder.execute("old.sqlite", left);
    for name in ["x.sqlite", "old.sqlite"] {
        _ = fs::remove_file(folder.path("out.sqlite"));
        folder.merge("out.sqlite", &[name]).unwrap();
        let merged = folder.read("out.sqlite");
        assert_eq!(merged.records().unwrap(), whole, "{name}");
        let timing = folder.read("x.sqlite").timing().unwrap();
        assert_eq!(merged.timing().unwrap(), timing, "{name}");
        let outputs = [(2, "words of x".to_owned())];
        assert_eq!(merged.outputs().unwrap(), outputs.into(), "{name}");
    }
}

/// Bots that are not deterministic may answer differently when a unit is played again.
#[test]
fn a_block_that_was_played_twice_with_other_answers_counts_once() {
    let (folder, league, all) = nine_blocks("whole.sqlite");
    let write = |name: &str, change: u64, answers: Option<u8>| {
        let mut writer = folder.open(name, &league);
        for record in &all {
            let mut block = played(record);
            block.record.digest ^= change;
            block.answers = answers.map(|answer| vec![answer]);
            writer.push(&block).unwrap();
        }
        writer.commit().unwrap();
    };
    write("a.sqlite", 0, Some(1));
    write("b.sqlite", 1, Some(2));
    // Answers of a bot with a time limit are stored only if it was late.
    write("c.sqlite", 2, None);
    for (first, second) in [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a")] {
        let (out, first) = (format!("{first}{second}.sqlite"), format!("{first}.sqlite"));
        let merged = folder.merge(&out, &[&first, &format!("{second}.sqlite")]);
        let expected = MergeResult {
            added: 9,
            other: 9,
            ..MergeResult::default()
        };
        assert_eq!(merged.unwrap(), expected);
        assert_eq!(folder.digest(&out), folder.digest(&first));
    }
}

#[test]
fn a_merge_reads_one_state_of_a_store_that_is_being_played() {
    let (folder, league, all) = nine_blocks("whole.sqlite");
    let mut writer = folder.open("a.sqlite", &league);
    writer.push(&played(&all[0])).unwrap();
    writer.commit().unwrap();
    let path = folder.path("a.sqlite");
    at_next_reading(move || {
        let sql = "INSERT INTO kills SELECT seating, block, 0, 7 FROM records";
        let other = rusqlite::Connection::open(path).unwrap();
        other.execute_batch(sql).unwrap();
    });
    folder.merge("out.sqlite", &["a.sqlite"]).unwrap();
    let kills = |name: &str| folder.read(name).kills().unwrap()[0].times;
    assert_eq!((kills("a.sqlite"), kills("out.sqlite")), (7, 0));
    folder.merge("out.sqlite", &["a.sqlite"]).unwrap();
    assert_eq!(kills("out.sqlite"), 7);
}

#[test]
fn parts_of_an_edited_league_are_merged_into_the_league_of_its_file() {
    let mut folder = Folder::new("[first, last, {name: x, bot: random}]");
    let old = folder.league(FORMAT);
    folder.play_all("out.sqlite", &old, 1);
    folder.copy("out.sqlite", "old.sqlite");
    folder.entrants = "[first, last, {name: x, bot: last}, random]";
    let edited = folder.league(FORMAT);
    let whole = folder.play_all("part.sqlite", &edited, 1);
    let merge = |out: &str, part: &str| {
        let league = (Folder::identity(&edited), folder.source());
        merge(&folder.path(out), &[folder.read(part)], Some(league))
    };
    refused(folder.merge("out.sqlite", &["part.sqlite"]), "--league");
    for out in ["out.sqlite", "new.sqlite"] {
        let message = refusal(merge(out, "old.sqlite"));
        has(&message, "old.sqlite` does not belong to");
        has(&message, "entrant x.bot: \"last\" in `");
        merge(out, "part.sqlite").unwrap();
        assert_eq!(folder.records(out), whole);
        assert_eq!(folder.read(out).league().entrants.len(), 4);
    }
}
