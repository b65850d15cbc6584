//! The definition of a league: entrants, format, number of blocks and settings. Leagues are read
//! from YAML and checked here; playing and reporting are elsewhere.

mod check;
mod client;
mod conflicts;
mod dealing;
mod entrants;
mod excluded;
mod fields;
mod formats;
mod hybrid;
mod keys;
mod mapping;
mod pattern;
mod problem;
mod read;
mod schema;
mod sequential;
mod settings;
mod sweep;
#[cfg(test)]
mod tests;
mod yaml;

pub(crate) use client::Client;
pub use conflicts::check_settings;
pub(crate) use dealing::places_of;
pub use dealing::{DealSharing, PlannedDeals};
pub use excluded::{Excluded, OnError};
pub(crate) use formats::{AssumedResults, NamedEntrants, Results};
pub use formats::{
    Challenge, Duel, Format, Knockout, Ladder, LineUps, Pairing, Pairs, Race, RoundRobin,
    RoundSchedule, Swiss,
};
pub use hattari_agents::agent::Budget;
pub(crate) use hybrid::Hybrid;
pub use problem::{LeagueError, Problem};
pub use schema::schema;
pub use sweep::OptionSweep;

use hattari_agents::agent::{CommandLine, Isolation};
use hattari_agents::games::GameInfo;
use hattari_agents::seeds::{LineUpSeeds, Seeds};
use hattari_agents::table::{self, BlockPlan, FaultPolicy, RESTARTS};
use hattari_plugin::games::Seating;
use hattari_stats::sequential::StoppingRule;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Maximum number of entrants of a league.
pub(crate) const ENTRANTS_MAX: usize = 1000;
/// Maximum number of characters of an entrant's name.
pub(crate) const NAME_MAX: usize = 200;
/// Maximum number of blocks per line-up.
pub(crate) const BLOCKS_MAX: u32 = 10_000_000;
/// Maximum number of threads of an entrant.
pub(crate) const THREADS_MAX: u32 = 64;
/// Maximum number of deals per block.
pub(crate) const DEALS_MAX: u32 = 10_000_000;

/// A checked league that can be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct League {
    /// Name of the game, without its revision.
    pub game: String,
    /// Preset of the rules. It determines the options that the league does not set.
    pub preset: String,
    /// All options of the rules, by name, with the values in force.
    pub options: serde_json::Value,
    /// Seed of all random numbers of the league.
    pub seed: u64,
    /// Entrants with distinct names.
    pub entrants: Vec<Entrant>,
    /// The policy for entrants whose bot cannot be found or started.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_error: OnError,
    /// The entrants that were excluded because of `on_error`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
    /// The tournament format.
    pub format: Format,
    /// Number of blocks per line-up.
    pub blocks: u32,
    /// Number of deals per block; with duplicate deals, per rotation of the line-up.
    pub deals: u32,
    /// True if every deal is played once per rotation of the line-up around the table.
    pub duplicate: bool,
    /// True if blocks with the same number have the same cards in all line-ups.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_deals: bool,
    /// True if the order of the players is drawn for every block: in games that draw seats, and with
    /// ordered seats if three or more different bots can meet ([`Seating`]). False in stores of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draws_seats: bool,
    /// The penalty for a fault.
    pub faults: FaultPolicy,
    /// Maximum number of restarts of a bot within a block.
    #[serde(default = "restarts", skip_serializing_if = "is_default_of_restarts")]
    pub restarts: u32,
    /// The limits of time and memory of every bot.
    pub budget: Budget,
    /// Isolation of compiled bots. By default, bots linked into this program run in its process,
    /// and bots in libraries run in separate processes. Results do not depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// A rule that may end comparisons early; with `None` all blocks are played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequential: Option<Sequential>,
    /// Settings of reports; they do not affect play.
    pub report: ReportSettings,
}

/// An entrant: a bot with settings and a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// Name in this league.
    pub name: String,
    /// The bot as written in the league: a name, or a path with an optional `#id`; the protocol of
    /// a client; the command of a program.
    pub bot: String,
    /// Settings for the bot as a JSON object; empty by default.
    pub config: serde_json::Value,
    /// Isolation of a compiled bot; `None` for the setting of the league.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// Number of additional threads that a compiled bot in a separate process may start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub threads: u32,
    /// Limits of this entrant; `None` if the limits of the league apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// Connection of a program that plays over a socket; `None` for a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<Client>,
    /// Start command of a bot that is a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandLine>,
    /// The two bots of a hybrid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hybrid: Option<Box<Hybrid>>,
}

