//! What was played, for the head of a report.

use hattari_agents::agent::Budget;
use hattari_play::league::Excluded;
use hattari_play::store::RunInfo;
use serde::Serialize;
use serde_json::Value;

/// What was played, for the head of a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct About {
    /// Name of the league or file.
    pub title: String,
    /// The command that made this report.
    pub command: String,
    /// Version of the program that computed the report.
    pub version: String,
    /// What one score is: `deal`, or `row` in a file of scores.
    pub unit: &'static str,
    /// What scores are counted in, as the game says: `points`, for instance.
    pub score: &'static str,
    /// The league; `None` for a file of scores.
    pub league: Option<AboutLeague>,
}

impl Default for About {
    fn default() -> About {
        let none = String::new;
        About {
            title: none(),
            command: none(),
            version: none(),
            unit: "deal",
            score: "points",
            league: None,
        }
    }
}

/// A league, for the head of a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AboutLeague {
    /// The league's file, as it was named when it was played.
    pub file: String,
    /// Name of the game.
    pub game: String,
    /// Preset of its rules.
    pub preset: String,
    /// Every option in force.
    pub options: Value,
    /// What points are told in besides, where the game has such a thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stake: Option<Stake>,
    /// Root of all chance.
    pub seed: u64,
    /// Who meets whom, in words.
    pub format: String,
    /// The two sides whose differences the format is made to find; `None` where all pairs count
    /// alike.
    #[serde(skip)]
    pub sides: Option<(Vec<String>, Vec<String>)>,
    /// Blocks planned for each line-up.
    pub blocks: u32,
    /// Deals of a block.
    pub deals: u32,
    /// Whether deals are repeated with the seats rotated.
    pub duplicate: bool,
    /// Whether the same block of every line-up was dealt the same cards.
    pub same_deals: bool,
    /// What a fault costs, in words.
    pub faults: String,
    /// Its entrants.
    pub entrants: Vec<AboutEntrant>,
    /// The entrants that were left out because their bots could not be found or started.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
    /// The runs that played it.
    pub runs: Vec<RunInfo>,
    /// The text of its file, as it was at the last run.
    pub source: String,
}

/// An entrant, for the head of a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AboutEntrant {
    /// Name in the league.
    pub name: String,
    /// The bot, as the league names it.
    pub bot: String,
    /// The way in which it is run: `compiled`, `lua`, `wasm`, `program`, `uecda` or `acpc`.
    pub kind: String,
    /// The version that it tells of itself, empty where it tells none.
    pub version: String,
    /// Hash of its file.
    pub hash: String,
    /// Its settings.
    pub config: Value,
    /// The entrant's own budget, where it differs from the league's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

/// What payoffs are told in besides points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stake {
    /// Its name, as in `big blind`.
    pub name: &'static str,
    /// How many points it is.
    pub points: i64,
}
