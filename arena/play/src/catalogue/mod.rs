//! What bots there are and where: from the name in a league to something that can be seated. Plays
//! nothing.

mod not_found;
mod search;

pub use not_found::{NotFound, Why};
pub use search::{BOTS_VARIABLE, NoFolder, SearchPath};

use search::Candidate;

use crate::league::{Entrant, League};
use crate::trust::{self, Untrusted};
use hattari_agents::agent::Isolation;
use hattari_agents::agent::built_in::{self, BuiltIn};
use hattari_agents::agent::kind::{BotFile, Kind, Place, Shelf, Tested};
use hattari_agents::agent::program::Programs;
use hattari_agents::agent::{self, kind};
use hattari_agents::agent::{BotInfo, LoadError};
use hattari_agents::agent::{CommandLine, Misstep, Seatable, Started};
use hattari_agents::games::{Facts, bare};
use hattari_agents::record::FaultKind;
use hattari_agents::text::{quoted, serialize_path};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

pub use hattari_agents::agent::kind::Terms;

/// On what terms a league seats an entrant.
#[must_use]
pub fn terms(league: &League, entrant: &Entrant) -> Terms {
    let isolation = entrant.isolation.or(league.isolation);
    Terms {
        budget: league.budget_of(entrant),
        isolation,
        threads: entrant.threads,
    }
}

/// A bot that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// Name by which leagues call it.
    pub name: String,
    /// How it is hosted.
    #[serde(serialize_with = "by_name")]
    pub kind: &'static dyn Kind,
    /// Its file; `built in` for bots that are linked into this program.
    #[serde(serialize_with = "serialize_path")]
    pub path: PathBuf,
    /// The bots of this program that it is one of, in place of a file.
    #[serde(skip)]
    pub built_in: Option<BuiltIn>,
    /// Games that it plays: with revision for compiled bots, by the name of the folder for
    /// scripts.
    pub games: Vec<String>,
    /// Its version; empty for scripts.
    pub version: String,
    /// Who wrote it; may be empty.
    pub author: String,
    /// What it does, in a line; may be empty.
    pub description: String,
    /// Hash of the file; of what a built-in bot is known by.
    #[serde(serialize_with = "in_hexadecimal")]
    pub hash: u64,
    /// JSON Schema of its config, if it has one.
    pub config_schema: Option<serde_json::Value>,
    /// The same seed may play differently.
    pub nondeterministic: bool,
    /// Where a compiled bot runs unless a league says otherwise: those that are linked into this
    /// program in its process, all others in one of their own. `None` for scripts, which have
    /// a sandbox.
    pub isolation: Option<Isolation>,
    /// How it is started, where it is a program that may do all that the user may.
    #[serde(skip)]
    pub started: Option<Started>,
    /// It says that it starts threads.
    #[serde(skip)]
    threads: bool,
    /// How far along the search path it was found; the nearer hides the farther.
    #[serde(skip)]
    distance: usize,
    /// See [`Found::known_by`].
    #[serde(skip)]
    known_by: String,
}

/// Text in a bot's version before the digest of its sources.
const SOURCES_MARK: &str = "+src.";

/// The digest of its sources that a bot tells behind its version, as its scaffold or build script
/// has put it there.
fn sources(version: &str) -> Option<String> {
    let (_, digest) = version.split_once(SOURCES_MARK)?;
    let is_digest = digest.len() == 16
        && digest
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_digest.then(|| format!("src.{digest}"))
}