impl Entrant {
    /// Creates an entrant without settings, with the name of its bot.
    pub(crate) fn of_bot(bot: &str) -> Entrant {
        Entrant {
            name: bot.to_owned(),
            bot: bot.to_owned(),
            config: serde_json::Value::Object(serde_json::Map::new()),
            ..Entrant::default()
        }
    }

    /// Returns `true` for clients and programs, which are not run again to show games, and for
    /// hybrids with one of these.
    pub fn is_program(&self) -> bool {
        self.parts()
            .iter()
            .any(|part| part.client.is_some() || part.command.is_some())
    }

    /// Returns the two parts of a hybrid, or the entrant itself.
    pub fn parts(&self) -> &[Entrant] {
        match &self.hybrid {
            Some(hybrid) => &hybrid.parts,
            None => std::slice::from_ref(self),
        }
    }
}

/// A rule that may end comparisons early without exceeding its error rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sequential {
    /// The rule, with a confidence level or error rates that hold for all comparisons together.
    pub rule: StoppingRule,
    /// The comparisons (first bot minus second bot); empty for all pairs that share a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<[String; 2]>,
    /// True if the rule uses luck-adjusted scores.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_luck: bool,
}

/// The settings in the `report` mapping of a league. They affect statistics and reports, but not
/// play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportSettings {
    /// Confidence level of intervals, between 0.5 and 1; tests have level 1 − `confidence`.
    pub confidence: f64,
    /// Adjustment of p-values for the number of tests.
    pub correction: Correction,
    /// True if reports also show the score ratio a / (a + b) of every pair.
    #[serde(default)]
    pub score_ratio: bool,
    /// True if scores are luck-adjusted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_luck: bool,
    /// The difference, in points per deal, below which two bots count as equal; `None` for no such
    /// limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equal_within: Option<f64>,
    /// A published table to compare with.
    pub published: Option<PublishedSource>,
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

/// Adjustment of p-values for the number of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// The maximum t statistic under sign flips, if all pairs share their blocks or deals;
    /// otherwise Holm.
    #[default]
    MaxT,
    /// Holm's step-down method, which controls the family-wise error rate.
    Holm,
    /// A method of version 0.2 that stored leagues may contain; treated as Holm.
    BenjaminiHochberg,
}

/// The location of a published table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublishedSource {
    /// The JSON file, relative to the folder of the league.
    pub file: PathBuf,
    /// The key of the table in the file.
    pub table: String,
}

/// A function that checks that the bot of an entrant exists for a game. It is called once per
/// entrant, in order. Its problem has no position.
pub type ResolveBot<'r> = dyn FnMut(&GameInfo, &Entrant) -> Result<(), Problem> + 'r;

/// A checked league file, which describes one league, or one for each value of an option.
#[derive(Debug)]
pub struct LeagueDefinition {
    /// The league. With a sweep, its option has the value of the preset.
    pub league: League,
    /// The key `sweep`; `None` for a single league.
    pub sweep: Option<OptionSweep>,
    /// Text of the file.
    pub text: String,
    /// The files that the league names, as written there, and those that match its patterns.
    pub(crate) files: Vec<PathBuf>,
}

impl LeagueDefinition {
    /// Reads and checks the league file at `path`, and calls `resolve` for every entrant.
    ///
    /// # Errors
    /// Returns all problems of the file, with their positions.
    pub fn load(
        path: &Path,
        resolve: &mut ResolveBot<'_>,
    ) -> Result<LeagueDefinition, LeagueError> {
        LeagueDefinition::checked(path, &read::read(path)?, resolve)
    }

    fn checked(
        path: &Path,
        text: &str,
        resolve: &mut ResolveBot<'_>,
    ) -> Result<LeagueDefinition, LeagueError> {
        check::check(text, folder_of(path), resolve)
            .map_err(|problems| LeagueError::new(path, text, problems))
    }

    /// Returns the league and the text of the file.
    fn into_single(self, path: &Path) -> Result<(League, String), LeagueError> {
        match &self.sweep {
            Some(sweep) => Err(sweep.as_error(path, &self.text)),
            None => Ok((self.league, self.text)),
        }
    }
}

/// Returns the folder of the league file at `path`.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

impl League {
    /// Reads and checks the league at `path`, without looking for its bots.
    ///
    /// # Errors
    /// Returns all problems of the file, with their positions. A file with a `sweep` is an error,
    /// because it describes several leagues; [`LeagueDefinition::load`] reads it.
    pub fn load(path: &Path) -> Result<League, LeagueError> {
        LeagueDefinition::load(path, &mut |_, _| Ok(()))?
            .into_single(path)
            .map(|(league, _)| league)
    }

