//! Where bots are looked for. Lists files; opens none.

use anyhow::Context;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Environment variable with more folders of bots, separated as in `PATH`.
pub const BOTS_VARIABLE: &str = "HATTARI_BOTS";

/// The folders that are searched, first to last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    /// Folders whose dynamic libraries are bots.
    libraries: Vec<PathBuf>,
    /// The executable's folder: of the libraries there, only those that name the entry are bots.
    beside: Option<PathBuf>,
    /// Folders with a folder of scripts for each game.
    scripts: Vec<PathBuf>,
    /// Folders that relative paths may start from.
    roots: Vec<PathBuf>,
}

impl SearchPath {
    /// The usual search path: `extra` folders (`--bots`), those of `HATTARI_BOTS`, then `bots/`, `bots/c/` and `scripts/`
    /// under `base` (a league's folder), under the current folder and under the project that each lies in, and the
    /// executable's own folder.
    ///
    /// # Errors
    /// A folder that was named and is not there, or no current folder.
    pub fn new(base: Option<&Path>, extra: &[PathBuf]) -> anyhow::Result<SearchPath> {
        let mut search = SearchPath::default();
        for folder in extra {
            anyhow::ensure!(folder.is_dir(), "--bots {}: there is no such folder", folder.display());
            search.add_bots(folder);
        }
        for folder in env::split_paths(&env::var_os(BOTS_VARIABLE).unwrap_or_default()) {
            if folder.as_os_str().is_empty() {
                continue;
            }
            anyhow::ensure!(folder.is_dir(), "{BOTS_VARIABLE}: there is no folder {}", folder.display());
            search.add_bots(&folder);
        }
        let here = env::current_dir().context("the current folder cannot be told")?;
        let base = base.map(|base| here.join(base));
        let executable = env::current_exe().ok();
        for root in base.iter().chain([&here]) {
            search.add_root(root);
            if let Some(project) = root.ancestors().find(|folder| is_project(folder)) {
                search.add_root(project);
            }
        }
        if let Some(folder) = executable.as_deref().and_then(executables) {
            if let Some(target) = folder.ancestors().find(|folder| folder.file_name().is_some_and(|n| n == "target")) {
                search.roots_of_build(target);
            }
            search.beside = Some(folder.to_owned());
        }
        Ok(search)
    }

    /// Adds a folder that holds libraries, and a folder of scripts for each game.
    pub fn add_bots(&mut self, folder: &Path) {
        push_new(&mut self.libraries, folder.to_owned());
        push_new(&mut self.scripts, folder.to_owned());
    }

    /// Adds a folder that is laid out as a project: `bots/`, `bots/c/`, `scripts/<game>/`.
    pub fn add_root(&mut self, root: &Path) {
        push_new(&mut self.roots, root.to_owned());
        push_new(&mut self.libraries, root.join("bots"));
        push_new(&mut self.libraries, root.join("bots").join("c"));
        push_new(&mut self.scripts, root.join("scripts"));
    }

    fn roots_of_build(&mut self, target: &Path) {
        if let Some(project) = target.parent().filter(|project| is_project(project)) {
            self.add_root(project);
        }
    }

    /// Every folder that is searched and exists, for messages.
    #[must_use]
    pub fn folders(&self) -> Vec<PathBuf> {
        let folders = self.libraries.iter().chain(&self.scripts).chain(&self.beside);
        let mut existing = Vec::new();
        for folder in folders.filter(|folder| folder.is_dir()) {
            push_new(&mut existing, folder.clone());
        }
        existing
    }

    /// Folders that relative paths may start from.
    #[must_use]
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Dynamic libraries, each once, in the order of the search; `true` where it counts as a bot by lying there.
    pub(super) fn libraries(&self) -> Vec<(PathBuf, bool)> {
        let mut seen = HashSet::new();
        let folders = self.libraries.iter().map(|folder| (folder, true));
        let folders = folders.chain(self.beside.iter().map(|folder| (folder, false)));
        folders
            .flat_map(|(folder, surely)| files(folder).into_iter().map(move |file| (file, surely)))
            .filter(|(file, _)| is_library(file) && seen.insert(real(file)))
            .collect()
    }

    /// Scripts with the name of their game, each once, in the order of the search.
    pub(super) fn scripts(&self) -> Vec<(PathBuf, String)> {
        let mut seen = HashSet::new();
        let games = self.scripts.iter().flat_map(|folder| entries(folder)).filter(|entry| entry.is_dir());
        games
            .filter_map(|folder| Some((folder.file_name()?.to_str()?.to_owned(), folder)))
            .flat_map(|(game, folder)| files(&folder).into_iter().map(move |file| (file, game.clone())))
            .filter(|(file, _)| is_script(file) && seen.insert(real(file)))
            .collect()
    }
}

/// Whether a file's name is that of a dynamic library.
pub(super) fn is_library(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == env::consts::DLL_EXTENSION)
}

/// Whether a file's name is that of a script.
pub(super) fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "lua" || extension == "luau")
        && !path.to_string_lossy().ends_with(".d.luau")
}

/// The path without links, to tell whether two are the same file.
pub(super) fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn is_project(folder: &Path) -> bool {
    folder.join("bots").is_dir() || folder.join("scripts").is_dir()
}

/// The folder of an executable; the one above for test programs, which lie in `deps`.
fn executables(executable: &Path) -> Option<&Path> {
    let folder = executable.parent()?;
    if folder.file_name().is_some_and(|name| name == "deps") { folder.parent() } else { Some(folder) }
}

/// Entries of a folder by name, without hidden ones; none where it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let visible = |entry: &fs::DirEntry| !entry.file_name().to_string_lossy().starts_with(['.', '_']);
    let mut paths: Vec<_> = entries.flatten().filter(visible).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.is_file());
    files
}

fn push_new(list: &mut Vec<PathBuf>, path: PathBuf) {
    if !list.contains(&path) {
        list.push(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_searched_for_libraries_and_scripts_by_game() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in ["bots/c/a.so", "bots/b.so", "scripts/daihinmin/x.lua", "scripts/stud/y.lua", "scripts/types.lua"] {
            let path =
                root.join(path).with_extension(if path.ends_with("so") { env::consts::DLL_EXTENSION } else { "lua" });
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::write(root.join("bots/readme.md"), "").unwrap();
        fs::write(root.join("scripts/daihinmin/_lib.lua"), "").unwrap();
        let mut search = SearchPath::default();
        search.add_root(root);
        search.add_root(root);
        let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
        let libraries: Vec<_> = search.libraries().iter().map(|(path, surely)| (stem(path), *surely)).collect();
        assert_eq!(libraries, [("b".into(), true), ("a".into(), true)]);
        let scripts: Vec<_> = search.scripts().iter().map(|(path, game)| (stem(path), game.clone())).collect();
        assert_eq!(scripts, [("x".into(), "daihinmin".into()), ("y".into(), "stud".into())]);
    }

    #[test]
    fn a_missing_folder_is_told() {
        let error = SearchPath::new(None, &["/no/such/folder".into()]).unwrap_err();
        assert_eq!(error.to_string(), "--bots /no/such/folder: there is no such folder");
    }
}
