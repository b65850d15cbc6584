//! Measures the base commit if `gate.json` has no counts for the current environment.

use super::compare::Measured;
use super::record::{Environment, git};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;

/// The file that `--counts` writes.
#[derive(Serialize, Deserialize)]
pub(crate) struct CountsFile {
    pub environment: Environment,
    pub counts: Measured,
}

impl CountsFile {
    pub(crate) fn read(path: &Path) -> Option<CountsFile> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        let text =
            serde_json::to_string_pretty(self).expect("names and numbers can be written as JSON");
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// Builds the gate of `commit` in a worktree below `folder` and returns its counts, which are
/// cached in `folder`.
pub(crate) fn measure(
    commit: &str,
    environment: &Environment,
    folder: &Path,
) -> Result<Measured, String> {
    let file = folder.join(format!("base-{commit}.json"));
    let known = || CountsFile::read(&file).filter(|known| known.environment == *environment);
    if let Some(known) = known() {
        return Ok(known.counts);
    }
    eprintln!(
        "gate: gate.json has counts of another environment: building and measuring its commit \
         {commit} here"
    );
    git(&["cat-file", "-e", &format!("{commit}^{{commit}}")]).map_err(|_| {
        format!(
            "the commit {commit} of gate.json is not in this repository: fetch it (git fetch --unshallow), or record this \
             commit's counts (remove gate.json, then --accept REASON)"
        )
    })?;
    let tree = folder.join("base");
    let place = tree.display().to_string();
    if tree.exists() {
        git(&["worktree", "remove", "--force", &place])?;
    }
    git(&["worktree", "add", "--force", "--detach", &place, commit])?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(&tree).args([
        "bench",
        "-p",
        "hattari",
        "--bench",
        "gate",
        "--locked",
        "--target-dir",
    ]);
    cargo
        .arg(folder.join("base-target"))
        .args(["--", "--counts"])
        .arg(&file);
    // Cargo sets these variables for this package, not for the one to build.
    for (name, _) in std::env::vars()
        .filter(|(name, _)| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST"))
    {
        cargo.env_remove(name);
    }
    let status = cargo
        .status()
        .map_err(|error| format!("{cargo:?}: {error}"));
    git(&["worktree", "remove", "--force", &place])?;
    let failed = format!("the gate of commit {commit} cannot be built or run here (see above)");
    if !status?.success() {
        return Err(failed);
    }
    known().map(|known| known.counts).ok_or(failed)
}
