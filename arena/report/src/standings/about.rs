//! The metadata at the head of a report.

use super::Estimate;
use hattari_agents::agent::Budget;
use hattari_agents::table::{self, AnyGame, FaultPolicy};
use hattari_play::league::Excluded;
use hattari_play::schedule::Part;
use hattari_play::store::{RunInfo, Store, StoreError, default_path};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// The metadata of a report.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    /// Name of the league or file.
    pub title: String,
    /// The command that made this report.
    pub command: String,
    /// Version of Hattari that played the league, or that read the file of scores.
    pub version: String,
    /// The unit to which mean scores refer: `deal`, or `row` for a file of scores.
    pub unit: &'static str,
    /// The unit of scores, given by the game, for example `points`.
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

/// The metadata of a league.
#[derive(Clone, Debug, Serialize)]
pub struct AboutLeague {
    /// Path of the league file, as it was given when the league was played.
    pub file: String,
    /// Path of the store, if commands do not find it by the league file.
    #[serde(skip)]
    pub other_store: Option<String>,
    /// Name of the game.
    pub game: String,
    /// Preset of the rules.
    pub preset: String,
    /// All rule options, including defaults.
    pub options: Value,
    /// Second unit of payoffs, such as the big blind in poker; `None` if the game has only points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stake: Option<Stake>,
    /// Root seed of all random numbers.
    pub seed: u64,
    /// The tournament format as text.
    pub format: String,
    /// The two sides that the format is designed to compare; `None` if all pairs count equally.
    #[serde(skip)]
    pub sides: Option<(Vec<String>, Vec<String>)>,
    /// The challengers of the format, and the bots that fill the other seats (the field); `None` if
    /// the format has no challengers.
    #[serde(skip)]
    pub challengers: Option<(Vec<String>, Vec<String>)>,
    /// Number of blocks that are planned for each line-up.
    pub blocks: u32,
    /// Number of deals in a block.
    pub deals: u32,
    /// `true` if deals are repeated with the seats rotated.
    pub duplicate: bool,
    /// `true` if blocks with the same number have the same cards in every line-up.
    pub same_deals: bool,
    /// The consequence of a fault, as text.
    pub faults: String,
    /// Entrants in the order of the league file, without the excluded ones.
    pub entrants: Vec<AboutEntrant>,
    /// Entrants that were left out because their bots were not found or did not start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
    /// The time, in seconds since 1970, up to which stored blocks count; `None` if all count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// The runs that played the league.
    pub runs: Vec<RunInfo>,
    /// The text of the league file at the last run.
    pub source: String,
}

/// The metadata of an entrant.
#[derive(Clone, Debug, Serialize)]
pub struct AboutEntrant {
    /// Name in the league.
    pub name: String,
    /// The bot, as the league names it.
    pub bot: String,
    /// The backend: `compiled`, `script`, `wasm`, `program`, `uecda client` or `acpc client`; for a
    /// bot in its own process, followed by `, own process` and the limits that could not be set.
    pub kind: String,
    /// The version that the bot reports; empty if it reports none.
    pub version: String,
    /// Hash of the bot file.
    pub hash: String,
    /// Settings of the bot.
    pub config: Value,
    /// The entrant's own budget; `None` if the budget of the league applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

/// The role of a bot in a format with challengers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A bot that the format compares with the other challengers. It may also be in the field.
    Challenger,
    /// A bot that only fills the other seats of the challengers' tables. Its scores depend on the
    /// challengers that it meets, so it is not ranked.
    Field,
}

/// A second unit of payoffs, such as the big blind in poker.
#[derive(Clone, Debug, Serialize)]
pub struct Stake {
    /// Name, for example `big blind`.
    pub name: &'static str,
    /// Value of one unit, in points.
    pub points: i64,
}

/// Number of deals to which winnings refer.
const WINNINGS_PER_DEALS: f64 = 100.0;

impl Stake {
    /// Converts points per deal to units of the stake per 100 deals.
    pub(crate) fn per_hundred(&self, points: Estimate) -> Estimate {
        let scale = self.per_hundred_points();
        Estimate {
            value: points.value * scale,
            se: points.se * scale,
            low: points.low * scale,
            high: points.high * scale,
        }
    }

    /// Returns one point per deal, converted to units of the stake per 100 deals.
    pub(super) fn per_hundred_points(&self) -> f64 {
        WINNINGS_PER_DEALS / self.points as f64
    }

    /// Returns the unit of winnings, such as `bb/100` for big blinds per 100 deals.
    pub(crate) fn unit(&self) -> String {
        format!("{}/100", self.initials())
    }

