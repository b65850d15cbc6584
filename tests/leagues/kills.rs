//! Hosts and workers killed at random moments: no block is lost, none is played twice, no record differs, nobody is blamed.
//!
//! `HATTARI_KILLS` sets how many kills there are in all; few without it.
#![cfg(target_os = "linux")]

use crate::support::{cc, command, library, project};
use hattari::record::Record;
use hattari::store::Store;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const LEAGUE: &str = "\
game: daihinmin
seed: 9
entrants: [a, b, c, d, e]
format: {kind: line-ups, size: 5}
blocks: BLOCKS
deals: 20
";

/// A folder with a league of five bots in processes of their own.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(blocks: u32) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        let bots = folder.path().join("bots");
        fs::create_dir(&bots).unwrap();
        let cautious = bots.join(library("cautious"));
        cc(&project().join("bots/c/cautious.c"), &cautious, &["-O2"]);
        let entrant = |name| format!("{{name: {name}, bot: cautious}}");
        let entrants = ["a", "b", "c", "d", "e"].map(entrant).join(", ");
        let league = LEAGUE.replace("a, b, c, d, e", &entrants).replace("BLOCKS", &blocks.to_string());
        fs::write(folder.path().join("x.yaml"), league).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn start(&self, store: &str) -> Child {
        let arguments = ["run", "x.yaml", "--no-report", "--quiet", "--jobs", "2", "--store", store];
        command(self.0.path(), &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn records(&self, store: &str) -> Vec<Record> {
        Store::read(&self.path(store)).unwrap().records().unwrap()
    }
}

fn kills() -> u32 {
    std::env::var("HATTARI_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(24)
}

/// The children of a process, as the system lists them.
fn children(of: u32) -> Vec<u32> {
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1)?.parse::<u32>().ok());
        if parent == Some(of) {
            children.push(process);
        }
    }
    children
}

fn kill(process: u32) {
    let process = rustix::process::Pid::from_raw(process.cast_signed()).unwrap();
    // It may have gone by itself.
    _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
}

/// Numbers that look random: the test needs many different moments, not the same ones every time.
struct Moments(u64);

impl Moments {
    fn new() -> Moments {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        Moments(now.as_secs() << 30 | u64::from(now.subsec_nanos()) | 1)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn one_of(&mut self, list: &[u32]) -> u32 {
        list[usize::try_from(self.below(list.len() as u64)).unwrap()]
    }
}

/// Ends a host and tells what it said, if it has failed.
fn wait(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {said}", output.status);
    said
}

#[test]
fn killed_workers_cost_nothing() {
    let folder = Folder::new(150);
    wait(folder.start("whole.sqlite"));
    let whole = folder.records("whole.sqlite");
    assert!(whole.len() == 150 && whole.iter().all(|record| record.faults.is_empty()));
    let (wanted, mut done, mut moments) = (kills(), 0, Moments::new());
    for round in 0.. {
        let store = format!("{round}.sqlite");
        let mut host = folder.start(&store);
        while done < wanted && host.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(moments.below(60)));
            // Before play begins a bot is tried, one worker at a time; to kill that one is to say that it does not start.
            let workers = children(host.id());
            if workers.len() >= 4 {
                kill(moments.one_of(&workers));
                done += 1;
            }
        }
        let said = wait(host);
        assert_eq!(folder.records(&store), whole, "{said}");
        if done >= wanted {
            assert!(said.contains("is begun anew"), "kills in the middle of blocks are told: {said}");
            break;
        }
    }
}

#[test]
fn killed_hosts_lose_nothing_and_leave_nobody_behind() {
    let folder = Folder::new(400);
    wait(folder.start("whole.sqlite"));
    let whole = folder.records("whole.sqlite");
    let (wanted, mut done, mut moments) = (kills(), 0, Moments::new());
    for round in 0.. {
        let store = format!("{round}.sqlite");
        let mut ended = false;
        while done < wanted && !ended {
            let mut host = folder.start(&store);
            std::thread::sleep(Duration::from_millis(20 + moments.below(200)));
            let workers = children(host.id());
            ended = host.try_wait().unwrap().is_some();
            host.kill().unwrap();
            host.wait().unwrap();
            done += u32::from(!ended);
            let start = Instant::now();
            let is_alive = |worker: &u32| {
                fs::read_to_string(format!("/proc/{worker}/cmdline")).is_ok_and(|c| c.contains("worker"))
            };
            while workers.iter().any(is_alive) {
                assert!(start.elapsed() < Duration::from_secs(10), "workers outlive their host");
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        wait(folder.start(&store));
        assert_eq!(folder.records(&store), whole);
        if done >= wanted {
            break;
        }
    }
}
