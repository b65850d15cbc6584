//! The error for a bot that cannot be found, with suggestions.

use hattari_agents::agent::backend::Backend;
use hattari_agents::agent::{BACKENDS, LoadError, backend_of};
use hattari_agents::text::{joined, quoted};
use std::path::{Path, PathBuf, is_separator};
use std::{fmt, fs};

const NEAREST_MAX: usize = 3;
/// Maximum number of folder entries that are examined for suggestions.
const ENTRIES_MAX: usize = 1000;

/// A bot that was not found. The message contains the searched places and similar names.
#[derive(Clone, Debug)]
pub struct NotFound {
    /// The name as written in the league or command.
    pub name: String,
    /// The game for which the bot was requested.
    pub game: String,
    /// Cause of the failure, with the data for the message.
    pub reason: Box<NotFoundReason>,
    /// Similar names, most similar first.
    pub nearest: Vec<String>,
}

/// The reason why a bot was not found.
#[derive(Clone, Debug)]
pub enum NotFoundReason {
    /// No bot has this name.
    NoSuchName {
        /// Folders that were searched.
        searched: Vec<PathBuf>,
        /// Libraries that may contain the bot but cannot be loaded.
        broken: Vec<LoadError>,
    },
    /// No file exists at any of these paths.
    NoSuchFile(Vec<PathBuf>),
    /// The file is not of a type that a backend can run.
    NotABot(PathBuf),
    /// The library cannot be loaded, or the script does not start.
    Broken(LoadError),
    /// The library contains several bots for the game, and no id was given. Contains the path and
    /// the ids.
    WhichId(PathBuf, Vec<String>),
    /// The library contains no bot with this id. Contains the path and the existing ids.
    NoSuchId(PathBuf, Vec<String>),
    /// The bot supports only these other games.
    OtherGame(Vec<String>),
    /// The file declares no games. Contains its backend and the possible games.
    WhichGame(&'static dyn Backend, Vec<String>),
    /// Several bots have this name, at these paths.
    Ambiguous(Vec<PathBuf>),
}

impl NotFound {
    /// Creates the error for the bot `name`, requested for a game, without similar names.
    pub(super) fn new(game: &str, name: &str, reason: NotFoundReason) -> NotFound {
        NotFound {
            name: name.to_owned(),
            game: game.to_owned(),
            reason: Box::new(reason),
            nearest: Vec::new(),
        }
    }

