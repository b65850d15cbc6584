//! The leagues that are served: their pages, how far they are, their games.

use super::error::Refusal;
use anyhow::Context;
use hattari_hosts::record::JobId;
use hattari_hosts::text::grouped;
use hattari_play::cast::{Cast, Clients};
use hattari_play::league::League;
use hattari_play::pack::LeagueFile;
use hattari_play::schedule::Part;
use hattari_play::store::{self, Store};
use hattari_report::replay::pick::{self, NoGames, Picked, PickedGame};
use hattari_report::report::{Report, html};
use hattari_report::standings::{Wishes, of_store};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Seconds that making games of a page again takes at most.
const REPLAY_TIME: Duration = Duration::from_secs(3);

/// A league as it is served.
pub struct Served {
    /// Its name: that of its file, without folder and ending.
    pub name: String,
    file: LeagueFile,
    store: PathBuf,
    folders: Vec<PathBuf>,
    page: Mutex<Page>,
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
pub struct LeagueState {
    /// Blocks that are played.
    pub blocks: u64,
    /// Blocks that are to be played at most.
    pub planned: u64,
    /// Whether somebody is playing it now, for all that the store tells.
    pub is_running: bool,
    /// In words.
    pub text: String,
}

impl Served {
    /// A league by its file.
    ///
    /// # Errors
    /// It is none.
    pub fn new(file: &Path, store: Option<&Path>, folders: &[PathBuf]) -> anyhow::Result<Served> {
        let file = std::path::absolute(file).with_context(|| file.display().to_string())?;
        let league = LeagueFile::open(&file)?;
        league.load()?;
        let store = store.map_or_else(|| store::default_path(&file, &Part::WHOLE), Path::to_owned);
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Served { name, file: league, store, folders: folders.to_vec(), page: Mutex::default() })
    }

    /// The league as its file says now, with its bots.
    ///
    /// # Errors
    /// The file is no league any more, a bot is not found.
    pub fn cast(&self, clients: Clients) -> anyhow::Result<Cast> {
        let catalogue = self.file.catalogue(&self.folders)?;
        Ok(Cast::find(self.file.load()?, self.file.base(), &catalogue, clients)?)
    }

    /// The league as its file says now.
    ///
    /// # Errors
    /// The file is no league any more.
    pub fn league(&self) -> anyhow::Result<League> {
        Ok(self.file.load()?)
    }

    /// Why no person can sit down with its entrants, and what to do instead; `None` where one can.
    ///
    /// # Errors
    /// The file is no league any more.
    pub fn no_table(&self) -> anyhow::Result<Option<Vec<String>>> {
        let league = self.file.load()?;
        let clients = league.entrants.iter().filter(|entrant| entrant.client.is_some());
        let clients: Vec<&str> = clients.map(|entrant| entrant.name.as_str()).collect();
        if clients.is_empty() {
            return Ok(None);
        }
        let file = self.file.yaml().file_name().unwrap_or_default().to_string_lossy();
        let (names, are) = (clients.join(", "), if clients.len() == 1 { "is a program" } else { "are programs" });
        Ok(Some(vec![
            format!(
                "{names} {are} of a contest that {} to a league while it is played, by the deadlines of the contest. This page starts \
                 no programs and would keep them waiting for you, so there is no seat at their tables.",
                if clients.len() == 1 { "connects" } else { "connect" }
            ),
            format!(
                "To play against the others: copy {} to a file beside it, leave these entrants out or name bots of your own in their \
                 places, and serve that file. `hattari run {}` plays this league, and its games can be looked at on its page.",
                file, file
            ),
        ]))
    }

    /// What it shows, in its file's own words: the first sentence of the comment that it begins with.
    #[must_use]
    pub fn about(&self) -> String {
        let text = std::fs::read_to_string(self.file.yaml()).unwrap_or_default();
        let lines = text.lines().map_while(|line| Some(line.strip_prefix('#')?.trim()));
        let words = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let end = words.find(". ").map_or(words.len(), |end| end + 1);
        words[..end].trim_end_matches(':').to_owned()
    }

