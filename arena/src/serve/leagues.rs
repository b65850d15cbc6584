//! The leagues of the server: pages, progress, games.

use super::error::{ErrorResponse, Exclusive};
use super::leader::Leader;
use anyhow::ensure;
use hattari_agents::record::JobId;
use hattari_agents::text::{grouped, joined, natural_sort_key};
use hattari_play::league::{Entrant, League};
use hattari_play::pack::LeagueFile;
use hattari_play::prepared::{ClientPolicy, PreparedLeague};
use hattari_play::schedule::{Part, Schedule};
use hattari_play::store::{self, Store};
use hattari_report::replay::pick::{self, PickedGames};
use hattari_report::replay::replay_for_page;
use hattari_report::replay::steps::PickedGame;
use hattari_report::report::{Report, html};
use hattari_report::standings::{ReportOptions, of_store};
use hattari_study::AtPath;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Semaphore;

/// Time limit for replaying games for a page.
const REPLAY_TIME: Duration = Duration::from_secs(3);
/// Time for which the state of a league is cached.
const STATE_CACHE_TIME: Duration = Duration::from_millis(800);
/// Time for which the leader is cached while a league is being played.
const LEADER_CACHE_TIME: Duration = Duration::from_secs(30);

/// A league of the server.
pub(crate) struct ServedLeague {
    /// Name: the file name without extension.
    pub name: String,
    file: LeagueFile,
    store: PathBuf,
    folders: Vec<PathBuf>,
    page: Exclusive<CachedPage>,
    state: Exclusive<Option<(Instant, LeagueState)>>,
    facts: Exclusive<()>,
    leader: Exclusive<Option<CachedLeader>>,
}

/// The leader of a league and the state for which it was computed.
struct CachedLeader {
    state: LeagueState,
    computed: Instant,
    leader: Option<Leader>,
}

/// Summary of a league file, for the list of leagues.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeagueSummary {
    /// Name of the game; empty if the file is no longer valid.
    pub game: String,
    /// Description in the league file.
    pub about: String,
    /// Number of entrants; 0 if the file is no longer valid.
    pub entrants: usize,
    /// `true` if a person can play.
    pub can_play: bool,
}

/// The page of a league that was generated last.
#[derive(Default)]
struct CachedPage {
    /// The state that the page shows; `None` before the first page.
    state: Option<LeagueState>,
    html: Arc<String>,
    games: Option<CachedGames>,
}

/// The games of a page.
struct CachedGames {
    /// `None` if they could not be replayed.
    picked: Option<PickedGames>,
    /// Number and start of the run.
    run: (usize, Option<i64>),
}

/// The progress of a league, as stored so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct LeagueState {
    /// Number of finished blocks.
    pub blocks: u64,
    /// Maximum number of blocks.
    pub planned: u64,
    /// `true` if a process plays the league.
    pub is_running: bool,
    /// When the league file was changed. Its settings of the report may change at any time.
    #[serde(skip)]
    pub changed: Option<SystemTime>,
    /// Number of runs. After a new run, the same number of blocks can have other results.
    pub runs: usize,
    /// Start of the last run in seconds since 1970.
    pub started: Option<i64>,
    /// End of the last run in seconds since 1970; `None` if it has not ended.
    pub ended: Option<i64>,
    /// The progress as text.
    pub text: String,
}

impl ServedLeague {
    /// Opens a league.
    ///
    /// # Errors
    /// Returns an error if the file is not a valid league.
    pub(crate) fn new(
        file: &Path,
        store: Option<&Path>,
        folders: &[PathBuf],
    ) -> anyhow::Result<ServedLeague> {
        let file = std::path::absolute(file).at(file)?;
        // For a missing file, `LeagueFile::open` suggests similar names.
        ensure!(file.is_file() || !file.exists(), NOT_REGULAR);
        let league = LeagueFile::open(&file)?;
        league.load()?;
        let store = store.map_or_else(|| store::default_path(&file, &Part::WHOLE), Path::to_owned);
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Ok(ServedLeague {
            name,
            file: league,
            store,
            folders: folders.to_vec(),
            page: Exclusive::default(),
            state: Exclusive::default(),
            facts: Exclusive::default(),
            leader: Exclusive::default(),
        })
    }

