//! The catalogue of all bots on the search path and in this program.

use super::found::FoundBot;
use super::not_found::{self, NotFound, NotFoundReason};
use super::search::{CatalogueFile, SearchPath};
use hattari_agents::agent::backend::Backend;
use hattari_agents::agent::{self, BotInfo, LoadError, built_in};
use hattari_agents::games::name_without_revision;
use hattari_agents::text::serialize_path;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A bot file that is read only when a league or a command uses it.
#[derive(Debug, Serialize)]
pub struct UnreadFile {
    /// Name of the bot in leagues: the file name without extension, with `-` for each `_`.
    pub name: String,
    /// The backend that runs the bots in the file.
    pub kind: &'static dyn Backend,
    /// Path of the file.
    #[serde(serialize_with = "serialize_path")]
    pub path: PathBuf,
}

/// All bots on the search path and in this program, and the files that cannot be loaded.
///
/// A file is read only when a bot that it may contain is requested, so that large folders do not
/// slow down the search.
#[derive(Debug, Default)]
pub struct Catalogue {
    search: SearchPath,
    pub(super) files: Vec<CatalogueFile>,
    /// The bots linked into this program.
    built_in: Vec<FoundBot>,
    /// The errors of the bots linked into this program.
    broken_built_in: Vec<LoadError>,
    /// All bots and all errors; set when the list is first needed.
    listed: OnceLock<(Vec<FoundBot>, Vec<LoadError>)>,
    /// Bots with a fixed file, by the name in the league.
    pinned: BTreeMap<String, PinnedBot>,
}

/// A bot with a fixed file.
#[derive(Debug)]
pub(crate) struct PinnedBot {
    /// Path of the file.
    pub file: PathBuf,
    /// Name of the bot in the file.
    pub id: String,
}

impl Catalogue {
    /// Lists the files on the search path and the bots of this program. Files that cannot be loaded
    /// are listed as broken.
    pub fn discover(search: &SearchPath) -> Catalogue {
        let files = agent::BACKENDS.iter().flat_map(|&kind| search.files(kind));
        let mut catalogue = Catalogue {
            search: search.clone(),
            files: files.collect(),
            ..Catalogue::default()
        };
        for bots in built_in::all() {
            let bots = match bots {
                Ok(bots) => bots,
                Err(error) => {
                    catalogue.broken_built_in.push(error);
                    continue;
                }
            };
            for bot in bots.library.bots() {
                match FoundBot::built_in(bots, bot) {
                    Ok(found) => catalogue.built_in.push(found),
                    Err(error) => catalogue.broken_built_in.push(error),
                }
            }
        }
        catalogue
    }

    /// Creates a catalogue without a search path. It contains the bots of this program and the
    /// pinned bots, by the name in the league.
    pub(crate) fn pinned(bots: BTreeMap<String, PinnedBot>) -> Catalogue {
        Catalogue {
            pinned: bots,
            ..Catalogue::discover(&SearchPath::default())
        }
    }

    /// Returns the files that are omitted from lists because reading them is slow.
    pub fn unread_files(&self) -> Vec<UnreadFile> {
        (self.files.iter())
            .filter(|file| file.kind.is_slow_to_inspect())
            .map(|file| UnreadFile {
                name: file.name().unwrap_or_default().into_owned(),
                kind: file.kind,
                path: file.path.clone(),
            })
            .collect()
    }

    /// Returns all bots in search order. Reads every file, except files that are slow to read.
    pub fn bots(&self) -> &[FoundBot] {
        &self.list().0
    }

    /// Returns the errors of the files that cannot be loaded. Reads every file, except files that
    /// are slow to read.
    pub fn broken(&self) -> &[LoadError] {
        &self.list().1
    }

    fn list(&self) -> &(Vec<FoundBot>, Vec<LoadError>) {
        self.listed.get_or_init(|| {
            let (mut bots, mut broken) = (Vec::new(), Vec::new());
            for file in self
                .files
                .iter()
                .filter(|file| !file.kind.is_slow_to_inspect())
            {
                match file.read() {
                    Ok(found) => bots.extend_from_slice(found),
                    Err(error) => broken.push(error.clone()),
                }
            }
            bots.extend_from_slice(&self.built_in);
            broken.extend_from_slice(&self.broken_built_in);
            (bots, broken)
        })
    }

