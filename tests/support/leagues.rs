//! Bots, leagues and stores in a folder of a test.

use super::{Arguments, Ended, Folder, cc, library, project, wasm_cc};
use hattari_agents::record::Record;
use hattari_play::store::Store;
use std::fs;
use std::path::PathBuf;

impl Folder {
    /// Returns the path of a file in `bots/`, and creates that folder.
    fn bot_file(&self, name: &str) -> PathBuf {
        fs::create_dir_all(self.path("bots")).unwrap();
        self.path("bots").join(name)
    }

    /// Compiles a bot in C from a source of the project into `bots/`. Returns the library.
    pub(crate) fn library(&self, source: &str, name: &str, flags: &[&str]) -> PathBuf {
        let output = self.bot_file(&library(name));
        let shared = format!("-I{}", project().join("bots/faulty").display());
        cc(
            &project().join(source),
            &output,
            &[&["-pthread", &shared], flags].concat(),
        );
        output
    }

    /// Compiles a bot in C from a source of the project as a module into `bots/`. Returns the
    /// module.
    ///
    /// # Panics
    /// Panics if it does not compile.
    #[track_caller]
    pub(crate) fn module(&self, source: &str, name: &str, flags: &[&str]) -> PathBuf {
        let output = self.bot_file(&format!("{name}.wasm"));
        wasm_cc(&project().join(source), &output, flags).code(0);
        output
    }

    /// Copies a file of the project into the folder.
    pub(crate) fn copy(&self, source: &str, name: &str) {
        self.write(name, fs::read(project().join(source)).unwrap());
    }

    /// Plays `x.yaml` into a store, without a report. Asserts that it succeeds.
    #[track_caller]
    pub(crate) fn run(&self, store: &str, more: impl Arguments) -> Ended {
        self.try_run(store, more).code(0)
    }

    /// Plays `x.yaml` into a store, without a report.
    pub(crate) fn try_run(&self, store: &str, more: impl Arguments) -> Ended {
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
        Store::read(&self.path(store).with_extension("sqlite")).unwrap()
    }

    /// Returns all records of a store, which can be named by its league.
    pub(crate) fn records(&self, store: &str) -> Vec<Record> {
        self.store(store).records().unwrap()
    }

    /// Returns the digest and the number of all records of a store or league.
    #[track_caller]
    pub(crate) fn digest(&self, store: &str) -> String {
        self.succeeds(["store", "digest", store]).out
    }

    /// Returns all records of a store or league, as the program prints them.
    #[track_caller]
    pub(crate) fn printed(&self, store: &str) -> String {
        self.succeeds(["store", "records", store]).out
    }
}

/// Asserts that no bot has a fault in these blocks.
#[track_caller]
pub(crate) fn no_faults(records: &[Record]) {
    for record in records {
        assert!(record.faults.is_empty(), "{:?}", record.faults);
    }
}
