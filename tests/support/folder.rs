//! A temporary folder for a test, in which the program runs.

use super::{Arguments, Ended, Texts, command, ended, spawned};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// A temporary folder for a test, removed with this value.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
    /// True if every run has `--trust`.
    trusting: bool,
    /// True if the cache of every run is in the folder.
    has_own_cache: bool,
}

impl Folder {
    /// Creates an empty folder.
    pub(crate) fn new() -> Folder {
        Folder {
            folder: tempfile::tempdir().unwrap(),
            trusting: false,
            has_own_cache: false,
        }
    }

    /// Returns this folder with `--trust` for every run of the program.
    pub(crate) fn trusting(self) -> Folder {
        Folder {
            trusting: true,
            ..self
        }
    }

    /// Returns this folder with a cache in it for every run of the program.
    pub(crate) fn with_own_cache(self) -> Folder {
        Folder {
            has_own_cache: true,
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

    /// Returns the contents of a file.
    #[track_caller]
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Replaces a text in a file.
    #[track_caller]
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        self.write(name, self.read(name).replace(from, to));
    }

    /// Returns a command that runs the program in the folder.
    pub(crate) fn command(&self, arguments: impl Arguments) -> Command {
        let trust = if self.trusting { "--trust" } else { "" };
        let mut command = command(self.root(), (arguments, trust));
        if self.has_own_cache {
            command.env("XDG_CACHE_HOME", self.path(".cache"));
        }
        command
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
        spawned(&mut self.command(arguments))
    }
}
