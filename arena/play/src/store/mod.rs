//! The result store: a SQLite file with one record per block. A record is identified by the bots
//! that played it and by the conditions. The file also contains the last played league, which
//! determines which records count.
//!
//! Only one [`StoreWriter`] can add records at a time. Any number of [`Store`]s can read meanwhile,
//! each from a committed state.

mod database;
mod error;
#[cfg(test)]
mod hostile_tests;
mod identity;
mod kills;
mod layout;
mod lock;
mod merge;
#[cfg(test)]
mod merge_tests;
mod origins;
#[cfg(test)]
mod origins_tests;
mod records;
mod reviews;
mod rows;
mod schema;
mod seatings;
#[cfg(test)]
mod stored_format_tests;
#[cfg(test)]
mod tests;
mod versions;
mod write;

pub use error::StoreError;
pub(crate) use error::StoreResult;
pub use identity::{BotContent, LeagueIdentity, MISSING_LIMITS_SEPARATOR};
pub use merge::{MergeResult, merge};
pub(crate) use origins::Origin;
pub use reviews::{ReviewStore, ReviewedPair};
pub use seatings::UnusedBlocks;
pub use versions::{StoredVersion, VersionScores};
pub use write::{PlayedLeague, StoreWriter};

use crate::league::{League, Pairing, RoundSchedule};
use crate::schedule::{Part, Schedule};
use crate::stopping::{JobNeed, StoppingState};
use database::{Database, with_ending};
use hattari_agents::games::GameInfo;
use hattari_agents::record::{DecisionTime, JobId, Timing};
use seatings::{KnownResults, Seatings, rows_of_league};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Maximum number of lines of standings that an open store keeps in memory, over all rounds.
const STANDING_LINES_KEPT: usize = if cfg!(test) { 10 } else { 200_000 };

/// A store opened for reading.
pub struct Store {
    database: Database,
    /// The selected league with the versions of its bots and of Hattari.
    pub identity: LeagueIdentity,
    /// The line-ups in the order of their numbers, with their planned blocks.
    pub schedule: Schedule,
    /// The rounds so far, for formats that play in rounds.
    round_schedule: Option<RoundSchedule>,
    seatings: Seatings,
    /// State of the stopping rule of a sequential league.
    stopping: Option<StoppingState>,
    /// The league file of the last run. Relative paths in the league are resolved against its
    /// folder.
    pub source: LeagueSource,
    /// True after all records have been verified once.
    is_checked: Cell<bool>,
    /// The time, in seconds since 1970, after which stored blocks are ignored, as given to
    /// [`Store::until`]; `None` if no block is ignored because of its time.
    pub end_time: Option<i64>,
}

/// The path and the text of a league file.
#[derive(Clone, Debug)]
pub struct LeagueSource {
    /// Path of the file.
    pub file: PathBuf,
    /// Text of the file.
    pub text: String,
}

/// A run of `hattari run`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunInfo {
    /// Start in seconds since 1970.
    pub started: i64,
    /// End in seconds since 1970; `None` if the run has not ended or was killed.
    pub ended: Option<i64>,
    /// Outcome of the run as a text; `None` before the end of the run.
    pub outcome: Option<String>,
    /// Number of threads.
    pub threads: u32,
    /// Part of the jobs, for example `1/4`.
    pub shard: String,
    /// Number of blocks played.
    pub blocks: u64,
    /// Number of deals played.
    pub deals: u64,
}

/// Returns the default path of the store of a league: the path of the league file with another
/// extension. Shards and units have separate stores; the name of a unit's store contains a hash of
/// the unit.
pub fn default_path(league: &Path, part: &Part) -> PathBuf {
    match part {
        &Part::WHOLE => league.with_extension("sqlite"),
        Part::Shard { number, count } => {
            league.with_extension(format!("shard-{number}-of-{count}.sqlite"))
        }
        Part::Unit(_) | Part::Pairings(_) => {
            let hash = xxhash_rust::xxh3::xxh3_64(part.to_string().as_bytes());
            league.with_extension(format!("unit-{hash:016x}.sqlite"))
        }
    }
}

/// Removes the store at `path` with all results, if it exists. Other files are not removed.
///
/// # Errors
/// Returns an error if the file is not a store, is in use, or cannot be removed.
pub fn remove(path: &Path) -> StoreResult {
    if !path.exists() {
        return Ok(());
    }
    schema::check_path(path)?;
    let path = &lock::resolved(path);
    let _lock = lock::Lock::take(path)?;
    match schema::open_to_write(path) {
        // Damaged stores are removed too.
        Ok(_) | Err(StoreError::Damaged { .. } | StoreError::Earlier { .. }) => {}
        Err(error) => return Err(error),
    }
    for ending in ["", "-wal", "-shm"] {
        match std::fs::remove_file(with_ending(path, ending)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::io(path, &error));
            }
            _ => {}
        }
    }
    Ok(())
}

