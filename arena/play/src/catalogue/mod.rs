//! Finds bots by name or path and prepares them for seating.

mod not_found;
mod search;

pub use not_found::{NotFound, NotFoundReason};
pub use search::{BOTS_VARIABLE, FolderError, SearchPath};

use search::Candidate;

use crate::league::{Entrant, League};
use crate::trust::{self, NotTrusted};
use hattari_agents::agent::Isolation;
use hattari_agents::agent::backend::{Backend, BotFile, BotFileInfo, BotTestResult, SearchFolder};
use hattari_agents::agent::built_in::{self, BuiltIn};
use hattari_agents::agent::program::ProgramBackend;
use hattari_agents::agent::{self, backend};
use hattari_agents::agent::{AgentError, AgentFactory, CommandLine, LaunchCommand};
use hattari_agents::agent::{BotInfo, LoadError};
use hattari_agents::games::{GameInfo, bare};
use hattari_agents::record::FaultKind;
use hattari_agents::text::{quoted, serialize_path};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

pub use hattari_agents::agent::backend::AgentSpec;

/// Returns the limits, the isolation and the number of threads that a league sets for an entrant.
#[must_use]
pub fn terms(league: &League, entrant: &Entrant) -> AgentSpec {
    let isolation = entrant.isolation.or(league.isolation);
    AgentSpec {
        budget: league.budget_of(entrant),
        isolation,
        threads: entrant.threads,
    }
}

/// A bot that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundBot {
    /// Name of the bot in leagues.
    pub name: String,
    /// The backend that runs the bot.
    #[serde(serialize_with = "by_name")]
    pub kind: &'static dyn Backend,
    /// The bot file; `built in` for bots that are linked into this program.
    #[serde(serialize_with = "serialize_path")]
    pub path: PathBuf,
    /// The linked package that contains the bot; `None` for a bot in a file.
    #[serde(skip)]
    pub built_in: Option<BuiltIn>,
    /// Supported games: ids with revision for compiled bots, the name of the folder for scripts.
    pub games: Vec<String>,
    /// Version of the bot; empty for scripts.
    pub version: String,
    /// Author of the bot; may be empty.
    pub author: String,
    /// Description of the bot in one line; may be empty.
    pub description: String,
    /// Hash of the file; for a built-in bot, hash of its package, name, version and rules.
    #[serde(serialize_with = "in_hexadecimal")]
    pub hash: u64,
    /// JSON Schema of the config, if the bot has one.
    pub config_schema: Option<serde_json::Value>,
    /// True if the bot may play differently with the same seed.
    pub nondeterministic: bool,
    /// Default isolation of a compiled bot: built-in bots run in the process of this program, other
    /// bots in separate processes. `None` for scripts, which have a sandbox.
    pub isolation: Option<Isolation>,
    /// Start command of a program bot; `None` for other bots.
    #[serde(skip)]
    pub started: Option<LaunchCommand>,
    /// True if the bot declares that it starts threads.
    #[serde(skip)]
    threads: bool,
    /// Position in the search path; 0 is searched first. A bot hides bots of the same name at
    /// greater distances.
    #[serde(skip)]
    distance: usize,
    /// See [`FoundBot::known_by`].
    #[serde(skip)]
    known_by: String,
}

/// Separator between a bot's version and the digest of its sources.
const SOURCES_MARK: &str = "+src.";

/// Returns the digest of the sources if a scaffold or build script has appended it to the version.
fn sources(version: &str) -> Option<String> {
    let (_, digest) = version.split_once(SOURCES_MARK)?;
    let is_digest = digest.len() == 16
        && digest
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_digest.then(|| format!("src.{digest}"))
}

/// Returns the text that identifies the version of a bot in a linked package.
///
/// # Errors
/// Returns an error if this program does not support the bot's first game.
fn known_as_built_in(package: &str, bot: &BotInfo) -> Result<String, LoadError> {
    let facts = bot.games.first().and_then(|game| GameInfo::find(game));
    let facts = facts.ok_or_else(|| LoadError {
        path: PathBuf::from(package),
        cause: format!(
            "the bot `{}` of this package plays {}, which this program does not support",
            bot.id,
            quoted(bot.games.iter().map(String::as_str))
        ),
        cure: "add the game to the program (`hattari::command().game::<…>()`), or link the package without the bot"
            .to_owned(),
    })?;
    Ok(format!(
        "version {}, rules {}",
        bot.version, facts.generation
    ))
}

