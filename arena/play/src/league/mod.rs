//! A league: who plays what against whom, how often, and what counts. Read from YAML and checked;
//! knows nothing of how it is played or reported.

mod check;
mod client;
mod dealing;
mod entrants;
mod excluded;
mod fields;
mod formats;
mod keys;
mod mapping;
pub(crate) mod pattern;
mod problem;
mod read;
mod schema;
mod sequential;
mod settings;
mod sweep;
#[cfg(test)]
mod tests;
mod yaml;

pub use client::Client;
pub use dealing::{BlockScores, Plan, Sharing};
pub use excluded::{Excluded, OnError};
pub use formats::{
    Challenge, Course, Duel, Format, Imagined, Knockout, Ladder, LineUps, Meeting, Pairs, Race,
    Results, Round, RoundRobin, Standing, Swiss, check_size,
};
pub use hattari_agents::agent::Budget;
pub use problem::{LeagueError, Problem};
pub use schema::schema;
pub use yaml::Place;

use hattari_agents::agent::CommandLine;
use hattari_agents::agent::Isolation;
use hattari_agents::games::Facts;
use hattari_agents::seeds::{Chance, Seeds};
use hattari_agents::table::{BlockPlan, Disturbed, FaultPolicy, RESTARTS};
use hattari_stats::sequential::StoppingRule;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Most bytes of a league file.
pub const FILE_BYTES_MAX: u64 = 1 << 20;
/// Most entrants of a league.
pub const ENTRANTS_MAX: usize = 1000;
/// Most characters of an entrant's name.
pub const NAME_MAX: usize = 200;
/// Most blocks of a line-up.
pub const BLOCKS_MAX: u32 = 10_000_000;
/// Most threads that an entrant may be granted.
pub const THREADS_MAX: u32 = 64;
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
    /// The policy for entrants whose bot cannot be found or started.
    #[serde(default, skip_serializing_if = "OnError::is_default")]
    pub on_error: OnError,
    /// The entrants that were left out because of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
    /// Who meets whom.
    pub format: Format,
    /// Blocks that each line-up plays.
    pub blocks: u32,
    /// Deals of a block (of each rotation, where deals are duplicated).
    pub deals: u32,
    /// Whether every deal is played once for each rotation of the line-up round the table.
    pub duplicate: bool,
    /// Whether the same block of every line-up is dealt the same cards.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_deals: bool,
    /// What a fault costs.
    pub faults: FaultPolicy,
    /// Times that a bot whose instance has died is started anew within a block.
    #[serde(default = "restarts", skip_serializing_if = "is_default_of_restarts")]
    pub restarts: u32,
    /// What bots may use.
    pub budget: Budget,
    /// Where compiled bots run; `None` for in this process if they are linked into it, in one of
    /// their own if they are in libraries. Results do not depend on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// A rule that may end comparisons before all blocks are played; `None` plays them all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequential: Option<Sequential>,
    /// How results are read; nothing of it changes what is played.
    pub report: ReportSettings,
}

/// One who takes part: a bot with its settings, under a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// Name in this league.
    pub name: String,
    /// The bot as the league names it: a name, or a path with an optional `#id`; for a client its
    /// protocol, for a program its command.
    pub bot: String,
    /// Settings for the bot; an object, empty where none are given.
    pub config: serde_json::Value,
    /// Where a compiled bot runs, if not as the league says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// Threads that a compiled bot in a process of its own may start beside its first.
    #[serde(default, skip_serializing_if = "is_none_granted")]
    pub threads: u32,
    /// The entrant's own budget, where it differs from the league's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// What is known of a program that plays over a socket; `None` for a bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Client>,
    /// How it is started, for a bot that is a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandLine>,
}

impl Entrant {
    /// An entrant that is a bot without settings, under the bot's own name.
    #[must_use]
    pub fn of_bot(bot: &str) -> Entrant {
        Entrant {
            name: bot.to_owned(),
            bot: bot.to_owned(),
            config: serde_json::Value::Object(serde_json::Map::new()),
            isolation: None,
            threads: 0,
            budget: None,
            client: None,
            command: None,
        }
    }

    /// Whether it is a program, which is not asked again to show what it played.
    #[must_use]
    pub fn is_program(&self) -> bool {
        self.client.is_some() || self.command.is_some()
    }
}