    /// Reads the current league file and finds its bots.
    ///
    /// # Errors
    /// Returns an error if the file is no longer valid or a bot is not found.
    pub(crate) fn prepare(&self, clients: ClientPolicy) -> anyhow::Result<PreparedLeague> {
        let catalogue = self.file.catalogue(&self.folders)?;
        Ok(PreparedLeague::find_or_exclude(
            self.league()?,
            self.file.base(),
            &catalogue,
            clients,
        )?)
    }

    /// Reads the current league file.
    ///
    /// # Errors
    /// Returns an error if the file is no longer valid.
    pub(crate) fn league(&self) -> anyhow::Result<League> {
        // Reading from a pipe could block forever.
        ensure!(
            self.file.yaml.is_file() || !self.file.yaml.exists(),
            NOT_REGULAR
        );
        Ok(self.file.load()?)
    }

    /// Returns the reason why a person cannot play in this league, and a remedy; `None` if a person
    /// can play.
    ///
    /// # Errors
    /// Returns an error if the file is no longer valid.
    pub(crate) fn play_obstacles(&self) -> anyhow::Result<Option<Vec<String>>> {
        Ok(self.play_obstacles_in(&self.league()?))
    }

    fn play_obstacles_in(&self, league: &League) -> Option<Vec<String>> {
        let programs: Vec<&str> = league
            .entrants
            .iter()
            .filter(|entrant| entrant.is_program())
            .map(|entrant| entrant.name.as_str())
            .collect();
        // The schedule of many entrants takes seconds, and is needed only if there are programs.
        if programs.is_empty()
            || Schedule::of(league)
                .line_ups
                .iter()
                .any(|line_up| is_playable(league, line_up))
        {
            return None;
        }
        let file = self
            .file
            .yaml
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let names = programs.join(", ");
        let (predicate, verb) = match programs.len() {
            1 => ("is a program", "runs"),
            _ => ("are programs", "run"),
        };
        Some(vec![
            format!(
                "{names} {predicate} that {verb} only while a league is played. This page starts \
                no programs, and every line-up has one, so you cannot play in this league."
            ),
            format!(
                "To play against the other entrants: copy {file} to another file in the same \
                folder, remove these entrants or replace them by bots, and serve the new file. \
                `hattari run {file}` plays this league; then its games can be viewed on its page."
            ),
        ])
    }

    /// Returns the summary of the league file, for the list of leagues.
    ///
    /// # Errors
    /// Returns an error if the work panicked.
    pub(super) async fn summary(self: Arc<ServedLeague>) -> Result<LeagueSummary, ErrorResponse> {
        let league = Arc::clone(&self);
        self.facts
            .with(move |_| {
                let Ok(read) = league.league() else {
                    return Ok(LeagueSummary::default());
                };
                let can_play = league.play_obstacles_in(&read).is_none();
                Ok(LeagueSummary {
                    game: read.game,
                    about: league.about(),
                    entrants: read.entrants.len(),
                    can_play,
                })
            })
            .await
    }

    /// Returns the first sentence of the comment at the start of the file.
    fn about(&self) -> String {
        let text = std::fs::read_to_string(&self.file.yaml).unwrap_or_default();
        let lines = text
            .lines()
            .map_while(|line| Some(line.strip_prefix('#')?.trim()));
        let words = joined(lines.take_while(|line| !line.is_empty()), " ");
        let end = words.find(". ").map_or(words.len(), |end| end + 1);
        words[..end].trim_end_matches(':').to_owned()
    }