    /// Merges the errors for several games into one. Returns the first error that is not about a
    /// missing bot. If the bot is missing for all games, returns one error with the suggestions for
    /// all of them.
    pub(super) fn merge(errors: Vec<NotFound>) -> NotFound {
        let is_missing = |error: &NotFound| {
            matches!(
                *error.reason,
                NotFoundReason::NoSuchName { .. } | NotFoundReason::NoSuchFile(_)
            )
        };
        let mut suggestions: Vec<&String> = Vec::new();
        for error in &errors {
            if !is_missing(error) {
                return error.clone();
            }
            for name in &error.nearest {
                if !suggestions.contains(&name) {
                    suggestions.push(name);
                }
            }
        }
        let Some(first) = errors.first() else {
            return NotFound::new("", "", NotFoundReason::OtherGame(Vec::new()));
        };
        // Suggested paths are already in order.
        let nearest = if suggestions.iter().any(|name| name.contains(is_separator)) {
            suggestions.into_iter().take(NEAREST_MAX).cloned().collect()
        } else {
            nearest(&first.name, suggestions.into_iter().map(String::as_str))
        };
        let is_several = errors.len() > 1;
        NotFound {
            game: if is_several { "any game" } else { &first.game }.to_owned(),
            nearest,
            ..first.clone()
        }
    }
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotFound { name, game, .. } = self;
        match &*self.reason {
            NotFoundReason::NoSuchName { searched, broken } => {
                write!(f, "no bot `{name}` for {game}")?;
                suggest(f, &self.nearest)?;
                write!(f, "; searched {}", paths(searched))?;
                for error in broken {
                    write!(f, "; not loaded: {error}")?;
                }
                Ok(())
            }
            NotFoundReason::NoSuchFile(tried) => {
                write!(f, "no bot `{name}`: no such file, tried {}", paths(tried))?;
                suggest(f, &self.nearest)
            }
            NotFoundReason::NotABot(path) => {
                let kinds = joined(BACKENDS.iter().rev().map(|kind| kind.file_term()), " nor ");
                write!(f, "`{name}`: {} is neither {kinds}", path.display())
            }
            // The error already names the file.
            NotFoundReason::Broken(error)
                if error.path.ends_with(name.split('#').next().unwrap_or(name)) =>
            {
                write!(f, "{error}")
            }
            NotFoundReason::Broken(error) => write!(f, "`{name}`: {error}"),
            NotFoundReason::WhichId(path, ids) => {
                let first = ids.first().map_or("id", String::as_str);
                let (path, ids) = (path.display(), ids.join(", "));
                write!(
                    f,
                    "`{name}`: {path} contains several bots for {game} ({ids}); choose one, as in \
                    `{name}#{first}`"
                )
            }
            NotFoundReason::NoSuchId(path, ids) => {
                let (path, ids) = (path.display(), ids.join(", "));
                write!(
                    f,
                    "`{name}`: {path} contains no bot with this name; it contains {ids}"
                )
            }
            NotFoundReason::OtherGame(games) => {
                let games = games.join(", ");
                write!(f, "`{name}` does not play {game}; it plays {games}")
            }
            NotFoundReason::WhichGame(kind, games) => {
                let first = games.first().map_or("GAME", String::as_str);
                let games = quoted(games.iter());
                let place = match kind.name() {
                    "script" => {
                        format!("in the script, as in `bot = {{ games = {{ \"{first}\" }} }}`")
                    }
                    _ => {
                        format!(
                            "in the first comment of the program, as in `hattari-game: {first}`"
                        )
                    }
                };
                write!(
                    f,
                    "`{name}` does not declare its game ({games}): give the game with --game, or \
                    {place}"
                )
            }
            NotFoundReason::Ambiguous(files) => {
                let files = paths(files);
                write!(
                    f,
                    "several bots are called `{name}`: {files}; give the path instead"
                )
            }
        }
    }
}

impl std::error::Error for NotFound {}

fn suggest(f: &mut fmt::Formatter<'_>, nearest: &[String]) -> fmt::Result {
    match nearest {
        [] => Ok(()),
        names => write!(f, "; did you mean {}?", quoted(names.iter())),
    }
}

fn paths(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "nothing: no `bots` or `scripts` folder was found".into();
    }
    shown(paths.iter().cloned()).join(", ")
}

/// Returns paths as texts.
fn shown(paths: impl Iterator<Item = PathBuf>) -> Vec<String> {
    paths.map(|path| path.display().to_string()).collect()
}

