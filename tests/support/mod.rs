//! Shared code of the end-to-end tests: the program, the project's bots, a folder, compilers, ports
//! and other processes.
#![allow(
    dead_code,
    unused_imports,
    reason = "every test program uses a part of it"
)]

mod build;
mod folder;
mod leagues;
pub(crate) mod page;
mod ports;
mod process;
mod program;
pub(crate) mod python;
#[cfg(unix)]
pub(crate) mod server;

pub(crate) use build::{
    assemblyscript, cc, library, link, own_bot, project_module, share_builds, shell, target,
    wasm_cc, zig,
};
pub(crate) use folder::Folder;
pub(crate) use leagues::no_faults;
pub(crate) use ports::Port;
pub(crate) use process::{
    Running, at_once, children, descendants, killed_again_and_again, on_threads, signal, spawned,
    stat, until, until_gone, wait, with_input,
};
pub(crate) use program::{
    Arguments, Ended, JsonPart, Texts, column, ended, has, in_one_line, json_lines, same_pair,
};

use std::path::Path;
use std::process::Command;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_hattari");

/// Returns the project's folder.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in the project")
}

/// Returns a command that runs the program in `folder`, without the user's settings and trusted
/// files.
pub(crate) fn command(folder: &Path, arguments: impl Arguments) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments.list()).current_dir(folder);
    for variable in ["HATTARI_BOTS", "HATTARI_LOG"] {
        command.env_remove(variable);
    }
    command.env("HATTARI_STATE", folder.join(".state"));
    command
        .env("XDG_DATA_HOME", folder.join(".share"))
        .env("XDG_DATA_DIRS", folder.join(".system"));
    command.env("XDG_CACHE_HOME", cache());
    command
}

/// Returns the folder for caches of the programs that tests start. Tests share it, and it is never
/// the user's own.
pub(crate) fn cache() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
}

/// Runs the program in `folder` to its end.
pub(crate) fn hattari(folder: &Path, arguments: impl Arguments) -> Ended {
    ended(&mut command(folder, arguments))
}
