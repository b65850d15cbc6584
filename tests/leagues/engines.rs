//! Leagues on external schedulers, with the adapters in `arena/schedulers` and in the Python
//! package. The real scheduler is started, and its workers are killed during the run. The result
//! must be that of a single run.
#![cfg(target_os = "linux")]

use crate::support::{Folder, PROGRAM, Port, Running, ended, project, python, stat, until};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Number of kills. There are enough units that some are left when workers are killed.
const KILLS: usize = 2;
const LEAGUE: &str = "\
game: daihinmin
seed: 16
entrants: [base, all-k, default, all-s, random]
format: {kind: line-ups, size: 5}
blocks: 300
deals: 400
";
const SEQUENTIAL: &str = "\
game: daihinmin
seed: 45
entrants: [base, all, plain, default, random]
format: {kind: line-ups, size: 5}
blocks: 400
deals: 20
sequential: {pairs: [[base, random]]}
";

/// Returns a folder with a league, and the digest and number of blocks of a single run.
fn played(league: &str) -> (Folder, String) {
    let folder = Folder::of(league);
    folder.run("single.sqlite", "--quiet");
    let told = folder.digest("single.sqlite");
    let (digest, blocks) = told.trim().split_once(' ').expect("a digest and a number");
    let line = format!("{blocks} blocks, digest {digest}\n");
    (folder, line)
}

/// Returns the command of a shell adapter for `x.yaml` in a folder.
fn shell(folder: &Folder, script: &str) -> Command {
    let mut command = Command::new("bash");
    command.arg(project().join("arena/schedulers").join(script));
    adapter(folder, command)
}

/// Returns the command of an adapter in the Python package.
fn module(folder: &Folder, python: &str, name: &str) -> Command {
    let mut command = Command::new(python);
    command
        .args(["-m", &format!("hattari.engines.{name}")])
        .env("PYTHONPATH", project().join("arena/python/src"));
    adapter(folder, command)
}

