//! Times and machines of blocks in reports.

use crate::support::{Folder, JsonPart, ended, has, in_one_line};
use hattari_agents::record::{BlockResult, DecisionTime};
use hattari_play::store::{Store, StoreWriter};
use rusqlite::Connection;
use std::fs;

/// Equal bots.
const LEAGUE: &str = "\
game: tanhinmin
seed: 8
options: {cards: 3}
entrants: [{name: a, bot: random}, {name: b, bot: random}, {name: c, bot: random}]
format: {kind: line-ups, size: 2}
blocks: 60
deals: 20
";

/// Plays a shard of the league on a machine of this name.
fn play(folder: &Folder, machine: &str, shard: &str) {
    let store = format!("{machine}.sqlite");
    let arguments = format!("run x.yaml --no-report --shard {shard} --store {store}");
    ended(folder.command(arguments).env("HATTARI_MACHINE", machine)).code(0);
}

/// Writes a copy of a store in which the first player of every table has more points.
fn alter(folder: &Folder, from: &str, to: &str) {
    let honest = Store::read(&folder.path(from)).unwrap();
    let (identity, source) = (&honest.identity, &honest.source);
    let (mut writer, _) = StoreWriter::open(&folder.path(to), identity, source).unwrap();
    for mut record in honest.records().unwrap() {
        let points = i64::from(record.deals / 4);
        record.sum[0] += points;
        record.sum[1] -= points;
        let timing = vec![DecisionTime::default(); 2];
        let block = BlockResult {
            record,
            timing,
            answers: None,
            kills: Vec::new(),
        };
        writer.push(&block).unwrap();
    }
    writer.commit().unwrap();
}

/// Executes statements on a store.
fn change(folder: &Folder, store: &str, statements: &str) {
    Connection::open(folder.path(store))
        .unwrap()
        .execute_batch(statements)
        .unwrap();
}

#[test]
fn a_machine_with_altered_results_shows_in_the_report_of_the_merged_store() {
    let folder = Folder::of(LEAGUE);
    play(&folder, "north", "1/2");
    play(&folder, "south", "2/2");
    folder.succeeds("cluster merge honest.sqlite north.sqlite south.sqlite");
    let report = folder.report("honest.sqlite");
    let machines = &report["machines"];
    assert_eq!(machines.texts("machine"), ["north", "south"]);
    let blocks = machines.list().iter().map(|machine| &machine["blocks"]);
    assert_eq!(
        blocks.filter_map(|blocks| blocks.as_u64()).sum::<u64>(),
        180
    );
    folder
        .succeeds("report honest.sqlite")
        .says("No dependence of results on the machine was found (p = ")
        .never_says("Results depend on the machine");

    alter(&folder, "south.sqlite", "altered.sqlite");
    change(
        &folder,
        "altered.sqlite",
        "UPDATE machines SET name = 'south'",
    );
    folder.succeeds("cluster merge spoilt.sqlite north.sqlite altered.sqlite");
    let text = folder
        .succeeds("report spoilt.sqlite")
        .says(["Results depend on the machine: on ", "here − elsewhere"]);
    has(&text.out, "Results depend on the machine (p = ");
    let report = folder.report("spoilt.sqlite");
    let of = |machine: usize, bot: usize| {
        let test = &report["machines"][machine]["differences"][bot]["test"]["tested"];
        let number = |pointer: &str| test.pointer(pointer).unwrap().float();
        (number("/difference/value"), number("/p_adjusted"))
    };
    // `a` is the first player of both of its tables, `c` the second one.
    assert!(0.1 < of(1, 0).0 && of(1, 0).1 < 1e-4, "{:?}", of(1, 0));
    assert!(of(1, 2).0 < -0.1 && of(1, 2).1 < 1e-4, "{:?}", of(1, 2));
    assert_eq!((of(0, 0).0, of(0, 0).1), (-of(1, 0).0, of(1, 0).1));
    folder
        .succeeds("report spoilt.sqlite --html --replays 0")
        .code(0);
    let page = folder.read("spoilt.html");
    has(&page, "Results by machine");
}

