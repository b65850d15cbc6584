//! A folder with bots and leagues, and the program under test.

#![allow(
    dead_code,
    unused_imports,
    reason = "these tests use a part of the shared code"
)]

#[path = "../../../support/folder.rs"]
mod folder;
#[path = "../../../support/process.rs"]
mod process;
#[path = "../../../support/program.rs"]
mod program;
#[path = "../../../support/server.rs"]
mod server;

pub(crate) use folder::Folder;
pub(crate) use process::{Running, spawned};
pub(crate) use program::{Arguments, Ended, JsonPart, Texts, ended};
pub(crate) use server::Server;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The program under test: the arena's command with the games of this package.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_hattari-outside");

/// Returns the folder of the package.
pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns a command for the program in a folder, without the user's settings. The bots of this
/// package are on its search path.
pub(crate) fn command(folder: &Path, arguments: impl Arguments) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments.list())
        .current_dir(folder)
        .env("HATTARI_BOTS", bots())
        .env_remove("HATTARI_LOG");
    command
        .env("HATTARI_STATE", folder.join(".state"))
        .env("XDG_DATA_HOME", folder.join(".share"));
    command
}

/// Returns the folder with the Rust and C libraries of compiled bots.
fn bots() -> &'static Path {
    static BOTS: OnceLock<PathBuf> = OnceLock::new();
    BOTS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bots");
        fs::create_dir_all(&folder).expect("the folder can be made");
        let library =
            |name: &str| folder.join(format!("{name}.{}", std::env::consts::DLL_EXTENSION));
        fs::copy(rust_bots(), library("rust")).expect("the library can be copied");
        build_c(
            &folder,
            &package().join("bots/cautious.c"),
            &library("cautious"),
        );
        folder
    })
}

/// Returns the library of `examples/bots.rs`, which `cargo test` builds with the tests.
fn rust_bots() -> PathBuf {
    let name = format!("examples/libbots.{}", std::env::consts::DLL_EXTENSION);
    let library = Path::new(PROGRAM).with_file_name(name);
    let remedy =
        "`cargo build -p hattari-outside --examples` builds it; a single test target does not";
    let changed = |path: &Path| {
        fs::metadata(path)
            .and_then(|it| it.modified())
            .unwrap_or_else(|e| panic!("{e}; {remedy}"))
    };
    let sources = [
        "examples/bots.rs",
        "src/kuhn.rs",
        "src/leduc.rs",
        "src/solved.rs",
        "src/cfr.rs",
    ];
    let newest = sources
        .map(|source| changed(&package().join(source)))
        .into_iter()
        .max();
    assert!(
        Some(changed(&library)) >= newest,
        "{} is older than its sources; {remedy}",
        library.display()
    );
    library
}

/// Builds a C bot with headers from the program. Warnings are errors.
fn build_c(folder: &Path, source: &Path, library: &Path) {
    let headers = "show types c kuhn --into include".split(' ');
    let mut program = Command::new(PROGRAM);
    ended(program.args(headers).current_dir(folder)).code(0);
    let flags = "-O2 -std=c11 -Wall -Wextra -Wpedantic -Werror -fPIC -shared -fvisibility=hidden";
    let mut compiler = Command::new("cc");
    compiler.args(flags.split(' ')).arg("-I");
    compiler.arg(folder.join("include")).arg("-o");
    ended(compiler.arg(library).arg(source)).code(0);
}

/// Returns a folder with the package's leagues and scripts, in which stores can be created.
pub(crate) fn folder() -> Folder {
    let folder = Folder::new();
    for file in [
        "leagues/kuhn.yaml",
        "leagues/leduc.yaml",
        "scripts/kuhn/honest.lua",
        "scripts/leduc/pairs.lua",
    ] {
        folder.write(file, fs::read(package().join(file)).unwrap());
    }
    folder
}
