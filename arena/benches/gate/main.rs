//! The speed gate: counts instructions and allocations of fixed workloads and compares them with
//! `benches/gate.json`.
//!
//! `cargo bench -p hattari --bench gate` fails if a count is more than 2 % above or more than 5 %
//! below the recorded one. Words after `--` select workloads by parts of their names. Options:
//! - `--accept REASON` records the counts of workloads that changed; see CONTRIBUTING.md
//! - `--counts FILE` writes all counts to a file and compares nothing
//! - `--plant NAME` lets a workload play 3 % more deals and compares the counts with those of the
//!   usual number of deals; the gate must detect it
//!
//! The counts are made by callgrind. They require valgrind, but no hardware counters and no idle
//! machine.

mod base;
mod compare;
mod counts;
#[path = "../../../plugin-api/double-dummy/tests/support/mod.rs"]
mod positions;
mod record;
#[path = "../agents/seats.rs"]
mod seats;
#[path = "../../../tests/support/mod.rs"]
mod support;
mod workloads;

use base::CountsFile;
use compare::{Change, Counts, Measured};
use record::{Environment, Recorded};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};
use workloads::Workload;

/// Maximum number of concurrent workloads.
const AT_ONCE: usize = 2;
/// Size of a workload with a planted slow-down, in % of its usual size.
const PLANTED: u32 = 103;

/// The command-line arguments.
#[derive(Default)]
struct Arguments {
    words: Vec<String>,
    accept: Option<String>,
    counts: Option<PathBuf>,
    plant: Option<String>,
}

impl Arguments {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut parsed = Arguments::default();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .ok_or_else(|| format!("{argument} takes a value"))
            };
            match argument.as_str() {
                "--bench" => {}
                "--accept" => parsed.accept = Some(value()?),
                "--counts" => parsed.counts = Some(value()?.into()),
                "--plant" => parsed.plant = Some(value()?),
                // An option of the benchmark `agents`: without `--bench NAME`, cargo passes the
                // same arguments to all benchmarks.
                "--seconds" => drop(value()?),
                option if option.starts_with('-') => {
                    return Err(format!(
                        "unknown option {option}: there are --accept REASON, --counts FILE, --plant NAME"
                    ));
                }
                _ => parsed.words.push(argument),
            }
        }
        if parsed.accept.is_some() && parsed.plant.is_some() {
            return Err("--accept and --plant exclude each other".into());
        }
        Ok(parsed)
    }

    /// Returns the selected workloads.
    fn wanted(&self) -> Vec<&'static Workload> {
        let is_wanted = |name: &str| {
            self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
        };
        workloads::ALL
            .iter()
            .filter(|workload| is_wanted(workload.name))
            .collect()
    }
}

fn names() -> Vec<&'static str> {
    workloads::ALL
        .iter()
        .map(|workload| workload.name)
        .collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [word, name, folder, percent] = &arguments[..]
        && word == "--measure"
    {
        return measure_here(
            name,
            Path::new(folder),
            percent.parse().expect("the size is a number"),
        );
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("gate: run it with `cargo bench -p hattari --bench gate`");
        return ExitCode::SUCCESS;
    }
    match Arguments::parse(arguments.into_iter()).and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("gate: {error}");
            ExitCode::from(2)
        }
    }
}

/// Prepares a workload, runs it and prints the number of allocations and the processor features.
/// Called in the process under callgrind.
fn measure_here(name: &str, folder: &Path, percent: u32) -> ExitCode {
    let workload = workloads::ALL
        .iter()
        .find(|workload| workload.name == name)
        .expect("the name is in the list");
    let mut work = workload.prepare(folder, percent);
    println!("{} {}", counts::measured(&mut work), record::processor());
    ExitCode::SUCCESS
}