#[test]
fn two_machines_with_few_blocks_have_a_section_with_the_reason() {
    let folder = Folder::new();
    let run = |machine: &str, blocks: u32| {
        let league = LEAGUE.replace("blocks: 60", &format!("blocks: {blocks}"));
        folder.write("x.yaml", league);
        let mut command = folder.command("run x.yaml --no-report");
        ended(command.env("HATTARI_MACHINE", machine)).code(0);
    };
    run("north", 4);
    folder
        .succeeds("report x.yaml")
        .never_says("Results by machine");
    assert!(folder.report("x.yaml").get("machines").is_none());
    run("south", 8);
    let report = folder.report("x.yaml");
    let machines = report["machines"].list();
    for (machine, name) in machines.iter().zip(["north", "south"]) {
        let found = (&machine["machine"], &machine["blocks"]);
        assert_eq!(found, (&name.into(), &12.into()));
    }
    folder
        .succeeds("report x.yaml")
        .says("\nResults by machine\nThe machines are not compared: ");
    folder.succeeds("report x.yaml --html --replays 0").code(0);
    let page = folder.read("x.html");
    has(&page, "Results by machine");
    has(&page, "The machines are not compared: ");
}

#[test]
fn a_report_as_of_a_date_is_that_of_the_blocks_stored_by_then() {
    let folder = Folder::of(LEAGUE);
    folder.run("x.sqlite", "--quiet");
    // Ten blocks of every line-up a day, from 20 November 2026 on, at 12:00.
    let times = "UPDATE records SET stored = 1795176000 + 86400 * (block / 10); UPDATE runs SET started = 0, ended = 9";
    change(&folder, "x.sqlite", times);
    fs::copy(folder.path("x.sqlite"), folder.path("part.sqlite")).unwrap();
    change(
        &folder,
        "part.sqlite",
        "DELETE FROM records WHERE 20 <= block",
    );
    let bots = |arguments: &str| {
        let report = folder.report(arguments);
        (
            report["bots"].clone(),
            report["about"]["league"]["at"].clone(),
        )
    };
    let expected = bots("part.sqlite").0;
    for (date, at) in [
        ("2026-11-21", 1_795_305_599),
        ("2026-11-21T12:00", 1_795_262_400),
        ("2026-11-22T11:59", 1_795_348_740),
    ] {
        assert_eq!(
            bots(&format!("x.sqlite --at {date}")),
            (expected.clone(), at.into()),
            "{date}"
        );
    }
    folder.succeeds("report x.yaml --at 2026-11-21").says([
        "As of 2026-11-21 23:59 UTC: blocks that were stored later do not count.",
        "120 of 180 blocks are missing",
    ]);
    folder
        .succeeds("report x.yaml --at 2026-11-21 --html --play --output as-of.html")
        .code(0);
    has(&folder.read("as-of.html"), "As of 2026-11-21 23:59 UTC");
    folder.refuses("report x.yaml --at yesterday", "give a date");
    folder.refuses(
        "report x.yaml --at 2026-11-21 --review a:b --html",
        "cannot be used with",
    );
    change(
        &folder,
        "x.sqlite",
        "UPDATE records SET stored = NULL WHERE block = 59",
    );
    folder.refuses(
        "report x.yaml --at 2026-11-21",
        "3 blocks without a time, because an earlier version",
    );
}

#[test]
fn a_sequential_league_as_of_a_date_has_the_state_of_its_rule_then() {
    let rule = "sequential: {precision: 0.5}\n";
    let folder = Folder::of(&LEAGUE.replace("deals: 20\n", &format!("deals: 20\n{rule}")));
    folder.run("x.sqlite", "--quiet");
    change(&folder, "x.sqlite", "UPDATE records SET stored = block");
    change(&folder, "x.sqlite", "UPDATE runs SET started = 0");
    fs::copy(folder.path("x.sqlite"), folder.path("part.sqlite")).unwrap();
    change(
        &folder,
        "part.sqlite",
        "DELETE FROM records WHERE 5 <= block",
    );
    change(
        &folder,
        "x.sqlite",
        "UPDATE records SET stored = 86400 WHERE 5 <= block",
    );
    let sequential = |arguments: &str| {
        let report = folder.report(arguments);
        (report["sequential"].clone(), report["bots"].clone())
    };
    let now = sequential("x.sqlite");
    let then = sequential("x.sqlite --at 1970-01-01");
    assert_eq!(then, sequential("part.sqlite"));
    assert_eq!(then.0["rounds"], 5);
    assert_ne!(now.0["rounds"], 5);
    let text = folder.succeeds("report x.sqlite --at 1970-01-01").out;
    let state = "The stopping rule is in the state after the rounds that were complete then.";
    has(&in_one_line(&text), state);
}