    /// Returns the progress of the league. Reads the store at most once per [`STATE_CACHE_TIME`].
    ///
    /// # Errors
    /// Returns an error if the store cannot be read. A missing store is no error.
    pub(super) async fn state(self: Arc<ServedLeague>) -> Result<LeagueState, ErrorResponse> {
        let league = Arc::clone(&self);
        self.state
            .with(move |cached| {
                if let Some((_, state)) = cached
                    .as_ref()
                    .filter(|(time, _)| time.elapsed() < STATE_CACHE_TIME)
                {
                    return Ok(state.clone());
                }
                let state = league.read_state()?;
                *cached = Some((Instant::now(), state.clone()));
                Ok(state)
            })
            .await
    }

    /// Returns the leader; `None` if nothing has been played. `permits` limits concurrent
    /// computations.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub(super) async fn leader(
        self: Arc<ServedLeague>,
        permits: Arc<Semaphore>,
    ) -> Result<Option<Leader>, ErrorResponse> {
        let permit = permits.acquire_owned().await;
        let league = Arc::clone(&self);
        self.leader
            .with(move |cached| {
                let _permit = permit;
                let state = league.read_state()?;
                if let Some(last) = cached.as_ref().filter(|last| {
                    last.state == state
                        || (state.is_running
                            && last.leader.is_some()
                            && last.computed.elapsed() < LEADER_CACHE_TIME)
                }) {
                    return Ok(last.leader.clone());
                }
                let leader = if state.blocks == 0 {
                    None
                } else {
                    league.read_leader()?
                };
                *cached = Some(CachedLeader {
                    state,
                    computed: Instant::now(),
                    leader: leader.clone(),
                });
                Ok(leader)
            })
            .await
    }

    fn read_leader(&self) -> anyhow::Result<Option<Leader>> {
        let store = Store::read(&self.store)?;
        let options = ReportOptions {
            for_readers: true,
            ..ReportOptions::default()
        };
        let (standings, _) = of_store(&store, self.league().ok().as_ref(), &options)?;
        Ok(Leader::of(&standings))
    }

    /// Returns `true` if there is a store. While a run creates it, the file is empty.
    fn has_store(&self) -> bool {
        std::fs::metadata(&self.store).is_ok_and(|file| !file.is_file() || file.len() > 0)
    }

    fn read_state(&self) -> anyhow::Result<LeagueState> {
        if !self.has_store() {
            return Ok(LeagueState {
                text: "Nothing has been played yet.".to_owned(),
                ..LeagueState::default()
            });
        }
        let store = Store::read(&self.store)?;
        let (blocks, planned) = (store.blocks_played()?, store.schedule.jobs());
        let runs = store.runs()?;
        let last = runs.last();
        // The last run of a killed process has no outcome.
        let is_running =
            blocks < planned && last.is_some_and(|run| run.outcome.is_none()) && store.has_writer();
        let all = grouped(planned);
        let text = if blocks < planned {
            let running = if is_running { "Running: " } else { "" };
            let done = grouped(blocks);
            format!("{running}{done} of {all} blocks have been played.")
        } else {
            format!("All {all} blocks have been played.")
        };
        Ok(LeagueState {
            blocks,
            planned,
            is_running,
            changed: std::fs::metadata(&self.file.given)
                .and_then(|file| file.modified())
                .ok(),
            runs: runs.len(),
            started: last.map(|run| run.started),
            ended: last.and_then(|run| run.ended),
            text,
        })
    }

    /// Returns the page of the league, which is regenerated if blocks or runs have been added.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub(super) async fn page(
        self: Arc<ServedLeague>,
        with_scripts: fn(bool) -> &'static [&'static str],
    ) -> Result<Arc<String>, ErrorResponse> {
        let league = Arc::clone(&self);
        let work = move |page: &mut CachedPage| {
            let scripts = with_scripts(
                league
                    .play_obstacles()
                    .is_ok_and(|obstacles| obstacles.is_none()),
            );
            let state = league.read_state()?;
            if page.state.as_ref() != Some(&state) {
                let text = if state.blocks == 0 {
                    html::plain(&html::PlainPage {
                        title: &league.name,
                        kind: "league",
                        heading: &league.name,
                        lead: std::slice::from_ref(&state.text),
                        body: "<section><p>The report appears here when the first block has been \
                            played.</p></section>",
                        scripts,
                        data: &[],
                        foot: "Served by Hattari on this machine.",
                    })
                } else {
                    league.report(page, &state, scripts)?
                };
                page.state = Some(state);
                page.html = Arc::new(text);
            }
            Ok(Arc::clone(&page.html))
        };
        self.page.with(work).await
    }

    fn report(
        &self,
        page: &mut CachedPage,
        progress: &LeagueState,
        scripts: &[&str],
    ) -> anyhow::Result<String> {
        let store = Store::read(&self.store)?;
        let options = ReportOptions {
            command: format!("hattari serve {}", self.name),
            omitted_folder: std::env::current_dir().ok(),
            for_readers: true,
            ..ReportOptions::default()
        };
        let (standings, samples) = of_store(&store, self.league().ok().as_ref(), &options)?;
        // Games are chosen once while the league is running, to leave the processor to the run.
        let run = (progress.runs, progress.started);
        if page
            .games
            .as_ref()
            .is_none_or(|games| !progress.is_running || games.run != run)
        {
            let prepared = PreparedLeague::of_store(&store, &self.folders);
            let picked = pick::for_page(prepared, &store, &standings, &samples, REPLAY_TIME)
                .map_err(|error| {
                    tracing::warn!("{}: the page contains no games: {error:#}", self.name)
                })
                .ok();
            page.games = Some(CachedGames { picked, run });
        }
        let replays = page.games.as_ref().and_then(|games| games.picked.as_ref());
        Ok(html::render_with(
            &Report {
                standings: &standings,
                samples: &samples,
                replays,
            },
            scripts,
            None,
        ))
    }

    /// Replays game `number` of the block `job` from its seed, or from recorded answers in the
    /// store.
    ///
    /// # Errors
    /// Returns an error if the game or a bot does not exist.
    pub(crate) fn game(&self, job: JobId, number: u32) -> anyhow::Result<PickedGame> {
        let store = self
            .has_store()
            .then(|| Store::read(&self.store))
            .transpose()?;
        let prepared = match &store {
            Some(store) => PreparedLeague::of_store(store, &self.folders)?,
            None => self.prepare(ClientPolicy::Absent)?,
        };
        Ok(replay_for_page(&prepared, store.as_ref(), job, number)?)
    }
}

