//! Python, for comparison with the rules of other programs.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// Returns the Python interpreter: `python3`, or the one that `HATTARI_PYTHON` names.
///
/// # Panics
/// Panics if the interpreter is missing, or has no package with this name.
#[track_caller]
pub(crate) fn with(package: &str) -> String {
    let python = env::var("HATTARI_PYTHON").unwrap_or_else(|_| "python3".into());
    let imported = Command::new(&python)
        .args(["-c", &format!("import {package}")])
        .output();
    let remedy = "HATTARI_PYTHON names another interpreter";
    let imported =
        imported.unwrap_or_else(|error| panic!("there is no {python} ({error}); {remedy}"));
    assert!(
        imported.status.success(),
        "{python} has no package `{package}` (pip install {package}); {remedy}"
    );
    python
}

/// Runs a script and returns its output.
///
/// # Panics
/// Panics with the script's error output if it fails.
pub(crate) fn run(python: &str, script: &Path, arguments: &[&OsStr]) -> String {
    let output = Command::new(python)
        .arg(script)
        .args(arguments)
        .output()
        .expect("Python starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}
