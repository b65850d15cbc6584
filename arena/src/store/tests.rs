//! What a store takes, and what it refuses.

use super::*;
use crate::mock::Folder;
use crate::schedule::Shard;
use std::fs;
use std::sync::atomic::AtomicBool;

const FORMAT: &str = "format: {kind: line-ups, size: 2}\nblocks: 3\ndeals: 4\n";

fn refusal<T>(result: Result<T, StoreError>) -> String {
    result.err().expect("this is to be refused").to_string()
}

#[test]
fn a_league_that_has_changed_is_refused_field_by_field() {
    let mut folder = Folder::new("[first, last, {name: x, bot: random, config: {a: 1}}]");
    folder.play_all("x.sqlite", &folder.league(FORMAT), 1);
    let before = fs::read(folder.path("x.sqlite")).unwrap();
    let changed = folder.league(
        "format: {kind: line-ups, size: 3}\nblocks: 2\ndeals: 5\nduplicate: true\npreset: low\nfaults: forfeit",
    );
    let message = refusal(folder.writer("x.sqlite", &changed));
    for difference in [
        "\n  - deals: 4 in the store, 5 now",
        "\n  - duplicate: false in the store, true now",
        "\n  - options.low: false in the store, true now",
        "\n  - format.size: 2 in the store, 3 now",
        "\n  - faults: \"substitute\" in the store, \"forfeit\" now",
        "\n  - blocks: 3 in the store, 2 now (they may grow, not shrink)",
        "--restart",
    ] {
        assert!(message.contains(difference), "{difference:?} is missing in: {message}");
    }
    assert_eq!(message.matches("\n  - ").count(), 6, "{message}");

    folder.entrants = "[first, last, {name: x, bot: last, config: {a: 2, b: 1}}]";
    let message = refusal(folder.writer("x.sqlite", &folder.league(FORMAT)));
    for difference in [
        "entrant x.bot: \"random\" in the store, \"last\" now",
        "entrant x.config.a: 1 in the store, 2 now",
        "entrant x.config.b: none in the store, 1 now",
        "entrant x.contents of the bot's file: \"random\" in the store, \"last\" now",
    ] {
        assert!(message.contains(difference), "{difference:?} is missing in: {message}");
    }
    assert!(fs::read(folder.path("x.sqlite")).unwrap() == before, "a refusal changes nothing");
}

#[test]
fn blocks_may_grow_and_settings_of_the_report_may_change() {
    let folder = Folder::new("[first, last, random]");
    let three = folder.play_all("x.sqlite", &folder.league(FORMAT), 2);
    let longer = folder.league(&FORMAT.replace("blocks: 3", "blocks: 5\nreport: {confidence: 0.99}"));
    let (writer, opening) = folder.writer("x.sqlite", &longer).unwrap();
    assert_eq!(opening, Opening::Found { blocks_before: 3 });
    drop(writer);
    let five = folder.play_all("x.sqlite", &longer, 2);
    assert_eq!((three.len(), five.len()), (9, 15));
    assert!(three.iter().all(|record| five.contains(record)));
    assert_eq!(five, folder.play_all("y.sqlite", &longer, 1));
    assert_eq!(folder.read("x.sqlite").league(), &longer);
}

#[test]
fn two_writers_are_one_too_many() {
    let folder = Folder::new("[first, last]");
    let league = folder.league(FORMAT);
    let (writer, _) = folder.writer("x.sqlite", &league).unwrap();
    let message = refusal(folder.writer("x.sqlite", &league));
    assert!(message.contains(&format!("in use by process {}", std::process::id())), "{message}");
    // Readers are welcome.
    assert_eq!(folder.read("x.sqlite").blocks_played().unwrap(), 0);
    drop(writer);
    assert!(!folder.path("x.sqlite.lock").exists());
    // A lock file left by a killed process holds nobody up.
    fs::write(folder.path("x.sqlite.lock"), "1").unwrap();
    assert!(folder.writer("x.sqlite", &league).is_ok());
}

#[test]
fn what_is_not_committed_is_played_again() {
    let folder = Folder::new("[first, last, random]");
    let league = folder.league(FORMAT);
    let whole = folder.play_all("whole.sqlite", &league, 1);
    let (mut writer, opening) = folder.writer("x.sqlite", &league).unwrap();
    assert_eq!(opening, Opening::New);
    writer.begin_run(1, Shard::WHOLE).unwrap();
    let timing = Timing { decisions: vec![1; 2], timed: vec![0; 2], nanos: vec![0; 2], worst_nanos: vec![0; 2] };
    writer.push(&whole[0], &timing).unwrap();
    writer.commit().unwrap();
    writer.push(&whole[1], &timing).unwrap();
    assert!(writer.is_done(whole[1].job));
    // Dropped in the middle of a batch, as a kill does.
    drop(writer);
    assert_eq!(folder.read("x.sqlite").records().unwrap(), whole[..1]);
    assert_eq!(folder.read("x.sqlite").runs().unwrap()[0].ended, None);
    assert_eq!(folder.play_all("x.sqlite", &league, 2), whole);
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let folder = Folder::new("[first, last]");
    let league = folder.league(FORMAT);
    let check = |name: &str, expected: &str| {
        let before = fs::read(folder.path(name)).unwrap();
        let written = refusal(folder.writer(name, &league));
        let read = refusal(Store::read(&folder.path(name)));
        assert!(written.contains(expected), "{written}");
        assert!(read.contains(expected), "{read}");
        assert!(fs::read(folder.path(name)).unwrap() == before, "{name} was changed");
    };
    fs::write(folder.path("text"), "not a database, but long enough to be taken for one: ".repeat(40)).unwrap();
    check("text", "not an SQLite database");

    let foreign = Connection::open(folder.path("foreign")).unwrap();
    foreign.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)").unwrap();
    drop(foreign);
    check("foreign", "another program");

    folder.play_all("later", &league, 1);
    Connection::open(folder.path("later")).unwrap().pragma_update(None, "user_version", 99).unwrap();
    check("later", "layout 99; this one knows 1");

    let missing = refusal(Store::read(&folder.path("missing")));
    assert!(missing.contains("play the league first"), "{missing}");
    let nowhere = refusal(folder.writer("no/folder/x.sqlite", &league));
    assert!(nowhere.contains("no such folder"), "{nowhere}");
    // An empty file is what a kill in the very first moment leaves.
    fs::write(folder.path("empty"), "").unwrap();
    assert_eq!(folder.play_all("empty", &league, 1).len(), 3);
}

