//! What end-to-end tests share: the program, the project's bots, a C compiler.
#![allow(dead_code, reason = "every test program uses a part of it")]

pub mod page;
#[cfg(unix)]
pub mod server;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_hattari");

/// The project's folder.
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the project")
}

/// How a run of the program ended.
#[derive(Debug)]
pub struct Ended {
    /// Exit code; -1 if a signal ended it.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Error output.
    pub err: String,
}

impl Ended {
    /// Asserts the exit code.
    #[track_caller]
    pub fn code(self, code: i32) -> Ended {
        assert_eq!(self.code, code, "\n-- out\n{}\n-- err\n{}", self.out, self.err);
        self
    }

    /// Asserts that the output holds `text`.
    #[track_caller]
    pub fn says(self, text: &str) -> Ended {
        assert!(self.out.contains(text), "no `{text}` in\n-- out\n{}\n-- err\n{}", self.out, self.err);
        self
    }

    /// Asserts that the output does not hold `text`.
    #[track_caller]
    pub fn never_says(self, text: &str) -> Ended {
        let silent = !self.out.contains(text) && !self.err.contains(text);
        assert!(silent, "`{text}` in\n-- out\n{}\n-- err\n{}", self.out, self.err);
        self
    }

    /// Asserts that the error output holds `text`.
    #[track_caller]
    pub fn complains(self, text: &str) -> Ended {
        assert!(self.err.contains(text), "no `{text}` in\n-- err\n{}\n-- out\n{}", self.err, self.out);
        self
    }

    /// The output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in\n{}", self.out))
    }
}

/// A run of the program in `folder`, without the user's own settings.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(folder);
    for variable in ["HATTARI_BOTS", "HATTARI_LOG"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the program in `folder` to its end.
pub fn hattari(folder: &Path, arguments: &[&str]) -> Ended {
    ended(&mut command(folder, arguments))
}

/// Runs a command to its end.
pub fn ended(command: &mut Command) -> Ended {
    let output = command.output().expect("the program starts");
    Ended {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs the program again and again and kills it with SIGKILL, each time later than before so that it gets on however slow the
/// machine is, until a run comes to its end by itself. How often it was killed.
///
/// # Panics
/// It fails, or does not come to its end.
pub fn killed_again_and_again(folder: &Path, arguments: &[&str], first_ms: u64) -> u64 {
    let start = Instant::now();
    let mut kills = 0;
    loop {
        let mut host = command(folder, arguments).stdout(Stdio::null()).spawn().expect("the program starts");
        thread::sleep(Duration::from_millis(first_ms + 200 * kills));
        match host.try_wait().expect("a child") {
            Some(status) => {
                assert!(status.success());
                return kills;
            }
            None => host.kill().expect("a child"),
        }
        host.wait().expect("a child");
        kills += 1;
        assert!(start.elapsed() < Duration::from_secs(400), "it does not come to its end");
    }
}

/// Builds the project's compiled bots beside the program, once; the path of daihinmin's.
pub fn project_bots() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let bots = ["-p", "hattari-bots-bridge", "-p", "hattari-bots-daihinmin", "-p", "hattari-bots-holdem"];
        cargo(project(), &target(), &bots);
        let name = format!("libhattari_bots_daihinmin.{}", std::env::consts::DLL_EXTENSION);
        Path::new(PROGRAM).with_file_name(name)
    })
}

/// Builds the project's compiled hold'em bots beside the program, once.
pub fn project_holdem_bots() {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| cargo(project(), &target(), &["-p", "hattari-bots-holdem"]));
}

/// Builds the project's compiled stud bots beside the program, once.
pub fn project_stud_bots() {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| cargo(project(), &target(), &["-p", "hattari-bots-stud"]));
}

/// Builds the project's compiled tanhinmin bots beside the program, once.
pub fn project_tanhinmin_bots() {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| cargo(project(), &target(), &["-p", "hattari-bots-tanhinmin"]));
}

/// The folder of everything that cargo builds.
pub fn target() -> PathBuf {
    Path::new(PROGRAM).ancestors().nth(2).expect("the program lies in target/<profile>").to_owned()
}

/// Runs `cargo build` in `folder`, in the profile of the program under test and without a network.
pub fn cargo(folder: &Path, target: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(["build", "--quiet", "--offline", "--target-dir"]).arg(target).args(arguments);
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
    assert_eq!(built.code, 0, "cargo build {arguments:?} in {}:\n{}", folder.display(), built.err);
}

/// Compiles C with `cc` as the guide for authors says, warnings as errors; `output` is the library.
pub fn cc(source: &Path, output: &Path, more: &[&str]) {
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
pub fn library(name: &str) -> String {
    format!("lib{name}.{}", std::env::consts::DLL_EXTENSION)
}

/// Runs shell lines in a folder, with the program under test as `hattari` and no network.
pub fn shell(folder: &Path, lines: &str) -> Ended {
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
pub fn link(original: &Path, link: &Path) {
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(original, link).unwrap();
}