    /// Returns the bots called `name`. Reads the files that may contain one.
    fn bots_named(&self, name: &str) -> Vec<&FoundBot> {
        let files = self
            .files
            .iter()
            .filter(|file| file.name().is_none_or(|known| known == name));
        let built_in = self.built_in.iter().filter(|bot| bot.name == name);
        files
            .filter_map(|file| file.bot(name))
            .chain(built_in)
            .collect()
    }

    /// Returns the bot that hides `bot`: one with the same name and game at a smaller distance.
    pub fn hiding_bot(&self, bot: &FoundBot) -> Option<&FoundBot> {
        self.bots()
            .iter()
            .filter(|other| other.name == bot.name && other.distance < bot.distance)
            .filter(|other| {
                other
                    .games
                    .iter()
                    .any(|game| bot.plays(game) || bot.games.iter().any(|g| other.plays(g)))
            })
            .min_by_key(|other| other.distance)
    }

    /// Finds the bot `name` for a league of `game_id` in the folder `base`. `name` is the name of a
    /// bot, the path of a script, or the path of a library, followed by `#id` if it contains
    /// several bots. The name of a file that is slow to inspect selects the only bot in it.
    /// Relative paths are resolved against `base`, the current folder, or the project that contains
    /// one of these folders.
    ///
    /// # Errors
    /// Returns an error if no bot, or more than one, matches.
    pub fn find(&self, game_id: &str, name: &str, base: &Path) -> Result<FoundBot, NotFound> {
        let error = |reason| NotFound::new(game_id, name, reason);
        if let Some(PinnedBot { file, id }) = self.pinned.get(name) {
            return (self.by_path(game_id, file, Some(id), base)).map_err(error);
        }
        let (path, id) = match name.split_once('#') {
            Some((path, id)) => (Path::new(path), Some(id)),
            None => (Path::new(name), None),
        };
        let is_path =
            id.is_some() || name.contains(['/', '\\']) || agent::backend_of(path).is_some();
        if is_path {
            return self.by_path(game_id, path, id, base).map_err(|reason| {
                let files = match &reason {
                    NotFoundReason::NoSuchFile(tried) => not_found::similar_files(path, tried),
                    _ => Vec::new(),
                };
                NotFound {
                    nearest: self.or_similar_names(files, game_id, path),
                    ..error(reason)
                }
            });
        }
        let namesakes = self.bots_named(name);
        let mut playing = namesakes.clone();
        playing.retain(|bot| bot.plays(game_id));
        let nearest = playing.iter().map(|bot| bot.distance).min();
        playing.retain(|bot| Some(bot.distance) == nearest);
        let reason = match playing[..] {
            [] if namesakes.is_empty() => return Err(self.unknown_name(game_id, name, base)),
            [] => match self.broken_file(game_id, name) {
                Some(broken) => NotFoundReason::Broken(broken.clone()),
                None => {
                    let games = namesakes.iter().flat_map(|bot| bot.games.clone());
                    NotFoundReason::OtherGame(games.collect())
                }
            },
            // Copies of a file count as one bot.
            [first, ref others @ ..] if others.iter().all(|bot| bot.hash == first.hash) => {
                return Ok(first.for_game(game_id));
            }
            ref several => {
                NotFoundReason::Ambiguous(several.iter().map(|bot| bot.path.clone()).collect())
            }
        };
        Err(error(reason))
    }

    /// Returns the error of the broken file that has this name and is in the folder of the game.
    fn broken_file(&self, game_id: &str, name: &str) -> Option<&LoadError> {
        let game = name_without_revision(game_id);
        self.files
            .iter()
            .filter(|file| file.game == game && file.name().is_some_and(|known| known == name))
            .find_map(|file| file.read().err())
    }

