//! A league opened by any of its files: YAML, pack or store.

use crate::cast::{Cast, CastError, Clients, Outdated, outdated};
use crate::league::League;
use crate::pack::LeagueFile;
use crate::schedule::{Part, Schedule};
use crate::store::{Store, StoreError, default_path};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A league with what it has played.
pub enum Session {
    /// Opened by its YAML file or its pack.
    File {
        /// The file.
        file: LeagueFile,
        /// The league as the file says now.
        league: Box<League>,
        /// The store that was asked for.
        store: Option<PathBuf>,
    },
    /// Opened by its store.
    Store(Box<Store>),
}

/// A league whose blocks can be played again.
pub struct Replayable {
    /// The league with its bots, and with the line-ups of all rounds that the store knows.
    pub cast: Cast,
    /// What has been played, or why it cannot be compared with the league; `None` where nothing has
    /// been played.
    pub found: Option<Result<Store, String>>,
    /// Bots that are now found in another version than the stored blocks have.
    pub outdated: Vec<Outdated>,
    /// The league's file.
    pub file: PathBuf,
}

impl Session {
    /// Opens a league; `named` is its YAML file, its pack or its store. Its store is `store` or,
    /// without that, lies beside the league.
    ///
    /// # Errors
    /// Returns an error if the league or the named store cannot be read.
    pub fn open(named: &Path, store: Option<&Path>) -> Result<Session, CastError> {
        if is_store(named) {
            return Ok(Session::Store(Box::new(Store::read(named)?)));
        }
        let file = LeagueFile::open(named)?;
        let league = Box::new(file.load()?);
        let store = store.map(Path::to_owned);
        Ok(Session::File {
            file,
            league,
            store,
        })
    }

    /// Returns the league as its file says now, or as its store says if that was named.
    #[must_use]
    pub fn league(&self) -> &League {
        match self {
            Session::File { league, .. } => league,
            Session::Store(store) => store.league(),
        }
    }

    /// Opens the store, and returns it with the league as its file says now; `None` where the store
    /// was named.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn into_stored(self) -> Result<(Option<League>, Store), StoreError> {
        match self {
            Session::Store(store) => Ok((None, *store)),
            Session::File {
                file,
                league,
                store,
            } => {
                let named = file.named();
                let path = store.unwrap_or_else(|| default_path(named, &Part::WHOLE));
                let place = std::path::absolute(named).unwrap_or_else(|_| named.to_owned());
                Ok((Some(*league), Store::read(&path)?.of_league_at(place)))
            }
        }
    }

    /// Finds the bots of the league, in `folders` and the usual places, to play blocks again. A
    /// store beside the league need not be there. Entrants that were left out when it was played
    /// are left out again.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or a bot is not found.
    pub fn into_replayable(self, folders: &[PathBuf]) -> Result<Replayable, CastError> {
        let (file, league, found) = match self {
            Session::Store(store) => {
                let file = LeagueFile::open(&store.source().file)?;
                (file, store.league().clone(), Some(Ok(*store)))
            }
            Session::File {
                file,
                mut league,
                store,
            } => {
                let beside = default_path(file.named(), &Part::WHOLE);
                let path = store.or_else(|| beside.exists().then_some(beside));
                let found = path.map(|path| compared(&path, &mut league));
                (file, *league, found.transpose()?)
            }
        };
        let store = found.as_ref().and_then(|found| found.as_ref().ok());
        let catalogue = file.catalogue(folders)?;
        let outdated = match store {
            Some(store) => outdated(store, &league, file.base(), &catalogue)?,
            None => Vec::new(),
        };
        let schedule =
            store.map_or_else(|| Schedule::of(&league), |store| store.schedule().clone());
        let cast = Cast::find(league, file.base(), &catalogue, Clients::Absent)?;
        Ok(Replayable {
            cast: Cast { schedule, ..cast },
            found,
            outdated,
            file: file.named().to_owned(),
        })
    }
}

impl Replayable {
    /// Returns the store, where it is this league's.
    #[must_use]
    pub fn store(&self) -> Option<&Store> {
        self.found.as_ref().and_then(|found| found.as_ref().ok())
    }

    /// Returns why the store cannot be compared with the league.
    #[must_use]
    pub fn contradiction(&self) -> Option<&str> {
        let why = self.found.as_ref().and_then(|found| found.as_ref().err());
        why.map(String::as_str)
    }
}

/// Opens the store at `path` as `league` sees it, or says why its records cannot be compared with
/// what the league plays.
fn compared(path: &Path, league: &mut League) -> Result<Result<Store, String>, StoreError> {
    let store = Store::read(path)?;
    league.exclude_again(&store.league().excluded);
    // Whether the programs are the same shows in the record.
    let ours = store.identity().with_league(league.clone());
    let differences = ours.contradictions(store.identity(), "in the league", "in the store");
    Ok(if differences.is_empty() {
        Ok(store.seen_by(ours)?)
    } else {
        Err(differences.join("; "))
    })
}

/// Returns whether a file is a store, by its first bytes or by its name.
#[must_use]
pub fn is_store(path: &Path) -> bool {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    let mut head = [0; MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    let is_named = path.extension().is_some_and(|ending| ending == "sqlite");
    is_named || read.is_ok() && head == MAGIC
}