/// Error text for a league file that is a pipe, a device or a folder.
const NOT_REGULAR: &str = "not a regular file: give a league file";

/// Opens league files, and all leagues in folders. The leagues of a folder are sorted by name;
/// numbers in names are compared by value.
///
/// # Errors
/// Returns an error if a file is not a league or a folder contains no league.
pub(crate) fn find(
    paths: &[PathBuf],
    store: Option<&Path>,
    folders: &[PathBuf],
) -> anyhow::Result<Vec<ServedLeague>> {
    let mut leagues = Vec::new();
    for path in paths {
        if !path.is_dir() {
            leagues.push(ServedLeague::new(path, store, folders)?);
            continue;
        }
        let mut files: Vec<PathBuf> = std::fs::read_dir(path)
            .at(path)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        files.retain(|file| {
            file.extension()
                .is_some_and(|ending| ending == "yaml" || ending == "yml")
        });
        files.sort_by_cached_key(|file| natural_sort_key(&file.to_string_lossy()));
        let previous = leagues.len();
        for file in files {
            match ServedLeague::new(&file, None, folders) {
                Ok(league) => leagues.push(league),
                Err(error) => tracing::warn!("{} is not served: {error:#}", file.display()),
            }
        }
        anyhow::ensure!(
            leagues.len() > previous,
            "there is no league in {}: no file NAME.yaml is a valid league",
            path.display()
        );
    }
    Ok(leagues)
}

/// Returns `true` if a person can play in a line-up: the server starts no programs.
pub(super) fn is_playable(league: &League, entrants: &[usize]) -> bool {
    !entrants
        .iter()
        .map(|&entrant| &league.entrants[entrant])
        .any(Entrant::is_program)
}