impl Store {
    /// Opens the store at `path` for reading. Records that a writer commits later become visible.
    ///
    /// # Errors
    /// Returns an error if there is no store at `path`, or if it cannot be read.
    pub fn read(path: &Path) -> StoreResult<Store> {
        Store::of(schema::open_to_read(path)?, None)
    }

    /// Opens the store at `path` and selects the records of the given league, which may differ from
    /// the last played one.
    ///
    /// # Errors
    /// Returns an error if there is no store at `path`, or if it cannot be read.
    pub fn read_as(path: &Path, identity: LeagueIdentity) -> StoreResult<Store> {
        Store::of(schema::open_to_read(path)?, Some(identity))
    }

    /// Reads the metadata of the store and selects the records of `selected`, or of the last played
    /// league.
    fn of(database: Database, selected: Option<LeagueIdentity>) -> StoreResult<Store> {
        database.with(schema::read_as_current)?;
        seatings::check_rows(&database)?;
        let row = database.row("SELECT identity, file, source FROM league", [])?;
        let (identity, file, text): (String, String, String) =
            row.ok_or_else(|| database.damaged("it contains no league"))?;
        let identity: LeagueIdentity = serde_json::from_str(&identity)
            .map_err(|error| database.damaged(format!("the stored league is invalid: {error}")))?;
        // The conditions of the stored blocks contain the revision of the game's rules.
        if GameInfo::find(&identity.league.game).is_none() {
            return Err(StoreError::Other(format!(
                "the store `{}` has results of the game `{}`, which this program does not have: \
                use the program that played it",
                database.path.display(),
                identity.league.game
            )));
        }
        let source = LeagueSource {
            file: PathBuf::from(file),
            text,
        };
        let identity = selected.unwrap_or(identity);
        let mut store = Store {
            database,
            identity,
            schedule: Schedule::from_pairings([]),
            round_schedule: None,
            seatings: Seatings::default(),
            stopping: None,
            source,
            is_checked: Cell::default(),
            end_time: None,
        };
        store.select_league(None)?;
        Ok(store)
    }