fn adapter(folder: &Folder, mut command: Command) -> Command {
    command.args(["x.yaml", "--units", "12"]);
    command
        .current_dir(folder.root())
        .env("HATTARI", PROGRAM)
        .env("HATTARI_STATE", folder.path(".state"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

fn dask(folder: &Folder) -> Command {
    python::with("dask");
    let mut command = module(folder, &python::with("distributed"), "dask");
    // Files that killed workers leave behind are deleted with the folder.
    fs::create_dir_all(folder.path("tmp")).expect("the folder is there");
    command
        .args(["--workers", "2"])
        .env("TMPDIR", folder.path("tmp"));
    command
}

/// Asserts that these programs are installed.
#[track_caller]
fn need(programs: &[&str]) {
    let found = |program: &&&str| {
        ended(Command::new("sh").args(["-c", "command -v \"$0\"", program])).code == 0
    };
    let missing: Vec<_> = programs.iter().filter(|program| !found(program)).collect();
    assert!(
        missing.is_empty(),
        "these programs are missing: {missing:?}"
    );
}

/// Returns a process that plays a unit of the folder's league.
fn playing(folder: &Folder) -> Option<u32> {
    let league = folder
        .path("x.yaml")
        .canonicalize()
        .expect("the league is there");
    let command = format!("{PROGRAM}\0run\0{}\0--unit\0", league.display());
    fs::read_dir("/proc")
        .expect("Linux")
        .flatten()
        .find_map(|entry| {
            let process = entry.file_name().to_str()?.parse().ok()?;
            fs::read(entry.path().join("cmdline"))
                .ok()?
                .starts_with(command.as_bytes())
                .then_some(process)
        })
}

fn parent(process: u32) -> Option<u32> {
    u32::try_from(stat(process, 1)?).ok()
}

/// Sends SIGKILL. Returns `None` if the process has already ended.
pub(super) fn kill(process: u32) -> Option<()> {
    kill_process(Pid::from_raw(process.cast_signed())?, Signal::KILL).ok()
}

/// Plays a league to its end and kills a process that plays a unit several times: the process
/// itself, or the worker that started it and ends with it.
fn with_kills(
    folder: &Folder,
    adapter: &mut Command,
    line: &str,
    victim: impl Fn(u32) -> Option<u32>,
) {
    let mut adapter = Running::of(adapter);
    adapter.until_complains(" of 12: ");
    for _ in 0..KILLS {
        let unit = until("a unit is killed", || {
            let unit = playing(folder)?;
            victim(unit).and_then(kill).map(|()| unit)
        });
        let is_gone =
            || fs::read(format!("/proc/{unit}/cmdline")).map_or(true, |line| line.is_empty());
        until("the unit ends with its worker", || is_gone().then_some(()));
    }
    adapter.until_complains("remaining: 0 blocks");
    let said = adapter.until_says("digest");
    assert!(
        said.ends_with(&format!("x.sqlite: {line}")),
        "{said}, not {line}"
    );
    assert_eq!(adapter.code(), 0);
    left_clean(folder);
}

/// Asserts that only the store is left.
fn left_clean(folder: &Folder) {
    let names = fs::read_dir(folder.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let more: Vec<String> = names
        .filter(|name| name.contains("work") || name.contains("part"))
        .collect();
    assert!(more.is_empty(), "{more:?}");
}

#[test]
#[ignore = "needs Dask (pip install dask distributed)"]
fn dask_with_killed_workers_gives_the_same_results_as_a_single_run() {
    let (folder, line) = played(LEAGUE);
    let mut adapter = dask(&folder);
    with_kills(&folder, &mut adapter, &line, parent);
}

/// Returns the number of plans that returned units. Units are counted as they arrive, and those
/// that arrive together are in one line. The first line of a plan therefore has a number that is
/// not greater than the last one of the plan before.
fn plans(said: &str) -> usize {
    let numbers: Vec<u32> = said
        .lines()
        .filter_map(|line| {
            line.strip_prefix("unit ")?
                .split_once(" of ")?
                .0
                .parse()
                .ok()
        })
        .collect();
    usize::from(!numbers.is_empty()) + numbers.windows(2).filter(|pair| pair[1] <= pair[0]).count()
}

#[test]
#[ignore = "needs Dask (pip install dask distributed)"]
fn dask_plays_a_sequential_league_like_a_single_run() {
    let (folder, line) = played(SEQUENTIAL);
    let mut adapter = dask(&folder);
    let all = ended(&mut adapter).code(0);
    assert!(
        plans(&all.err) > 1,
        "rounds open as results come in: {}",
        all.err
    );
    all.says(&line);
    // Another run has nothing to play and prints the same digest.
    ended(&mut adapter)
        .code(0)
        .says(&line)
        .never_says(": played");
}

#[test]
#[ignore = "needs Dask (pip install dask distributed) and GNU parallel (apt-get install parallel)"]
fn a_missing_bot_ends_an_adapter_run_with_the_error_of_the_program() {
    let folder = Folder::of(&LEAGUE.replace("random", "nobody"));
    let ends = |mut adapter: Command| {
        ended(&mut adapter)
            .code(2)
            .complains("no bot `nobody` for daihinmin")
            .never_says("Traceback");
    };
    ends(dask(&folder));
    need(&["parallel"]);
    ends(shell(&folder, "parallel_league.sh"));
    left_clean(&folder);
}

/// Units that no worker can play are not retried without end.
#[test]
#[ignore = "needs Dask (pip install dask distributed) and GNU parallel (apt-get install parallel)"]
fn units_that_fail_repeatedly_end_an_adapter_run_with_the_error() {
    let folder = Folder::of(LEAGUE);
    let refuses = format!(
        "#!/bin/sh\nif [ \"$1\" = run ]; then echo 'error: no table is free' >&2; exit 2; fi\nexec '{PROGRAM}' \"$@\"\n"
    );
    folder.write("refuses", refuses);
    fs::set_permissions(folder.path("refuses"), fs::Permissions::from_mode(0o755)).unwrap();
    let ends = |adapter: &mut Command| {
        let ended = ended(adapter.env("HATTARI", folder.path("refuses")))
            .code(2)
            .never_says("Traceback");
        ended.complains(["no table is free", "3 plans in a row returned no results"]);
    };
    ends(&mut dask(&folder));
    need(&["parallel"]);
    ends(&mut shell(&folder, "parallel_league.sh"));
    left_clean(&folder);
}

#[test]
fn an_adapter_that_cannot_write_its_units_ends_with_the_error() {
    let folder = Folder::of(LEAGUE);
    folder.run("x.sqlite", "--blocks 1 --quiet");
    fs::create_dir_all(folder.path("x.sqlite.work/units")).unwrap();
    ended(&mut shell(&folder, "parallel_league.sh"))
        .code(2)
        .complains("x.sqlite.work/units: ")
        .never_says("digest");
    left_clean(&folder);
}

#[test]
fn an_adapter_merges_earlier_parts_into_the_edited_league_and_refuses_damaged_ones() {
    let (folder, line) = played(&LEAGUE.replace("00\n", "\n"));
    folder.run("x.sqlite", "--blocks 1 --quiet");
    fs::create_dir(folder.path("x.sqlite.work")).unwrap();
    let [good, bad, lock] =
        ["good.part", "bad.part", "lock"].map(|name| folder.path("x.sqlite.work").join(name));
    fs::rename(folder.path("single.sqlite"), good).unwrap();
    fs::write(&bad, "no store").unwrap();
    let lock = fs::File::create(lock).unwrap();
    lock.lock().unwrap();
    let mut adapter = shell(&folder, "parallel_league.sh");
    ended(&mut adapter)
        .code(2)
        .complains("another adapter plays this store");
    drop(lock);
    ended(&mut adapter)
        .code(0)
        .complains([
            "-1.refused` is not a store of Hattari",
            "merged 1 earlier units",
        ])
        .says(&line);
    let kept = fs::read_dir(folder.path("x.sqlite.work")).unwrap();
    let mut kept = kept.map(|file| file.unwrap().path());
    assert!(kept.any(|path| path.extension().is_some_and(|end| end == "refused")));
}

/// A block that stops the league is stored, so that its bot cannot have it played again.
fn is_stopped_by_a_fault(adapter: impl Fn(&Folder) -> Command) {
    let silent = "{name: silent, bot: answers-nothing.lua}";
    let folder = Folder::of(
        &LEAGUE
            .replace("random", silent)
            .replace("deals: 400", "deals: 1\nfaults: stop"),
    );
    folder.copy("scripts/faulty/answers-nothing.lua", "answers-nothing.lua");
    let mut kept = 0;
    for _ in 0..2 {
        let ended = ended(&mut adapter(&folder))
            .code(2)
            .complains("stopped by a fault (`faults: stop` in the league)");
        ended.never_says(["Traceback", "returned no results"]);
        let records = folder.records("x.sqlite");
        assert!(
            kept < records.len() && records.iter().all(|record| !record.faults.is_empty()),
            "{records:?}"
        );
        kept = records.len();
    }
    left_clean(&folder);
}

#[test]
#[ignore = "needs Dask (pip install dask distributed)"]
fn units_stopped_by_a_fault_end_a_dask_run_and_are_merged() {
    is_stopped_by_a_fault(|folder| {
        let mut adapter = dask(folder);
        adapter.arg("--trust");
        adapter
    });
}

#[test]
#[ignore = "needs GNU parallel (apt-get install parallel)"]
fn units_stopped_by_a_fault_end_a_parallel_run_and_are_merged() {
    need(&["parallel"]);
    is_stopped_by_a_fault(|folder| {
        let mut adapter = shell(folder, "parallel_league.sh");
        adapter.args(["--", "--trust"]);
        adapter
    });
}

#[test]
#[ignore = "needs Ray (pip install ray)"]
fn nightly_ray_with_killed_workers_gives_the_same_results_as_a_single_run() {
    let python = python::with("ray");
    let (folder, line) = played(LEAGUE);
    let mut adapter = module(&folder, &python, "ray");
    // No key is stored in the user's folder, and no usage data are sent.
    adapter
        .args(["--workers", "2"])
        .env("RAY_AUTH_MODE", "disabled")
        .env("RAY_USAGE_STATS_ENABLED", "0");
    with_kills(&folder, &mut adapter, &line, parent);
}

#[test]
#[ignore = "needs GNU parallel (apt-get install parallel)"]
fn parallel_with_killed_jobs_gives_the_same_results_as_a_single_run() {
    need(&["parallel"]);
    let (folder, line) = played(LEAGUE);
    with_kills(
        &folder,
        shell(&folder, "parallel_league.sh").env("PARALLEL", "--jobs 2"),
        &line,
        Some,
    );
}

#[test]
#[ignore = "needs root, Slurm and munge (apt-get install slurm-wlm munge)"]
fn nightly_slurm_with_killed_tasks_gives_the_same_results_as_a_single_run() {
    need(&["slurmctld", "slurmd", "munged", "sbatch"]);
    assert!(
        rustix::process::getuid().is_root(),
        "Slurm's daemons need root"
    );
    let (folder, line) = played(LEAGUE);
    let cluster = Slurm::start();
    let mut adapter = shell(&folder, "slurm_league.sh");
    with_kills(
        &folder,
        adapter.env("SLURM_CONF", cluster.folder.path("slurm.conf")),
        &line,
        Some,
    );
}

/// A Slurm cluster for this test with one node of two cores, stopped at the end.
struct Slurm {
    _daemons: Vec<Running>,
    folder: Folder,
}

const SLURM: &str = "\
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort=CONTROL
SlurmdPort=NODE
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=FOLDER/munge.socket
CredType=cred/munge
StateSaveLocation=FOLDER/state
SlurmdSpoolDir=FOLDER/spool
SlurmctldPidFile=FOLDER/slurmctld.pid
SlurmdPidFile=FOLDER/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
NodeName=localhost NodeHostname=HOST CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
";

impl Slurm {
    fn start() -> Slurm {
        let (folder, ports) = (Folder::new(), [Port::free(), Port::free()]);
        let root = folder.root().to_str().expect("UTF-8").to_owned();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("the machine has a name");
        let (control, node) = (ports[0].to_string(), ports[1].to_string());
        let text = [
            ("FOLDER", &root[..]),
            ("HOST", host.trim()),
            ("CONTROL", &control),
            ("NODE", &node),
        ];
        folder.write(
            "slurm.conf",
            text.iter()
                .fold(SLURM.to_owned(), |text, (from, to)| text.replace(from, to)),
        );
        for name in ["state", "spool"] {
            fs::create_dir(folder.path(name)).unwrap();
        }
        folder.write("key", [7; 128]);
        fs::set_permissions(folder.path("key"), PermissionsExt::from_mode(0o400)).unwrap();
        let path = |name: &str| folder.path(name).to_str().expect("UTF-8").to_owned();
        let daemon = |program: &str, arguments: &[&str]| {
            Running::of(
                Command::new(program)
                    .args(arguments)
                    .env("SLURM_CONF", folder.path("slurm.conf")),
            )
        };
        let file = |option: &str, name: &str| format!("--{option}={}", path(name));
        let (socket, key, pid) = (
            file("socket", "munge.socket"),
            file("key-file", "key"),
            file("pid-file", "munge.pid"),
        );
        let (log, seed) = (
            file("log-file", "munge.log"),
            file("seed-file", "munge.seed"),
        );
        let munge = daemon(
            "munged",
            &["--force", "--foreground", &socket, &key, &pid, &log, &seed],
        );
        until("munge is there", || {
            Path::new(&path("munge.socket")).exists().then_some(())
        });
        let conf = path("slurm.conf");
        let control = daemon("slurmctld", &["-D", "-f", &conf]);
        let node = daemon("slurmd", &["-D", "-f", &conf, "-N", "localhost"]);
        until("the node is idle", || {
            let mut state = Command::new("sinfo");
            let state = ended(
                state
                    .args(["--noheader", "--format=%T"])
                    .env("SLURM_CONF", &conf),
            );
            (state.out.trim() == "idle").then_some(())
        });
        Slurm {
            _daemons: vec![node, control, munge],
            folder,
        }
    }
}
