//! The leagues that are served: their pages, how far they are, their games.

use super::error::{Kept, Refusal};
use super::leader::Leader;
use anyhow::{Context, ensure};
use hattari_agents::record::JobId;
use hattari_agents::text::{grouped, natural};
use hattari_play::cast::{Cast, Clients};
use hattari_play::league::League;
use hattari_play::pack::LeagueFile;
use hattari_play::schedule::Part;
use hattari_play::store::{self, Store};
use hattari_report::replay::one;
use hattari_report::replay::pick::{self, NoGames, Picked, PickedGame};
use hattari_report::report::{Report, html};
use hattari_report::standings::{Wishes, of_store};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Longest time that a page spends on replaying games.
const REPLAY_TIME: Duration = Duration::from_secs(3);
/// The time for which the state of a league is kept.
const FRESH: Duration = Duration::from_millis(800);
/// The time for which the leader of a league that is being played is kept.
const LEADER_FRESH: Duration = Duration::from_secs(30);

/// A league as it is served.
pub struct Served {
    /// Its name: that of its file, without folder and ending.
    pub name: String,
    file: LeagueFile,
    store: PathBuf,
    folders: Vec<PathBuf>,
    page: Kept<Page>,
    state: Kept<Option<(Instant, LeagueState)>>,
    facts: Kept<()>,
    leader: Kept<Option<LeaderAt>>,
}

/// The leader of a league, with what was played by then.
#[derive(Clone)]
struct LeaderAt {
    stamp: u64,
    when: Instant,
    leader: Option<Leader>,
}

/// The content of a league's file, for the list of leagues.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Facts {
    /// The game; empty if the file is no league any more.
    pub game: String,
    /// The description in the league's file.
    pub about: String,
    /// Number of entrants; 0 if the file is no league any more.
    pub entrants: usize,
    /// True if a person can take a seat.
    pub has_table: bool,
}

/// The last page that was made.
#[derive(Default)]
struct Page {
    /// What was played by then.
    stamp: Option<u64>,
    html: Arc<String>,
    /// Games on it, and whether everything was played when they were chosen.
    games: Option<(bool, Option<Picked>)>,
}

/// How far a league is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct LeagueState {
    /// Blocks that are played.
    pub blocks: u64,
    /// Blocks that are to be played at most.
    pub planned: u64,
    /// Whether somebody is playing it now, for all that the store tells.
    pub is_running: bool,
    /// In words.
    pub text: String,
}

impl LeagueState {
    /// Changes with what was played.
    fn stamp(&self) -> u64 {
        self.blocks << 1 | u64::from(self.is_running)
    }
}

impl Served {
    /// A league by its file.
    ///
    /// # Errors
    /// It is none.
    pub fn new(file: &Path, store: Option<&Path>, folders: &[PathBuf]) -> anyhow::Result<Served> {
        let file = std::path::absolute(file).with_context(|| file.display().to_string())?;
        // A missing file is reported with the names that come near.
        ensure!(file.is_file() || !file.exists(), NOT_REGULAR);
        let league = LeagueFile::open(&file)?;
        league.load()?;
        let store = store.map_or_else(|| store::default_path(&file, &Part::WHOLE), Path::to_owned);
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Ok(Served {
            name,
            file: league,
            store,
            folders: folders.to_vec(),
            page: Kept::default(),
            state: Kept::default(),
            facts: Kept::default(),
            leader: Kept::default(),
        })
    }

    /// The league as its file says now, with its bots.
    ///
    /// # Errors
    /// The file is no league any more, a bot is not found.
    pub fn cast(&self, clients: Clients) -> anyhow::Result<Cast> {
        let catalogue = self.file.catalogue(&self.folders)?;
        Ok(Cast::find_or_exclude(
            self.league()?,
            self.file.base(),
            &catalogue,
            clients,
        )?)
    }

    /// The league as its file says now.
    ///
    /// # Errors
    /// The file is no league any more.
    pub fn league(&self) -> anyhow::Result<League> {
        // Reading a pipe would wait for a writer without end.
        ensure!(
            self.file.yaml().is_file() || !self.file.yaml().exists(),
            NOT_REGULAR
        );
        Ok(self.file.load()?)
    }

    /// Why no person can sit down with its entrants, and what to do instead; `None` where one can.
    ///
    /// # Errors
    /// The file is no league any more.
    pub fn no_table(&self) -> anyhow::Result<Option<Vec<String>>> {
        Ok(self.no_table_in(&self.league()?))
    }

