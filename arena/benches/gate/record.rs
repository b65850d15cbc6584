//! `gate.json`: the recorded counts with their environment and commit.

use super::compare::{Change, Counts, Measured, Row};
use super::support;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment that counts depend on. Counts of different environments are not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Environment {
    /// Version of the Rust compiler.
    pub rustc: String,
    /// Version of the C compiler that builds Luau and SQLite.
    pub cc: String,
    /// Version of the C library.
    pub libc: String,
    /// Processor features under valgrind, which determine code paths in libraries.
    pub processor: String,
}

impl Environment {
    /// Runs the programs of this machine to get their versions.
    pub(crate) fn of_this_machine(processor: String) -> Result<Environment, String> {
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
        Ok(Environment {
            rustc: first_line(Command::new(rustc).arg("-V"))?,
            cc: first_line(Command::new("cc").arg("--version"))?,
            libc: first_line(Command::new("ldd").arg("--version"))?,
            processor,
        })
    }
}

/// Returns the processor features that this process detects.
pub(crate) fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    let features = {
        use std::arch::is_x86_feature_detected as has;
        let features = [
            ("sse4.2", has!("sse4.2")),
            ("popcnt", has!("popcnt")),
            ("lzcnt", has!("lzcnt")),
            ("bmi1", has!("bmi1")),
            ("bmi2", has!("bmi2")),
            ("fma", has!("fma")),
            ("avx", has!("avx")),
            ("avx2", has!("avx2")),
            ("avx512f", has!("avx512f")),
        ];
        features
            .iter()
            .filter(|(_, has)| *has)
            .map(|(name, _)| format!(" {name}"))
            .collect::<String>()
    };
    #[cfg(not(target_arch = "x86_64"))]
    let features = "";
    format!("{}{features}", std::env::consts::ARCH)
}

/// Returns the first line that a command prints.
pub(crate) fn first_line(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned())
}

/// Runs git in the project's folder and returns the first line that it prints.
pub(crate) fn git(arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new("git");
    first_line(command.current_dir(support::project()).args(arguments))
}

/// The contents of `gate.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Recorded {
    pub environment: Environment,
    /// The commit that was measured.
    pub commit: String,
    workloads: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    counts: Counts,
    /// Accepted changes, the latest last.
    history: Vec<Accepted>,
}

/// An accepted change.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Accepted {
    reason: String,
    /// The commit with the change.
    commit: String,
    /// Counts before the change.
    before: Option<Counts>,
}

impl Recorded {
    /// Returns a record without workloads.
    pub(crate) fn new(environment: Environment) -> Recorded {
        Recorded {
            environment,
            commit: String::new(),
            workloads: BTreeMap::new(),
        }
    }

    pub(crate) fn path() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/gate.json")
    }

    /// Reads the file; `None` if it does not exist.
    pub(crate) fn load() -> Result<Option<Recorded>, String> {
        let path = Recorded::path();
        if !path.exists() {
            return Ok(None);
        }
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| fail(&error))?;
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| fail(&error))
    }

    /// Returns the counts by workload.
    pub(crate) fn counts(&self) -> Measured {
        self.workloads
            .iter()
            .map(|(name, entry)| (name.clone(), entry.counts))
            .collect()
    }

    /// Records the counts of changed workloads (all workloads, if the environment is new) with the
    /// current commit. Drops workloads that no longer exist. `before` contains the counts of the
    /// base commit in this environment.
    pub(crate) fn accept(
        mut self,
        (environment, before, now): (Environment, &Measured, &Measured),
        rows: &[Row],
        names: &[&str],
        reason: &str,
    ) -> Result<(), String> {
        self.commit = clean_commit()?;
        let is_here = self.environment == environment;
        self.environment = environment;
        self.workloads
            .retain(|name, _| names.contains(&name.as_str()));
        for (name, &counts) in now {
            // Record small improvements too: otherwise a later slow-down of that size is allowed.
            let is_better = |row: &Row| {
                let before = row.recorded.unwrap_or(row.now);
                row.count == "instructions" && row.now + row.now / 200 < before
            };
            let changed = rows.iter().any(|row| {
                row.workload == *name && (row.change != Change::Within || is_better(row))
            });
            if is_here && !changed {
                continue;
            }
            let entry = self.workloads.entry(name.clone()).or_insert(Entry {
                counts,
                history: Vec::new(),
            });
            entry.counts = counts;
            if changed {
                let before = before.get(name).copied();
                let commit = self.commit.clone();
                entry.history.push(Accepted {
                    reason: reason.to_owned(),
                    commit,
                    before,
                });
                println!("recorded: {name}");
            }
        }
        let text = serde_json::to_string_pretty(&self)
            .expect("names and numbers can be written as JSON")
            + "\n";
        let path = Recorded::path();
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// Returns the current commit. Only `gate.json` may differ from it.
fn clean_commit() -> Result<String, String> {
    let changed = git(&[
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--",
        ":!arena/benches/gate.json",
    ])?;
    if !changed.is_empty() {
        return Err(format!(
            "counts are recorded with the current commit, but this tree has uncommitted changes \
             ({}): commit them, run the command again, and commit gate.json",
            changed.trim()
        ));
    }
    git(&["rev-parse", "HEAD"])
}
