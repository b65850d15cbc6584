//! Tests of malicious stores. Nothing in their schema is executed.

use super::tests::{FORMAT, nine_blocks, refusal, refused};
use super::*;
use crate::mock::{Folder, has};
use std::fs;

/// A query with endless rows.
const ENDLESS: &str =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";

/// Returns SQL that replaces a table by a view.
fn view(table: &str, body: &str) -> String {
    format!("ALTER TABLE {table} RENAME TO real_{table}; CREATE VIEW {table} AS {body}")
}

/// Returns changes to a store's schema, each with a text that the error message must contain.
fn schemas() -> Vec<(String, &'static str)> {
    let swap = |table: &str, from: &str, to: &str| {
        format!(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '{from}', '{to}') WHERE name = '{table}'; \
             PRAGMA writable_schema = RESET"
        )
    };
    vec![
        (
            view("league", &format!("SELECT 1 AS only, identity, file, source FROM real_league WHERE (SELECT count(*) FROM ({ENDLESS})) > 0")),
            "real_league",
        ),
        (view("records", &format!("SELECT r.* FROM real_records AS r, ({ENDLESS})")), "real_records"),
        (
            view("league", "SELECT 1 AS only, identity, file, hex(zeroblob(450000000)) AS source FROM real_league"),
            "real_league",
        ),
        (view("answers", "SELECT seating, block, zeroblob(900000000) AS packed FROM records"), "real_answers"),
        (
            "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records WHERE block < new.block; END".into(),
            "trigger `t` of `records`",
        ),
        (
            "CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT length(zeroblob(900000000)); END".into(),
            "trigger `t` of `runs`",
        ),
        ("CREATE VIEW v AS SELECT 1".into(), "view `v`"),
        ("CREATE INDEX i ON faults (length(message))".into(), "index `i` of `faults`"),
        ("CREATE TABLE more (x)".into(), "table `more`"),
        ("CREATE VIRTUAL TABLE more USING fts5(x)".into(), "`more`"),
        ("DROP TABLE words; CREATE VIRTUAL TABLE words USING fts5(run, version, text)".into(), "table `words"),
        ("ANALYZE".into(), "table `sqlite_stat1`"),
        ("DROP TABLE kills".into(), "lacks table `kills`"),
        ("ALTER TABLE runs ADD COLUMN more TEXT AS (hex(zeroblob(9)))".into(), "column `more` of `runs`"),
        ("ALTER TABLE runs ADD COLUMN more TEXT DEFAULT 'x'".into(), "column `more` of `runs`"),
        (
            "DROP TABLE words; CREATE TABLE words (run TEXT NOT NULL, version INTEGER NOT NULL REFERENCES versions ON DELETE CASCADE, \
             words TEXT NOT NULL, PRIMARY KEY (run, version)) STRICT, WITHOUT ROWID"
                .into(),
            "foreign key of `words`",
        ),
        (swap("runs", "blocks INTEGER NOT NULL", "blocks INTEGER"), "column `blocks` of `runs`"),
        (swap("runs", "STRICT, ", ""), "table `runs`"),
    ]
}

#[test]
fn a_store_with_a_foreign_schema_is_refused_and_unchanged() {
    let (folder, league, _) = nine_blocks("good.sqlite");
    for (change, named) in schemas() {
        let path = folder.path("bad.sqlite");
        folder.copy("good.sqlite", "bad.sqlite");
        folder.execute("bad.sqlite", &change);
        let before = fs::read(&path).unwrap();
        let good = || [folder.read("good.sqlite")];
        for (way, message) in [
            ("read", refusal(Store::read(&path))),
            ("write", refusal(folder.writer("bad.sqlite", &league))),
            ("merge", refusal(merge(&path, &good(), None))),
            ("remove", refusal(remove(&path))),
        ] {
            assert!(
                message.contains("is not a store of Hattari (its schema ")
                    && message.contains(named),
                "{way}, {change}: {message}"
            );
        }
        assert!(
            fs::read(&path).unwrap() == before,
            "{change}: it was changed"
        );
    }
}