    /// Checks a league in memory like [`League::load`], and calls `resolve` for every entrant. Also
    /// returns the text. `path` is used in messages, and relative paths are resolved against its
    /// folder.
    ///
    /// # Errors
    /// Returns all problems of the text, with their positions.
    pub fn parse(
        path: &Path,
        bytes: &[u8],
        resolve: &mut ResolveBot<'_>,
    ) -> Result<(League, String), LeagueError> {
        LeagueDefinition::checked(path, &read::text_of(path, bytes)?, resolve)?.into_single(path)
    }

    /// Returns the index of the entrant called `name`; `None` if there is no such entrant.
    pub fn entrant(&self, name: &str) -> Option<usize> {
        self.entrants
            .iter()
            .position(|entrant| entrant.name == name)
    }

    /// Returns the source of random numbers of a line-up, which is given as indices of entrants. It
    /// depends on the league's seed and on the ordered names of the entrants; with `same_deals`,
    /// the deals depend on the seed only.
    ///
    /// # Panics
    /// Panics if the league has no such entrant.
    pub(crate) fn chance(&self, line_up: &[usize]) -> LineUpSeeds {
        let seeds = Seeds::league(self.seed);
        let names = (line_up.iter()).map(|&entrant| self.entrants[entrant].name.as_str());
        let mut seeds = if self.same_deals {
            seeds.line_up_of_shared_deals(names)
        } else {
            seeds.line_up(names)
        };
        seeds.draws_seats = line_up.len() > 2 && self.may_draw_seats();
        seeds.draws_numbers = self.draws_seats;
        seeds
    }

    /// Returns `true` if the order of seats is drawn in games with ordered seats. All tables of a
    /// league are treated alike, because bots of different tables are compared too.
    pub(crate) fn may_draw_seats(&self) -> bool {
        self.draws_seats && self.format.entrants_per_table() > 2
    }

    /// Returns the limits of an entrant: the entrant's own limits, completed by the limits of the
    /// league.
    pub(crate) fn budget_of(&self, entrant: &Entrant) -> Budget {
        entrant.budget.unwrap_or_default().or(self.budget)
    }

    /// Returns the number of games per deal at a table of `players`: the rotations of a duplicated
    /// deal, otherwise 1.
    pub fn rotations(&self, players: usize) -> u32 {
        let game = GameInfo::find(&self.game).filter(|_| self.duplicate);
        let rotations = game.map_or(1, |game| (game.rotations)(players));
        u32::try_from(rotations).unwrap_or(1)
    }

    /// Returns how players get their seats; [`Seating::Drawn`] if the game is unknown.
    pub fn seating(&self) -> Seating {
        let game = table::game(&self.game, &self.options);
        game.map_or(Seating::Drawn, |game| game.seating())
    }

    /// Returns a function of a line-up. It returns `true` if equal bots have equal chances at the
    /// table, so that their scores can be compared. If players keep their seats, or always sit next
    /// to the same opponents, deals must be duplicated, and every exchange of two entrants must give
    /// a rotation that is played. In bridge this holds for `a b a b`, but not for `a b c c`, in
    /// which `a` and `b` sit in different seats.
    pub fn equal_chances(&self) -> impl Fn(&[usize]) -> bool {
        let seating = self.seating();
        move |line_up| {
            let is_fixed = match seating {
                Seating::Fixed => true,
                Seating::Ordered => !self.draws_seats && places_of(line_up).len() > 2,
                Seating::Drawn => false,
            };
            let is_played = |exchanged: &[usize]| {
                let rotated = |by| line_up.iter().cycle().skip(by).take(line_up.len());
                let rotations = self.rotations(line_up.len()) as usize;
                (0..rotations).any(|by| exchanged.iter().eq(rotated(by)))
            };
            let exchanged = |a: usize, b: usize| {
                line_up
                    .iter()
                    .map(|&entrant| match entrant {
                        entrant if entrant == a => b,
                        entrant if entrant == b => a,
                        entrant => entrant,
                    })
                    .collect::<Vec<usize>>()
            };
            !is_fixed
                || line_up.iter().enumerate().all(|(place, &a)| {
                    line_up[place + 1..]
                        .iter()
                        .copied()
                        .all(|b| is_played(&exchanged(a, b)))
                })
        }
    }

    /// Returns the settings for playing a block of the league.
    pub fn block_plan(&self) -> BlockPlan {
        let limits = self.budget.time_limits();
        BlockPlan {
            deals: self.deals,
            duplicate: self.duplicate,
            faults: self.faults,
            restarts: self.restarts,
            budget_us: limits.decision_us,
            block_us: limits.block_us,
            abandons_disturbed: false,
            luck: true,
        }
    }
}

/// Returns the default number of restarts.
fn restarts() -> u32 {
    RESTARTS
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
fn is_default_of_restarts(restarts: &u32) -> bool {
    *restarts == RESTARTS
}