fn in_16_digits(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Serializes the hash as text, because JSON numbers cannot represent all 64-bit values.
fn in_hexadecimal<S: serde::Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&in_16_digits(*hash))
}

impl FoundBot {
    fn new(
        kind: &'static dyn Backend,
        path: &Path,
        file_info: &BotFileInfo,
        info: &BotInfo,
    ) -> FoundBot {
        FoundBot {
            name: info.id.clone(),
            kind,
            path: path.to_owned(),
            built_in: None,
            games: info.games.clone(),
            version: info.version.clone(),
            author: info.author.clone(),
            description: info.description.clone(),
            hash: file_info.hash,
            config_schema: info.config_schema.clone(),
            nondeterministic: info.nondeterministic,
            isolation: file_info.isolation,
            started: kind.launch_command(path),
            threads: info.threads,
            distance: 0,
            known_by: sources(&info.version).unwrap_or_else(|| in_16_digits(file_info.hash)),
        }
    }

    /// Returns the bot for `game_id` that a league starts with a command. `base` is the league's
    /// folder.
    #[must_use]
    pub fn of_command(game_id: &str, command: &CommandLine, base: &Path) -> FoundBot {
        let started = LaunchCommand {
            command: command.clone(),
            base: base.to_owned(),
        };
        let (file_info, path) = ProgramBackend::of_command(&started, bare(game_id));
        let found = FoundBot::new(&ProgramBackend, &path, &file_info, &file_info.bots[0]);
        // The league sets the game.
        FoundBot {
            started: Some(started),
            games: vec![bare(game_id).to_owned()],
            ..found
        }
    }

    /// Returns a bot of a linked package. Its distance is the maximum, so that a bot file of the
    /// same name hides it.
    ///
    /// # Errors
    /// Returns an error if this program does not support the bot's first game.
    fn built_in(bots: BuiltIn, info: &BotInfo) -> Result<FoundBot, LoadError> {
        let known_by = known_as_built_in(bots.package, info)?;
        let whole = format!("{} {} {known_by}", bots.package, info.id);
        let file_info = BotFileInfo {
            hash: xxhash_rust::xxh3::xxh3_64(whole.as_bytes()),
            bots: Vec::new(),
            isolation: Some(Isolation::None),
        };
        Ok(FoundBot {
            built_in: Some(bots),
            distance: usize::MAX,
            known_by,
            ..FoundBot::new(agent::BUILT_IN, bots.library.path(), &file_info, info)
        })
    }

    /// Returns the text that identifies the version of the bot in results. For a built-in bot it
    /// contains the declared version and the generation of the rules. For other bots it is the
    /// digest of the sources, or the hash of the file if the bot declares no digest.
    #[must_use]
    pub fn known_by(&self) -> &str {
        &self.known_by
    }

    /// Returns the hash of the file in 16 hexadecimal digits.
    #[must_use]
    pub fn file_hash(&self) -> String {
        in_16_digits(self.hash)
    }

