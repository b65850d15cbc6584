//! Kinds of hosts for bots that lie in files.

use super::built_in::BuiltIn;
use super::launch::Started;
use super::{BotInfo, Budget, Isolation, LoadError, Misstep, Seatable};
use crate::games::Facts;
use serde::{Serialize, Serializer};
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A way to host bots that lie in files of one kind.
pub trait Kind: Debug + Sync {
    /// Its name, as lists and stores have it.
    fn name(&self) -> &'static str;
    /// What a file of it is called in messages, as in `a script (.lua)`.
    fn file(&self) -> &'static str;
    /// Whether a file is of this kind, by its name.
    fn takes(&self, file: &Path) -> bool;
    /// Where its files lie.
    fn place(&self) -> Place;
    /// Looks at what a file holds, without running anything of it in this process. `game` is the
    /// game that it lies in the folder of, or is asked for.
    ///
    /// # Errors
    /// What is wrong with the file, or with what it says of its bots.
    fn look(&self, file: &Path, game: &str) -> Result<Arc<Shelf>, LoadError>;
    /// Whether looking at a file takes long: lists then show the file alone, and its bots are found
    /// by the file's name.
    fn is_slow_to_look_at(&self) -> bool {
        false
    }
    /// The files besides it that a bot is made of; they lie in its folder.
    fn beside(&self, _file: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
    /// What is wrong with a file that its author is working on, with its line where that is known,
    /// as in `mine.lua:3: …`.
    ///
    /// # Errors
    /// It does not compile.
    fn compile(&self, _file: &Path) -> Result<(), Misstep> {
        Ok(())
    }
    /// How a file of it is started, where it is a program that may do all that the user may: such a
    /// one is seated only where it is trusted.
    fn started(&self, _file: &Path) -> Option<Started> {
        None
    }
    /// Makes a bot ready to be seated.
    ///
    /// # Errors
    /// It cannot be loaded, or has changed so that it is no longer there.
    fn seat(&self, bot: &BotFile<'_>, terms: &Terms) -> Result<Arc<dyn Seatable>, Misstep>;
    /// What can be said of a bot by looking at its file alone.
    fn examine(&self, _bot: &BotFile<'_>) -> Vec<Finding> {
        Vec::new()
    }
    /// Runs the tests that a bot brings along; none where it has none.
    ///
    /// # Errors
    /// It does not start.
    fn run_tests(
        &self,
        _bot: &BotFile<'_>,
        _terms: &Terms,
        _config_json: &str,
    ) -> Result<Vec<Tested>, Misstep> {
        Ok(Vec::new())
    }
    /// Whether a file that has changed can be used under its old path in the same process; else a
    /// copy of it is.
    fn is_read_anew(&self) -> bool;
}

impl Serialize for dyn Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl PartialEq for dyn Kind {
    fn eq(&self, other: &dyn Kind) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn Kind {}

/// Where the files of a kind lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In `bots/`; each says which games its bots play, with their revisions.
    Bots,
    /// In the folder of its game below `scripts/`; the game may be named without its revision. Each
    /// file holds one bot, whose name is the file's without the ending.
    FolderOfGame,
}

/// On what terms a bot is seated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// What it may use.
    pub budget: Budget,
    /// Where a compiled bot runs; `None` for its default.
    pub isolation: Option<Isolation>,
    /// Threads that a compiled bot in a process of its own may start.
    pub threads: u32,
}

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Shelf {
    /// Hash of the file: whether it is still the bot that played.
    pub hash: u64,
    /// Its bots.
    pub bots: Vec<BotInfo>,
    /// Where they run unless a league says otherwise; `None` where there is nothing to choose.
    pub isolation: Option<Isolation>,
}

/// A bot in a file.
#[derive(Clone, Copy, Debug)]
pub struct BotFile<'a> {
    /// The file.
    pub path: &'a Path,
    /// The bots of this program that it is one of, in place of a file.
    pub built_in: Option<BuiltIn>,
    /// Its hash when it was looked at.
    pub hash: u64,
    /// The bot's name in it.
    pub id: &'a str,
    /// Its version.
    pub version: &'a str,
    /// What it does; may be empty.
    pub description: &'a str,
    /// Games that it plays.
    pub games: &'a [String],
    /// Where it runs unless the terms say otherwise.
    pub isolation: Option<Isolation>,
    /// It says that it starts threads.
    pub threads: bool,
    /// How it is started, where it is a program.
    pub started: Option<&'a Started>,
}

impl BotFile<'_> {
    /// Where the bot runs on these terms; `None` where there is nothing to choose.
    #[must_use]
    pub fn isolation_on(&self, terms: &Terms) -> Option<Isolation> {
        self.isolation
            .map(|default| terms.isolation.unwrap_or(default))
    }
}

/// Returns the name of a file without its ending.
pub(super) fn stem(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Returns the name of the folder that a file lies in, if it is that of a game.
pub(super) fn folder_game(file: &Path) -> Option<&str> {
    let folder = file.parent()?.file_name()?.to_str()?;
    Facts::find(folder).map(|_| folder)
}

/// A test that a bot brings along, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// Its name.
    pub name: String,
    /// The error that it raised, with file and line; `None` where it passed.
    pub failure: Option<String>,
}

/// How one point of a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// As it should be.
    Ok,
    /// Allowed, and worth a look.
    Warning,
    /// Against the contract, or would be a fault in a league.
    Wrong,
}

/// One point of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub point: &'static str,
    /// How it came out.
    pub verdict: Grade,
    /// In words; the first line stands alone.
    pub text: String,
}

impl Finding {
    /// A finding.
    #[must_use]
    pub fn new(point: &'static str, verdict: Grade, text: impl Into<String>) -> Finding {
        Finding {
            point,
            verdict,
            text: text.into(),
        }
    }
}
