//! Finds and runs compilers.
#![allow(dead_code, reason = "every test takes what it needs")]

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The compiler options for our headers and bots.
pub(crate) const WARNINGS: &[&str] = &[
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wshadow",
    "-Werror",
];

/// Returns the C compilers of this machine: the one in `CC`, or else those with the usual names.
pub(crate) fn c_compilers() -> Vec<String> {
    compilers("CC", &["cc", "gcc", "clang"])
}

/// Returns the C++ compilers of this machine: the one in `CXX`, or else those with the usual names.
pub(crate) fn cxx_compilers() -> Vec<String> {
    compilers("CXX", &["c++", "g++", "clang++"])
}

fn compilers(variable: &str, usual: &[&str]) -> Vec<String> {
    let named = env::var(variable)
        .ok()
        .filter(|name| !name.trim().is_empty());
    let candidates = named.map_or_else(
        || usual.iter().map(|&name| name.to_owned()).collect(),
        |name| vec![name],
    );
    let runs = |name: &String| {
        Command::new(name)
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
    };
    let found: Vec<String> = candidates.into_iter().filter(runs).collect();
    assert!(
        !found.is_empty(),
        "no compiler found: set {variable} or install one of {}",
        usual.join(", ")
    );
    found
}

/// Returns the path of a temporary file for a test.
pub(crate) fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Runs a program and returns its output.
///
/// # Panics
/// Panics with the output of the program if it fails.
pub(crate) fn run<S: AsRef<OsStr>>(
    program: &str,
    arguments: impl IntoIterator<Item = S>,
) -> String {
    let mut command = Command::new(program);
    command.args(arguments);
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .output()
        .unwrap_or_else(|e| panic!("{program} could not be started: {e}"));
    let (stdout, stderr) = (
        String::from_utf8_lossy(&stdout).into_owned(),
        String::from_utf8_lossy(&stderr),
    );
    assert!(
        status.success(),
        "{command:?} failed with {status}:\n{stdout}{stderr}"
    );
    stdout
}

/// Returns the exported symbols of a library, without the platform's prefix.
pub(crate) fn exported_symbols(library: &Path) -> Vec<String> {
    let flag = if cfg!(target_os = "macos") {
        "-gU"
    } else {
        "-D"
    };
    let symbols = run(
        "nm",
        [flag, "--defined-only", &library.display().to_string()],
    );
    let names = symbols
        .lines()
        .filter_map(|line| line.split_whitespace().last());
    names
        .map(|name| name.trim_start_matches('_').to_owned())
        .collect()
}