    /// Returns the error for a name that no bot has. A file may have this name, but be broken or
    /// contain several bots.
    fn unknown_name(&self, game_id: &str, name: &str, base: &Path) -> NotFound {
        let mut files = self.files.iter();
        let file = files.find(|file| file.name().is_some_and(|known| known == name));
        match file.map(|file| (file, file.read())) {
            Some((_, Err(broken))) => {
                NotFound::new(game_id, name, NotFoundReason::Broken(broken.clone()))
            }
            Some((file, Ok(bots))) => {
                let path = file.path.clone();
                let name = path.display().to_string();
                let ids = bots.iter().map(|bot| bot.name.clone()).collect();
                NotFound::new(game_id, &name, NotFoundReason::WhichId(path, ids))
            }
            None => {
                let files = self.files.iter();
                let broken = files.filter_map(|file| file.read.get()?.as_ref().err());
                let reason = NotFoundReason::NoSuchName {
                    searched: self.search.folders(),
                    broken: broken.chain(&self.broken_built_in).cloned().collect(),
                };
                let path = Path::new(name);
                let files = not_found::files_in(path, base);
                NotFound {
                    nearest: self.or_similar_names(files, game_id, path),
                    ..NotFound::new(game_id, name, reason)
                }
            }
        }
    }

    fn by_path(
        &self,
        game_id: &str,
        path: &Path,
        id: Option<&str>,
        base: &Path,
    ) -> Result<FoundBot, NotFoundReason> {
        let starts = [base, Path::new("")].into_iter().chain(self.search.roots());
        let mut tried: Vec<PathBuf> = Vec::new();
        for candidate in starts.map(|start| start.join(path)) {
            if !tried.contains(&candidate) {
                tried.push(candidate);
            }
        }
        let Some(file) = tried.iter().find(|candidate| candidate.is_file()) else {
            return Err(NotFoundReason::NoSuchFile(tried));
        };
        let Some(kind) = agent::backend_of(file) else {
            return Err(NotFoundReason::NotABot(file.clone()));
        };
        let file_info = kind
            .inspect(file, name_without_revision(game_id))
            .map_err(NotFoundReason::Broken)?;
        let bot = |info: &BotInfo| FoundBot::new(kind, file, &file_info, info);
        let mut bots: Vec<FoundBot> = file_info.bots.iter().map(bot).collect();
        let ids = |bots: &[FoundBot]| bots.iter().map(|bot| bot.name.clone()).collect();
        if let Some(id) = id {
            let all = ids(&bots);
            bots.retain(|bot| bot.name == id);
            bots.truncate(1);
            if bots.is_empty() {
                return Err(NotFoundReason::NoSuchId(file.clone(), all));
            }
        }
        let games = bots.iter().flat_map(|bot| bot.games.clone()).collect();
        bots.retain(|bot| bot.plays(game_id));
        match &bots[..] {
            [] => Err(NotFoundReason::OtherGame(games)),
            [only] => Ok(only.for_game(game_id)),
            _ => Err(NotFoundReason::WhichId(file.clone(), ids(&bots))),
        }
    }

    /// Returns `files`. If there are none, returns names of bots for the game that are similar to
    /// the file name of `path`. No file is read: names come from file names and from files that
    /// were read before.
    fn or_similar_names(&self, files: Vec<String>, game_id: &str, path: &Path) -> Vec<String> {
        if !files.is_empty() {
            return files;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let files = self.files.iter();
        let file_names: Vec<Cow<'_, str>> = files
            .clone()
            .filter(|file| {
                file.game == name_without_revision(game_id) || file.kind.is_slow_to_inspect()
            })
            .filter_map(CatalogueFile::name)
            .collect();
        let playing = files
            .filter_map(|file| file.read.get()?.as_ref().ok())
            .flatten()
            .chain(&self.built_in)
            .filter(|bot| bot.plays(game_id))
            .map(|bot| bot.name.as_str());
        not_found::nearest(&name, playing.chain(file_names.iter().map(AsRef::as_ref)))
    }
}
