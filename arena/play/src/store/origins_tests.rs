//! Tests of the origins of blocks.

use super::tests::{FORMAT, nine_blocks, refused};
use super::*;
use crate::mock::Folder;
use std::collections::BTreeMap;
use std::fs;

/// Copies a store, and deletes the blocks and runs that are later than `time` from the copy.
fn delete_later(folder: &Folder, from: &str, to: &str, time: i64) {
    folder.copy(from, to);
    let statements = format!(
        "DELETE FROM faults WHERE (seating, block) IN (SELECT seating, block FROM records WHERE stored > {time});
         DELETE FROM kills WHERE (seating, block) IN (SELECT seating, block FROM records WHERE stored > {time});
         DELETE FROM records WHERE stored > {time};
         DELETE FROM runs WHERE started > {time}"
    );
    folder.execute(to, &statements);
}

/// Sets the machine and the time of all blocks of a store.
fn set_origin(folder: &Folder, name: &str, machine: &str, stored: i64) {
    let statements =
        format!("UPDATE machines SET name = '{machine}'; UPDATE records SET stored = {stored}");
    folder.execute(name, &statements);
}

/// Returns the number of blocks by origin.
fn counts(store: &Store) -> BTreeMap<(Option<i64>, Option<String>), u64> {
    let mut counts = BTreeMap::new();
    store
        .each_origin(|_, Origin { stored, machine }| {
            *counts.entry((stored, machine)).or_default() += 1;
        })
        .unwrap();
    counts
}

fn origin(stored: i64, machine: &str) -> (Option<i64>, Option<String>) {
    (Some(stored), Some(machine.to_owned()))
}

#[test]
fn a_block_has_the_time_at_which_it_was_stored() {
    let folder = Folder::new("[first, last, random]");
    let seconds = || write::since_1970().as_secs().cast_signed();
    let before = seconds();
    folder.play_all("x.sqlite", &folder.league(FORMAT), 2);
    let after = seconds();
    let store = folder.read("x.sqlite");
    let counts = counts(&store);
    assert_eq!(counts.values().sum::<u64>(), 9);
    for (stored, machine) in counts.keys() {
        assert!(stored.is_some_and(|stored| (before..=after).contains(&stored)));
        assert_eq!(machine, &origins::machine());
    }
}

#[test]
fn a_merge_keeps_origins_and_takes_the_earlier_one_in_any_order() {
    let (folder, league, _) = nine_blocks("whole.sqlite");
    folder.play_part("part.sqlite", &league, 1, "1/2").unwrap();
    set_origin(&folder, "whole.sqlite", "b", 200);
    set_origin(&folder, "part.sqlite", "a", 100);
    folder.copy("whole.sqlite", "old.sqlite");
    let unknown = "UPDATE records SET stored = NULL, machine = NULL";
    folder.execute("old.sqlite", unknown);
    let part = folder.read("part.sqlite").blocks_played().unwrap();
    let expected = BTreeMap::from([(origin(100, "a"), part), (origin(200, "b"), 9 - part)]);
    let digest = folder.digest("whole.sqlite");
    for order in [
        ["whole.sqlite", "part.sqlite", "old.sqlite"],
        ["old.sqlite", "part.sqlite", "whole.sqlite"],
    ] {
        _ = fs::remove_file(folder.path("out.sqlite"));
        for _ in 0..2 {
            folder.merge("out.sqlite", &order).unwrap();
            let merged = folder.read("out.sqlite");
            assert_eq!(counts(&merged), expected, "{order:?}");
            assert_eq!(merged.digest().unwrap(), digest, "they are not part of it");
        }
    }
}

#[test]
fn blocks_of_an_earlier_layout_have_no_origin() {
    let (folder, ..) = nine_blocks("x.sqlite");
    let longer = folder.league(&FORMAT.replace("blocks: 3", "blocks: 4"));
    let older = format!("{} PRAGMA user_version = 5", layout::FIRST);
    folder.execute("x.sqlite", &older);
    assert_eq!(counts(&folder.read("x.sqlite")), [((None, None), 9)].into());
    folder.merge("out.sqlite", &["x.sqlite"]).unwrap();
    for name in ["x.sqlite", "out.sqlite"] {
        folder.play_all(name, &longer, 1);
        let counts = counts(&folder.read(name));
        assert_eq!(counts[&(None, None)], 9, "{name}");
        assert_eq!(counts.values().sum::<u64>(), 12, "{name}");
    }
}