/// A constraint that calls a function is not found by the check of the schema.
#[test]
fn check_constraints_in_a_store_are_not_executed() {
    let (folder, league) = Folder::with_league("[first, last, random]", FORMAT);
    let fewer = folder.league(&FORMAT.replace("blocks: 3", "blocks: 2"));
    folder.play_all("x.sqlite", &fewer, 1);
    let change = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'block INTEGER NOT NULL', \
                  'block INTEGER NOT NULL CHECK (length(hex(zeroblob(block * 450000000))) > 9)') WHERE name = 'records'; \
                  PRAGMA writable_schema = RESET";
    folder.execute("x.sqlite", change);
    assert_eq!(
        folder.play_all("x.sqlite", &league, 1),
        folder.play_all("plain.sqlite", &league, 1)
    );
}

#[test]
fn stores_with_every_earlier_layout_can_be_opened() {
    let (folder, league, whole) = nine_blocks("new.sqlite");
    // The definition of this table in version 0.2.
    let records = "CREATE TABLE records (seating INTEGER NOT NULL, block INTEGER NOT NULL, deals INTEGER NOT NULL, /* places */ forfeits \
                   INTEGER NOT NULL, digest INTEGER NOT NULL, sums BLOB NOT NULL, products BLOB NOT NULL, lagged BLOB NOT NULL, places BLOB \
                   NOT NULL, fault_counts BLOB NOT NULL, ahead BLOB NOT NULL, checksum INTEGER NOT NULL, -- of all of it\n answers INTEGER, \
                   PRIMARY KEY (seating, block)) STRICT, WITHOUT ROWID";
    let older = format!(
        "ALTER TABLE league DROP COLUMN seal; DROP TABLE machines; DROP TABLE reviews; ALTER TABLE records RENAME TO new; {records}; INSERT INTO records SELECT seating, block, deals, forfeits, digest, sums, products, \
         lagged, places, fault_counts, ahead, checksum, answers FROM new WHERE luck IS NULL AND block < 2; DROP TABLE new; PRAGMA user_version = 5"
    );
    folder.copy("new.sqlite", "5.sqlite");
    folder.execute("5.sqlite", &older);
    let mut part = whole.clone();
    part.retain(|record| record.job.block < 2);
    assert_eq!(folder.records("5.sqlite"), part);
    let layout = || folder.number("5.sqlite", "PRAGMA user_version");
    assert_eq!(layout(), 5, "reading changes nothing");
    assert_eq!(folder.play_all("5.sqlite", &league, 1), whole);
    assert_eq!(layout(), schema::LAYOUT);
    assert_eq!(folder.records("5.sqlite"), whole);
    let mut statements = layout::FIRST.to_owned();
    for (number, step) in schema::UPGRADES {
        statements += &format!("{step}; PRAGMA user_version = {number};");
        let name = format!("layout-{number}.sqlite");
        folder.copy("new.sqlite", &name);
        folder.execute(&name, &statements);
        assert_eq!(folder.records(&name), whole);
        assert_eq!(folder.play_all(&name, &league, 1), whole);
        let played = folder.number(&name, "PRAGMA user_version");
        assert_eq!(played, schema::LAYOUT);
    }
    // The layout number and the columns must match.
    let without_luck = "ALTER TABLE records DROP COLUMN machine; ALTER TABLE records DROP COLUMN stored; \
                        ALTER TABLE records DROP COLUMN luck";
    for (number, change, expected) in [
        (5, "", "its schema has table `"),
        (6, "", "its schema has table `"),
        (7, "", "its schema has table `machines`"),
        (8, "", "its schema has column `seal` of `league`"),
        (
            schema::LAYOUT,
            without_luck,
            "its schema lacks column `luck` of `records`",
        ),
        (
            schema::LAYOUT,
            "ALTER TABLE records DROP COLUMN machine",
            "its schema lacks column `machine` of `records`",
        ),
    ] {
        folder.copy("new.sqlite", "odd.sqlite");
        let statements = format!("{change}; PRAGMA user_version = {number}");
        folder.execute("odd.sqlite", &statements);
        refused(Store::read(&folder.path("odd.sqlite")), expected);
    }
}

