//! A bot that was found, with the data from which its agents are opened.

use crate::trust::{self, NotTrusted};
use hattari_agents::agent::backend::{
    self, AgentSpec, Backend, BotFile, BotFileInfo, BotTestResult,
};
use hattari_agents::agent::built_in::BuiltIn;
use hattari_agents::agent::program::ProgramBackend;
use hattari_agents::agent::{
    self, AgentError, AgentFactory, AgentResult, BotInfo, CommandLine, Isolation, LaunchCommand,
    LoadError,
};
use hattari_agents::games::{GameInfo, name_without_revision};
use hattari_agents::text::{quoted, serialize_path};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A bot found on the search path, in this program, or through the start command in a league.
#[derive(Clone, Debug, Serialize)]
pub struct FoundBot {
    /// Name of the bot in leagues.
    pub name: String,
    /// The backend that runs the bot.
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
    #[serde(serialize_with = "serialize_hexadecimal")]
    pub hash: u64,
    /// JSON Schema of the config, if the bot has one.
    pub config_schema: Option<serde_json::Value>,
    /// True if the bot may play differently with the same seed.
    pub nondeterministic: bool,
    /// Default isolation of a compiled bot: built-in bots run in the process of this program, other
    /// bots in separate processes. `None` for scripts, which have a sandbox.
    pub isolation: Option<Isolation>,
    /// Start command of a bot that is a program; `None` for other bots.
    #[serde(skip)]
    pub started: Option<LaunchCommand>,
    /// The game for which the bot was found; empty in lists of bots.
    #[serde(skip)]
    pub(super) game: String,
    /// True if the bot declares that it starts threads.
    #[serde(skip)]
    pub(super) threads: bool,
    /// Position in the search path; 0 is searched first. A bot hides bots of the same name at
    /// greater distances.
    #[serde(skip)]
    pub(super) distance: usize,
    /// Text that identifies the version of the bot in results. For a built-in bot it contains the
    /// declared version and the generation of the rules. For other bots it is the digest of the
    /// sources, or the hash of the file if the bot declares no digest.
    #[serde(skip)]
    pub version_id: String,
}

/// Separator between a bot's version and the digest of its sources.
const SOURCES_MARK: &str = "+src.";

