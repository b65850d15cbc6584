//! A temporary folder for a test, with leagues, bots and stores.

use super::{Arguments, Ended, Texts, cc, command, ended, library, project, wasm_cc};
use hattari_agents::record::Record;
use hattari_play::store::Store;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A temporary folder for a test, removed with this value.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
    /// True if every run has `--trust`.
    trusting: bool,
}

impl Folder {
    /// Creates an empty folder.
    pub(crate) fn new() -> Folder {
        let folder = tempfile::tempdir().expect("a folder for what is temporary");
        Folder {
            folder,
            trusting: false,
        }
    }

    /// Returns this folder with `--trust` for every run of the program.
    pub(crate) fn trusting(self) -> Folder {
        Folder {
            trusting: true,
            ..self
        }
    }

    /// Creates a folder with the league, which is called `x.yaml`.
    pub(crate) fn of(league: &str) -> Folder {
        let folder = Folder::new();
        folder.write("x.yaml", league);
        folder
    }

    /// Returns the path of the folder.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the path of a file in the folder, which need not exist.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file and creates its parent folders.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it lies in the folder")).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns the text of a file.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Replaces a text in a file.
    #[track_caller]
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        self.write(name, self.read(name).replace(from, to));
    }

    /// Compiles a bot in C from a source of the project into `bots/`. Returns the library.
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

    /// Returns a command that runs the program in the folder.
    pub(crate) fn command(&self, arguments: impl Arguments) -> Command {
        let trust = if self.trusting { "--trust" } else { "" };
        command(self.root(), (arguments, trust))
    }

    /// Compiles a bot in C from a source of the project as a module into `bots/`. Returns the
    /// module.
    ///
    /// # Panics
    /// Panics if it does not compile.
    #[track_caller]
    pub(crate) fn module(&self, source: &str, name: &str, flags: &[&str]) -> PathBuf {
        let output = self.path("bots").join(format!("{name}.wasm"));
        fs::create_dir_all(self.path("bots")).unwrap();
        wasm_cc(&project().join(source), &output, flags).code(0);
        output
    }

    /// Runs the program to its end.
    pub(crate) fn hattari(&self, arguments: impl Arguments) -> Ended {
        ended(&mut self.command(arguments))
    }

    /// Runs the program to its end and asserts that it succeeds.
    #[track_caller]
    pub(crate) fn succeeds(&self, arguments: impl Arguments) -> Ended {
        self.hattari(arguments).code(0)
    }

    /// Returns a report as JSON.
    #[track_caller]
    pub(crate) fn report(&self, arguments: impl Arguments) -> Value {
        let json = (("report", arguments), "--format json");
        self.succeeds(json).json()
    }

    /// Runs the program to its end and asserts that it ends with code 2 and this error output.
    #[track_caller]
    pub(crate) fn refuses(&self, arguments: impl Arguments, complaints: impl Texts) -> Ended {
        self.hattari(arguments).code(2).complains(complaints)
    }

    /// Starts the program and returns at once. Its output is kept for [`super::wait`].
    pub(crate) fn start(&self, arguments: impl Arguments) -> Child {
        let mut command = self.command(arguments);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }

    /// Plays `x.yaml` into a store, without a report.
    pub(crate) fn run(&self, store: &str, more: impl Arguments) -> Ended {
        self.hattari((["run", "x.yaml", "--no-report", "--store", store], more))
    }

    /// Plays a league without a report. Returns its records.
    #[track_caller]
    pub(crate) fn play(&self, league: &str) -> Vec<Record> {
        self.succeeds(["run", league, "--no-report"]);
        self.records(league)
    }

    /// Opens a store, which can be named by its league.
    pub(crate) fn store(&self, store: &str) -> Store {
        Store::read(&self.path(store).with_extension("sqlite"))
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns all records of a store, which can be named by its league.
    pub(crate) fn records(&self, store: &str) -> Vec<Record> {
        let store = self.store(store).records();
        store.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns all records of a store or league, as the program prints them.
    #[track_caller]
    pub(crate) fn printed(&self, store: &str) -> String {
        self.succeeds(["store", "records", store]).out
    }
}