/// Returns the text by which results know the version of a bot of a linked package.
///
/// # Errors
/// This program does not have its games.
fn known_as_built_in(package: &str, bot: &BotInfo) -> Result<String, LoadError> {
    let facts = bot.games.first().and_then(|game| Facts::find(game));
    let facts = facts.ok_or_else(|| LoadError {
        path: PathBuf::from(package),
        cause: format!(
            "the bot `{}` of this package plays {}, which this program does not have",
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

/// JSON's numbers have no room for all hashes.
fn in_hexadecimal<S: serde::Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&in_16_digits(*hash))
}

impl Found {
    fn new(kind: &'static dyn Kind, path: &Path, shelf: &Shelf, info: &BotInfo) -> Found {
        Found {
            name: info.id.clone(),
            kind,
            path: path.to_owned(),
            built_in: None,
            games: info.games.clone(),
            version: info.version.clone(),
            author: info.author.clone(),
            description: info.description.clone(),
            hash: shelf.hash,
            config_schema: info.config_schema.clone(),
            nondeterministic: info.nondeterministic,
            isolation: shelf.isolation,
            started: kind.started(path),
            threads: info.threads,
            distance: 0,
            known_by: sources(&info.version).unwrap_or_else(|| in_16_digits(shelf.hash)),
        }
    }

    /// The program that a command of a league in the folder `base` starts, as a bot for a game.
    #[must_use]
    pub fn of_command(game_id: &str, command: &CommandLine, base: &Path) -> Found {
        let started = Started {
            command: command.clone(),
            base: base.to_owned(),
        };
        let (shelf, path) = Programs::of_command(&started, bare(game_id));
        let found = Found::new(&Programs, &path, &shelf, &shelf.bots[0]);
        // The league says which game it is to play.
        Found {
            started: Some(started),
            games: vec![bare(game_id).to_owned()],
            ..found
        }
    }

    /// A bot of a package that is linked into this program. It is farther than all that has a file,
    /// so that a file can take the place of one.
    ///
    /// # Errors
    /// This program does not have its games.
    fn built_in(bots: BuiltIn, info: &BotInfo) -> Result<Found, LoadError> {
        let known_by = known_as_built_in(bots.package, info)?;
        let whole = format!("{} {} {known_by}", bots.package, info.id);
        let shelf = Shelf {
            hash: xxhash_rust::xxh3::xxh3_64(whole.as_bytes()),
            bots: Vec::new(),
            isolation: Some(Isolation::None),
        };
        Ok(Found {
            built_in: Some(bots),
            distance: usize::MAX,
            known_by,
            ..Found::new(agent::BUILT_IN, bots.library.path(), &shelf, info)
        })
    }

    /// Returns the text by which results know the version of the bot: where it is built in its
    /// declared version and the generation of the rules of its game, else a digest of its
    /// sources where it tells one, else the hash of its file.
    #[must_use]
    pub fn known_by(&self) -> &str {
        &self.known_by
    }

    /// Returns the hash of the file in 16 hexadecimal digits.
    #[must_use]
    pub fn file_hash(&self) -> String {
        in_16_digits(self.hash)
    }

    /// The bot as its kind knows it.
    fn file(&self) -> BotFile<'_> {
        let Found {
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

    /// What can be said of it by looking at its file alone.
    #[must_use]
    pub fn examine(&self) -> Vec<kind::Finding> {
        self.kind.examine(&self.file())
    }

    /// Runs the tests that it brings along; none where it has none.
    ///
    /// # Errors
    /// It does not start.
    pub fn run_tests(&self, terms: &Terms, config_json: &str) -> Result<Vec<Tested>, Misstep> {
        self.kind.run_tests(&self.file(), terms, config_json)
    }

    /// Whether it plays the game of that id.
    #[must_use]
    pub fn plays(&self, game_id: &str) -> bool {
        let is_bare = self.kind.place() == Place::FolderOfGame;
        self.games
            .iter()
            .any(|game| game == game_id || (is_bare && game == bare(game_id)))
    }

    /// Makes the bot ready to be seated.
    ///
    /// # Errors
    /// It cannot be loaded, or has changed so that it is no longer there.
    pub fn seat(&self) -> Result<Arc<dyn Seatable>, Misstep> {
        self.seat_on(&Terms::default())
    }

    /// Where the bot runs on these terms; `None` for scripts.
    #[must_use]
    pub fn isolation_on(&self, terms: &Terms) -> Option<Isolation> {
        self.file().isolation_on(terms)
    }

    /// As [`Found::seat`], on the terms of a league. A library is loaded into this process, and a
    /// program started that nothing holds, only if the user trusts it ([`trust`]).
    ///
    /// # Errors
    /// As [`Found::seat`].
    pub fn seat_on(&self, terms: &Terms) -> Result<Arc<dyn Seatable>, Misstep> {
        let mut content = Vec::new();
        if self.is_trusted_library(terms) {
            // The content that is trusted is the one that is loaded: a file that changes in between
            // has another hash than this.
            content = std::fs::read(&self.path).unwrap_or_default();
            if xxhash_rust::xxh3::xxh3_64(&content) != self.hash {
                let what = format!(
                    "{} has changed since it was looked at; start again",
                    self.path.display()
                );
                return Err(Misstep::new(FaultKind::Start, what));
            }
        }
        self.confirm_content(terms, &content)
            .map_err(|why| Misstep::new(FaultKind::Start, why.to_string()))?;
        self.kind.seat(&self.file(), terms)
    }

    /// Sees that the user trusts the bot, where it would run outside a sandbox on these terms.
    ///
    /// # Errors
    /// Returns an error if it is not trusted.
    pub fn confirm(&self, terms: &Terms) -> Result<(), Untrusted> {
        let is_library = self.is_trusted_library(terms);
        let content = if is_library {
            std::fs::read(&self.path).unwrap_or_default()
        } else {
            Vec::new()
        };
        self.confirm_content(terms, &content)
    }

    /// The same, with the content of the file where it is a library.
    fn confirm_content(&self, terms: &Terms, content: &[u8]) -> Result<(), Untrusted> {
        if self.isolation_on(terms) != Some(Isolation::None) {
            return Ok(());
        }
        match &self.started {
            Some(Started { command, base }) => trust::command(self.kind.name(), command, base),
            None if self.built_in.is_none() => trust::library(&self.path, content),
            None => Ok(()),
        }
    }

    /// Whether the bot is a library of somebody else that runs in this process on these terms.
    fn is_trusted_library(&self, terms: &Terms) -> bool {
        let is_library = self.built_in.is_none() && self.started.is_none();
        is_library && self.isolation_on(terms) == Some(Isolation::None)
    }
}

/// A kind by its name.
fn by_name<S: serde::Serializer>(
    kind: &&'static dyn Kind,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

/// A file that is not read before a league or a command names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unopened {
    /// Name by which leagues call its bot: the file's without the ending, with `-` for each `_`.
    pub name: String,
    /// How its bots are hosted.
    #[serde(serialize_with = "by_name")]
    pub kind: &'static dyn Kind,
    /// The file.
    #[serde(serialize_with = "serialize_path")]
    pub path: PathBuf,
}

/// Every bot on the search path and in this program, and the files there that do not load.
///
/// A file is read when a bot that it may hold is asked for. So the scripts of a folder that nobody
/// names cost nothing.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    search: SearchPath,
    files: Vec<Shelved>,
    /// The bots of this program.
    built_in: Vec<Found>,
    /// The problems of the bots that are linked into the program.
    broken_built_in: Vec<LoadError>,
    /// All bots and all that is broken, once somebody wants the list.
    listed: OnceLock<(Vec<Found>, Vec<LoadError>)>,
    /// Names that stand for a bot of a file, whatever else is called so: the file and the bot's
    /// name in it.
    pinned: BTreeMap<String, (PathBuf, String)>,
}

/// A file on the search path, and its bots once it has been read.
#[derive(Clone, Debug)]
struct Shelved {
    kind: &'static dyn Kind,
    candidate: Candidate,
    read: OnceLock<Result<Vec<Found>, LoadError>>,
}

impl Shelved {
    fn read(&self) -> Result<&[Found], &LoadError> {
        let Candidate {
            path,
            game,
            distance,
        } = &self.candidate;
        let look = || {
            let shelf = self.kind.look(path, game)?;
            let found = |info| Found {
                distance: *distance,
                ..Found::new(self.kind, path, &shelf, info)
            };
            Ok(shelf.bots.iter().map(found).collect())
        };
        self.read.get_or_init(look).as_deref()
    }

    /// The name of its bot, where the file's name gives it.
    fn name(&self) -> Option<Cow<'_, str>> {
        let stem = self
            .candidate
            .path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        if self.kind.is_slow_to_look_at() {
            // As bots are called: cargo turns each `-` of a name into a `_`.
            return Some(stem.replace('_', "-").into());
        }
        (self.kind.place() == Place::FolderOfGame).then_some(stem)
    }

    /// Its bot of that name; the only one that it has, where the file's name stands for that.
    fn bot(&self, name: &str) -> Option<&Found> {
        let bots = self.read().ok()?;
        match (bots.iter().find(|bot| bot.name == name), bots) {
            (None, [only]) if self.kind.is_slow_to_look_at() => Some(only),
            (found, _) => found,
        }
    }
}

impl Catalogue {
    /// Lists the files on the search path, and the bots of this program. Does not fail as a whole:
    /// what is broken is listed.
    #[must_use]
    pub fn discover(search: &SearchPath) -> Catalogue {
        let files = agent::KINDS.iter().flat_map(|&kind| {
            let shelved = move |candidate| Shelved {
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
                match Found::built_in(bots, bot) {
                    Ok(found) => catalogue.built_in.push(found),
                    Err(error) => catalogue.broken_built_in.push(error),
                }
            }
        }
        catalogue
    }

    /// The bots of a closed list: each name stands for the bot of that name in a file, and besides
    /// there are the bots of this program and nothing else.
    #[must_use]
    pub fn pinned(names: BTreeMap<String, (PathBuf, String)>) -> Catalogue {
        Catalogue {
            pinned: names,
            ..Catalogue::discover(&SearchPath::default())
        }
    }

    /// Returns the files that are not read for a list, because that takes long.
    #[must_use]
    pub fn unopened(&self) -> Vec<Unopened> {
        let slow = self
            .files
            .iter()
            .filter(|file| file.kind.is_slow_to_look_at());
        let unopened = |file: &Shelved| Unopened {
            name: file.name().unwrap_or_default().into_owned(),
            kind: file.kind,
            path: file.candidate.path.clone(),
        };
        slow.map(unopened).collect()
    }

    /// Returns all bots, in the order of the search. Reads every file but those that take long.
    #[must_use]
    pub fn bots(&self) -> &[Found] {
        &self.list().0
    }

    /// Returns what could not be loaded, and why. Reads every file but those that take long.
    #[must_use]
    pub fn broken(&self) -> &[LoadError] {
        &self.list().1
    }

    fn list(&self) -> &(Vec<Found>, Vec<LoadError>) {
        self.listed.get_or_init(|| {
            let files = || {
                self.files
                    .iter()
                    .filter(|file| !file.kind.is_slow_to_look_at())
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

    /// The bots of that name; reads the files that may hold one.
    fn called(&self, name: &str) -> Vec<&Found> {
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

    /// Returns the problems of the files that have been read.
    fn broken_so_far(&self) -> impl Iterator<Item = &LoadError> {
        let read = self
            .files
            .iter()
            .filter_map(|file| file.read.get()?.as_ref().err());
        read.chain(&self.broken_built_in)
    }

    /// The bot that hides `bot`: of the same name, for the same game, found in a nearer place.
    #[must_use]
    pub fn hider(&self, bot: &Found) -> Option<&Found> {
        let shares = |other: &&Found| {
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

    /// The bot that a league for `game_id` in the folder `base` calls `name`: a bare name, the path
    /// of a script, or the path of a library with `#id` where it holds several bots. The bare
    /// name of a file that takes long to look at stands for its bot. Relative paths start from
    /// `base`, the current folder or the project that one of them lies in.
    ///
    /// # Errors
    /// Why there is none, or more than one.
    pub fn find(&self, game_id: &str, name: &str, base: &Path) -> Result<Found, NotFound> {
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
        let is_path = id.is_some() || name.contains(['/', '\\']) || agent::kind_of(path).is_some();
        if is_path {
            return self.by_path(game_id, path, id, base).map_err(|why| {
                let files = match &why {
                    Why::NoSuchFile(tried) => not_found::files_near(path, tried),
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
        let mut playing: Vec<&Found> = called
            .iter()
            .copied()
            .filter(|bot| bot.plays(game_id))
            .collect();
        let nearest = playing.iter().map(|bot| bot.distance).min();
        playing.retain(|bot| Some(bot.distance) == nearest);
        match playing[..] {
            [] if called.is_empty() => {
                let is_called = |file: &&Shelved| file.name().is_some_and(|known| known == name);
                match self
                    .files
                    .iter()
                    .find(is_called)
                    .map(|file| (file, file.read()))
                {
                    Some((_, Err(script))) => {
                        return Err(error(Why::Broken(script.clone()), Vec::new()));
                    }
                    Some((file, Ok(bots))) => {
                        let (path, ids) = (
                            file.candidate.path.clone(),
                            bots.iter().map(|bot| bot.name.clone()),
                        );
                        let name = path.display().to_string();
                        let why = Why::WhichId(path, ids.collect());
                        return Err(NotFound {
                            name,
                            ..error(why, Vec::new())
                        });
                    }
                    None => {}
                }
                let why = Why::NoSuchName {
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
                Why::OtherGame(called.iter().flat_map(|bot| bot.games.clone()).collect()),
                Vec::new(),
            )),
            // Copies of one file are one bot.
            [first, ref others @ ..] if others.iter().all(|bot| bot.hash == first.hash) => {
                Ok(first.clone())
            }
            ref several => Err(error(
                Why::Ambiguous(several.iter().map(|bot| bot.path.clone()).collect()),
                Vec::new(),
            )),
        }
    }

    /// The bot of that name in each of the games that it plays.
    ///
    /// # Errors
    /// It plays none of them, and why not; or it is a file that does not say which it plays, and
    /// several are asked for.
    pub fn find_in(
        &self,
        games: &[&'static Facts],
        name: &str,
        base: &Path,
    ) -> Result<Vec<(&'static Facts, Found)>, NotFound> {
        let mut found = Vec::new();
        let mut errors = Vec::new();
        for &game in games {
            match self.find(game.id, name, base) {
                Ok(bot) => found.push((game, bot)),
                Err(error) => errors.push(error),
            }
        }
        // A file that does not say plays whatever game is asked for.
        let says_nothing = |(game, bot): &(&Facts, Found)| {
            bot.kind.place() == Place::FolderOfGame
                && bot.games.iter().all(|named| named == game.name())
        };
        match &found[..] {
            [] => Err(NotFound::joined(errors)),
            [(_, first), _, ..] if found.iter().all(says_nothing) => {
                let games = found
                    .iter()
                    .map(|(game, _)| game.name().to_owned())
                    .collect();
                let (why, name) = (Box::new(Why::WhichGame(first.kind, games)), name.to_owned());
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
    ) -> Result<Found, Why> {
        let starts = [base, Path::new("")].into_iter().chain(self.search.roots());
        let mut tried: Vec<PathBuf> = Vec::new();
        for candidate in starts.map(|start| start.join(path)) {
            if !tried.contains(&candidate) {
                tried.push(candidate);
            }
        }
        let Some(file) = tried.iter().find(|candidate| candidate.is_file()) else {
            return Err(Why::NoSuchFile(tried));
        };
        let Some(kind) = agent::kind_of(file) else {
            return Err(Why::NotABot(file.clone()));
        };
        let shelf = kind.look(file, bare(game_id)).map_err(Why::Broken)?;
        let plays = |bot: &BotInfo| Found::new(kind, file, &shelf, bot).plays(game_id);
        let ids = |bots: &[&BotInfo]| bots.iter().map(|bot| bot.id.clone()).collect();
        let all: Vec<_> = shelf.bots.iter().collect();
        let playing: Vec<_> = all.iter().copied().filter(|bot| plays(bot)).collect();
        let chosen = match id {
            Some(id) => *all
                .iter()
                .find(|bot| bot.id == id)
                .ok_or_else(|| Why::NoSuchId(file.clone(), ids(&all)))?,
            None => match playing[..] {
                [only] => only,
                [] => {
                    return Err(Why::OtherGame(
                        all.iter().flat_map(|bot| bot.games.clone()).collect(),
                    ));
                }
                _ => return Err(Why::WhichId(file.clone(), ids(&playing))),
            },
        };
        let found = Found::new(kind, file, &shelf, chosen);
        if found.plays(game_id) {
            Ok(found)
        } else {
            Err(Why::OtherGame(found.games))
        }
    }

    /// Names of bots for the game that come near. Files whose names give those of their bots are
    /// not read.
    fn near(&self, game_id: &str, path: &Path) -> Vec<String> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let in_folder = |file: &&Shelved| {
            file.candidate.game == bare(game_id) || file.kind.is_slow_to_look_at()
        };
        let by_file: Vec<Cow<'_, str>> = self
            .files
            .iter()
            .filter(in_folder)
            .filter_map(Shelved::name)
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
            "the bot `first` of this package plays `nowhere/1`, which this program does not have"
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

    /// A folder of thousands of scripts is no slower to find one in.
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
        let hidden: Vec<&Found> = catalogue
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
        // One for the game's name, one for its revision.
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
        assert!(matches!(*find().unwrap_err().why, Why::Ambiguous(places) if places.len() == 2));
    }
}