    /// Returns the description of the bot file for the backend.
    fn file(&self) -> BotFile<'_> {
        let FoundBot {
            path,
            built_in,
            hash,
            name,
            version,
            description,
            games,
            isolation,
            threads,
            ..
        } = self;
        let (built_in, hash, isolation, threads) = (*built_in, *hash, *isolation, *threads);
        let started = self.started.as_ref();
        BotFile {
            path,
            built_in,
            hash,
            id: name,
            version,
            description,
            games,
            isolation,
            threads,
            started,
        }
    }

    /// Returns the findings of a static check of the bot file.
    #[must_use]
    pub fn examine(&self) -> Vec<backend::Finding> {
        self.kind.examine(&self.file())
    }

    /// Runs the tests in the bot file. Returns an empty list if there are none.
    ///
    /// # Errors
    /// Returns an error if the bot does not start.
    pub fn run_tests(
        &self,
        terms: &AgentSpec,
        config_json: &str,
    ) -> Result<Vec<BotTestResult>, AgentError> {
        self.kind.run_tests(&self.file(), terms, config_json)
    }

    /// Returns `true` if the bot supports the game with the given id.
    #[must_use]
    pub fn plays(&self, game_id: &str) -> bool {
        let is_bare = self.kind.search_folder() == SearchFolder::FolderOfGame;
        self.games
            .iter()
            .any(|game| game == game_id || (is_bare && game == bare(game_id)))
    }

    /// Prepares the bot for seating, with default limits.
    ///
    /// # Errors
    /// Returns an error if the bot cannot be loaded, or if its file has changed and no longer
    /// contains the bot.
    pub fn seat(&self) -> Result<Arc<dyn AgentFactory>, AgentError> {
        self.seat_on(&AgentSpec::default())
    }

    /// Returns the isolation of the bot under `terms`; `None` for scripts.
    #[must_use]
    pub fn isolation_on(&self, terms: &AgentSpec) -> Option<Isolation> {
        self.file().isolation_on(terms)
    }

    /// Prepares the bot for seating with the limits and the isolation of `terms`. The user must
    /// trust a library that is loaded into this process, and a program that runs without a sandbox
    /// ([`trust`]).
    ///
    /// # Errors
    /// Returns an error in the cases of [`FoundBot::seat`], or if the user does not trust the bot.
    pub fn seat_on(&self, terms: &AgentSpec) -> Result<Arc<dyn AgentFactory>, AgentError> {
        let mut content = Vec::new();
        if self.is_trusted_library(terms) {
            // Load the bytes that are trusted: if the file has changed since then, its hash
            // differs.
            content = std::fs::read(&self.path).unwrap_or_default();
            if xxhash_rust::xxh3::xxh3_64(&content) != self.hash {
                let what = format!(
                    "{} has changed while it was being loaded; run the command again",
                    self.path.display()
                );
                return Err(AgentError::new(FaultKind::Start, what));
            }
        }
        self.confirm_content(terms, &content)
            .map_err(|why| AgentError::new(FaultKind::Start, why.to_string()))?;
        self.kind.agent_factory(&self.file(), terms)
    }

    /// Checks that the user trusts the bot if it would run outside a sandbox under `terms`.
    ///
    /// # Errors
    /// Returns an error if the bot is not trusted.
    pub fn confirm(&self, terms: &AgentSpec) -> Result<(), NotTrusted> {
        let is_library = self.is_trusted_library(terms);
        let content = if is_library {
            std::fs::read(&self.path).unwrap_or_default()
        } else {
            Vec::new()
        };
        self.confirm_content(terms, &content)
    }

    /// Checks trust like `FoundBot::confirm`. `content` is the content of a library's file.
    fn confirm_content(&self, terms: &AgentSpec, content: &[u8]) -> Result<(), NotTrusted> {
        if self.isolation_on(terms) != Some(Isolation::None) {
            return Ok(());
        }
        match &self.started {
            Some(LaunchCommand { command, base }) => {
                trust::command(self.kind.name(), command, base)
            }
            None if self.built_in.is_none() => trust::library(&self.path, content),
            None => Ok(()),
        }
    }

    /// Returns `true` if the bot is a library that would run in this process under `terms`.
    fn is_trusted_library(&self, terms: &AgentSpec) -> bool {
        let is_library = self.built_in.is_none() && self.started.is_none();
        is_library && self.isolation_on(terms) == Some(Isolation::None)
    }
}

/// Serializes the name of a backend.
fn by_name<S: serde::Serializer>(
    kind: &&'static dyn Backend,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

/// A bot file that is read only when a league or a command uses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadFile {
    /// Name of the bot in leagues: the file name without extension, with `-` for each `_`.
    pub name: String,
    /// The backend that runs the bots in the file.
    #[serde(serialize_with = "by_name")]
    pub kind: &'static dyn Backend,
    /// The file.
    #[serde(serialize_with = "serialize_path")]
    pub path: PathBuf,
}

