//! Where bots are looked for. Lists files; opens none.

use hattari_agents::agent::kind::{Kind, Place as Where};
use hattari_agents::own;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Environment variable with more folders of bots, separated as in `PATH`.
pub const BOTS_VARIABLE: &str = "HATTARI_BOTS";

/// A folder that was named and cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoFolder(pub(crate) String);

/// The folders that are searched, nearest first. A name that is found in a nearer place hides the
/// same name farther off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    places: Vec<Place>,
}

/// Folders that are equally near.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Place {
    /// What relative paths may start from.
    root: Option<PathBuf>,
    /// Folders whose dynamic libraries are bots.
    libraries: Vec<PathBuf>,
    /// A folder with a folder of scripts for each game.
    scripts: Option<PathBuf>,
}

/// A file that may be a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Where it is.
    pub path: PathBuf,
    /// Name of its game, for scripts.
    pub game: String,
    /// How far it is: number of the place.
    pub distance: usize,
}

impl SearchPath {
    /// The usual search path: `extra` folders (`--bots`), those of `HATTARI_BOTS`, then `bots/`,
    /// `bots/c/` and `scripts/` under `base` (a league's folder), the project that it lies in,
    /// the current folder and its project, the project that the executable was built in, and
    /// where the program has been installed ([`own::data_folders`]).
    ///
    /// # Errors
    /// A folder that was named and is not there, or no current folder.
    pub fn new(base: Option<&Path>, extra: &[PathBuf]) -> Result<SearchPath, NoFolder> {
        let mut search = SearchPath::default();
        for folder in extra {
            if !folder.is_dir() {
                return Err(NoFolder(format!(
                    "--bots {}: there is no such folder",
                    folder.display()
                )));
            }
            search.add_bots(folder);
        }
        for folder in env::split_paths(&env::var_os(BOTS_VARIABLE).unwrap_or_default()) {
            if folder.as_os_str().is_empty() {
                continue;
            }
            if !folder.is_dir() {
                return Err(NoFolder(format!(
                    "{BOTS_VARIABLE}: there is no folder {}",
                    folder.display()
                )));
            }
            search.add_bots(&folder);
        }
        let here = env::current_dir()
            .map_err(|error| NoFolder(format!("the current folder cannot be told: {error}")))?;
        let base = base.map(|base| here.join(base));
        for root in base.iter().chain([&here]) {
            search.add_root(root);
            if let Some(project) = root.ancestors().find(|folder| is_project(folder)) {
                search.add_root(project);
            }
        }
        let program = env::current_exe().unwrap_or_default();
        let target = program
            .ancestors()
            .find(|folder| folder.file_name().is_some_and(|name| name == "target"));
        if let Some(project) = target
            .and_then(Path::parent)
            .filter(|project| is_project(project))
        {
            search.add_root(project);
        }
        for folder in own::data_folders()
            .into_iter()
            .filter(|folder| is_project(folder))
        {
            search.add_root(&folder);
        }
        Ok(search)
    }

    /// Adds a folder that holds libraries, and a folder of scripts for each game.
    pub fn add_bots(&mut self, folder: &Path) {
        let (libraries, scripts) = (vec![folder.to_owned()], Some(folder.to_owned()));
        self.places.push(Place {
            libraries,
            scripts,
            ..Place::default()
        });
    }

    /// Adds a folder that is laid out as a project: `bots/`, `bots/c/`, `scripts/<game>/`.
    pub fn add_root(&mut self, root: &Path) {
        let is_root = |place: &Place| {
            place
                .root
                .as_ref()
                .is_some_and(|other| real(other) == real(root))
        };
        if self.places.iter().any(is_root) {
            return;
        }
        let bots = root.join("bots");
        self.places.push(Place {
            root: Some(root.to_owned()),
            libraries: vec![bots.clone(), bots.join("c")],
            scripts: Some(root.join("scripts")),
        });
    }

    /// Every folder that is searched and exists, for messages.
    #[must_use]
    pub fn folders(&self) -> Vec<PathBuf> {
        let folders = self
            .places
            .iter()
            .flat_map(|p| p.libraries.iter().chain(&p.scripts));
        let mut existing = Vec::new();
        for folder in folders.filter(|folder| folder.is_dir()) {
            if !existing.contains(folder) {
                existing.push(folder.clone());
            }
        }
        existing
    }

    /// Folders that relative paths may start from.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.places.iter().filter_map(|place| place.root.as_deref())
    }

    /// Files of a kind, each once, in the order of the search.
    pub(super) fn files(&self, kind: &dyn Kind) -> Vec<Candidate> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for (distance, place) in self.places.iter().enumerate() {
            let folders: Vec<(PathBuf, String)> = match kind.place() {
                Where::Bots => place
                    .libraries
                    .iter()
                    .map(|folder| (folder.clone(), String::new()))
                    .collect(),
                Where::FolderOfGame => {
                    let folders = place
                        .scripts
                        .iter()
                        .flat_map(|folder| entries(folder))
                        .filter(|entry| entry.is_dir());
                    let named = folders.filter_map(|folder| {
                        let game = folder.file_name()?.to_str()?.to_owned();
                        // Bots that misbehave on purpose; whoever wants one names its file.
                        (game != FAULTY).then_some((folder, game))
                    });
                    named.collect()
                }
            };
            for (folder, game) in folders {
                let fresh = files(&folder)
                    .into_iter()
                    .filter(|file| kind.takes(file) && seen.insert(real(file)));
                found.extend(fresh.map(|path| Candidate {
                    path,
                    game: game.clone(),
                    distance,
                }));
            }
        }
        found
    }
}

/// The folder of scripts that is no game's.
const FAULTY: &str = "faulty";

/// The path without links, to tell whether two are the same file.
pub(super) fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn is_project(folder: &Path) -> bool {
    folder.join("bots").is_dir() || folder.join("scripts").is_dir()
}

/// Entries of a folder by name, without hidden ones; none where it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let visible =
        |entry: &fs::DirEntry| !entry.file_name().to_string_lossy().starts_with(['.', '_']);
    let mut paths: Vec<_> = entries
        .flatten()
        .filter(visible)
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.is_file());
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_agents::agent::KINDS;

    #[test]
    fn a_project_is_searched_for_libraries_and_scripts_by_game() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in [
            "scripts/faulty/z.lua",
            "bots/c/a.so",
            "bots/b.so",
            "scripts/daihinmin/x.lua",
            "scripts/stud/y.lua",
            "scripts/types.lua",
        ] {
            let path = root.join(path).with_extension(if path.ends_with("so") {
                env::consts::DLL_EXTENSION
            } else {
                "lua"
            });
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::write(root.join("bots/readme.md"), "").unwrap();
        fs::write(root.join("scripts/daihinmin/_lib.lua"), "").unwrap();
        let mut search = SearchPath::default();
        search.add_root(root);
        search.add_root(root);
        let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
        let libraries: Vec<_> = search
            .files(KINDS[0])
            .iter()
            .map(|found| stem(&found.path))
            .collect();
        assert_eq!(libraries, ["b", "a"]);
        let scripts: Vec<_> = search
            .files(KINDS[1])
            .iter()
            .map(|found| (stem(&found.path), found.game.clone()))
            .collect();
        assert_eq!(
            scripts,
            [
                ("x".into(), "daihinmin".into()),
                ("y".into(), "stud".into())
            ]
        );
    }

    #[test]
    fn a_missing_folder_is_told() {
        let error = SearchPath::new(None, &["/no/such/folder".into()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "--bots /no/such/folder: there is no such folder"
        );
    }
}