    fn no_table_in(&self, league: &League) -> Option<Vec<String>> {
        let clients = league
            .entrants
            .iter()
            .filter(|entrant| entrant.client.is_some());
        let clients: Vec<&str> = clients.map(|entrant| entrant.name.as_str()).collect();
        if clients.is_empty() {
            return None;
        }
        let file = self
            .file
            .yaml()
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let (names, are) = (
            clients.join(", "),
            if clients.len() == 1 {
                "is a program"
            } else {
                "are programs"
            },
        );
        Some(vec![
            format!(
                "{names} {are} of a contest that {} to a league while it is played, by the deadlines of the contest. This page starts \
                 no programs and would keep them waiting for you, so there is no seat at their tables.",
                if clients.len() == 1 {
                    "connects"
                } else {
                    "connect"
                }
            ),
            format!(
                "To play against the others: copy {} to a file beside it, leave these entrants out or name bots of your own in their \
                 places, and serve that file. `hattari run {}` plays this league, and its games can be looked at on its page.",
                file, file
            ),
        ])
    }

    /// Returns what the league's file says, for the list of leagues.
    ///
    /// # Errors
    /// The work panicked.
    pub(super) async fn facts(self: Arc<Served>) -> Result<Facts, Refusal> {
        let league = Arc::clone(&self);
        let work = move |_: &mut ()| {
            let Ok(read) = league.league() else {
                return Ok(Facts {
                    game: String::new(),
                    about: String::new(),
                    entrants: 0,
                    has_table: false,
                });
            };
            let has_table = league.no_table_in(&read).is_none();
            Ok(Facts {
                game: read.game,
                about: league.about(),
                entrants: read.entrants.len(),
                has_table,
            })
        };
        self.facts.with(work).await
    }

    /// Returns the first sentence of the comment that the file begins with.
    fn about(&self) -> String {
        let text = std::fs::read_to_string(self.file.yaml()).unwrap_or_default();
        let lines = text
            .lines()
            .map_while(|line| Some(line.strip_prefix('#')?.trim()));
        let words = lines
            .take_while(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        let end = words.find(". ").map_or(words.len(), |end| end + 1);
        words[..end].trim_end_matches(':').to_owned()
    }

    /// Returns how far the league is. The store is read at most once in [`FRESH`], however many
    /// ask.
    ///
    /// # Errors
    /// The store cannot be read. That there is none is no error.
    pub(super) async fn state(self: Arc<Served>) -> Result<LeagueState, Refusal> {
        let league = Arc::clone(&self);
        let work = move |kept: &mut Option<(Instant, LeagueState)>| {
            if let Some((_, state)) = kept.as_ref().filter(|(when, _)| when.elapsed() < FRESH) {
                return Ok(state.clone());
            }
            let state = league.read_state()?;
            *kept = Some((Instant::now(), state.clone()));
            Ok(state)
        };
        self.state.with(work).await
    }

    /// Returns who leads; `None` if nothing has been played. `places` bounds how many leagues are
    /// computed at a time.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) async fn leader(
        self: Arc<Served>,
        places: Arc<Semaphore>,
    ) -> Result<Option<Leader>, Refusal> {
        let place = places.acquire_owned().await;
        let league = Arc::clone(&self);
        let work = move |kept: &mut Option<LeaderAt>| {
            let _place = place;
            let state = league.read_state()?;
            let holds = |at: &&LeaderAt| {
                at.stamp == state.stamp()
                    || (state.is_running && at.leader.is_some() && at.when.elapsed() < LEADER_FRESH)
            };
            if let Some(at) = kept.as_ref().filter(holds) {
                return Ok(at.leader.clone());
            }
            let leader = if state.blocks == 0 {
                None
            } else {
                league.read_leader()?
            };
            *kept = Some(LeaderAt {
                stamp: state.stamp(),
                when: Instant::now(),
                leader: leader.clone(),
            });
            Ok(leader)
        };
        self.leader.with(work).await
    }

    fn read_leader(&self) -> anyhow::Result<Option<Leader>> {
        let store = Store::read(&self.store)?;
        let wishes = Wishes {
            for_readers: true,
            ..Wishes::default()
        };
        let (standings, _) = of_store(&store, self.league().ok().as_ref(), &wishes)?;
        Ok(Leader::of(&standings))
    }

    fn read_state(&self) -> anyhow::Result<LeagueState> {
        if !self.store.exists() {
            let text = "Nothing has been played yet.".to_owned();
            return Ok(LeagueState {
                blocks: 0,
                planned: 0,
                is_running: false,
                text,
            });
        }
        let store = Store::read(&self.store)?;
        let (blocks, planned) = (store.blocks_played()?, store.schedule().jobs());
        let is_running = store
            .runs()?
            .last()
            .is_some_and(|run| run.outcome.is_none())
            && blocks < planned;
        let text = match (blocks < planned, is_running) {
            (false, _) => format!("All {} blocks are played.", grouped(planned)),
            (true, true) => format!(
                "Being played: {} of {} blocks.",
                grouped(blocks),
                grouped(planned)
            ),
            (true, false) => format!(
                "{} of {} blocks are played.",
                grouped(blocks),
                grouped(planned)
            ),
        };
        Ok(LeagueState {
            blocks,
            planned,
            is_running,
            text,
        })
    }

