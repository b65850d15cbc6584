//! A folder of a test's own, with leagues, bots and stores.

use super::{Ended, cc, command, ended, library, project, wasm_cc};
use hattari::record::Record;
use hattari::store::Store;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A folder of a test's own; gone with it.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
    /// Every run says `--trust`.
    trusting: bool,
}

impl Folder {
    /// An empty folder.
    pub(crate) fn new() -> Folder {
        let folder = tempfile::tempdir().expect("a folder for what is temporary");
        Folder {
            folder,
            trusting: false,
        }
    }

    /// The same, where every run of the program trusts what it would run.
    pub(crate) fn trusting(self) -> Folder {
        Folder {
            trusting: true,
            ..self
        }
    }

    /// A folder with that league, which is called `x.yaml`.
    pub(crate) fn of(league: &str) -> Folder {
        let folder = Folder::new();
        folder.write("x.yaml", league);
        folder
    }

    /// The folder itself.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// A file in it, there or not.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file, and the folders that it lies in.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it lies in the folder")).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The text of a file.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Builds a bot in C from a source of the project into `bots/`; the library.
    pub(crate) fn library(&self, source: &str, name: &str, flags: &[&str]) -> PathBuf {
        let output = self.path("bots").join(library(name));
        fs::create_dir_all(self.path("bots")).unwrap();
        let shared = format!("-I{}", project().join("bots/faulty").display());
        cc(
            &project().join(source),
            &output,
            &[&["-pthread", &shared], flags].concat(),
        );
        output
    }

    /// A run of the program in it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let trust: &[&str] = if self.trusting { &["--trust"] } else { &[] };
        command(self.root(), &[arguments, trust].concat())
    }

    /// Builds a bot in C from a source of the project as a module into `bots/`; the module. It
    /// compiles, or the test fails.
    #[track_caller]
    pub(crate) fn module(&self, source: &str, name: &str, flags: &[&str]) -> PathBuf {
        let output = self.path("bots").join(format!("{name}.wasm"));
        fs::create_dir_all(self.path("bots")).unwrap();
        wasm_cc(&project().join(source), &output, flags).code(0);
        output
    }

    /// Runs the program to its end.
    pub(crate) fn hattari(&self, arguments: &[&str]) -> Ended {
        ended(&mut self.command(arguments))
    }

    /// Starts the program and goes on with the test; what it writes is kept for [`super::wait`].
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }

    /// Plays `x.yaml` into a store, without report.
    pub(crate) fn run(&self, store: &str, more: &[&str]) -> Ended {
        self.hattari(&[&["run", "x.yaml", "--no-report", "--store", store], more].concat())
    }

    /// Plays a league without report; its records.
    #[track_caller]
    pub(crate) fn play(&self, league: &str) -> Vec<Record> {
        self.hattari(&["run", league, "--no-report"]).code(0);
        self.records(league)
    }

    /// All records of a store, which may be named by its league.
    pub(crate) fn records(&self, store: &str) -> Vec<Record> {
        let store = self.path(store).with_extension("sqlite");
        Store::read(&store)
            .and_then(|store| store.records())
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// All records of a store or league, as the program prints them.
    #[track_caller]
    pub(crate) fn printed(&self, store: &str) -> String {
        self.hattari(&["store", "records", store]).code(0).out
    }
}
