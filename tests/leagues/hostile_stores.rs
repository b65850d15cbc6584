//! Malicious stores, opened with every command that reads stores.
#![cfg(unix)]

use crate::support::server::Server;
use crate::support::{Ended, Folder, PROGRAM, ended, project, shell};
use rusqlite::Connection;
use std::fs;
use std::process::Command;

const LEAGUE: &str = "\
game: daihinmin
seed: 11
entrants: [base, all-k, single, default, random]
format: {kind: line-ups, size: 5}
blocks: 4
deals: 4
";

/// Changes to a store of two blocks: an endless view, and a trigger that deletes results. More of
/// them are tested in `arena/play/src/store/hostile_tests.rs`.
const CHANGES: [(&str, &str); 2] = [
    (
        "endless.sqlite",
        "ALTER TABLE records RENAME TO real_records; CREATE VIEW records AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) \
         SELECT real_records.* FROM real_records, c",
    ),
    (
        "deletes.sqlite",
        "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records WHERE block < new.block; END",
    ),
];

/// Returns a folder with the league, a store of two of its blocks, and malicious copies of it.
fn folder() -> Folder {
    let folder = Folder::of(LEAGUE);
    folder.run("good.sqlite", "--quiet --blocks 2");
    for (name, change) in CHANGES {
        fs::copy(folder.path("good.sqlite"), folder.path(name)).unwrap();
        Connection::open(folder.path(name))
            .unwrap()
            .execute_batch(change)
            .unwrap();
    }
    folder
}

/// Runs the program with ten seconds of processor time, so that endless work fails.
fn limited(folder: &Folder, arguments: &str) -> Ended {
    let line = format!("ulimit -t 10; exec hattari {arguments}");
    shell(folder.root(), &line)
}

#[test]
fn every_command_refuses_hostile_stores_and_does_not_change_them() {
    let folder = folder();
    for (name, _) in CHANGES {
        let before = folder.bytes(name);
        for arguments in [
            "run x.yaml --no-report --store NAME",
            "run x.yaml --dry-run --store NAME",
            "run x.yaml --no-report --restart --store NAME",
            "report NAME",
            "report x.yaml --store NAME",
            "cluster merge out.sqlite NAME",
            "cluster merge NAME good.sqlite",
            "replay x.yaml --store NAME",
            "cluster plan x.yaml --units 2 --store NAME",
            "store records NAME",
            "store list NAME",
            "store prune NAME",
            "export corpus x.yaml --store NAME",
            "export parquet NAME --output tables",
        ] {
            limited(&folder, &arguments.replace("NAME", name))
                .code(2)
                .complains([
                    "give another store, or move this one away",
                    &format!("`{name}` is not a store of Hattari (its schema has "),
                ]);
        }
        assert!(folder.bytes(name) == before, "{name} was changed");
    }
    assert!(!folder.path("out.sqlite").exists());
}

#[test]
fn a_server_with_hostile_stores_shows_its_other_leagues() {
    let folder = folder();
    for (number, (name, _)) in CHANGES.iter().enumerate() {
        folder.write(&format!("leagues/{number}.yaml"), LEAGUE);
        fs::rename(
            folder.path(name),
            folder.path(&format!("leagues/{number}.sqlite")),
        )
        .unwrap();
    }
    folder.write("leagues/good.yaml", LEAGUE);
    fs::rename(
        folder.path("good.sqlite"),
        folder.path("leagues/good.sqlite"),
    )
    .unwrap();
    let server = Server::start(folder.root(), "leagues");
    server
        .get("/")
        .gives(200, [">good<", "All 2 blocks have been played"]);
    let shown = (0..=CHANGES.len()).map(|number| server.get(&format!("/league/{number}")));
    let bad = shown
        .filter(|page| {
            page.body
                .contains("is not a store of Hattari (its schema has ")
        })
        .count();
    assert_eq!(bad, CHANGES.len());
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn the_python_package_raises_an_error_for_hostile_stores() {
    let folder = folder();
    for (name, _) in CHANGES {
        let script = "import sys, hattari\n\
                      for act in (lambda l: l.digest(), lambda l: l.records(), lambda l: l.report(), lambda l: l.replay()):\n\
                      \x20   try:\n\
                      \x20       act(hattari.League('x.yaml', sys.argv[1]))\n\
                      \x20   except hattari.Error as error:\n\
                      \x20       assert 'is not a store of Hattari (its schema has ' in str(error), error\n\
                      \x20   else:\n\
                      \x20       raise SystemExit('it was taken')\n";
        let mut python = Command::new("python3");
        python
            .args(["-c", script, name])
            .current_dir(folder.root())
            .env("HATTARI_PROGRAM", PROGRAM);
        ended(
            python
                .env("PYTHONPATH", project().join("arena/python/src"))
                .env("PYTHONDONTWRITEBYTECODE", "1"),
        )
        .code(0);
    }
}