/// Returns the digest of the sources if a scaffold or build script has appended it to the version;
/// `None` for other versions.
fn sources_digest(version: &str) -> Option<String> {
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
pub(super) fn built_in_version(package: &str, bot: &BotInfo) -> Result<String, LoadError> {
    let facts = bot.games.first().and_then(|game| GameInfo::find(game));
    let facts = facts.ok_or_else(|| LoadError {
        path: PathBuf::from(package),
        cause: format!(
            "the bot `{}` of this package plays {}, which this program does not support",
            bot.id,
            quoted(bot.games.iter())
        ),
        remedy: "add the game to the program (`hattari::command().game::<…>()`), or link the package without the bot"
            .to_owned(),
    })?;
    Ok(format!(
        "version {}, rules {}",
        bot.version, facts.generation
    ))
}

fn to_hexadecimal(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Serializes the hash as text, because JSON numbers cannot represent all 64-bit values.
fn serialize_hexadecimal<S: serde::Serializer>(
    hash: &u64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&to_hexadecimal(*hash))
}

impl FoundBot {
    pub(super) fn new(
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
            game: String::new(),
            threads: info.threads,
            distance: 0,
            version_id: sources_digest(&info.version)
                .unwrap_or_else(|| to_hexadecimal(file_info.hash)),
        }
    }

    /// Returns the bot for `game_id` that a league starts with a command. `base` is the league's
    /// folder.
    pub(crate) fn from_command(game_id: &str, command: &CommandLine, base: &Path) -> FoundBot {
        let started = LaunchCommand {
            command: command.clone(),
            base: base.to_owned(),
        };
        let game = name_without_revision(game_id);
        let (file_info, path) = ProgramBackend::of_command(&started, game);
        FoundBot {
            started: Some(started),
            // The league sets the game.
            games: vec![game.to_owned()],
            ..FoundBot::new(&ProgramBackend, &path, &file_info, &file_info.bots[0])
        }
    }

    /// Returns a bot of a linked package. The bot has the maximum distance, so that a bot file of
    /// the same name hides it.
    ///
    /// # Errors
    /// Returns an error if this program does not support the bot's first game.
    pub(super) fn built_in(bots: BuiltIn, info: &BotInfo) -> Result<FoundBot, LoadError> {
        let version_id = built_in_version(bots.package, info)?;
        let identity = format!("{} {} {version_id}", bots.package, info.id);
        let file_info = BotFileInfo {
            hash: xxh3_64(identity.as_bytes()),
            bots: Vec::new(),
            isolation: Some(Isolation::None),
        };
        Ok(FoundBot {
            built_in: Some(bots),
            distance: usize::MAX,
            version_id,
            ..FoundBot::new(agent::BUILT_IN, bots.library.path(), &file_info, info)
        })
    }

    /// Returns the hash of the file in 16 hexadecimal digits.
    pub(crate) fn file_hash(&self) -> String {
        to_hexadecimal(self.hash)
    }

    /// Returns the bot for playing the game.
    pub(super) fn for_game(&self, game_id: &str) -> FoundBot {
        FoundBot {
            game: game_id.to_owned(),
            ..self.clone()
        }
    }

    fn file(&self) -> BotFile<'_> {
        BotFile {
            path: &self.path,
            built_in: self.built_in,
            hash: self.hash,
            id: &self.name,
            version: &self.version,
            description: &self.description,
            games: &self.games,
            game: &self.game,
            isolation: self.isolation,
            threads: self.threads,
            started: self.started.as_ref(),
        }
    }

    /// Returns the findings of a static check of the bot file.
    pub fn examine(&self) -> Vec<backend::Finding> {
        self.kind.examine(&self.file())
    }

    /// Runs the tests in the bot file. Returns an empty list if there are none.
    ///
    /// # Errors
    /// Returns an error if the bot does not start.
    pub fn run_tests(
        &self,
        spec: &AgentSpec,
        config_json: &str,
    ) -> AgentResult<Vec<BotTestResult>> {
        self.kind.run_tests(&self.file(), spec, config_json)
    }

    /// Returns `true` if the bot supports the game with the given id.
    pub fn plays(&self, game_id: &str) -> bool {
        let is_bare = self.kind.is_in_folder_of_game();
        self.games
            .iter()
            .any(|game| game == game_id || is_bare && game == name_without_revision(game_id))
    }

    /// Returns the isolation of the bot under `spec`; `None` for scripts.
    pub(crate) fn isolation_with(&self, spec: &AgentSpec) -> Option<Isolation> {
        self.file().isolation_with(spec)
    }

    /// Prepares the bot for seating with the limits and the isolation of `spec`. The user must
    /// trust a library that is loaded into this process, and a program that runs without a sandbox
    /// ([`trust`]).
    ///
    /// # Errors
    /// Returns an error if the bot cannot be loaded, if its file has changed and no longer contains
    /// the bot, or if the user does not trust the bot.
    pub fn agent_factory_with(&self, spec: &AgentSpec) -> AgentResult<Arc<dyn AgentFactory>> {
        let content = self.library_content(spec);
        // Check trust for the content that was found: if the file has changed since then, its hash
        // differs.
        if content
            .as_ref()
            .is_some_and(|content| xxh3_64(content) != self.hash)
        {
            let path = self.path.display();
            return Err(AgentError::start(format!(
                "{path} has changed while it was being loaded; run the command again"
            )));
        }
        self.check_trust_of_content(spec, content.as_deref())
            .map_err(|error| AgentError::start(error.to_string()))?;
        self.kind.agent_factory(&self.file(), spec)
    }

    /// Checks that the user trusts the bot if it would run outside a sandbox under `spec`.
    ///
    /// # Errors
    /// Returns an error if the bot is not trusted.
    pub(crate) fn check_trust(&self, spec: &AgentSpec) -> Result<(), NotTrusted> {
        self.check_trust_of_content(spec, self.library_content(spec).as_deref())
    }

    /// Checks trust like `FoundBot::check_trust`; `library` is the result of `library_content`.
    fn check_trust_of_content(
        &self,
        spec: &AgentSpec,
        library: Option<&[u8]>,
    ) -> Result<(), NotTrusted> {
        match (&self.started, library) {
            (_, Some(content)) => trust::check_library(&self.path, content),
            (Some(LaunchCommand { command, base }), None)
                if self.isolation_with(spec) == Some(Isolation::None) =>
            {
                trust::check_command(self.kind.name(), command, base)
            }
            _ => Ok(()),
        }
    }

    /// Returns the content of a library that would run in this process under `spec`; `None` for
    /// other bots.
    fn library_content(&self, spec: &AgentSpec) -> Option<Vec<u8>> {
        let is_library_in_process = self.built_in.is_none()
            && self.started.is_none()
            && self.isolation_with(spec) == Some(Isolation::None);
        is_library_in_process.then(|| std::fs::read(&self.path).unwrap_or_default())
    }
}
