//! The interface of backends. Each backend runs the bots in files of one type.

use super::built_in::BuiltIn;
use super::{AgentFactory, AgentResult, BotInfo, Budget, Isolation, LaunchCommand, LoadError};
use crate::games::GameInfo;
use crate::text;
use serde::{Serialize, Serializer};
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of bytes at the start of a source file that are searched for a description.
pub(super) const HEAD_BYTES: usize = 1000;

/// A backend: runs bots from files of one type.
pub trait Backend: Debug + Sync {
    /// Returns the name of the backend in lists of bots and in stores.
    fn name(&self) -> &'static str;
    /// Returns the term that messages use for a file of this backend, for example `a script
    /// (.lua)`.
    fn file_term(&self) -> &'static str;
    /// Returns `true` if this backend runs files with the name of `file`.
    fn accepts(&self, file: &Path) -> bool;
    /// Returns `true` if a search for bots finds a file that this backend accepts. Other files are
    /// bots only if their paths are given.
    fn is_found_by_search(&self, _file: &Path) -> bool {
        true
    }
    /// Returns `true` if files of this backend are searched in the folder of a game in `scripts/`.
    /// Bots may then declare the game without its revision, and each file contains one bot, named
    /// after the file without extension. Otherwise files are searched in `bots/`, and each bot
    /// declares its games with their revisions.
    fn is_in_folder_of_game(&self) -> bool {
        false
    }
    /// Returns the bots that a file contains, without running its code in this process. `game` is
    /// the game of the file's folder or the requested game.
    ///
    /// # Errors
    /// Returns an error if the file or a bot's descriptor is invalid.
    fn inspect(&self, file: &Path, game: &str) -> Result<Arc<BotFileInfo>, LoadError>;
    /// Returns `true` if inspecting a file is slow. Lists then show the file without its bots, and
    /// a bot is found by the name of its file.
    fn is_slow_to_inspect(&self) -> bool {
        false
    }
    /// Returns the bot's other files, which are in the same folder.
    fn related_files(&self, _file: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
    /// Compiles a file only to find errors in it.
    ///
    /// # Errors
    /// Returns the compile error, with its line if known, for example `mine.lua:3: …`.
    fn compile(&self, _file: &Path) -> AgentResult {
        Ok(())
    }
    /// Returns the command that starts the file if it is a program that runs with all rights of the
    /// user. Such a program plays only if the user trusts it.
    fn launch_command(&self, _file: &Path) -> Option<LaunchCommand> {
        None
    }
    /// Loads a bot and returns the factory of its agents.
    ///
    /// # Errors
    /// Returns an error if the bot cannot be loaded, or if its file has changed and no longer
    /// contains it.
    fn agent_factory(
        &self,
        bot: &BotFile<'_>,
        spec: &AgentSpec,
    ) -> AgentResult<Arc<dyn AgentFactory>>;
    /// Returns the findings of a static check of a bot and its file.
    fn examine(&self, _bot: &BotFile<'_>) -> Vec<Finding> {
        Vec::new()
    }
    /// Runs the tests in the bot's file. Returns an empty list if there are none.
    ///
    /// # Errors
    /// Returns an error if the bot does not start.
    fn run_tests(
        &self,
        _bot: &BotFile<'_>,
        _spec: &AgentSpec,
        _config_json: &str,
    ) -> AgentResult<Vec<BotTestResult>> {
        Ok(Vec::new())
    }
    /// Returns `true` if a process can load a changed file again from the same path. Otherwise, the
    /// process must load a copy of the changed file.
    fn can_reload(&self) -> bool {
        true
    }
}

impl Serialize for dyn Backend {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl PartialEq for dyn Backend {
    fn eq(&self, other: &dyn Backend) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn Backend {}

/// The limits and the isolation under which a bot plays.
#[derive(Clone, Copy, Debug, Default)]
pub struct AgentSpec {
    /// Resource limits.
    pub budget: Budget,
    /// Isolation of a compiled bot; `None` for the bot's default.
    pub isolation: Option<Isolation>,
    /// Number of threads that a compiled bot in its own process may start.
    pub threads: u32,
}

/// The contents of a bot file.
#[derive(Debug)]
pub struct BotFileInfo {
    /// Hash of the file. If it differs from an earlier hash, the bot has changed.
    pub hash: u64,
    /// The bots in the file.
    pub bots: Vec<BotInfo>,
    /// Default isolation of the bots; `None` if the backend offers no choice.
    pub isolation: Option<Isolation>,
}

/// The data about a bot and its file that the backend needs to load the bot.
#[derive(Clone, Copy, Debug)]
pub struct BotFile<'a> {
    /// Path of the file.
    pub path: &'a Path,
    /// Package that contains the bot if it is linked into this program; `None` for bots in files.
    pub built_in: Option<BuiltIn>,
    /// Hash of the file when it was inspected.
    pub hash: u64,
    /// Name of the bot in the file.
    pub id: &'a str,
    /// Version of the bot.
    pub version: &'a str,
    /// Description of the bot; may be empty.
    pub description: &'a str,
    /// Games that the bot plays.
    pub games: &'a [String],
    /// The game that the bot is to play; empty if it is not known.
    pub game: &'a str,
    /// Default isolation of the bot; `None` if its backend offers no choice.
    pub isolation: Option<Isolation>,
    /// `true` if the descriptor declares that the bot starts threads.
    pub threads: bool,
    /// Command that starts the bot, if it is a program.
    pub started: Option<&'a LaunchCommand>,
}

impl BotFile<'_> {
    /// Returns the isolation of the bot under `spec`; `None` if its backend offers no choice.
    pub fn isolation_with(&self, spec: &AgentSpec) -> Option<Isolation> {
        self.isolation
            .map(|default| spec.isolation.unwrap_or(default))
    }
}

/// Returns the name of a file without its extension.
pub(super) fn stem(file: &Path) -> String {
    file.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Returns the name of the file's folder if it is the name of a game.
pub(super) fn folder_game(file: &Path) -> Option<&str> {
    let folder = file.parent()?.file_name()?.to_str()?;
    GameInfo::find(folder).map(|_| folder)
}

/// Returns the first line of text in the comment with which a source file begins; empty if there is
/// none. Comments that are instructions for tools (`#!`, `--!`) are skipped.
pub(super) fn headline(source: &str) -> String {
    let marks: &[char] = &['#', '/', '*', '"', '-', ' '];
    text::cut(source, HEAD_BYTES)
        .lines()
        .map(str::trim)
        .filter(|line| !(line.is_empty() || line.starts_with("#!") || line.starts_with("--!")))
        .take_while(|line| {
            ["#", "//", "/*", "\"\"\"", "--"]
                .iter()
                .any(|mark| line.starts_with(mark))
        })
        .map(|line| line.trim_matches(marks))
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .to_owned()
}

/// The result of a test in a bot's file.
#[derive(Debug)]
pub struct BotTestResult {
    /// Name of the test.
    pub name: String,
    /// Error with file and line; `None` if the test passed.
    pub failure: Option<String>,
}

/// The grade of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Passed.
    Ok,
    /// Allowed, but should be reviewed.
    Warning,
    /// The bot violates the interface, or would commit a fault in a league.
    Wrong,
}

/// The result of one check, with details.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// Name of the check.
    pub point: &'static str,
    /// Grade of the result.
    pub verdict: Grade,
    /// Text for the user. The first line can be shown without the others.
    pub text: String,
}

impl Finding {
    /// Creates a finding that shows a compiled bot's descriptor.
    pub(super) fn descriptor(bot: &BotFile<'_>) -> Finding {
        let (verdict, rest) = if bot.description.is_empty() {
            (Grade::Warning, " has no description".to_owned())
        } else {
            (Grade::Ok, format!(", plays {}", bot.games.join(", ")))
        };
        Finding::new(
            "descriptor",
            verdict,
            format!("{} {}{rest}", bot.id, bot.version),
        )
    }

    /// Creates a finding. `point` is the name of the check.
    pub fn new(point: &'static str, verdict: Grade, text: impl Into<String>) -> Finding {
        Finding {
            point,
            verdict,
            text: text.into(),
        }
    }
}
