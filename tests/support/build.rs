//! Bots for tests: the project's own, and bots that are compiled as their authors would do it.

use super::{Ended, PROGRAM, cache, ended, project};
use hattari_agents::agent::built_in;
use hattari_agents::agent::plugin::PluginBot;
use hattari_play::check::self_test::clang;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Returns a compiled bot of the project in this process, from the package `hattari-bots-` and
/// `game`.
pub(crate) fn own_bot(game: &str, id: &str) -> PluginBot {
    hattari_bots::ALL
        .iter()
        .for_each(|bots| built_in::add(bots));
    let all = built_in::all().into_iter().map(|bots| bots.unwrap());
    let bots = all
        .into_iter()
        .find(|bots| bots.package.strip_prefix("hattari-bots-") == Some(game));
    let bots = bots.unwrap_or_else(|| panic!("no bots for {game}"));
    PluginBot::new(bots.library, id).unwrap_or_else(|| panic!("no bot {id} for {game}"))
}

/// Prepares a package of a bot for cargo. It uses the versions of crates that are on this machine,
/// and a target folder that is kept between runs of the tests. Only one test uses that folder at a
/// time. Otherwise a library of another test could appear or disappear while a folder of bots is
/// read.
pub(crate) fn share_builds(package: &Path) -> MutexGuard<'static, ()> {
    static TAKEN: Mutex<()> = Mutex::new(());
    let turn = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let cache = target().join("authors");
    std::fs::create_dir_all(&cache).unwrap();
    std::fs::copy(project().join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    link(&cache, &package.join("target"));
    turn
}

/// Returns the folder of all that cargo builds.
pub(crate) fn target() -> PathBuf {
    Path::new(PROGRAM)
        .ancestors()
        .nth(2)
        .expect("the program lies in target/<profile>")
        .to_owned()
}

/// Builds the project's daihinmin bots as a WebAssembly module, once per process.
///
/// # Panics
/// Panics if the Rust target `wasm32-wasip1` is missing.
pub(crate) fn project_module() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let mut command = Command::new(env!("CARGO"));
        command
            .current_dir(project())
            .args(["build", "--quiet", "--offline", "--target-dir"])
            .arg(target());
        command.args([
            "--release",
            "--target",
            "wasm32-wasip1",
            "-p",
            "hattari-bots-module",
        ]);
        command.env(
            "CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS",
            "-Clink-arg=--export-table -Clink-arg=--growable-table",
        );
        // Cargo's variables describe this package, not the one being built.
        for (variable, _) in std::env::vars()
            .filter(|(name, _)| name.starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR")
        {
            command.env_remove(variable);
        }
        ended(&mut command).code(0);
        target().join("wasm32-wasip1/release/hattari_bots_module.wasm")
    };
    BUILT.get_or_init(build)
}

/// Compiles C with `cc` as in the guide for authors, with warnings as errors. `output` is the
/// library.
#[track_caller]
pub(crate) fn cc(source: &Path, output: &Path, more: &[&str]) {
    let include = project().join("plugin-api/include");
    let mut command = Command::new("cc");
    command.args([
        "-std=c11",
        "-D_POSIX_C_SOURCE=200809L",
        "-O1",
        "-fPIC",
        "-fvisibility=hidden",
    ]);
    command.args([
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-function",
        "-Wno-unused-const-variable",
        "-I",
    ]);
    command
        .arg(include)
        .args(more)
        .arg(source)
        .arg("-o")
        .arg(output);
    if !more.contains(&"-c") {
        command.arg("-shared");
    }
    ended(&mut command).code(0);
}

/// Returns the name of a dynamic library on this system.
pub(crate) fn library(name: &str) -> String {
    format!("lib{name}.{}", std::env::consts::DLL_EXTENSION)
}

/// Runs shell lines in a folder, with the program under test as `hattari` and without a network.
pub(crate) fn shell(folder: &Path, lines: &str) -> Ended {
    let programs = Path::new(PROGRAM).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("sh");
    command
        .args(["-e", "-c", lines])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", programs.display()));
    // Cargo's variables for this package do not apply to another.
    for (variable, _) in std::env::vars()
        .filter(|(name, _)| name.starts_with("CARGO_") || name.starts_with("HATTARI_"))
    {
        if variable != "CARGO_HOME" {
            command.env_remove(variable);
        }
    }
    command
        .env("HATTARI_STATE", folder.join(".state"))
        .env("XDG_CACHE_HOME", cache());
    ended(command.env("CARGO_NET_OFFLINE", "true"))
}

/// Creates a symbolic link and its parent folders.
pub(crate) fn link(original: &Path, link: &Path) {
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(original, link).unwrap();
}

/// Compiles C to a module of bots as in the guide for authors.
pub(crate) fn wasm_cc(source: &Path, output: &Path, more: &[&str]) -> Ended {
    let include = format!("-I{}", project().join("plugin-api/include").display());
    ended(&mut clang(
        source,
        output,
        &[&["-O3", &include], more].concat(),
    ))
}

/// Returns the first of these commands that runs, as a command line.
///
/// # Panics
/// Panics if none of them runs.
#[track_caller]
fn tool(commands: &[&[&str]], version: &str, remedy: &str) -> String {
    let runs = |command: &&&[&str]| {
        let ran = Command::new(command[0])
            .args(&command[1..])
            .arg(version)
            .output();
        ran.is_ok_and(|output| output.status.success())
    };
    let found = commands
        .iter()
        .find(runs)
        .unwrap_or_else(|| panic!("{} is missing: {remedy}", commands[0][0]));
    found.join(" ")
}

/// Returns the command of Zig: the program, or the Python package.
#[track_caller]
pub(crate) fn zig() -> String {
    let python = std::env::var("HATTARI_PYTHON").unwrap_or_else(|_| "python3".into());
    tool(
        &[&["zig"], &[&python, "-m", "ziglang"]],
        "version",
        "pip install ziglang",
    )
}

/// Returns the command of the AssemblyScript compiler: the program that `HATTARI_ASC` names, or
/// `asc`.
#[track_caller]
pub(crate) fn assemblyscript() -> String {
    let named = std::env::var("HATTARI_ASC").unwrap_or_else(|_| "asc".into());
    tool(
        &[&[&named]],
        "--version",
        "npm install assemblyscript; HATTARI_ASC names its asc",
    )
}
