//! The store with failures of the machine: full disks, read-only folders, damaged or unrelated
//! files, and hosts that start at the same time. No block is lost or played twice, or the store is
//! rejected with the file, the cause and a remedy.

use crate::support::{Ended, Folder, PROGRAM, ended, has, wait};
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use std::process::Command;

const LEAGUE: &str = "\
game: daihinmin
seed: 11
entrants: [base, all-k, single, default, random, plain]
format: {kind: line-ups, size: 5}
blocks: 60
deals: 5
";

/// Runs a shell script in a separate mount namespace.
///
/// # Panics
/// Panics if this machine does not allow it.
#[cfg(target_os = "linux")]
fn with_mounts(folder: &Path, script: &str) -> Ended {
    // As root without a user namespace, which some machines forbid; as another user with one.
    for way in [
        ["--mount", "--propagation=private"],
        ["--map-root-user", "--mount"],
    ] {
        let probe = [
            "sh",
            "-c",
            "mkdir -p probe && mount -t tmpfs -o size=64k none probe",
        ];
        let probed = Command::new("unshare")
            .args(way)
            .args(probe)
            .current_dir(folder)
            .output();
        if probed.is_ok_and(|output| output.status.success()) {
            let mut command = Command::new("unshare");
            command
                .args(way)
                .args(["sh", "-euc", script])
                .current_dir(folder)
                .env("HATTARI", PROGRAM);
            command.env_remove("HATTARI_BOTS").env_remove("HATTARI_LOG");
            return ended(&mut command);
        }
    }
    panic!("mounting is not allowed here (unshare --mount): run as root or allow user namespaces");
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "needs `unshare --mount` (root or user namespaces)"]
fn a_full_disk_loses_no_stored_blocks() {
    let folder = Folder::of(LEAGUE);
    folder.run("whole.sqlite", "--blocks 4000 --quiet");
    let whole = fs::metadata(folder.path("whole.sqlite")).unwrap().len();
    // From no space for a store to nearly enough.
    for size in [8 << 10, 40 << 10, 120 << 10, whole / 2, whole - (64 << 10)] {
        let script = format!(
            "mkdir -p disk && mount -t tmpfs -o size={size} none disk
            set +e
            \"$HATTARI\" run x.yaml --no-report --quiet --blocks 4000 --store disk/x.sqlite; echo \"first $?\"
            \"$HATTARI\" records disk/x.sqlite > kept-{size}.txt 2> kept-{size}.err; echo \"read $?\"
            # A second try on the full disk is refused too, and harms nothing.
            \"$HATTARI\" run x.yaml --no-report --quiet --blocks 4000 --store disk/x.sqlite; echo \"again $?\"
            mount -o remount,size=64m disk
            \"$HATTARI\" run x.yaml --no-report --quiet --blocks 4000 --store disk/x.sqlite; echo \"room $?\"
            cp disk/x.sqlite out-{size}.sqlite"
        );
        let ended = with_mounts(folder.root(), &script);
        let ended = ended.code(0).says(["first 2\n", "again 2\n", "room 0\n"]);
        ended.complains([
            "the disk is full: cannot write the store `disk/x.sqlite`",
            "free some space and run again",
        ]);
        let full = folder.printed("whole.sqlite");
        assert_eq!(
            folder.printed(&format!("out-{size}.sqlite")),
            full,
            "{size} bytes"
        );
        let kept = folder.read(&format!("kept-{size}.txt"));
        let all: std::collections::HashSet<&str> = full.lines().collect();
        assert!(
            kept.lines().all(|line| all.contains(line)),
            "what was kept on a disk of {size} bytes"
        );
        let some = kept.lines().count();
        assert!(
            size < 300 << 10 || some > 1000,
            "{some} lines were kept of a disk of {size} bytes"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "needs `unshare --mount` (root or user namespaces)"]
fn a_read_only_folder_refuses_runs_and_allows_reports() {
    let folder = Folder::of(LEAGUE);
    fs::create_dir(folder.path("shelf")).unwrap();
    folder.run("shelf/old.sqlite", "--blocks 3");
    let script = "mount --bind shelf shelf && mount -o remount,bind,ro shelf
        set +e
        for store in shelf/new.sqlite shelf/old.sqlite; do
            \"$HATTARI\" run x.yaml --no-report --store $store; echo \"$store $?\"
        done
        \"$HATTARI\" run x.yaml --no-report --restart --store shelf/old.sqlite; echo \"restart $?\"
        \"$HATTARI\" records shelf/old.sqlite > read.txt; echo \"read $?\"
        \"$HATTARI\" report shelf/old.sqlite > /dev/null; echo \"report $?\"";
    let ended = with_mounts(folder.root(), script);
    let ended = ended.code(0).says([
        "shelf/new.sqlite 2\n",
        "shelf/old.sqlite 2\n",
        "restart 2\n",
    ]);
    let ended = ended.says(["read 0\n", "report 0\n"]);
    for store in ["shelf/new.sqlite", "shelf/old.sqlite"] {
        ended
            .err
            .lines()
            .find(|line| line.contains(&format!("`{store}` cannot be written")))
            .expect(store);
    }
    ended.complains("make its folder writable, or give another store");
    assert_eq!(folder.read("read.txt"), folder.printed("shelf/old.sqlite"));
    assert_eq!(
        fs::read_dir(folder.path("shelf")).unwrap().count(),
        1,
        "nothing is left behind"
    );
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "needs `unshare --mount` (root or user namespaces)"]
fn an_export_to_a_full_disk_is_an_error_and_keeps_the_existing_file() {
    let folder = Folder::of(LEAGUE);
    let script = "mkdir -p disk && mount -t tmpfs -o size=64k none disk
        set +e
        for file in disk/games.jsonl disk/games.jsonl.gz; do
            echo before > $file
            \"$HATTARI\" export corpus x.yaml --output $file; echo \"export $?\"
            cat $file
        done
        \"$HATTARI\" export parquet x.yaml --output disk --tables samples; echo \"tables $?\"
        ls -A disk";
    folder.run("x.sqlite", "--blocks 2000");
    let ended = with_mounts(folder.root(), script).code(0);
    let ended = ended.complains([
        "games.jsonl cannot be written",
        "games.jsonl.gz cannot be written",
    ]);
    assert_eq!(
        ended.out,
        "export 2\nbefore\nexport 2\nbefore\ntables 2\ngames.jsonl\ngames.jsonl.gz\n"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn messages_that_cannot_be_written_do_not_end_a_command() {
    let folder = Folder::of(LEAGUE);
    for (arguments, code) in [
        ("run x.yaml", 0),
        ("report x.yaml --html -vvv", 0),
        ("run none.yaml", 2),
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let ended = ended(folder.command(arguments).stderr(full));
        assert_eq!(ended.code, code, "{arguments}");
    }
    assert!(folder.path("x.html").exists());
}

/// Asserts that a damaged store is rejected with its name and a remedy, or has its original
/// contents.
fn refused_or_right(folder: &Folder, store: &str, whole: &str, what: &str) -> bool {
    let read = folder.hattari(format!("store records {store}"));
    let says_all = |ended: &Ended| {
        let err = &ended.err;
        assert_eq!(ended.code, 2, "{what}: {err}");
        has(err, store);
        let says = |texts: [&str; 2]| texts.iter().any(|text| err.contains(text));
        let remedies = [
            "restore a copy of it, or move it away and play again",
            "give another store",
        ];
        let causes = ["is damaged", "is not a store of Hattari"];
        assert!(says(causes) && says(remedies), "{what}: {err}");
    };
    if read.code == 0 {
        assert_eq!(read.out, whole, "{what}: other records than were stored");
    } else {
        says_all(&read);
    }
    let before = folder.bytes(store);
    let run = folder.try_run(store, "--quiet");
    if run.code == 0 {
        assert_eq!(folder.printed(store), whole, "{what}: after a run");
    } else {
        says_all(&run);
        let now = folder.bytes(store);
        assert!(now == before, "{what}: a refused store was changed");
    }
    run.code == 0
}

#[test]
fn a_damaged_store_is_refused_or_gives_correct_records() {
    let folder = Folder::of(LEAGUE);
    folder.run("whole.sqlite", "");
    let (good, whole) = (folder.bytes("whole.sqlite"), folder.printed("whole.sqlite"));
    let mut refused = 0;
    let mut check = |what: String, bytes: &[u8]| {
        folder.write("x.sqlite", bytes);
        refused += u32::from(!refused_or_right(&folder, "x.sqlite", &whole, &what));
    };
    let page = 4096;
    // The header, page headers, and cells; a few bytes or many.
    let pages = good.len() / page;
    let ranges = [
        (0, 16),
        (16, 8),
        (40, 60),
        (100, 8),
        (page, 8),
        (page * (pages / 2), 12),
    ];
    for (at, count) in ranges {
        let mut bytes = good.clone();
        bytes[at..at + count].fill(0xa5);
        check(format!("{count} bytes at {at}"), &bytes);
    }
    for number in 0..6_usize {
        let at = (number * 2_654_435_761) % (good.len() - 64);
        let mut bytes = good.clone();
        for byte in &mut bytes[at..at + 1 + number * 5] {
            *byte = byte.wrapping_mul(31).wrapping_add(77);
        }
        check(format!("{} bytes at {at}", 1 + number * 5), &bytes);
    }
    for length in [1, 100, page, good.len() / 2, good.len() - 1] {
        check(format!("the first {length} bytes"), &good[..length]);
    }
    assert!(refused >= 8, "only {refused} were noticed");
}

#[test]
fn an_empty_file_is_a_new_store() {
    let folder = Folder::of(LEAGUE);
    folder.run("whole.sqlite", "--blocks 3");
    folder.write("x.sqlite", "");
    folder.refuses(
        "store records x.sqlite",
        "`x.sqlite` is not a store of Hattari (the file is empty)",
    );
    fs::create_dir(folder.path("d.sqlite")).unwrap();
    folder.refuses(
        "report d.sqlite",
        "`d.sqlite` is not a store of Hattari (it is a folder)",
    );
    // What a process leaves that is killed after the journal mode was set, and before the tables.
    let database = Connection::open(folder.path("killed.part")).unwrap();
    database.pragma_update(None, "journal_mode", "WAL").unwrap();
    drop(database);
    assert!(fs::metadata(folder.path("killed.part")).unwrap().len() > 0);
    folder
        .succeeds("cluster merge none.sqlite killed.part")
        .says("skipped killed.part: it is empty");
    assert!(!folder.path("none.sqlite").exists());
    let stores = ["killed.part", "whole.sqlite", "x.sqlite"];
    folder
        .succeeds(("cluster merge all.sqlite", &stores))
        .says("skipped x.sqlite: it is empty");
    assert_eq!(folder.printed("all.sqlite"), folder.printed("whole.sqlite"));
    folder.run("x.sqlite", "--blocks 3");
}

/// Files of all kinds are tested in `arena/play/src/store/tests.rs`.
#[test]
fn a_file_of_another_program_is_refused_and_never_discarded() {
    let folder = Folder::of(LEAGUE);
    folder.write("diary.sqlite", "dear diary\n");
    folder.refuses("store records diary.sqlite", "not an SQLite database");
    folder
        .try_run("diary.sqlite", "--restart")
        .code(2)
        .complains(["diary.sqlite", "give another store"]);
    assert_eq!(folder.read("diary.sqlite"), "dear diary\n");
}

#[test]
fn hosts_started_at_the_same_time_play_each_block_once() {
    let folder = Folder::of(LEAGUE);
    folder.run("whole.sqlite", "--blocks 100");
    let whole = folder.printed("whole.sqlite");
    for round in 0..2 {
        let store = format!("{round}.sqlite");
        let shards = ["1/1", "1/2", "2/2", "1/1"];
        let start = |shard: &&str| {
            let arguments = format!(
                "run x.yaml --no-report --blocks 100 --store {store} --jobs 1 --shard {shard}"
            );
            folder.start(arguments)
        };
        let hosts: Vec<_> = shards.iter().map(start).collect();
        let mut played = 0;
        for host in hosts {
            let ended = wait(host);
            if ended.code == 0 {
                played += 1;
                continue;
            }
            // The owner writes its process number just after it has the lock, so the number may be
            // missing.
            let refused = ended
                .code(2)
                .complains(&format!("the store `{store}` is in use"));
            refused.complains("give another store");
        }
        assert!(played > 0);
        folder.run(&store, "--blocks 100");
        assert_eq!(folder.printed(&store), whole);
        let runs = folder.store(&store).runs().unwrap();
        assert_eq!(
            runs.iter().map(|run| run.blocks).sum::<u64>(),
            600,
            "every block is played once: {runs:?}"
        );
    }
}