/// Returns bot files to suggest instead of `path`, which does not exist. If `path` is a folder,
/// these are the files in it. Otherwise they are files with a similar name in the same folder, and
/// files with the same name in neighbouring folders. `tried` contains the paths that were searched.
pub(super) fn similar_files(path: &Path, tried: &[PathBuf]) -> Vec<String> {
    let Some(name) = path.file_name() else {
        return Vec::new();
    };
    let folder_of = |file: &'_ Path| file.parent().unwrap_or(Path::new("")).to_owned();
    let inside = tried
        .iter()
        .flat_map(|file| files_in(Path::new(name), &folder_of(file)));
    let inside = shown(inside.map(|file| path.with_file_name(file)));
    if !inside.is_empty() {
        return inside;
    }
    let mut files: Vec<PathBuf> = Vec::new();
    let mut add = |folder: &Path, shown_folder: &Path, file: &Path| {
        let (file, shown) = (folder.join(file), shown_folder.join(file));
        if file.is_file() && backend_of(&file).is_some() && !files.contains(&shown) {
            files.push(shown);
        }
    };
    let shown_folder = folder_of(path);
    let shown_parent = shown_folder.parent().unwrap_or(&shown_folder);
    for file in tried {
        let folder = folder_of(file);
        let names = entries(&folder);
        for similar in nearest(&name.to_string_lossy(), names.iter().map(String::as_str)) {
            add(&folder, &shown_folder, Path::new(&similar));
        }
        for inner in &names {
            add(&folder, &shown_folder, &Path::new(inner).join(name));
        }
        let has_parent = !shown_folder.as_os_str().is_empty();
        let Some(parent) = folder.parent().filter(|_| has_parent) else {
            continue;
        };
        add(parent, shown_parent, Path::new(name));
        for inner in entries(parent) {
            add(parent, shown_parent, &Path::new(&inner).join(name));
        }
    }
    shown(files.into_iter().take(NEAREST_MAX))
}

/// Returns the paths of the bot files in the folder `path` below `base`. The file named like the
/// folder comes first. Returns an empty list if `path` is not a folder.
pub(super) fn files_in(path: &Path, base: &Path) -> Vec<String> {
    let folder = base.join(path);
    let mut files: Vec<PathBuf> = entries(&folder).into_iter().map(PathBuf::from).collect();
    files.retain(|name| folder.join(name).is_file() && backend_of(&folder.join(name)).is_some());
    files.sort_by_key(|name| name.file_stem() != path.file_name());
    shown(files.iter().take(NEAREST_MAX).map(|name| path.join(name)))
}

/// Returns the sorted names of a folder's entries; empty if the folder cannot be read.
fn entries(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let names = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .take(ENTRIES_MAX)
        .map(|entry| entry.file_name().into_string());
    let mut names: Vec<String> = names.flatten().collect();
    names.sort_unstable();
    names
}

/// Returns the `names` that are similar to `name`, most similar first.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let likeness = |other: &str| strsim::jaro_winkler(name, other);
    let mut similar: Vec<(f64, &str)> = names
        .map(|other| (likeness(other), other))
        .filter(|(l, _)| *l > 0.75)
        .collect();
    similar.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    similar.dedup();
    similar
        .iter()
        .map(|(_, name)| (*name).to_owned())
        .take(NEAREST_MAX)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_exist_near_a_wrong_path_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| fs::write(folder.path().join(name), "").unwrap();
        fs::create_dir(folder.path().join("mine")).unwrap();
        ["mine/mine.lua", "mine/notes.txt", "top.lua"]
            .iter()
            .for_each(|name| write(name));
        let similar = |wrong| similar_files(Path::new(wrong), &[folder.path().join(wrong)]);
        for (wrong, right) in [
            ("mine/mien.lua", "mine/mine.lua"),
            ("mine.lua", "mine/mine.lua"),
            ("mime/mine.lua", "mine/mine.lua"),
            ("mine/top.lua", "top.lua"),
            ("./mine", "./mine/mine.lua"),
            ("mine/", "mine/mine.lua"),
        ] {
            assert_eq!(similar(wrong), [right], "{wrong}");
        }
        write("mine/a.lua");
        let inside = |name| files_in(Path::new(name), folder.path());
        assert_eq!(inside("mine"), ["mine/mine.lua", "mine/a.lua"]);
        assert!(inside("nobody").is_empty() && similar("mine/note.txt").is_empty());
    }

    #[test]
    fn similar_names_come_first() {
        let names = ["all-k", "all-sk", "default", "random", "plain"];
        assert_eq!(nearest("al-k", names.into_iter())[0], "all-k");
        assert_eq!(nearest("defualt", names.into_iter()), ["default"]);
        assert!(nearest("zzz", names.into_iter()).is_empty());
    }
}
