//! A league: who plays what against whom, how often, and what counts. Read from YAML and checked; knows nothing of how it
//! is played or reported.

mod check;
mod fields;
mod format;
mod problem;
mod read;
mod settings;
#[cfg(test)]
mod tests;
mod yaml;

pub use problem::{LeagueError, Problem};
pub use yaml::Place;

use crate::games::Facts;
use crate::table::{BlockPlan, FaultPolicy};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Most bytes of a league file.
pub const FILE_BYTES_MAX: u64 = 1 << 20;
/// Most entrants of a league.
pub const ENTRANTS_MAX: usize = 1000;
/// Most blocks of a line-up.
pub const BLOCKS_MAX: u32 = 10_000_000;
/// Most deals of a block.
pub const DEALS_MAX: u32 = 10_000_000;

/// A league that can be played: every name in it stands for something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct League {
    /// Name of the game, without its revision.
    pub game: String,
    /// Preset that the options start from.
    pub preset: String,
    /// Every option of the rules as it is in force, by name.
    pub options: serde_json::Value,
    /// Root of all chance.
    pub seed: u64,
    /// Who takes part; names differ.
    pub entrants: Vec<Entrant>,
    /// Who meets whom.
    pub format: Format,
    /// Blocks that each line-up plays.
    pub blocks: u32,
    /// Deals of a block (of each rotation, where deals are duplicated).
    pub deals: u32,
    /// Whether every deal is played once for each rotation of the line-up round the table.
    pub duplicate: bool,
    /// What a fault costs.
    pub faults: FaultPolicy,
    /// What bots may use.
    pub budget: Budget,
    /// How results are read; nothing of it changes what is played.
    pub report: ReportSettings,
}

/// One who takes part: a bot with its settings, under a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// Name in this league.
    pub name: String,
    /// The bot as the league names it: a name, or a path with an optional `#id`.
    pub bot: String,
    /// Settings for the bot; an object, empty where none are given.
    pub config: serde_json::Value,
}

/// Who meets whom. Lists hold names of entrants; one may come several times, each time on a seat of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Format {
    /// Every line-up of `size` different entrants.
    LineUps {
        /// Entrants of a line-up.
        size: usize,
        /// How many line-ups to draw instead of taking all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sample: Option<u32>,
        /// Only line-ups with at least one member of each of these groups.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        require: Vec<Vec<String>>,
    },
    /// Every one of `a` with every one of `b` and the same others: a table holds one of `a`, one of `b` and `field`.
    Duel {
        /// One side.
        a: Vec<String>,
        /// The other side.
        b: Vec<String>,
        /// The others at the table.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        field: Vec<String>,
    },
    /// Every one of `a` with every one of `b` at a table of four: partners sit opposite each other and are two copies of
    /// one entrant.
    Pairs {
        /// One side.
        a: Vec<String>,
        /// The other side.
        b: Vec<String>,
    },
    /// Every challenger against the same others.
    Challenge {
        /// Those who take the first place of the line-up in turn.
        challengers: Vec<String>,
        /// The others at the table.
        field: Vec<String>,
    },
}

/// What bots may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Time for a decision in microseconds, `None` for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_us: Option<u64>,
    /// Steps of a Lua bot in a decision, `None` for the host's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lua_steps: Option<u64>,
    /// Memory of a Lua bot in MiB, `None` for the host's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lua_memory_mb: Option<u64>,
}

/// How results are read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportSettings {
    /// Confidence of intervals, between 0.5 and 1; tests are at 1 minus it.
    pub confidence: f64,
    /// How p-values are adjusted for the number of tests.
    pub correction: Correction,
    /// Whether the share of one bot in what two scored is given too.
    #[serde(default)]
    pub score_ratio: bool,
    /// A published table to print beside ours.
    pub published: Option<Published>,
}

impl Default for ReportSettings {
    fn default() -> Self {
        ReportSettings { confidence: 0.95, correction: Correction::Holm, score_ratio: false, published: None }
    }
}

/// How p-values are adjusted for the number of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// Holm's step-down: the chance of any false claim is held.
    #[default]
    Holm,
    /// Benjamini and Hochberg's step-up: the share of false claims is held.
    BenjaminiHochberg,
}

/// Where a published table stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// The JSON file, relative to the folder of the league.
    pub file: PathBuf,
    /// Its entry.
    pub table: String,
}

/// Says whether an entrant's bot can be found for a game: `Err` holds what was looked for and what is near. Entrants are
/// asked for in their order.
pub type ResolveBot<'r> = dyn FnMut(&Facts, &Entrant) -> Result<(), Missing> + 'r;

/// A bot that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What was looked for, in vain.
    pub message: String,
    /// What is there instead.
    pub cure: String,
}

impl League {
    /// Reads and checks the league at `path`; whether its bots are there is not looked at.
    ///
    /// # Errors
    /// Everything that is wrong, with its place in the file.
    pub fn load(path: &Path) -> Result<League, LeagueError> {
        League::load_with(path, &mut |_, _| Ok(())).map(|(league, _)| league)
    }

    /// Reads and checks the league at `path`, asking `resolve` for every entrant's bot. Gives its text too.
    ///
    /// # Errors
    /// Everything that is wrong, with its place in the file.
    pub fn load_with(path: &Path, resolve: &mut ResolveBot<'_>) -> Result<(League, String), LeagueError> {
        let text = read::read(path)?;
        let base = path.parent().unwrap_or(Path::new(""));
        match check::check(&text, base, resolve) {
            Ok(league) => Ok((league, text)),
            Err(problems) => Err(LeagueError::new(path.to_owned(), &text, problems)),
        }
    }

    /// The number of the entrant called `name`.
    #[must_use]
    pub fn entrant(&self, name: &str) -> Option<usize> {
        self.entrants.iter().position(|entrant| entrant.name == name)
    }

    /// How the league's blocks are played.
    #[must_use]
    pub fn block_plan(&self) -> BlockPlan {
        BlockPlan {
            deals: self.deals,
            duplicate: self.duplicate,
            faults: self.faults,
            budget_us: self.budget.decision_us.map_or(0, |us| i64::try_from(us).unwrap_or(i64::MAX)),
        }
    }
}