    /// Returns the page of the league. It is made again when more has been played since the last
    /// time.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) async fn page(
        self: Arc<Served>,
        with_scripts: fn(bool) -> &'static [&'static str],
    ) -> Result<Arc<String>, Refusal> {
        let league = Arc::clone(&self);
        let work = move |page: &mut Page| {
            let scripts = with_scripts(league.no_table().is_ok_and(|why| why.is_none()));
            let state = league.read_state()?;
            if page.stamp != Some(state.stamp()) {
                let text = if state.blocks == 0 {
                    league.empty_page(&state, scripts)
                } else {
                    league.report(page, &state, scripts)?
                };
                page.stamp = Some(state.stamp());
                page.html = Arc::new(text);
            }
            Ok(Arc::clone(&page.html))
        };
        self.page.with(work).await
    }

    fn empty_page(&self, progress: &LeagueState, scripts: &[&str]) -> String {
        html::plain(&html::Plain {
            title: &self.name,
            kind: "league",
            heading: &self.name,
            lead: std::slice::from_ref(&progress.text),
            body: "<section><p>The report appears here as soon as a block is played.</p></section>",
            scripts,
            data: &[],
            foot: "Served by hattari on this machine.",
        })
    }

    fn report(
        &self,
        page: &mut Page,
        progress: &LeagueState,
        scripts: &[&str],
    ) -> anyhow::Result<String> {
        let store = Store::read(&self.store)?;
        let here = std::env::current_dir().ok();
        let command = format!("hattari serve {}", self.name);
        let wishes = Wishes {
            command,
            here,
            for_readers: true,
            ..Wishes::default()
        };
        let (standings, samples) = of_store(&store, self.league().ok().as_ref(), &wishes)?;
        // While a league is played its games are chosen once; the cores are for playing.
        let is_whole = !progress.is_running;
        if page
            .games
            .as_ref()
            .is_none_or(|(was_whole, _)| is_whole && !was_whole)
        {
            let cast = Cast::of_store(&store, &self.folders);
            let games = cast
                .map_err(NoGames::from)
                .and_then(|cast| pick::for_page(&cast, &store, &standings, &samples, REPLAY_TIME));
            let games = games
                .map_err(|error| tracing::warn!("{}: no games on the page: {error:#}", self.name))
                .ok();
            page.games = Some((is_whole, games));
        }
        let replays = page.games.as_ref().and_then(|(_, games)| games.as_ref());
        Ok(html::render_with(
            &Report {
                standings: &standings,
                samples: &samples,
                replays,
            },
            scripts,
        ))
    }

    /// A game, made again from its seed.
    ///
    /// # Errors
    /// There is no such game, a bot is not found.
    pub fn game(&self, job: JobId, number: u32) -> anyhow::Result<PickedGame> {
        if !self.store.exists() {
            return Ok(one(&self.cast(Clients::Absent)?, None, job, number)?);
        }
        let store = Store::read(&self.store)?;
        Ok(one(
            &Cast::of_store(&store, &self.folders)?,
            Some(&store),
            job,
            number,
        )?)
    }
}

/// The reason that a pipe, a device or a folder is not served.
const NOT_REGULAR: &str = "this is not a regular file: name a league file";

/// Returns the leagues of files and folders; of a folder all leagues in it, sorted by name, numbers
/// within names by their value.
///
/// # Errors
/// A file that is no league, a folder without any.
pub fn find(
    paths: &[PathBuf],
    store: Option<&Path>,
    folders: &[PathBuf],
) -> anyhow::Result<Vec<Served>> {
    let mut leagues = Vec::new();
    for path in paths {
        if !path.is_dir() {
            leagues.push(Served::new(path, store, folders)?);
            continue;
        }
        let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        files.retain(|file| {
            file.extension()
                .is_some_and(|ending| ending == "yaml" || ending == "yml")
        });
        files.sort_by_cached_key(|file| natural(&file.to_string_lossy()));
        let before = leagues.len();
        for file in files {
            match Served::new(&file, None, folders) {
                Ok(league) => leagues.push(league),
                Err(error) => tracing::warn!("{} is not served: {error:#}", file.display()),
            }
        }
        anyhow::ensure!(
            before < leagues.len(),
            "there is no league in {}: no file NAME.yaml that is one",
            path.display()
        );
    }
    Ok(leagues)
}