/// All bots on the search path and in this program, and the files that cannot be loaded.
///
/// A file is read only when a bot that it may contain is requested, so that large folders do not
/// slow down the search.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    search: SearchPath,
    files: Vec<CatalogueFile>,
    /// The bots linked into this program.
    built_in: Vec<FoundBot>,
    /// The errors of the bots linked into this program.
    broken_built_in: Vec<LoadError>,
    /// All bots and all errors; set when the list is first needed.
    listed: OnceLock<(Vec<FoundBot>, Vec<LoadError>)>,
    /// Bots with a fixed file, by the name in the league: the file, and the name of the bot in the
    /// file.
    pinned: BTreeMap<String, (PathBuf, String)>,
}

/// A file on the search path. The bots in it are listed when the file is first read.
#[derive(Clone, Debug)]
struct CatalogueFile {
    kind: &'static dyn Backend,
    candidate: Candidate,
    read: OnceLock<Result<Vec<FoundBot>, LoadError>>,
}

impl CatalogueFile {
    fn read(&self) -> Result<&[FoundBot], &LoadError> {
        let Candidate {
            path,
            game,
            distance,
        } = &self.candidate;
        let look = || {
            let file_info = self.kind.inspect(path, game)?;
            let found = |info| FoundBot {
                distance: *distance,
                ..FoundBot::new(self.kind, path, &file_info, info)
            };
            Ok(file_info.bots.iter().map(found).collect())
        };
        self.read.get_or_init(look).as_deref()
    }

    /// Returns the name of the bot if the file name determines it.
    fn name(&self) -> Option<Cow<'_, str>> {
        let stem = self
            .candidate
            .path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        if self.kind.is_slow_to_inspect() {
            // Cargo replaces each `-` of a package name by `_`.
            return Some(stem.replace('_', "-").into());
        }
        (self.kind.search_folder() == SearchFolder::FolderOfGame).then_some(stem)
    }

    /// Returns the bot called `name`. If the file is slow to inspect and contains a single bot,
    /// returns that one.
    fn bot(&self, name: &str) -> Option<&FoundBot> {
        let bots = self.read().ok()?;
        match (bots.iter().find(|bot| bot.name == name), bots) {
            (None, [only]) if self.kind.is_slow_to_inspect() => Some(only),
            (found, _) => found,
        }
    }
}