#[test]
fn names_of_machines_from_other_stores_are_cut_and_harmless() {
    let folder = Folder::new("[first, last]");
    folder.play_all("x.sqlite", &folder.league(FORMAT), 1);
    let name = format!("\u{1b}[31m{}", "x".repeat(1000));
    set_origin(&folder, "x.sqlite", &name, 1);
    let counts = counts(&folder.read("x.sqlite"));
    let (_, machine) = counts.keys().next().unwrap();
    let machine = machine.as_deref().unwrap();
    assert!(
        !machine.contains('\u{1b}') && machine.len() < 120,
        "{machine}"
    );
}

#[test]
fn machines_without_blocks_are_pruned() {
    let (folder, league, _) = nine_blocks("x.sqlite");
    folder.execute("x.sqlite", "INSERT INTO machines (name) VALUES ('gone')");
    let machines = || folder.read("x.sqlite").machines().unwrap();
    assert_eq!(machines(), 2);
    let mut writer = folder.open("x.sqlite", &league);
    writer.prune().unwrap();
    drop(writer);
    assert_eq!(machines(), 1);
    assert_eq!(counts(&folder.read("x.sqlite")).values().sum::<u64>(), 9);
}

#[test]
fn a_store_as_of_a_time_is_one_without_the_later_blocks() {
    let folder = Folder::new("[first, last, faulty, {name: x, bot: random}]");
    for (name, league) in [
        ("plain.sqlite", FORMAT),
        (
            "sequential.sqlite",
            "format: {kind: line-ups, size: 2}\nblocks: 40\ndeals: 4\nsequential: {}\n",
        ),
        (
            "rounds.sqlite",
            "format: {kind: swiss, rounds: 3, size: 2}\nblocks: 2\ndeals: 1",
        ),
    ] {
        folder.play_all(name, &folder.league(league), 1);
        // In the order of play, one block a second.
        folder.execute(
            name,
            "UPDATE records SET stored = 100 * block + seating;
             INSERT INTO kills SELECT seating, block, 0, 2 FROM records",
        );
        for time in [0, 2, 101, 104, 1_805, 1_000_000] {
            delete_later(&folder, name, "part.sqlite", time);
            let part = folder.read("part.sqlite");
            let store = folder.read(name).until(time).unwrap();
            assert_eq!(store.end_time, Some(time));
            assert_eq!(store.records().unwrap(), part.records().unwrap());
            assert_eq!(store.kills().unwrap(), part.kills().unwrap());
            assert_eq!(store.runs().unwrap(), part.runs().unwrap());
            assert_eq!(store.round_schedule(), part.round_schedule());
            assert_eq!(store.schedule.jobs(), part.schedule.jobs());
            assert_eq!(counts(&store), counts(&part));
            let rounds = |store: &Store| store.stopping().map(|stopping| stopping.rounds);
            assert_eq!(rounds(&store), rounds(&part), "{name} as of {time}");
        }
    }
}

#[test]
fn blocks_without_a_time_cannot_be_read_as_of_a_time() {
    let (folder, ..) = nine_blocks("x.sqlite");
    folder.copy("x.sqlite", "old.sqlite");
    let older = format!("{} PRAGMA user_version = 5", layout::FIRST);
    folder.execute("old.sqlite", &older);
    let untimed = "UPDATE records SET stored = NULL WHERE block = 1 AND seating = 1";
    folder.execute("x.sqlite", untimed);
    for (name, expected) in [
        (
            "x.sqlite",
            "1 block without a time, because an earlier version of Hattari stored it.",
        ),
        (
            "old.sqlite",
            "9 blocks without a time, because an earlier version of Hattari stored them.",
        ),
    ] {
        refused(folder.read(name).until(1_000), expected);
    }
}
