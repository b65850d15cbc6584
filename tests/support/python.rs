//! Python, where other programs' rules are asked.

use std::env;
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// An interpreter that has a package: `python3`, or what `HATTARI_PYTHON` names. `None` where there is none, with a word on why
/// that is seen past the captured output of tests.
///
/// # Panics
/// There is none, and the variable `HATTARI_REQUIRE_` with the package's name is set.
pub(crate) fn with(package: &str) -> Option<String> {
    let python = env::var("HATTARI_PYTHON").unwrap_or_else(|_| "python3".into());
    let found = Command::new(&python).args(["-c", &format!("import {package}")]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    let required = format!("HATTARI_REQUIRE_{}", package.to_uppercase());
    assert!(env::var_os(&required).is_none(), "{python} has no package `{package}`");
    _ = writeln!(
        std::io::stderr(),
        "SKIPPED: {python} has no package `{package}`; install it, or name an interpreter in HATTARI_PYTHON"
    );
    None
}

/// Runs a script to its good end and gives what it printed.
///
/// # Panics
/// It fails, with what it said.
pub(crate) fn run(python: &str, script: &Path, arguments: &[&OsStr]) -> String {
    let output = Command::new(python).arg(script).args(arguments).output().expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}