impl Catalogue {
    /// Lists the files on the search path and the bots of this program. Files that cannot be loaded
    /// are listed as broken.
    #[must_use]
    pub fn discover(search: &SearchPath) -> Catalogue {
        let files = agent::BACKENDS.iter().flat_map(|&kind| {
            let shelved = move |candidate| CatalogueFile {
                kind,
                candidate,
                read: OnceLock::new(),
            };
            search.files(kind).into_iter().map(shelved)
        });
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
    /// given names, each with a file and the name of the bot in the file.
    #[must_use]
    pub fn pinned(names: BTreeMap<String, (PathBuf, String)>) -> Catalogue {
        Catalogue {
            pinned: names,
            ..Catalogue::discover(&SearchPath::default())
        }
    }

    /// Returns the files that are omitted from lists because reading them is slow.
    #[must_use]
    pub fn unopened(&self) -> Vec<UnreadFile> {
        let slow = self
            .files
            .iter()
            .filter(|file| file.kind.is_slow_to_inspect());
        let unopened = |file: &CatalogueFile| UnreadFile {
            name: file.name().unwrap_or_default().into_owned(),
            kind: file.kind,
            path: file.candidate.path.clone(),
        };
        slow.map(unopened).collect()
    }

    /// Returns all bots in search order. Reads every file except the slow ones.
    #[must_use]
    pub fn bots(&self) -> &[FoundBot] {
        &self.list().0
    }

    /// Returns the files that cannot be loaded. Reads every file except the slow ones.
    #[must_use]
    pub fn broken(&self) -> &[LoadError] {
        &self.list().1
    }

    fn list(&self) -> &(Vec<FoundBot>, Vec<LoadError>) {
        self.listed.get_or_init(|| {
            let files = || {
                self.files
                    .iter()
                    .filter(|file| !file.kind.is_slow_to_inspect())
            };
            let found = files()
                .filter_map(|file| file.read().ok())
                .flatten()
                .chain(&self.built_in);
            let broken = files()
                .filter_map(|file| file.read().err())
                .chain(&self.broken_built_in);
            (found.cloned().collect(), broken.cloned().collect())
        })
    }

    /// Returns the bots called `name`. Reads the files that may contain one.
    fn called(&self, name: &str) -> Vec<&FoundBot> {
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

    /// Returns the errors of the files that have been read.
    fn broken_so_far(&self) -> impl Iterator<Item = &LoadError> {
        let read = self
            .files
            .iter()
            .filter_map(|file| file.read.get()?.as_ref().err());
        read.chain(&self.broken_built_in)
    }

    /// Returns the bot that hides `bot`: one with the same name and game at a smaller distance.
    #[must_use]
    pub fn hider(&self, bot: &FoundBot) -> Option<&FoundBot> {
        let shares = |other: &&FoundBot| {
            other
                .games
                .iter()
                .any(|game| bot.plays(game) || bot.games.iter().any(|g| other.plays(g)))
        };
        let nearer = self
            .bots()
            .iter()
            .filter(|other| other.name == bot.name && other.distance < bot.distance);
        nearer.filter(shares).min_by_key(|other| other.distance)
    }

    /// Finds the bot `name` for a league of `game_id` in the folder `base`. `name` is the name of a
    /// bot, the path of a script, or the path of a library, followed by `#id` if it contains
    /// several bots. The name of a file that is slow to inspect selects the only bot in it.
    /// Relative paths start from `base`, from the current folder, or from the project that contains
    /// one of them.
    ///
    /// # Errors
    /// Returns an error if no bot, or more than one, matches.
    pub fn find(&self, game_id: &str, name: &str, base: &Path) -> Result<FoundBot, NotFound> {
        let error = |why, nearest| {
            let (name, game) = (name.to_owned(), game_id.to_owned());
            NotFound {
                name,
                game,
                why: Box::new(why),
                nearest,
            }
        };
        if let Some((file, id)) = self.pinned.get(name) {
            return self
                .by_path(game_id, file, Some(id), base)
                .map_err(|why| error(why, Vec::new()));
        }
        let (path, id) = match name.split_once('#') {
            Some((path, id)) => (Path::new(path), Some(id)),
            None => (Path::new(name), None),
        };
        let is_path =
            id.is_some() || name.contains(['/', '\\']) || agent::backend_of(path).is_some();
        if is_path {
            return self.by_path(game_id, path, id, base).map_err(|why| {
                let files = match &why {
                    NotFoundReason::NoSuchFile(tried) => not_found::files_near(path, tried),
                    _ => Vec::new(),
                };
                let near = if files.is_empty() {
                    self.near(game_id, path)
                } else {
                    files
                };
                error(why, near)
            });
        }
        let called = self.called(name);
        let mut playing: Vec<&FoundBot> = called
            .iter()
            .copied()
            .filter(|bot| bot.plays(game_id))
            .collect();
        let nearest = playing.iter().map(|bot| bot.distance).min();
        playing.retain(|bot| Some(bot.distance) == nearest);
        match playing[..] {
            [] if called.is_empty() => {
                let is_called =
                    |file: &&CatalogueFile| file.name().is_some_and(|known| known == name);
                match self
                    .files
                    .iter()
                    .find(is_called)
                    .map(|file| (file, file.read()))
                {
                    Some((_, Err(script))) => {
                        return Err(error(NotFoundReason::Broken(script.clone()), Vec::new()));
                    }
                    Some((file, Ok(bots))) => {
                        let (path, ids) = (
                            file.candidate.path.clone(),
                            bots.iter().map(|bot| bot.name.clone()),
                        );
                        let name = path.display().to_string();
                        let why = NotFoundReason::WhichId(path, ids.collect());
                        return Err(NotFound {
                            name,
                            ..error(why, Vec::new())
                        });
                    }
                    None => {}
                }
                let why = NotFoundReason::NoSuchName {
                    searched: self.search.folders(),
                    broken: self.broken_so_far().cloned().collect(),
                };
                let inside = not_found::files_in(path, base);
                Err(error(
                    why,
                    if inside.is_empty() {
                        self.near(game_id, path)
                    } else {
                        inside
                    },
                ))
            }
            [] => Err(error(
                NotFoundReason::OtherGame(
                    called.iter().flat_map(|bot| bot.games.clone()).collect(),
                ),
                Vec::new(),
            )),
            // Copies of a file count as one bot.
            [first, ref others @ ..] if others.iter().all(|bot| bot.hash == first.hash) => {
                Ok(first.clone())
            }
            ref several => Err(error(
                NotFoundReason::Ambiguous(several.iter().map(|bot| bot.path.clone()).collect()),
                Vec::new(),
            )),
        }
    }

    /// Finds the bot called `name` for each of `games` that it supports.
    ///
    /// # Errors
    /// Returns an error if no bot is found for any of the games, or if several games are given and
    /// the file does not declare its games.
    pub fn find_in(
        &self,
        games: &[&'static GameInfo],
        name: &str,
        base: &Path,
    ) -> Result<Vec<(&'static GameInfo, FoundBot)>, NotFound> {
        let mut found = Vec::new();
        let mut errors = Vec::new();
        for &game in games {
            match self.find(game.id, name, base) {
                Ok(bot) => found.push((game, bot)),
                Err(error) => errors.push(error),
            }
        }
        // A file that declares no games supports every game.
        let says_nothing = |(game, bot): &(&GameInfo, FoundBot)| {
            bot.kind.search_folder() == SearchFolder::FolderOfGame
                && bot.games.iter().all(|named| named == game.name())
        };
        match &found[..] {
            [] => Err(NotFound::joined(errors)),
            [(_, first), _, ..] if found.iter().all(says_nothing) => {
                let games = found
                    .iter()
                    .map(|(game, _)| game.name().to_owned())
                    .collect();
                let (why, name) = (
                    Box::new(NotFoundReason::WhichGame(first.kind, games)),
                    name.to_owned(),
                );
                Err(NotFound {
                    name,
                    game: String::new(),
                    why,
                    nearest: Vec::new(),
                })
            }
            _ => Ok(found),
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
            .inspect(file, bare(game_id))
            .map_err(NotFoundReason::Broken)?;
        let plays = |bot: &BotInfo| FoundBot::new(kind, file, &file_info, bot).plays(game_id);
        let ids = |bots: &[&BotInfo]| bots.iter().map(|bot| bot.id.clone()).collect();
        let all: Vec<_> = file_info.bots.iter().collect();
        let playing: Vec<_> = all.iter().copied().filter(|bot| plays(bot)).collect();
        let chosen = match id {
            Some(id) => *all
                .iter()
                .find(|bot| bot.id == id)
                .ok_or_else(|| NotFoundReason::NoSuchId(file.clone(), ids(&all)))?,
            None => match playing[..] {
                [only] => only,
                [] => {
                    return Err(NotFoundReason::OtherGame(
                        all.iter().flat_map(|bot| bot.games.clone()).collect(),
                    ));
                }
                _ => return Err(NotFoundReason::WhichId(file.clone(), ids(&playing))),
            },
        };
        let found = FoundBot::new(kind, file, &file_info, chosen);
        if found.plays(game_id) {
            Ok(found)
        } else {
            Err(NotFoundReason::OtherGame(found.games))
        }
    }

    /// Returns names of bots for the game that are similar to the file name of `path`. No file is
    /// read: names come from file names and from files that were read before.
    fn near(&self, game_id: &str, path: &Path) -> Vec<String> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let in_folder = |file: &&CatalogueFile| {
            file.candidate.game == bare(game_id) || file.kind.is_slow_to_inspect()
        };
        let by_file: Vec<Cow<'_, str>> = self
            .files
            .iter()
            .filter(in_folder)
            .filter_map(CatalogueFile::name)
            .collect();
        let read = self
            .files
            .iter()
            .filter_map(|file| file.read.get()?.as_ref().ok())
            .flatten();
        let playing = read
            .chain(&self.built_in)
            .filter(|bot| bot.plays(game_id))
            .map(|bot| bot.name.as_str());
        not_found::nearest(&name, playing.chain(by_file.iter().map(AsRef::as_ref)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const FIRST: &str = "return { act = function(view, legal) return 1 end }";

    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let scripts = folder.path().join("scripts/daihinmin");
        fs::create_dir_all(&scripts).unwrap();
        fs::write(
            scripts.join("greedy.lua"),
            format!("--!strict\n-- Plays what it can.\n{FIRST}"),
        )
        .unwrap();
        fs::write(scripts.join("timid.lua"), FIRST).unwrap();
        folder
    }

    fn catalogue(root: &Path) -> Catalogue {
        let mut search = SearchPath::default();
        search.add_root(root);
        Catalogue::discover(&search)
    }

    #[test]
    fn a_built_in_bot_of_a_game_that_the_program_lacks_is_an_error() {
        let mut bot = BotInfo {
            id: "first".into(),
            version: "1.2.0".into(),
            author: String::new(),
            license: String::new(),
            description: String::new(),
            games: vec!["tanhinmin/1".into()],
            config_schema: None,
            learns: false,
            nondeterministic: false,
            threads: false,
        };
        assert_eq!(
            known_as_built_in("some-bots", &bot).unwrap(),
            "version 1.2.0, rules 1"
        );
        bot.games = vec!["nowhere/1".into()];
        let error = known_as_built_in("some-bots", &bot).unwrap_err();
        assert_eq!(error.path, Path::new("some-bots"));
        assert_eq!(
            error.cause,
            "the bot `first` of this package plays `nowhere/1`, which this program does not support"
        );
    }

    #[test]
    fn scripts_are_found_by_name_and_by_path() {
        let folder = project();
        let catalogue = catalogue(folder.path());
        let by_name = catalogue
            .find("daihinmin/1", "greedy", Path::new("."))
            .unwrap();
        assert_eq!(
            (by_name.kind.name(), by_name.description.as_str()),
            ("script", "Plays what it can.")
        );
        let leagues = folder.path().join("leagues");
        let by_path = catalogue
            .find("daihinmin/1", "scripts/daihinmin/greedy.lua", &leagues)
            .unwrap();
        assert_eq!(
            (by_path.hash, by_path.name.as_str()),
            (by_name.hash, "greedy")
        );
        assert_eq!(catalogue.bots().len(), 2);
    }

    #[test]
    fn what_is_not_found_is_explained() {
        let folder = project();
        let catalogue = catalogue(folder.path());
        let say = |game: &str, name: &str| {
            catalogue
                .find(game, name, Path::new("nowhere"))
                .unwrap_err()
                .to_string()
        };
        let wrong = say("daihinmin/1", "gredy");
        assert!(
            wrong.starts_with("no bot `gredy` for daihinmin/1; did you mean `greedy`?; searched "),
            "{wrong}"
        );
        assert!(wrong.contains("scripts"), "{wrong}");
        assert_eq!(
            say("stud/1", "timid"),
            "`timid` does not play stud/1; it plays daihinmin"
        );
        assert!(say("stud/1", "scripts/daihinmin/timid.lua").ends_with("it plays daihinmin"));
        let file = say("daihinmin/1", "scripts/daihinmin/timidd.lua");
        assert!(
            file.contains("no such file, tried nowhere/scripts/daihinmin/timidd.lua, "),
            "{file}"
        );
        assert!(
            file.ends_with("did you mean `scripts/daihinmin/timid.lua`?"),
            "{file}"
        );
        fs::create_dir(folder.path().join("mine")).unwrap();
        for name in ["a", "mine"] {
            fs::write(folder.path().join(format!("mine/{name}.lua")), FIRST).unwrap();
        }
        let games = hattari_agents::games::all();
        let inside = catalogue
            .find_in(&games, "mine", folder.path())
            .unwrap_err()
            .to_string();
        assert!(
            inside.contains(
                "no bot `mine` for any game; did you mean `mine/mine.lua`, `mine/a.lua`?"
            ),
            "{inside}"
        );
        let text = folder.path().join("notes.txt");
        fs::write(&text, "x").unwrap();
        assert!(say("daihinmin/1", text.to_str().unwrap()).contains("is neither a "));
    }

    #[test]
    fn a_script_that_does_not_compile_is_listed_and_told() {
        let folder = project();
        let path = folder.path().join("scripts/daihinmin/wrong.lua");
        fs::write(
            &path,
            "return {\n  act = function(view, legal) retrun 1 end,\n}",
        )
        .unwrap();
        let catalogue = catalogue(folder.path());
        assert_eq!((catalogue.bots().len(), catalogue.broken().len()), (2, 1));
        for name in ["wrong", path.to_str().unwrap()] {
            let told = catalogue
                .find("daihinmin/1", name, Path::new("."))
                .unwrap_err()
                .to_string();
            let begin = if name == "wrong" { "`wrong`: " } else { "" };
            assert!(
                told.starts_with(&format!("{begin}{}: line 2: ", path.display())),
                "{told}"
            );
        }
    }

    /// A large folder of scripts must not make the search slower.
    #[test]
    fn scripts_that_nobody_names_are_not_read() {
        let folder = project();
        let catalogue = catalogue(folder.path());
        let read = || {
            catalogue
                .files
                .iter()
                .filter(|file| file.read.get().is_some())
                .count()
        };
        catalogue
            .find("daihinmin/1", "greedy", Path::new("."))
            .unwrap();
        assert_eq!(read(), 1);
        catalogue
            .find("daihinmin/1", "gredy", Path::new("."))
            .unwrap_err();
        assert_eq!(read(), 1);
        assert_eq!((catalogue.bots().len(), read()), (2, 2));
    }

    #[test]
    fn the_nearer_of_two_bots_hides_the_farther() {
        let (one, two) = (project(), project());
        fs::write(
            two.path().join("scripts/daihinmin/timid.lua"),
            FIRST.replace('1', "2"),
        )
        .unwrap();
        fs::write(two.path().join("scripts/daihinmin/far.lua"), FIRST).unwrap();
        let mut search = SearchPath::default();
        search.add_root(one.path());
        search.add_root(two.path());
        let catalogue = Catalogue::discover(&search);
        let find = |name: &str| catalogue.find("daihinmin/1", name, Path::new(".")).unwrap();
        assert!(
            find("timid").path.starts_with(one.path()) && find("far").path.starts_with(two.path())
        );
        let hidden: Vec<&FoundBot> = catalogue
            .bots()
            .iter()
            .filter(|bot| catalogue.hider(bot).is_some())
            .collect();
        assert_eq!(hidden.len(), 2);
        assert!(hidden.iter().all(|bot| bot.path.starts_with(two.path())));
    }

    #[test]
    fn two_bots_of_one_name_in_one_place_must_be_told_apart_unless_they_are_copies() {
        let folder = project();
        // One script is found by the game's name, the other by its revision.
        let other = folder.path().join("scripts/daihinmin_copies");
        fs::create_dir_all(&other).unwrap();
        let says_game = "return { bot = { games = { \"daihinmin/1\" } }, act = function(view, legal) return 1 end }";
        for folder in [&folder.path().join("scripts/daihinmin"), &other] {
            fs::write(folder.join("timid.lua"), says_game).unwrap();
        }
        let find = || catalogue(folder.path()).find("daihinmin/1", "timid", Path::new("."));
        assert!(find().is_ok());
        fs::write(
            other.join("timid.lua"),
            says_game.replace("return 1", "return 2"),
        )
        .unwrap();
        assert!(
            matches!(*find().unwrap_err().why, NotFoundReason::Ambiguous(places) if places.len() == 2)
        );
    }
}
