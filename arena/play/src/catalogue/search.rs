//! The search path of bots. Lists files without opening them.

use super::found::FoundBot;
use hattari_agents::agent::LoadError;
use hattari_agents::agent::backend::Backend;
use hattari_agents::{files, user_dirs};
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};

/// Environment variable with additional folders of bots, separated as in `PATH`.
pub(crate) const BOTS_VARIABLE: &str = "HATTARI_BOTS";

/// The error for a folder that cannot be searched, as a message with the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct FolderError(pub(crate) String);

/// The searched folders, in order of precedence. A name found in an earlier folder hides the same
/// name in later folders.
#[derive(Clone, Debug, Default)]
pub struct SearchPath {
    levels: Vec<SearchLevel>,
}

/// Folders with the same precedence.
#[derive(Clone, Debug, Default)]
struct SearchLevel {
    /// Folder to which paths of bots may be relative.
    root: Option<PathBuf>,
    /// Folders whose dynamic libraries are bots.
    libraries: Vec<PathBuf>,
    /// Folder with one subfolder of scripts per game.
    scripts: Option<PathBuf>,
}

/// A file on the search path. The bots in it are listed when the file is first read.
#[derive(Debug)]
pub(super) struct CatalogueFile {
    /// The backend that runs the bots in the file.
    pub kind: &'static dyn Backend,
    /// Path of the file.
    pub path: PathBuf,
    /// Name of the game, for scripts.
    pub game: String,
    /// Position of the folder in the search path, from 0.
    distance: usize,
    /// The bots in the file, or the error of reading it; set when the file is first read.
    pub read: OnceLock<Result<Vec<FoundBot>, LoadError>>,
}

impl CatalogueFile {
    /// Returns the bots in the file.
    pub(super) fn read(&self) -> Result<&[FoundBot], &LoadError> {
        let inspect = || {
            let file_info = self.kind.inspect(&self.path, &self.game)?;
            Ok(file_info
                .bots
                .iter()
                .map(|info| FoundBot {
                    distance: self.distance,
                    ..FoundBot::new(self.kind, &self.path, &file_info, info)
                })
                .collect())
        };
        self.read.get_or_init(inspect).as_deref()
    }

    /// Returns the name of the bot if the file name determines it.
    pub(super) fn name(&self) -> Option<Cow<'_, str>> {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        if self.kind.is_slow_to_inspect() {
            // Cargo replaces each `-` of a package name by `_`.
            return Some(stem.replace('_', "-").into());
        }
        self.kind.is_in_folder_of_game().then_some(stem)
    }

    /// Returns the bot called `name`. If the file is slow to inspect and contains a single bot,
    /// returns that bot under any name.
    pub(super) fn bot(&self, name: &str) -> Option<&FoundBot> {
        let bots = self.read().ok()?;
        match (bots.iter().find(|bot| bot.name == name), bots) {
            (None, [only]) if self.kind.is_slow_to_inspect() => Some(only),
            (found, _) => found,
        }
    }
}

impl SearchPath {
    /// Creates the usual search path. Order of the folders:
    ///
    /// * `extra` (`--bots`)
    /// * the folders in `HATTARI_BOTS`
    /// * `bots/`, `bots/c/` and `scripts/` in `base` (a league's folder) and in its project
    /// * the same in the current folder and its project
    /// * the same in the project in which the executable was built
    /// * the installed data folders ([`user_dirs::data_folders`])
    ///
    /// # Errors
    /// Returns an error if a given folder does not exist, or if there is no current folder.
    pub fn new(base: Option<&Path>, extra: &[PathBuf]) -> Result<SearchPath, FolderError> {
        let mut search = SearchPath::default();
        let mut add = |folder: &Path, message: String| {
            if !folder.is_dir() {
                return Err(FolderError(message));
            }
            search.add_bots(folder);
            Ok(())
        };
        for folder in extra {
            add(
                folder,
                format!("--bots {}: there is no such folder", folder.display()),
            )?;
        }
        for folder in env::split_paths(&env::var_os(BOTS_VARIABLE).unwrap_or_default()) {
            if !folder.as_os_str().is_empty() {
                let shown = folder.display();
                add(
                    &folder,
                    format!("{BOTS_VARIABLE}: there is no folder {shown}"),
                )?;
            }
        }
        let current = env::current_dir().map_err(|error| {
            FolderError(format!("cannot determine the current folder: {error}"))
        })?;
        let base = base.map(|base| current.join(base));
        for root in base.iter().chain([&current]) {
            search.add_root(root);
            if let Some(project) = root.ancestors().find(|folder| is_project(folder)) {
                search.add_root(project);
            }
        }
        let program = env::current_exe().unwrap_or_default();
        let others = program
            .ancestors()
            .find(|folder| folder.file_name().is_some_and(|name| name == "target"))
            .and_then(Path::parent)
            .map(Path::to_owned)
            .into_iter()
            .chain(user_dirs::data_folders());
        for folder in others.filter(|folder| is_project(folder)) {
            search.add_root(&folder);
        }
        Ok(search)
    }