#[test]
fn oversized_values_in_a_store_are_rejected() {
    let folder = Folder::new("[first, last]");
    folder.play_all("good.sqlite", &folder.league(FORMAT), 1);
    for change in [
        "UPDATE league SET source = CAST(zeroblob(70000000) AS TEXT)",
        "UPDATE league SET identity = '[' || replace(hex(zeroblob(7000000)), '00', '[]  ,')",
        "UPDATE records SET sums = zeroblob(70000000)",
        "UPDATE records SET sums = zeroblob(30000000), products = zeroblob(40000000)",
    ] {
        folder.copy("good.sqlite", "bad.sqlite");
        folder.execute("bad.sqlite", change);
        let message =
            refusal(Store::read(&folder.path("bad.sqlite")).and_then(|store| store.records()));
        let is_one_value = change.contains("70000000");
        let expected = if is_one_value {
            "more than 64 MiB"
        } else {
            "is damaged"
        };
        has(&message, expected);
    }
}

/// Pages that point to each other turn a small file into an endless table.
#[test]
fn tables_with_cyclic_pages_are_rejected() {
    let (folder, league) = Folder::with_league(
        "[first, last, random]",
        "format: {kind: line-ups, size: 2}\nblocks: 4000\ndeals: 2",
    );
    folder.play_all("x.sqlite", &league, 1);
    let number = |sql: &str| usize::try_from(folder.number("x.sqlite", sql)).unwrap();
    let root = number("SELECT rootpage FROM sqlite_schema WHERE name = 'records'");
    let page = number("PRAGMA page_size");
    let mut bytes = fs::read(folder.path("x.sqlite")).unwrap();
    let interior = |bytes: &[u8], number: usize| bytes[(number - 1) * page] == 2;
    assert!(interior(&bytes, root), "the table has several pages");
    // All pages below the root, and the root's last page, become the same interior page, twenty
    // levels deep.
    let children = |bytes: &[u8], number: usize| {
        let at = (number - 1) * page;
        let cells = u16::from_be_bytes([bytes[at + 3], bytes[at + 4]]);
        let cell = |i: u16| {
            let pointer = at + 12 + 2 * usize::from(i);
            at + usize::from(u16::from_be_bytes([bytes[pointer], bytes[pointer + 1]]))
        };
        (0..cells).map(cell).chain([at + 8]).collect::<Vec<_>>()
    };
    let leaf = u32::from_be_bytes(bytes[children(&bytes, root)[0]..][..4].try_into().unwrap());
    let levels = 15;
    let pages = bytes.len() / page;
    let root_page = bytes[(root - 1) * page..][..page].to_vec();
    (0..levels).for_each(|_| bytes.extend(&root_page));
    for level in 0..=levels {
        let number = if level == 0 { root } else { pages + level };
        let below = if level == levels {
            leaf
        } else {
            u32::try_from(pages + level + 1).unwrap()
        };
        for at in children(&bytes, number) {
            bytes[at..at + 4].copy_from_slice(&below.to_be_bytes());
        }
    }
    let count = u32::try_from(pages + levels).unwrap();
    bytes[28..32].copy_from_slice(&count.to_be_bytes());
    fs::write(folder.path("x.sqlite"), bytes).unwrap();

    refused(folder.read("x.sqlite").records(), "duplicate record");
    refused(
        folder.read("x.sqlite").versions(),
        "far more steps than expected for its size",
    );
    refused(folder.writer("x.sqlite", &league), "is damaged");
}

/// Ordinary stores are far from the limit of steps: even the most thorough reading takes a small
/// part of the allowed steps.
#[test]
fn reading_an_ordinary_store_stays_far_below_the_step_limit() {
    let (folder, league) = Folder::with_league(
        "[first, last, random, faulty]",
        "format: {kind: line-ups, size: 2}\nblocks: 2000\ndeals: 2",
    );
    folder.play_all("x.sqlite", &league, 1);
    let store = folder.read("x.sqlite");
    let bytes = fs::metadata(folder.path("x.sqlite")).unwrap().len();
    for (what, read) in [
        (
            "records",
            &(|store: &Store| drop(store.records().unwrap())) as &dyn Fn(&Store),
        ),
        ("versions", &|store| drop(store.versions().unwrap())),
        ("aside", &|store| drop(store.unused_blocks().unwrap())),
        ("kills", &|store| drop(store.kills().unwrap())),
    ] {
        read(&store);
        let steps = store.database.steps();
        assert!(
            steps < 4 * bytes && (steps > 0 || what != "records"),
            "{what}: {steps} steps for {bytes} bytes"
        );
    }
}