    /// How far it is.
    ///
    /// # Errors
    /// The store cannot be read. That there is none is no error.
    pub fn progress(&self) -> anyhow::Result<LeagueState> {
        if !self.store.exists() {
            let text = "Nothing has been played yet.".to_owned();
            return Ok(LeagueState { blocks: 0, planned: 0, is_running: false, text });
        }
        let store = Store::read(&self.store)?;
        let (blocks, planned) = (store.blocks_played()?, store.schedule().jobs());
        let is_running = store.runs()?.last().is_some_and(|run| run.outcome.is_none()) && blocks < planned;
        let text = match (blocks < planned, is_running) {
            (false, _) => format!("All {} blocks are played.", grouped(planned)),
            (true, true) => format!("Being played: {} of {} blocks.", grouped(blocks), grouped(planned)),
            (true, false) => format!("{} of {} blocks are played.", grouped(blocks), grouped(planned)),
        };
        Ok(LeagueState { blocks, planned, is_running, text })
    }

    /// Its page; made anew where more has been played since the last time.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn page(&self, scripts: &[&str]) -> Result<Arc<String>, Refusal> {
        let progress = self.progress()?;
        let mut page = self.page.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = progress.blocks << 1 | u64::from(progress.is_running);
        if page.stamp == Some(stamp) {
            return Ok(Arc::clone(&page.html));
        }
        let text = if progress.blocks == 0 {
            self.empty_page(&progress, scripts)
        } else {
            self.report(&mut page, &progress, scripts)?
        };
        page.stamp = Some(stamp);
        page.html = Arc::new(text);
        Ok(Arc::clone(&page.html))
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

    fn report(&self, page: &mut Page, progress: &LeagueState, scripts: &[&str]) -> anyhow::Result<String> {
        let store = Store::read(&self.store)?;
        let here = std::env::current_dir().ok();
        let wishes = Wishes { command: format!("hattari serve {}", self.name), here, ..Wishes::default() };
        let (standings, samples) = of_store(&store, self.file.load().ok().as_ref(), &wishes)?;
        // While a league is played its games are chosen once; the cores are for playing.
        let is_whole = !progress.is_running;
        if page.games.as_ref().is_none_or(|(was_whole, _)| is_whole && !was_whole) {
            let cast = Cast::of_store(&store, &self.folders);
            let games = cast
                .map_err(NoGames::from)
                .and_then(|cast| pick::for_page(&cast, &store, &standings, &samples, REPLAY_TIME));
            let games = games.map_err(|error| tracing::warn!("{}: no games on the page: {error:#}", self.name)).ok();
            page.games = Some((is_whole, games));
        }
        let replays = page.games.as_ref().and_then(|(_, games)| games.as_ref());
        Ok(html::render_with(&Report { standings: &standings, samples: &samples, replays }, scripts))
    }

    /// A game, made again from its seed.
    ///
    /// # Errors
    /// There is no such game, a bot is not found.
    pub fn game(&self, job: JobId, number: u32) -> anyhow::Result<PickedGame> {
        if !self.store.exists() {
            return Ok(pick::one(&self.cast(Clients::Absent)?, None, job, number)?);
        }
        let store = Store::read(&self.store)?;
        Ok(pick::one(&Cast::of_store(&store, &self.folders)?, Some(&store), job, number)?)
    }
}

/// The leagues of files and folders; a folder's are all leagues in it, by name.
///
/// # Errors
/// A file that is no league, a folder without any.
pub fn find(paths: &[PathBuf], store: Option<&Path>, folders: &[PathBuf]) -> anyhow::Result<Vec<Served>> {
    let mut leagues = Vec::new();
    for path in paths {
        if !path.is_dir() {
            leagues.push(Served::new(path, store, folders)?);
            continue;
        }
        let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "yaml" || ending == "yml"));
        files.sort();
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
