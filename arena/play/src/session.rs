//! Opens a league from any of its files: YAML file, pack or store.

use crate::league::{League, LeagueDefinition, LeagueError, OptionSweep};
use crate::pack::{LeagueFile, is_kind};
use crate::prepared::{
    self, ClientPolicy, EntrantBot, OutdatedVersion, PrepareError, PreparedLeague, outdated,
};
use crate::schedule::{Part, Schedule};
use crate::store::{LeagueIdentity, LeagueSource, Store, StoreError, default_path};
use std::path::{Path, PathBuf};

/// A league with its results.
pub enum Session {
    /// A league opened from a YAML file or a pack.
    File {
        /// YAML file or pack.
        file: LeagueFile,
        /// The league as the file defines it now.
        league: Box<League>,
        /// The path of the store, if it was given.
        store: Option<PathBuf>,
    },
    /// A league opened from a store.
    Store(Box<Store>),
}

/// A league whose blocks can be replayed.
pub struct Replayable {
    /// The league with its bots, and with the line-ups of all stored rounds.
    pub prepared: PreparedLeague,
    /// The store; `None` without a store that can be compared with the league.
    pub store: Option<Store>,
    /// The reason why the store cannot be compared with the league; `None` if there is none.
    pub contradiction: Option<String>,
    /// Stored versions of bots that differ from those found now.
    pub outdated: Vec<OutdatedVersion>,
    /// The league's YAML file or pack.
    pub file: LeagueFile,
    /// The bot of each entrant.
    bots: Vec<EntrantBot>,
}

impl Session {
    /// Opens a league from its YAML file, its pack or its store. `given` is the path of this file.
    /// The default for `store` is a file next to the league.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not valid.
    pub fn open(given: &Path, store: Option<&Path>) -> Result<Session, PrepareError> {
        if is_store(given) {
            return Ok(Session::Store(Box::new(Store::read(given)?)));
        }
        let file = LeagueFile::open(given)?;
        Ok(Session::File {
            league: Box::new(file.load()?),
            store: store.map(Path::to_owned),
            file,
        })
    }

    /// Opens all leagues of a file: one, or one for each value of its `sweep`, which is also
    /// returned. Their stores are next to the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a valid league, pack or store.
    pub fn open_all(given: &Path) -> Result<(Vec<Session>, Option<OptionSweep>), PrepareError> {
        if is_store(given) {
            return Ok((vec![Session::open(given, None)?], None));
        }
        let file = LeagueFile::open(given)?;
        let definition = LeagueDefinition::load(&file.yaml, &mut |_, _| Ok(()))?;
        let session = |league, store| Session::File {
            file: file.clone(),
            league: Box::new(league),
            store,
        };
        let Some(sweep) = definition.sweep else {
            return Ok((vec![session(definition.league, None)], None));
        };
        let sessions = sweep
            .leagues(&definition.league)
            .zip(sweep.stores(given))
            .map(|(league, store)| match league {
                Ok(league) => Ok(session(league, Some(store))),
                Err(problem) => Err(LeagueError::new(given, "", vec![problem])),
            })
            .collect::<Result<_, _>>()?;
        Ok((sessions, Some(sweep)))
    }

    /// Returns the league as its file defines it now, or the stored league if the session was
    /// opened from a store.
    pub fn league(&self) -> &League {
        match self {
            Session::File { league, .. } => league,
            Session::Store(store) => store.league(),
        }
    }

    /// Opens the store. Also returns the league as its file defines it now; `None` if the session
    /// was opened from a store.
    ///
    /// # Errors
    /// Returns an error if the store does not exist or cannot be read.
    pub fn into_stored(self) -> Result<(Option<League>, Store), StoreError> {
        match self {
            Session::Store(store) => Ok((None, *store)),
            Session::File {
                file,
                league,
                store,
            } => {
                let given = &file.given;
                let path = store.unwrap_or_else(|| default_path(given, &Part::WHOLE));
                let absolute = std::path::absolute(given).unwrap_or_else(|_| given.to_owned());
                let mut store = Store::read(&path)?;
                store.source.file = absolute;
                Ok((Some(*league), store))
            }
        }
    }

    /// Finds the bots of the league, in `folders` and the usual places, to replay blocks. The store
    /// is optional if the league was opened from a league file. Entrants that were excluded when
    /// the league was played are excluded again.
    ///
    /// # Errors
    /// Returns an error if the store or the league file of a store cannot be read, or if a bot is
    /// not found or cannot be loaded.
    pub fn into_replayable(self, folders: &[PathBuf]) -> Result<Replayable, PrepareError> {
        let (file, league, store, contradiction) = match self {
            Session::Store(store) => {
                let file = LeagueFile::open(&store.source.file)?;
                (file, store.league().clone(), Some(*store), None)
            }
            Session::File {
                file,
                mut league,
                store,
            } => {
                let default = default_path(&file.given, &Part::WHOLE);
                let path = store.or_else(|| default.exists().then_some(default));
                let (store, contradiction) = match path {
                    Some(path) => check_store(&path, &mut league)?,
                    None => (None, None),
                };
                (file, *league, store, contradiction)
            }
        };
        let catalogue = file.catalogue(folders)?;
        let (outdated, schedule) = match &store {
            Some(store) => (
                outdated(store, &league, file.base(), &catalogue)?,
                store.schedule.clone(),
            ),
            None => (Vec::new(), Schedule::of(&league)),
        };
        let bots = prepared::find_bots(&league, file.base(), &catalogue)?;
        let prepared = PreparedLeague::of(league, &bots, file.base(), ClientPolicy::Absent)?;
        Ok(Replayable {
            prepared: PreparedLeague {
                schedule,
                ..prepared
            },
            store,
            contradiction,
            outdated,
            file,
            bots,
        })
    }
}

impl Replayable {
    /// Returns the identity of the league with the bots found now.
    pub fn identity(&self) -> LeagueIdentity {
        let contents = self
            .bots
            .iter()
            .zip(&self.prepared.seats)
            .map(|(bot, seat)| bot.content(self.file.base(), &*seat.bot));
        LeagueIdentity::new(self.prepared.league.clone(), contents.collect())
    }

    /// Reads the league file, for a new store. The text is empty if the league was opened from its
    /// store and the file cannot be read.
    pub fn source(&self) -> LeagueSource {
        let given = &self.file.given;
        LeagueSource {
            file: std::path::absolute(given).unwrap_or_else(|_| given.to_owned()),
            text: std::fs::read_to_string(&self.file.yaml).unwrap_or_default(),
        }
    }
}

/// Opens the store at `path` for `league`, or returns the reason why its records cannot be compared
/// with the league.
fn check_store(
    path: &Path,
    league: &mut League,
) -> Result<(Option<Store>, Option<String>), StoreError> {
    let store = Store::read(path)?;
    league.exclude_again(&store.league().excluded);
    // Assume the stored programs. Different programs are detected later, when records are compared.
    let identity = store.identity.with_league(league.clone());
    let differences = identity.contradictions(&store.identity, "in the league", "in the store");
    Ok(if differences.is_empty() {
        (Some(store.with_league(identity)?), None)
    } else {
        (None, Some(differences.join("; ")))
    })
}

/// Returns `true` if a file is a store, judging by its first bytes or its name.
pub fn is_store(path: &Path) -> bool {
    is_kind(path, "sqlite", b"SQLite format 3\0")
}
