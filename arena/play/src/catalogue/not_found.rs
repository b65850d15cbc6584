//! Why a bot that somebody named cannot be seated.

use hattari_hosts::agent::kind::KINDS;
use hattari_hosts::agent::plugin::LoadError;
use std::fmt;
use std::path::PathBuf;

/// Names that a message suggests.
const NEAREST_MAX: usize = 3;

/// A bot that was named and not found. `Display` says what was searched and what comes near.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// The name as it was written.
    pub name: String,
    /// The game it was to play.
    pub game: String,
    /// The reason.
    pub why: Box<Why>,
    /// Names that come near, nearest first.
    pub nearest: Vec<String>,
}

/// The reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// No bot is called so. Folders searched, and libraries there that could not be loaded.
    NoSuchName {
        /// Folders that were searched.
        searched: Vec<PathBuf>,
        /// Libraries that might hold it and do not load.
        broken: Vec<LoadError>,
    },
    /// No file lies there. Paths that were tried.
    NoSuchFile(Vec<PathBuf>),
    /// The file is neither a library nor a script.
    NotABot(PathBuf),
    /// The library does not load, or the script does not start.
    Broken(LoadError),
    /// The library holds several bots for the game and the name does not say which. Their ids.
    WhichId(PathBuf, Vec<String>),
    /// The library holds no bot of that id. Its ids.
    NoSuchId(PathBuf, Vec<String>),
    /// The bot plays other games. These.
    OtherGame(Vec<String>),
    /// Several bots are called so. Where they are.
    Ambiguous(Vec<PathBuf>),
}

impl NotFound {
    /// One error of those in several games: the one that says most, or that no game has such a bot, with what comes near in
    /// any of them.
    pub(super) fn joined(errors: Vec<NotFound>) -> NotFound {
        let is_missing = |error: &NotFound| matches!(*error.why, Why::NoSuchName { .. } | Why::NoSuchFile(_));
        let several = errors.len() > 1;
        let mut near: Vec<String> = Vec::new();
        let mut missing = None;
        for error in errors {
            if !is_missing(&error) {
                return error;
            }
            let fresh = error.nearest.iter().filter(|name| !near.contains(name)).cloned();
            near.extend(fresh.collect::<Vec<_>>());
            missing = missing.or(Some(error));
        }
        let mut error = missing.unwrap_or_else(|| NotFound {
            name: String::new(),
            game: String::new(),
            why: Box::new(Why::OtherGame(Vec::new())),
            nearest: Vec::new(),
        });
        error.nearest = nearest(&error.name, near.iter().map(String::as_str));
        if several {
            "any game".clone_into(&mut error.game);
        }
        error
    }
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotFound { name, game, .. } = self;
        match &*self.why {
            Why::NoSuchName { searched, broken } => {
                write!(f, "no bot `{name}` for {game}")?;
                suggest(f, &self.nearest)?;
                write!(f, "; searched {}", paths(searched))?;
                for error in broken {
                    write!(f, "; not loaded: {error}")?;
                }
                Ok(())
            }
            Why::NoSuchFile(tried) => {
                write!(f, "no bot `{name}`: no such file, tried {}", paths(tried))?;
                suggest(f, &self.nearest)
            }
            Why::NotABot(path) => {
                let kinds: Vec<&str> = KINDS.iter().rev().map(|kind| kind.file()).collect();
                write!(f, "`{name}`: {} is neither {}", path.display(), kinds.join(" nor "))
            }
            Why::Broken(error) => write!(f, "`{name}`: {error}"),
            Why::WhichId(path, ids) => {
                let first = ids.first().map_or("id", String::as_str);
                let (path, ids) = (path.display(), ids.join(", "));
                write!(f, "`{name}`: {path} holds several bots for {game} ({ids}); say which, as in `{name}#{first}`")
            }
            Why::NoSuchId(path, ids) => {
                write!(f, "`{name}`: {} holds no such bot; it holds {}", path.display(), ids.join(", "))
            }
            Why::OtherGame(games) => write!(f, "`{name}` does not play {game}; it plays {}", games.join(", ")),
            Why::Ambiguous(places) => {
                write!(f, "several bots are called `{name}`: {}; write the path instead", paths(places))
            }
        }
    }
}

impl std::error::Error for NotFound {}

fn suggest(f: &mut fmt::Formatter<'_>, nearest: &[String]) -> fmt::Result {
    match nearest {
        [] => Ok(()),
        names => write!(f, "; did you mean {}?", names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")),
    }
}

fn paths(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no folder (none exists)".into();
    }
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The `names` that come near `name`, nearest first.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let likeness = |other: &str| strsim::jaro_winkler(name, other);
    let mut near: Vec<(f64, &str)> = names.map(|other| (likeness(other), other)).filter(|(l, _)| *l > 0.75).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup();
    near.into_iter().take(NEAREST_MAX).map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_come_first() {
        let names = ["all-k", "all-sk", "default", "random", "plain"];
        assert_eq!(nearest("al-k", names.into_iter())[0], "all-k");
        assert_eq!(nearest("defualt", names.into_iter()), ["default"]);
        assert!(nearest("zzz", names.into_iter()).is_empty());
    }
}