    /// Selects the records of the given league instead of the last played one.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub(crate) fn with_league(mut self, identity: LeagueIdentity) -> StoreResult<Store> {
        self.identity = identity;
        self.select_league(None)?;
        Ok(self)
    }

    /// Selects the blocks of the league, or only those of the given pairings.
    fn select_league(&mut self, pairings: Option<&[Pairing]>) -> StoreResult {
        self.seatings = Seatings::of(&self.database, &self.identity)?;
        self.round_schedule = self.compute_rounds(self.standings_kept())?;
        let league = &self.identity.league;
        self.schedule = match (pairings, &self.round_schedule) {
            (Some(pairings), _) => Schedule::from_pairings(pairings),
            // For a planned format, an unfinished schedule does not contain all rounds.
            (_, Some(round_schedule)) if round_schedule.is_over || !league.format.is_planned() => {
                Schedule::from_pairings(
                    round_schedule
                        .rounds
                        .iter()
                        .flat_map(|round| &round.pairings),
                )
            }
            _ => Schedule::of(league),
        };
        self.seatings
            .select_blocks(&self.database, &self.schedule)?;
        self.apply_stopping_rule()
    }

    /// Returns the number of most recent rounds whose standings an open store keeps. The standings
    /// of all rounds may have millions of lines, and few callers use them.
    fn standings_kept(&self) -> usize {
        STANDING_LINES_KEPT / self.league().entrants.len().max(1)
    }

    /// Computes the rounds from the results, with the standings of the latest `standings_kept`
    /// rounds.
    fn compute_rounds(&self, standings_kept: usize) -> StoreResult<Option<RoundSchedule>> {
        let known = KnownResults {
            store: self,
            standings_kept,
            blocks: OnceCell::new(),
        };
        let league = self.league();
        let round_schedule = league.format.round_schedule(league, &known);
        known.blocks.into_inner().transpose()?;
        Ok(round_schedule)
    }

    /// Applies the stopping rule of a sequential league: later queries ignore the blocks after the
    /// end of each line-up.
    pub(crate) fn apply_stopping_rule(&mut self) -> StoreResult {
        self.stopping = None;
        let Some(mut stopping) = StoppingState::of(self.league(), &self.schedule) else {
            return Ok(());
        };
        self.each_unsorted(|record| stopping.add(&record))?;
        let sql = "UPDATE temp.selected SET blocks = ?2 WHERE line_up = ?1";
        let ends = (0_u32..)
            .zip(&stopping.ends)
            .filter_map(|(line_up, end)| Some([line_up, (*end)?]));
        self.database.execute_each(sql, ends)?;
        self.stopping = Some(stopping);
        Ok(())
    }

    /// Returns the state of the stopping rule for the records that existed when the store was
    /// opened or the rule last applied; `None` if the league has no stopping rule.
    pub fn stopping(&self) -> Option<&StoppingState> {
        self.stopping.as_ref()
    }

    /// Returns the number of jobs of a part, without those that the stopping rule has made
    /// unnecessary.
    pub fn jobs_of(&self, part: &Part) -> u64 {
        let is_needed = |index: u64| {
            self.stopping
                .as_ref()
                .map(|stopping| stopping.job_need(self.schedule.job(index)))
                != Some(JobNeed::No)
        };
        (0..self.schedule.jobs())
            .filter(|&index| part.contains(index) && is_needed(index))
            .count() as u64
    }

    /// Returns the path of the store.
    pub fn path(&self) -> &Path {
        &self.database.path
    }

    /// Returns the selected league.
    pub fn league(&self) -> &League {
        &self.identity.league
    }

    /// Returns the rounds known so far, for formats that play in rounds. If there are very many
    /// rounds, only the latest have standings; [`Store::round_schedule_from`] computes the others.
    pub fn round_schedule(&self) -> Option<&RoundSchedule> {
        self.round_schedule.as_ref()
    }

    /// Returns the rounds known so far, with standings from round `first` on, counted from 0.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn round_schedule_from(&self, first: usize) -> StoreResult<Option<Cow<'_, RoundSchedule>>> {
        let Some(round_schedule) = &self.round_schedule else {
            return Ok(None);
        };
        let rounds = round_schedule.rounds.len();
        if rounds <= self.standings_kept().saturating_add(first) {
            return Ok(Some(Cow::Borrowed(round_schedule)));
        }
        let whole = self.compute_rounds(rounds - first)?;
        Ok(whole.map(|mut whole| {
            // A writer may have added rounds meanwhile.
            whole.rounds.truncate(rounds);
            Cow::Owned(RoundSchedule {
                is_over: round_schedule.is_over,
                ..whole
            })
        }))
    }

    /// Returns the played jobs, in no particular order.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn played(&self) -> StoreResult<Vec<JobId>> {
        let sql = format!("SELECT line_up, block FROM {}", rows_of_league("records"));
        Ok(self
            .database
            .rows(&sql, [])?
            .into_iter()
            .map(|(line_up, block)| JobId { line_up, block })
            .collect())
    }

    /// Returns the number of blocks that have been played.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn blocks_played(&self) -> StoreResult<u64> {
        let sql = format!("SELECT count(*) FROM {}", rows_of_league("records"));
        self.database.count(&sql)
    }

    /// Returns all runs, oldest first.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn runs(&self) -> StoreResult<Vec<RunInfo>> {
        let sql = "SELECT started, ended, outcome, threads, part, blocks, deals FROM runs ORDER BY started, run";
        let run = |row: (_, _, _, _, _, i64, i64)| {
            let (started, ended, outcome, threads, shard, blocks, deals) = row;
            RunInfo {
                started,
                ended,
                outcome,
                threads,
                shard,
                blocks: blocks.cast_unsigned(),
                deals: deals.cast_unsigned(),
            }
        };
        Ok(self.database.rows(sql, [])?.into_iter().map(run).collect())
    }

    /// Returns `true` if a process is writing the store. The last run of a killed process has no
    /// outcome either, but no process writes it.
    pub fn has_writer(&self) -> bool {
        lock::Lock::is_taken(self.path())
    }

    /// Returns the thinking times of each entrant of the league over all runs.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn timing(&self) -> StoreResult<Timing> {
        let mut timing = vec![DecisionTime::default(); self.league().entrants.len()];
        let sql = "SELECT version, sum(decisions), sum(timed), sum(nanos), max(worst_nanos) FROM timing GROUP BY version";
        let rows: Vec<(i64, i64, i64, i64, i64)> = self.database.rows(sql, [])?;
        for (version, decisions, timed, nanos, worst) in rows {
            if let Some(entrant) = self.entrant_of(version) {
                timing[entrant] = DecisionTime {
                    decisions: decisions.cast_unsigned(),
                    timed: timed.cast_unsigned(),
                    nanos: nanos.cast_unsigned(),
                    worst_nanos: worst.cast_unsigned(),
                };
            }
        }
        Ok(timing)
    }

    /// Returns the output of bots that are programs, by index of the entrant. The text is from the
    /// last run in which the entrant had output.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn outputs(&self) -> StoreResult<BTreeMap<usize, String>> {
        let sql = "SELECT version, words FROM words JOIN runs USING (run) ORDER BY started, run";
        let outputs: Vec<(i64, String)> = self.database.rows(sql, [])?;
        Ok(outputs
            .into_iter()
            .filter_map(|(version, output)| Some((self.entrant_of(version)?, output)))
            .collect())
    }

    /// Returns the index of the entrant that has this version in the league.
    fn entrant_of(&self, version: i64) -> Option<usize> {
        self.seatings
            .versions
            .iter()
            .position(|known| *known == Some(version))
    }
}