/// Measures, compares and records. Returns `false` if a count is outside its limits.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let wanted = arguments.wanted();
    if wanted.is_empty() {
        println!("gate: no such workload; there are: {}", names().join(", "));
        return Ok(true);
    }
    record::first_line(Command::new("valgrind").arg("--version"))
        .map_err(|error| format!("{error}\nthe gate needs valgrind (apt-get install valgrind)"))?;
    let folder = support::target().join("gate");
    let (environment, now) = measure(&wanted, arguments.plant.as_deref(), &folder)?;
    if let Some(file) = &arguments.counts {
        CountsFile {
            environment,
            counts: now,
        }
        .write(file)?;
        return Ok(true);
    }
    let recorded = Recorded::load()?.unwrap_or_else(|| Recorded::new(environment.clone()));
    let before = if arguments.plant.is_some() {
        measure(&wanted, None, &folder)?.1
    } else if recorded.environment == environment {
        recorded.counts()
    } else {
        base::measure(&recorded.commit, &environment, &folder)?
    };
    let rows = compare::compare(&before, &now);
    println!("{}", compare::head());
    rows.iter().for_each(|row| println!("{}", row.line()));
    if let Some(reason) = &arguments.accept {
        if recorded.environment != environment && !arguments.words.is_empty() {
            return Err(
                "gate.json has counts of another environment: accept the counts of all workloads \
                 (no words)"
                    .into(),
            );
        }
        recorded.accept((environment, &before, &now), &rows, &names(), reason)?;
        return Ok(true);
    }
    let is_within = rows.iter().all(|row| row.change == Change::Within);
    if !is_within {
        eprintln!(
            "gate: counts are outside their limits. `callgrind_annotate {}/NAME/callgrind.out` \
             lists the instructions by function. To record an intended change, run \
             `cargo bench -p hattari --bench gate -- --accept \"REASON\"` (CONTRIBUTING.md)",
            folder.display()
        );
    }
    Ok(is_within)
}

/// Measures workloads, up to [`AT_ONCE`] at a time.
fn measure(
    wanted: &[&Workload],
    plant: Option<&str>,
    folder: &Path,
) -> Result<(Environment, Measured), String> {
    if let Some(name) = plant.filter(|name| {
        !wanted
            .iter()
            .any(|workload| workload.name == *name && workload.is_play())
    }) {
        return Err(format!(
            "--plant {name}: no selected workload of this name plays deals"
        ));
    }
    let found = support::on_threads(AT_ONCE, wanted.len(), |number| {
        let workload = wanted[number];
        let percent = if plant == Some(workload.name) {
            PLANTED
        } else {
            100
        };
        under_callgrind(workload, percent, &folder.join(workload.name))
    });
    let (mut measured, mut processor) = (Measured::new(), String::new());
    for (workload, counts) in wanted.iter().zip(found) {
        let name = workload.name;
        let (counts, features) = counts.map_err(|error| format!("{name}: {error}"))?;
        measured.insert(name.to_owned(), counts);
        processor = features;
    }
    Ok((Environment::of_this_machine(processor)?, measured))
}

/// Runs this program under callgrind for one workload. Returns the counts and the processor
/// features in that environment.
fn under_callgrind(
    workload: &Workload,
    percent: u32,
    folder: &Path,
) -> Result<(Counts, String), String> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    workload.stage(folder);
    let file = folder.join("callgrind.out");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet"]);
    command
        .arg(format!("--toggle-collect={}", counts::COUNTED))
        .arg(format!("--callgrind-out-file={}", file.display()));
    command.arg(env::current_exe().map_err(|error| error.to_string())?);
    command
        .args(["--measure", workload.name])
        .arg(folder)
        .arg(percent.to_string());
    // The counts must not depend on the user's settings and files.
    command
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default());
    for name in [
        "HOME",
        "HATTARI_STATE",
        "XDG_DATA_HOME",
        "XDG_DATA_DIRS",
        "XDG_CACHE_HOME",
    ] {
        command.env(name, folder);
    }
    let started = std::time::Instant::now();
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    eprintln!(
        "{}: {:.1} s",
        workload.name,
        started.elapsed().as_secs_f64()
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = text
        .lines()
        .next_back()
        .and_then(|line| line.split_once(' '));
    let told = told.and_then(|(allocations, processor)| {
        Some((allocations.parse().ok()?, processor.to_owned()))
    });
    let (true, Some((allocations, processor))) = (output.status.success(), told) else {
        return Err(format!(
            "{}:\n{text}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ));
    };
    Ok((
        Counts {
            instructions: counts::instructions(&file)?,
            allocations,
        },
        processor,
    ))
}
