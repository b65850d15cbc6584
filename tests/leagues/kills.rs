//! Hosts and workers killed at random times: no block is lost or played twice, no record differs,
//! and no bot is blamed.
//!
//! `HATTARI_KILLS` sets the total number of kills; the default is small.
#![cfg(target_os = "linux")]

use super::engines::kill;
use crate::support::{Folder, JsonPart, children, descendants, no_faults, until_gone, wait};
use hattari_play::store::Store;
use hattari_stats::Rng;
use std::process::Child;
use std::time::Duration;

const LEAGUE: &str = "\
game: daihinmin
seed: 9
entrants: [ENTRANTS]
format: {kind: line-ups, size: 5}
blocks: BLOCKS
deals: 20
";

/// Five bots in separate processes.
const SANDBOXED: &str = "{name: a, bot: cautious}, {name: b, bot: cautious}, \
    {name: c, bot: cautious}, {name: d, bot: cautious}, {name: e, bot: cautious}";

/// Returns a folder with a league of these bots and the library `cautious`.
fn folder(entrants: &str, blocks: &str) -> Folder {
    let league = LEAGUE.replace("ENTRANTS", entrants);
    let folder = Folder::of(&league.replace("BLOCKS", blocks));
    folder.library("bots/c/cautious.c", "cautious", &["-O2"]);
    folder
}

fn start(folder: &Folder, store: &str, jobs: &str) -> Child {
    folder.start(format!(
        "run x.yaml --no-report --quiet --jobs {jobs} --store {store}"
    ))
}

fn kills() -> u32 {
    std::env::var("HATTARI_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(4)
}

/// Returns pseudo-random numbers that differ between runs, because the tests need many different
/// times.
fn moments() -> Rng {
    Rng::new(getrandom::u64().unwrap())
}

#[test]
fn killed_workers_do_not_change_the_records() {
    let folder = folder(SANDBOXED, "60");
    wait(start(&folder, "whole.sqlite", "2")).code(0);
    let whole = folder.records("whole.sqlite");
    assert_eq!(whole.len(), 60);
    no_faults(&whole);
    let (mut wanted, mut done, mut moments) = (kills(), 0, moments());
    let mut is_told = false;
    for round in 0..100 {
        let store = format!("{round}.sqlite");
        let mut host = start(&folder, &store, "2");
        while done < wanted && host.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(moments.below(60) as u64));
            // Before the league starts, the bot is tried with one worker at a time. Killing this
            // worker would mean that the bot does not start. Otherwise helper processes, idle
            // processes and playing processes are killed.
            let (keepers, all) = (children(host.id()), descendants(host.id()));
            if keepers.len() >= 4 && !all.is_empty() {
                kill(all[moments.below(all.len())]);
                done += 1;
            }
        }
        let said = wait(host).code(0).err;
        assert_eq!(folder.records(&store), whole, "{said}");
        is_told |= said.contains("is restarted");
        if done >= wanted && is_told {
            return;
        }
        // All kills may have happened between blocks.
        wanted = wanted.max(done + 1);
    }
    panic!("no kill in the middle of a block was told");
}

#[test]
fn a_bot_killed_more_often_than_others_is_reported() {
    let folder = folder(
        "{name: victim, bot: cautious}, base, all-k, default, random",
        "150",
    );
    wait(start(&folder, "whole.sqlite", "2")).code(0);
    folder.succeeds("report whole.sqlite").never_says("outside");
    let mut host = start(&folder, "x.sqlite", "1");
    // A thread plays one block after another, so a block is killed once at most: the third kill in
    // one block would be attributed to the bot.
    let mut killed_at = 0;
    while host.try_wait().unwrap().is_none() {
        let written = Store::read(&folder.path("x.sqlite"))
            .and_then(|store| store.records())
            .map_or(0, |records| records.len());
        if killed_at + 3 <= written {
            killed_at = written;
            for process in children(host.id()) {
                kill(process);
            }
        }
    }
    wait(host).code(0);
    assert_eq!(folder.records("x.sqlite"), folder.records("whole.sqlite"));
    let counts = |store: &str| {
        let bots = folder.report(store)["bots"].take();
        let of = |name| bots.item("name", name)["kills"].clone();
        (of("victim"), of("base"))
    };
    let (victim, base) = counts("x.sqlite");
    let [blocks, times] = ["blocks", "times"].map(|key| victim[key].natural());
    assert!(
        3 <= blocks && blocks <= times && base["times"] == 0,
        "{victim} {base}"
    );
    let caution =
        format!("The process of victim was killed from outside in {blocks} of its 150 blocks");
    folder
        .succeeds("report x.sqlite")
        .says(["Bot processes were killed from outside", &caution]);
    folder.succeeds("cluster merge all.sqlite x.sqlite whole.sqlite");
    assert_eq!(counts("all.sqlite"), (victim, base));
}

#[test]
fn killed_hosts_lose_no_blocks_and_leave_no_processes() {
    let folder = folder(SANDBOXED, "120");
    wait(start(&folder, "whole.sqlite", "2")).code(0);
    let whole = folder.records("whole.sqlite");
    let (wanted, mut done, mut moments) = (kills(), 0, moments());
    for round in 0.. {
        let store = format!("{round}.sqlite");
        let mut ended = false;
        while done < wanted && !ended {
            let mut host = start(&folder, &store, "2");
            std::thread::sleep(Duration::from_millis(20 + moments.below(200) as u64));
            let workers = descendants(host.id());
            ended = host.try_wait().unwrap().is_some();
            host.kill().unwrap();
            host.wait().unwrap();
            done += u32::from(!ended);
            until_gone(&workers);
        }
        wait(start(&folder, &store, "2")).code(0);
        assert_eq!(folder.records(&store), whole);
        if done >= wanted {
            break;
        }
    }
}
