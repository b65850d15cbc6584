//! A folder with leagues and libraries that are not the project's.

use crate::support::{Ended, cc, hattari, library, project};
use hattari::check::self_test::{CASES, Expected, HEADERS, build};
use hattari::record::Record;
use hattari::store::Store;
use std::fs;
use std::path::PathBuf;

/// A folder with leagues and libraries that are not the project's.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bots")).unwrap();
        Folder(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Builds a source of the project into `bots/`.
    pub fn library(&self, source: &str, name: &str, flags: &[&str]) -> PathBuf {
        let output = self.path("bots").join(library(name));
        let shared = format!("-I{}", project().join("bots/faulty").display());
        cc(&project().join(source), &output, &[&["-pthread", &shared], flags].concat());
        output
    }

    /// Builds every faulty bot that can be loaded into `bots/`, and gives their names.
    pub fn faulty(&self) -> Vec<&'static str> {
        let sources = self.path("sources");
        fs::create_dir(&sources).unwrap();
        for (name, text) in HEADERS {
            fs::write(sources.join(name), text).unwrap();
        }
        let loads = CASES.iter().filter(|case| !matches!(case.outcome, Expected::NotLoaded(_)));
        loads
            .map(|case| {
                fs::rename(build(&sources, case).unwrap(), self.path("bots").join(library(case.name))).unwrap();
                case.name
            })
            .collect()
    }

    pub fn league(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn hattari(&self, arguments: &[&str]) -> Ended {
        hattari(self.0.path(), arguments)
    }

    /// Plays a league without report and gives its records.
    pub fn play(&self, league: &str) -> Vec<Record> {
        self.hattari(&["run", league, "--no-report"]).code(0);
        self.records(league)
    }

    pub fn records(&self, league: &str) -> Vec<Record> {
        let store = PathBuf::from(league).with_extension("sqlite");
        self.records_of(store.to_str().unwrap())
    }

    /// The records of a store by its name.
    pub fn records_of(&self, store: &str) -> Vec<Record> {
        Store::read(&self.path(store)).unwrap().records().unwrap()
    }
}
