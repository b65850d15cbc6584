//! What is built for tests: the project's bots, bots of authors.

use super::{Ended, PROGRAM, ended, project};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Builds all of the project's compiled bots beside the program, once; the path of daihinmin's.
///
/// All together: built one by one, they would be linked anew in turn while other tests load them, for what cargo builds of a
/// package hangs on what it is built with.
pub(crate) fn project_bots() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folders = std::fs::read_dir(project().join("bots")).unwrap().map(|entry| entry.unwrap().path());
        let packages = folders.filter(|folder| folder.join("Cargo.toml").is_file()).map(|folder| {
            let game = folder.file_name().expect("a folder's name").to_string_lossy().into_owned();
            format!("hattari-bots-{game}")
        });
        let mut packages: Vec<String> = packages.collect();
        packages.sort();
        let arguments: Vec<&str> = packages.iter().flat_map(|package| ["-p", package.as_str()]).collect();
        cargo(&arguments);
        Path::new(PROGRAM).with_file_name(library("hattari_bots_daihinmin"))
    })
}

/// A target folder that is kept from one run of the tests to the next, for bots that their authors build with cargo. One test has
/// it at a time: another's library must not come or go while a folder of bots is read.
pub(crate) fn shared_cache() -> (PathBuf, MutexGuard<'static, ()>) {
    static TAKEN: Mutex<()> = Mutex::new(());
    let turn = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let cache = target().join("authors");
    std::fs::create_dir_all(&cache).unwrap();
    (cache, turn)
}

/// The folder of everything that cargo builds.
pub(crate) fn target() -> PathBuf {
    Path::new(PROGRAM).ancestors().nth(2).expect("the program lies in target/<profile>").to_owned()
}

/// Runs `cargo build` in the project, in the profile of the program under test and without a network.
fn cargo(arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(project()).args(["build", "--quiet", "--offline", "--target-dir"]).arg(target());
    command.args(arguments);
    if Path::new(PROGRAM).parent().is_some_and(|folder| folder.ends_with("release")) {
        command.arg("--release");
    }
    // What cargo tells tests about this package is not for another.
    for (variable, _) in
        std::env::vars().filter(|(name, _)| name.starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR")
    {
        command.env_remove(variable);
    }
    let built = ended(&mut command);
    assert_eq!(built.code, 0, "cargo build {arguments:?}:\n{}", built.err);
}

/// Compiles C with `cc` as the guide for authors says, warnings as errors; `output` is the library.
pub(crate) fn cc(source: &Path, output: &Path, more: &[&str]) {
    let include = project().join("plugin-api/include");
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O1", "-fPIC", "-fvisibility=hidden"]);
    command.args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-const-variable", "-I"]);
    command.arg(include).args(more).arg(source).arg("-o").arg(output);
    if !more.contains(&"-c") {
        command.arg("-shared");
    }
    let built = ended(&mut command);
    assert_eq!(built.code, 0, "cc {more:?} {}:\n{}", source.display(), built.err);
}

/// The name of a dynamic library on this system.
pub(crate) fn library(name: &str) -> String {
    format!("lib{name}.{}", std::env::consts::DLL_EXTENSION)
}

/// Runs shell lines in a folder, with the program under test as `hattari` and no network.
pub(crate) fn shell(folder: &Path, lines: &str) -> Ended {
    project_bots();
    let programs = Path::new(PROGRAM).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(programs.to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let mut command = Command::new("sh");
    command.args(["-e", "-c", lines]).current_dir(folder).env("PATH", path.unwrap()).env("CARGO_NET_OFFLINE", "true");
    // What cargo tells tests about this package is not for another.
    for (variable, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO_") || name.starts_with("HATTARI_"))
    {
        if variable != "CARGO_HOME" {
            command.env_remove(variable);
        }
    }
    ended(command.env("CARGO_NET_OFFLINE", "true"))
}

/// Makes a symbolic link, and the folders that it lies in.
pub(crate) fn link(original: &Path, link: &Path) {
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(original, link).unwrap();
}