/// A rule that may end comparisons before all blocks are played, without claiming more than it may.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sequential {
    /// The rule. Its confidence (error rate, for a probability ratio test) is that of all
    /// comparisons together.
    pub rule: StoppingRule,
    /// The comparisons, first bot less second; empty for all pairs that meet at a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<[String; 2]>,
    /// Whether scores are looked at without luck.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_luck: bool,
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
    /// Whether luck is taken away from scores.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_luck: bool,
    /// The difference, in points a deal, below which two bots are equal for the league's purposes;
    /// `None` where nobody is called equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal_within: Option<f64>,
    /// A published table to print beside ours.
    pub published: Option<Published>,
}

impl Default for ReportSettings {
    fn default() -> Self {
        ReportSettings {
            confidence: 0.95,
            correction: Correction::MaxT,
            score_ratio: false,
            without_luck: false,
            equal_within: None,
            published: None,
        }
    }
}

/// How p-values are adjusted for the number of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// The largest t statistic under flipped signs, where all pairs share their blocks or deals;
    /// Holm's where they do not.
    #[default]
    MaxT,
    /// Holm's step-down: the chance of any false claim is held.
    Holm,
    /// A method of version 0.2 that stored leagues may name; Holm's stands in its place.
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

/// Says whether an entrant's bot can be found for a game: `Err` holds what was looked for and what
/// is near. Entrants are asked for in their order.
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

    /// Reads and checks the league at `path`, asking `resolve` for every entrant's bot. Gives its
    /// text too.
    ///
    /// # Errors
    /// Everything that is wrong, with its place in the file.
    pub fn load_with(
        path: &Path,
        resolve: &mut ResolveBot<'_>,
    ) -> Result<(League, String), LeagueError> {
        League::checked(path, read::read(path)?, resolve)
    }

    /// Checks a league in memory as [`League::load_with`] does; `path` is where it is said to
    /// stand, and what paths in it start from.
    ///
    /// # Errors
    /// Everything that is wrong, with its place in the text.
    pub fn parse(
        path: &Path,
        bytes: &[u8],
        resolve: &mut ResolveBot<'_>,
    ) -> Result<(League, String), LeagueError> {
        League::checked(path, read::text_of(path, bytes)?, resolve)
    }

    fn checked(
        path: &Path,
        text: String,
        resolve: &mut ResolveBot<'_>,
    ) -> Result<(League, String), LeagueError> {
        let base = path.parent().unwrap_or(Path::new(""));
        match check::check(&text, base, resolve) {
            Ok(league) => Ok((league, text)),
            Err(problems) => Err(LeagueError::new(path.to_owned(), &text, problems)),
        }
    }

    /// The number of the entrant called `name`.
    #[must_use]
    pub fn entrant(&self, name: &str) -> Option<usize> {
        self.entrants
            .iter()
            .position(|entrant| entrant.name == name)
    }

    /// Where the chance of a line-up comes from, its entrants by number: from their names at their
    /// places and the league's seed.
    ///
    /// # Panics
    /// If the league has no such entrants.
    #[must_use]
    pub fn chance(&self, line_up: &[usize]) -> Chance {
        let (seeds, names) = (
            Seeds::league(self.seed),
            line_up
                .iter()
                .map(|&entrant| self.entrants[entrant].name.as_str()),
        );
        if self.same_deals {
            seeds.line_up_of_shared_deals(names)
        } else {
            seeds.line_up(names)
        }
    }

    /// Returns an entrant's budget: its own limits, and the league's where it has none.
    #[must_use]
    pub fn budget_of(&self, entrant: &Entrant) -> Budget {
        entrant.budget.unwrap_or_default().or(self.budget)
    }

    /// How the league's blocks are played.
    #[must_use]
    pub fn block_plan(&self) -> BlockPlan {
        BlockPlan {
            deals: self.deals,
            duplicate: self.duplicate,
            faults: self.faults,
            restarts: self.restarts,
            budget_us: self.budget.time().decision_us,
            block_us: self.budget.time().block_us,
            disturbed: Disturbed::Fault,
            luck: true,
        }
    }
}

/// Restarts where a league does not say how many.
fn restarts() -> u32 {
    RESTARTS
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_none_granted(threads: &u32) -> bool {
    *threads == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_default_of_restarts(restarts: &u32) -> bool {
    *restarts == RESTARTS
}