#[test]
fn damage_is_noticed() {
    let folder = Folder::new("[first, last, random]");
    let league = folder.league("format: {kind: line-ups, size: 2}\nblocks: 2000\ndeals: 2");
    folder.play_all("x.sqlite", &league, 2);
    let good = fs::read(folder.path("x.sqlite")).unwrap();
    let damage = |name: &str, at: usize| {
        let mut bytes = good.clone();
        bytes[at..at + 4096].fill(0x5a);
        fs::write(folder.path(name), bytes).unwrap();
    };
    let pages = good.len() / 4096;
    assert!(20 < pages);
    for page in [pages / 2, pages - 2] {
        damage("broken.sqlite", page * 4096);
        let message = refusal(folder.writer("broken.sqlite", &league));
        assert!(message.contains("is damaged"), "{message}");
    }
    fs::write(folder.path("broken.sqlite"), &good[..good.len() / 2]).unwrap();
    let message = refusal(folder.writer("broken.sqlite", &league));
    assert!(message.contains("is damaged"), "{message}");

    // Damage that the database cannot see: numbers that contradict each other.
    fs::write(folder.path("numbers.sqlite"), &good).unwrap();
    let sql = "UPDATE records SET deals = deals + 1 WHERE line_up = 1 AND block = 7";
    Connection::open(folder.path("numbers.sqlite")).unwrap().execute(sql, []).unwrap();
    let message = refusal(folder.read("numbers.sqlite").records());
    assert!(message.contains("line-up 1, block 7: its places are not one a deal"), "{message}");
}

#[test]
fn merging_refuses_what_does_not_belong_together() {
    let folder = Folder::new("[first, last, random]");
    let league = folder.league(FORMAT);
    folder.play_all("a.sqlite", &league, 1);
    folder.play_all("b.sqlite", &folder.league(&FORMAT.replace("deals: 4", "deals: 5")), 1);
    let stores = |names: &[&str]| names.iter().map(|name| folder.read(name)).collect::<Vec<_>>();
    let message = refusal(merge(&folder.path("out.sqlite"), &stores(&["a.sqlite", "b.sqlite"])));
    assert!(message.contains("deals: 4 in `") && message.contains("a.sqlite`, 5 in `"), "{message}");
    assert!(!folder.path("out.sqlite").exists());

    fs::copy(folder.path("a.sqlite"), folder.path("c.sqlite")).unwrap();
    let sql = "UPDATE records SET digest = digest + 1 WHERE line_up = 2 AND block = 1";
    Connection::open(folder.path("c.sqlite")).unwrap().execute(sql, []).unwrap();
    let message = refusal(merge(&folder.path("out.sqlite"), &stores(&["a.sqlite", "c.sqlite"])));
    assert!(message.contains("different results for line-up 2, block 1"), "{message}");
    assert!(!folder.path("out.sqlite").exists());

    // Other words for the same fault are no contradiction.
    let words = Folder::new("[first, faulty, random]");
    let faulty = words.league(FORMAT);
    words.play_all("a.sqlite", &faulty, 1);
    fs::copy(words.path("a.sqlite"), words.path("b.sqlite")).unwrap();
    let changed =
        Connection::open(words.path("b.sqlite")).unwrap().execute("UPDATE faults SET message = 'at 0x1234'", []);
    assert!(0 < changed.unwrap());
    assert_eq!(words.read("a.sqlite").digest().unwrap(), words.read("b.sqlite").digest().unwrap());
    merge(&words.path("out.sqlite"), &[words.read("a.sqlite"), words.read("b.sqlite")]).unwrap();

    let stop = AtomicBool::new(false);
    folder.play("shard.sqlite", &league, (1, "1/2"), &stop, &mut ()).unwrap();
    let before = folder.read("shard.sqlite").digest().unwrap();
    fs::copy(folder.path("c.sqlite"), folder.path("d.sqlite")).unwrap();
    refusal(merge(&folder.path("shard.sqlite"), &stores(&["c.sqlite", "a.sqlite"])));
    assert_eq!(folder.read("shard.sqlite").digest().unwrap(), before, "all or nothing");
}

#[test]
fn reading_goes_on_while_it_is_written() {
    let folder = Folder::new("[first, last, random]");
    let league = folder.league(FORMAT);
    let whole = folder.play_all("whole.sqlite", &league, 1);
    let (mut writer, _) = folder.writer("x.sqlite", &league).unwrap();
    let reader = folder.read("x.sqlite");
    let timing = Timing { decisions: vec![1; 2], timed: vec![0; 2], nanos: vec![0; 2], worst_nanos: vec![0; 2] };
    for (count, record) in whole.iter().enumerate() {
        writer.push(record, &timing).unwrap();
        assert_eq!(reader.records().unwrap().len(), count, "what is not safe is not shown");
        writer.commit().unwrap();
        assert_eq!(reader.records().unwrap(), whole[..=count]);
        assert_eq!(reader.record(record.job).unwrap().as_ref(), Some(record));
    }
}