    /// Adds a folder with libraries and with one subfolder of scripts per game.
    pub fn add_bots(&mut self, folder: &Path) {
        self.levels.push(SearchLevel {
            root: None,
            libraries: vec![folder.to_owned()],
            scripts: Some(folder.to_owned()),
        });
    }

    /// Adds the bot folders of a project: `bots/`, `bots/c/`, `scripts/<game>/`.
    pub(crate) fn add_root(&mut self, root: &Path) {
        if self
            .roots()
            .any(|other| files::canonical(other) == files::canonical(root))
        {
            return;
        }
        let bots = root.join("bots");
        self.levels.push(SearchLevel {
            root: Some(root.to_owned()),
            libraries: vec![bots.clone(), bots.join("c")],
            scripts: Some(root.join("scripts")),
        });
    }

    /// Returns all searched folders that exist, for messages.
    pub fn folders(&self) -> Vec<PathBuf> {
        let folders = self
            .levels
            .iter()
            .flat_map(|level| level.libraries.iter().chain(&level.scripts));
        let mut existing = Vec::new();
        for folder in folders.filter(|folder| folder.is_dir()) {
            if !existing.contains(folder) {
                existing.push(folder.clone());
            }
        }
        existing
    }

    /// Returns the folders to which paths of bots may be relative.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.levels.iter().filter_map(|level| level.root.as_deref())
    }

    /// Returns the files that a backend accepts, without duplicates, in search order.
    pub(super) fn files(&self, kind: &'static dyn Backend) -> Vec<CatalogueFile> {
        let mut seen = HashSet::new();
        let mut candidates = Vec::new();
        for (distance, level) in self.levels.iter().enumerate() {
            let mut folders: Vec<(PathBuf, String)> = Vec::new();
            if kind.is_in_folder_of_game() {
                let entries = level.scripts.iter().flat_map(|folder| entries(folder));
                folders.extend(entries.filter_map(|folder| {
                    let game = folder.file_name()?.to_str()?.to_owned();
                    // These bots misbehave on purpose. Leagues can use them by path only.
                    (folder.is_dir() && game != FAULTY).then_some((folder, game))
                }));
            } else {
                let libraries = level.libraries.iter().cloned();
                folders.extend(libraries.map(|folder| (folder, String::new())));
            }
            for (folder, game) in folders {
                let new_files = entries(&folder).into_iter().filter(|file| {
                    file.is_file()
                        && kind.accepts(file)
                        && kind.is_found_by_search(file)
                        && seen.insert(files::canonical(file))
                });
                candidates.extend(new_files.map(|path| CatalogueFile {
                    kind,
                    path,
                    game: game.clone(),
                    distance,
                    read: OnceLock::new(),
                }));
            }
        }
        candidates
    }
}

/// The folder of faulty example scripts, which belongs to no game.
const FAULTY: &str = "faulty";

fn is_project(folder: &Path) -> bool {
    folder.join("bots").is_dir() || folder.join("scripts").is_dir()
}

/// Returns the entries of a folder whose names do not start with `.` or `_`, sorted by name; empty
/// if the folder cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let visible = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with(['.', '_']))
        .map(|entry| entry.path());
    let mut paths: Vec<_> = visible.collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_agents::agent::BACKENDS;

    #[test]
    fn a_project_is_searched_for_libraries_and_scripts_by_game() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in [
            "scripts/faulty/z.lua",
            "bots/c/a.so",
            "bots/b.so",
            "bots/readme.md",
            "scripts/daihinmin/x.lua",
            "scripts/daihinmin/_lib.lua",
            "scripts/stud/y.lua",
            "scripts/types.lua",
        ] {
            let path = root.join(path.replace(".so", env::consts::DLL_SUFFIX));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut search = SearchPath::default();
        search.add_root(root);
        search.add_root(root);
        for (backend, expected) in [(0, "b:, a:"), (1, "x:daihinmin, y:stud")] {
            let files = search
                .files(BACKENDS[backend])
                .into_iter()
                .map(|candidate| {
                    let stem = candidate.path.file_stem().unwrap().to_owned();
                    format!("{}:{}", stem.display(), candidate.game)
                });
            assert_eq!(files.collect::<Vec<_>>().join(", "), expected);
        }
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let error = SearchPath::new(None, &["/no/such/folder".into()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "--bots /no/such/folder: there is no such folder"
        );
    }
}