    /// Returns the initials of the name, such as `bb` for big blind.
    pub(crate) fn initials(&self) -> String {
        self.name
            .split(' ')
            .filter_map(|word| word.chars().next())
            .collect()
    }
}

impl About {
    /// Returns the unit of mean scores, such as "points per deal".
    pub fn unit_of_means(&self) -> String {
        format!("{} per {}", self.score, self.unit)
    }

    /// Returns the second unit of payoffs, if the game has one.
    pub fn stake(&self) -> Option<&Stake> {
        self.league.as_ref()?.stake.as_ref()
    }

    /// Returns the role of an entrant; `None` if the format has no challengers or does not seat the
    /// entrant.
    pub(super) fn role(&self, entrant: &String) -> Option<Role> {
        let (challengers, field) = self.league.as_ref()?.challengers.as_ref()?;
        if challengers.contains(entrant) {
            return Some(Role::Challenger);
        }
        field.contains(entrant).then_some(Role::Field)
    }

    /// Returns the metadata of the league of a store. `folder` is left out of the path of the
    /// league file.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub(super) fn of_store(
        store: &Store,
        command: String,
        folder: Option<&Path>,
    ) -> Result<About, StoreError> {
        let league = store.league();
        let game = table::game(&league.game, &league.options).ok();
        let stem = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
        let mut title = stem(&store.source.file).unwrap_or_else(|| "league".to_owned());
        // The store of a part, or of a value of a sweep, has the name of the league and an addition.
        let store_name = stem(store.path()).unwrap_or_default();
        if store_name.starts_with(&format!("{title}.")) {
            title = store_name;
        }
        Ok(About {
            title,
            command,
            version: store.identity.hattari.clone(),
            unit: "deal",
            score: (game.as_deref()).map_or("points", |game| game.unit(league.duplicate)),
            league: Some(AboutLeague::of_store(store, game.as_deref(), folder)?),
        })
    }
}

impl AboutLeague {
    /// Returns the file that commands take to replay games: the league file, or another store.
    pub(crate) fn replayed(&self) -> &str {
        self.other_store.as_ref().unwrap_or(&self.file)
    }

    /// Returns the metadata of the league of a store. `folder` is left out of the path of the
    /// league file.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    fn of_store(
        store: &Store,
        game: Option<&dyn AnyGame>,
        folder: Option<&Path>,
    ) -> Result<AboutLeague, StoreError> {
        let league = store.league();
        let file = &store.source.file;
        let shown = |path: &Path| {
            let inside = folder.and_then(|folder| path.strip_prefix(folder).ok());
            inside.unwrap_or(path).display().to_string()
        };
        let absolute = |path: &Path| std::path::absolute(path).ok();
        let is_default = absolute(&default_path(file, &Part::WHOLE)) == absolute(store.path());
        let both = |(a, b): (&[String], &[String])| (a.to_vec(), b.to_vec());
        Ok(AboutLeague {
            file: shown(file),
            other_store: (!is_default).then(|| shown(store.path())),
            game: league.game.clone(),
            preset: league.preset.clone(),
            options: league.options.clone(),
            stake: game
                .and_then(|game| game.stake())
                .map(|(name, points)| Stake { name, points }),
            seed: league.seed,
            format: league.format.description(league),
            sides: league.format.sides().map(both),
            challengers: league.format.challengers().map(both),
            blocks: league.blocks,
            deals: league.deals,
            duplicate: league.duplicate,
            same_deals: league.same_deals,
            faults: match league.faults {
                FaultPolicy::Forfeit => "the bot forfeits the block",
                FaultPolicy::Substitute => "the first legal action is played instead",
                FaultPolicy::Stop => "the league stops after the block, which is kept",
            }
            .to_owned(),
            entrants: entrants(store),
            excluded: league.excluded.clone(),
            at: store.end_time,
            runs: store.runs()?,
            source: store.source.text.clone(),
        })
    }
}

/// Returns the metadata of the entrants of a store.
fn entrants(store: &Store) -> Vec<AboutEntrant> {
    store
        .league()
        .entrants
        .iter()
        .zip(&store.identity.contents)
        .map(|(entrant, program)| AboutEntrant {
            name: entrant.name.clone(),
            bot: entrant.bot.clone(),
            config: entrant.config.clone(),
            kind: program.kind.clone(),
            version: program.version.clone(),
            hash: program.hash.clone(),
            budget: entrant.budget,
        })
        .collect()
}
