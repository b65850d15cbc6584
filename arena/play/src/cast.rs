//! From the entrants of a league to seated agents: which program is behind each, of whatever kind,
//! and what it takes to seat it.

mod error;

pub use error::CastError;

use crate::catalogue::{self, Catalogue, Found, NotFound};
use crate::league::{Client, Entrant, Excluded, League, OnError};
use crate::pack::LeagueFile;
use crate::runner::Chair;
use crate::schedule::Schedule;
use crate::store::{Content, Identity, Store, StoreError, Version, WITHOUT};
use crate::trust;
use hattari_agents::agent::Hosting;
use hattari_agents::agent::socket::{ClientBot, ClientTerms, Doors};
use hattari_agents::agent::{Agent, Misstep, Seatable};
use hattari_agents::games::{self, Facts};
use hattari_agents::record::{FaultKind, JobId};
use hattari_agents::seeds::Chance;
use hattari_agents::table::{self, AnyGame, Unfinished};
use hattari_agents::text::short;
use hattari_contests::PROTOCOLS;
use hattari_plugin::games::Game;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What is behind an entrant.
pub enum Program {
    /// A bot that was found.
    Bot(Box<Found>),
    /// A program that connects.
    Client(Client),
}

/// Whether programs may take part, those that connect and those that a league starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clients {
    /// They are listened for, and started where the league says how.
    Welcome,
    /// Nobody listens and nothing is started: only what has been played is looked at, or what would
    /// be.
    Absent,
}

/// A league whose entrants can be seated.
#[derive(Clone)]
pub struct Cast {
    /// The league.
    pub league: League,
    /// Its jobs.
    pub schedule: Schedule,
    /// Its entrants' seats, by entrant.
    pub seats: Vec<Chair>,
}

impl Program {
    /// What is behind an entrant of a game; paths start from `base`, the league's folder.
    ///
    /// # Errors
    /// There is no such bot.
    pub fn find(
        game: &str,
        entrant: &Entrant,
        base: &Path,
        catalogue: &Catalogue,
    ) -> Result<Program, NotFound> {
        match &entrant.client {
            Some(client) => Ok(Program::Client(client.clone())),
            None => Ok(Program::Bot(Box::new(match &entrant.command {
                Some(command) => Found::of_command(game, command, base),
                None => catalogue.find(game, &entrant.bot, base)?,
            }))),
        }
    }

    /// Whether somebody else starts it, in his own time.
    #[must_use]
    pub fn comes_by_itself(&self) -> bool {
        matches!(self, Program::Client(client) if client.command.is_empty())
    }

    /// Whether it is a program of others, one that connects or one that is started.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        match self {
            Program::Bot(found) => found.started.is_some(),
            Program::Client(_) => true,
        }
    }

    /// Whether it plays alike whenever it is asked with the same seed: clients get no seeds.
    fn is_repeatable(&self) -> bool {
        matches!(self, Program::Bot(found) if !found.nondeterministic)
    }

    /// What a store says of it; `bot` is what it has been seated as, paths start from `base`.
    #[must_use]
    pub fn content(&self, base: &Path, bot: &dyn Seatable) -> Content {
        let (name, hash) = self.known_as(base);
        match self {
            Program::Bot(found) => Content {
                kind: kind(found, bot.hosting().as_ref()),
                bot: name,
                path: short(&found.path),
                version: found.version.clone(),
                hash,
                file: if found.built_in.is_some() {
                    String::new()
                } else {
                    found.file_hash()
                },
            },
            Program::Client(client) => Content {
                kind: format!("{} client", client.protocol),
                bot: name,
                path: client.command.join(" "),
                version: String::new(),
                hash,
                file: String::new(),
            },
        }
    }

    /// Returns the parts of [`Content`] that tell versions apart: the bot in its file, and the
    /// digest.
    fn known_as(&self, base: &Path) -> (String, String) {
        match self {
            Program::Bot(found) => (found.name.clone(), found.known_by().to_owned()),
            // Nothing is known of clients that come by themselves.
            Program::Client(client) => (
                client.protocol.clone(),
                format!("{:016x}", client.line().hash(base)),
            ),
        }
    }
}

/// How a bot is hosted: what a report says of it.
fn kind(bot: &Found, hosting: Option<&Hosting>) -> String {
    let Some(hosting) = hosting else {
        return bot.kind.name().to_owned();
    };
    let missing: Vec<&str> = hosting
        .jail
        .missing()
        .map(|measure| measure.name.as_str())
        .collect();
    let without = if missing.is_empty() {
        String::new()
    } else {
        format!("{WITHOUT}limits of {}", missing.join(", "))
    };
    format!("{}, own process{without}", bot.kind.name())
}

/// Stands for programs where they are not let in.
struct Absentee;

impl Seatable for Absentee {
    fn open(&self, _config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        Err(Misstep::new(
            FaultKind::Start,
            "it is a program, which is not started to look at games",
        ))
    }
}

impl Cast {
    /// Seats a league's entrants, whose programs have been found; paths of clients start from
    /// `base`.
    ///
    /// # Errors
    /// A bot that cannot be loaded, an address that cannot be listened at.
    pub fn of(
        league: League,
        programs: &[Program],
        base: &Path,
        clients: Clients,
    ) -> Result<Cast, CastError> {
        let seats = Cast::seats(&league, programs, base, clients)
            .into_iter()
            .collect::<Result<_, _>>()?;
        Ok(Cast {
            schedule: Schedule::of(&league),
            league,
            seats,
        })
    }

    /// The seats of a league's entrants, or why an entrant has none, by entrant; the rest is as
    /// with [`Cast::of`].
    #[must_use]
    pub fn seats(
        league: &League,
        programs: &[Program],
        base: &Path,
        clients: Clients,
    ) -> Vec<Result<Chair, CastError>> {
        let mut doors = Doors::default();
        let seat = |(entrant, program): (&Entrant, &Program)| {
            let bot = match (program, clients) {
                (_, Clients::Absent) if program.is_outside() => {
                    Ok(Arc::new(Absentee) as Arc<dyn Seatable>)
                }
                (Program::Bot(found), _) => found.seat_on(&catalogue::terms(league, entrant)),
                (Program::Client(client), _) => seat(league, entrant, client, base, &mut doors),
            };
            let fail = |Misstep { message, .. }| CastError::Start {
                entrant: entrant.name.clone(),
                message,
            };
            Ok(Chair {
                bot: bot.map_err(fail)?,
                config_json: entrant.config.to_string(),
                is_repeatable: program.is_repeatable(),
                limits: entrant.budget.map(|_| league.budget_of(entrant).time()),
            })
        };
        league.entrants.iter().zip(programs).map(seat).collect()
    }

    /// Finds a league's programs and seats them; their paths start from `base`.
    ///
    /// # Errors
    /// As [`Cast::of`], or a bot is not found.
    pub fn find(
        league: League,
        base: &Path,
        catalogue: &Catalogue,
        clients: Clients,
    ) -> Result<Cast, CastError> {
        let programs = programs(&league, base, catalogue)?;
        Cast::of(league, &programs, base, clients)
    }

    /// The same, where entrants whose bot is not found are left out if the league says so.
    ///
    /// # Errors
    /// As [`Cast::find`], or there is no league without those who are left out.
    pub fn find_or_exclude(
        mut league: League,
        base: &Path,
        catalogue: &Catalogue,
        clients: Clients,
    ) -> Result<Cast, CastError> {
        let facts = games::named(&league.game)?;
        let (mut programs, mut excluded) = (Vec::new(), Vec::new());
        for entrant in &league.entrants {
            match Program::find(facts.id, entrant, base, catalogue) {
                Ok(program) => programs.push(program),
                Err(error) if league.on_error == OnError::Exclude => {
                    excluded.push(Excluded::new(entrant, error.to_string()));
                }
                Err(error) => {
                    return Err(CastError::NotFound {
                        entrant: entrant.name.clone(),
                        error,
                    });
                }
            }
        }
        league.exclude(excluded).map_err(CastError::TooFew)?;
        Cast::of(league, &programs, base, clients)
    }

    /// The league that a store holds, as it was played, to be looked at: clients are not let in.
    /// Paths of bots start from the league's file, or are those of its pack, and `folders` hold
    /// bots besides the usual places.
    ///
    /// # Errors
    /// As [`Cast::find`], a folder that is not there, or a pack that cannot be opened.
    pub fn of_store(store: &Store, folders: &[PathBuf]) -> Result<Cast, CastError> {
        let file = LeagueFile::open(&store.source().file)?;
        let cast = Cast::find(
            store.league().clone(),
            file.base(),
            &file.catalogue(folders)?,
            Clients::Absent,
        )?;
        Ok(cast.as_played(store))
    }

    /// The same cast with the line-ups that a store of the league knows: where a format decides as
    /// it goes, those of all its rounds.
    #[must_use]
    pub fn as_played(&self, store: &Store) -> Cast {
        Cast {
            schedule: store.schedule().clone(),
            ..self.clone()
        }
    }

    /// The game with the league's options.
    ///
    /// # Errors
    /// The options are not the game's.
    pub fn game(&self) -> Result<Box<dyn AnyGame>, CastError> {
        table::game(&self.league.game, &self.league.options).map_err(CastError::Options)
    }

    /// The same with its types, for those who know which game it is.
    ///
    /// # Errors
    /// The options are not that game's.
    pub fn game_as<G: Game>(&self) -> Result<G, CastError> {
        let options = serde_json::from_value(self.league.options.clone());
        G::new(options.map_err(|error| CastError::Options(error.to_string()))?)
            .map_err(CastError::Options)
    }

    /// Every job in the order of play.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        (0..self.schedule.jobs()).map(|index| self.schedule.job(index))
    }

    /// The entrants of a job, by place in its line-up.
    ///
    /// # Panics
    /// If the league has no such line-up.
    #[must_use]
    pub fn line_up(&self, job: JobId) -> &[usize] {
        &self.schedule.line_ups[job.line_up as usize].entrants
    }

    /// Where the chance of a job's line-up comes from.
    ///
    /// # Panics
    /// If the league has no such line-up.
    #[must_use]
    pub fn chance(&self, job: JobId) -> Chance {
        self.league.chance(self.line_up(job))
    }

    /// Their names.
    #[must_use]
    pub fn names(&self, job: JobId) -> Vec<String> {
        self.line_up(job)
            .iter()
            .map(|&entrant| self.league.entrants[entrant].name.clone())
            .collect()
    }

    /// Agents for the line-up of a job, in its order.
    ///
    /// # Errors
    /// A bot cannot be opened.
    pub fn open(&self, job: JobId) -> Result<Vec<Box<dyn Agent>>, CastError> {
        let line_up = self.line_up(job).iter();
        line_up.map(|&entrant| self.open_one(entrant)).collect()
    }

    /// An agent for a seat of an entrant.
    ///
    /// # Errors
    /// The bot cannot be opened.
    pub fn open_one(&self, entrant: usize) -> Result<Box<dyn Agent>, CastError> {
        self.seats[entrant]
            .open()
            .map_err(|Misstep { message, .. }| CastError::Open {
                entrant: self.league.entrants[entrant].name.clone(),
                message,
            })
    }

    /// The fault that ended a block before its time, in words.
    #[must_use]
    pub fn explain(&self, job: JobId, unfinished: &Unfinished) -> CastError {
        let fault = unfinished.fault().clone();
        let entrant = self.league.entrants[self.line_up(job)[usize::from(fault.entrant)]]
            .name
            .clone();
        CastError::Stopped {
            job,
            entrant,
            fault,
        }
    }
}

/// A version that a store's league was last played with, where its bot is now found in another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Outdated {
    /// The version that was played.
    pub played: Version,
    /// True if the bot that is found now is part of this program.
    pub is_built_in: bool,
}

/// Returns the versions that a store's league was last played with of those bots of `league` that
/// are now found in another version. A bot that is not found is left out: what was played can be
/// looked at without it.
///
/// # Errors
/// Returns an error if the store cannot be read or is damaged.
pub fn outdated(
    store: &Store,
    league: &League,
    base: &Path,
    catalogue: &Catalogue,
) -> Result<Vec<Outdated>, StoreError> {
    let Identity {
        league: played,
        contents,
        ..
    } = store.identity();
    let Some(facts) = Facts::find(&league.game) else {
        return Ok(Vec::new());
    };
    let changed = |entrant: &Entrant| {
        let then = played
            .entrant(&entrant.name)
            .map(|at| &contents[at])
            .filter(|content| !content.hash.is_empty())?;
        let now = Program::find(facts.id, entrant, base, catalogue).ok()?;
        let is_built_in = matches!(&now, Program::Bot(found) if found.built_in.is_some());
        let is_same = now.known_as(base) == (then.bot.clone(), then.hash.clone());
        (!is_same).then(|| (entrant.name.clone(), is_built_in))
    };
    let changed: HashMap<String, bool> = league.entrants.iter().filter_map(changed).collect();
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let versions = store.versions()?.into_iter();
    Ok(versions
        .filter(|version| version.is_current)
        .filter_map(|played| {
            let is_built_in = *changed.get(&played.name)?;
            Some(Outdated {
                played,
                is_built_in,
            })
        })
        .collect())
}

/// The programs of a league, by entrant; paths start from `base`.
///
/// # Errors
/// A bot is not found.
pub fn programs(
    league: &League,
    base: &Path,
    catalogue: &Catalogue,
) -> Result<Vec<Program>, CastError> {
    let facts = games::named(&league.game)?;
    let programs = league.entrants.iter().map(|entrant| {
        Program::find(facts.id, entrant, base, catalogue).map_err(|error| CastError::NotFound {
            entrant: entrant.name.clone(),
            error,
        })
    });
    programs.collect()
}

/// Seats a client: its address is listened at from now on.
fn seat(
    league: &League,
    entrant: &Entrant,
    client: &Client,
    base: &Path,
    doors: &mut Doors,
) -> Result<Arc<dyn Seatable>, Misstep> {
    let fail = |message: String| Misstep::new(FaultKind::Start, message);
    let protocol = PROTOCOLS
        .iter()
        .find(|protocol| protocol.handshake.name == client.protocol);
    let protocol = protocol.ok_or_else(|| {
        fail(format!(
            "there are no clients of kind `{}`",
            client.protocol
        ))
    })?;
    let mut terms = ClientTerms::new(
        &protocol.handshake,
        &entrant.name,
        &league.budget_of(entrant),
    );
    terms.door = client
        .door()
        .map(|address| doors.at(address, &protocol.handshake))
        .transpose()
        .map_err(fail)?;
    if !client.command.is_empty() {
        let line = client.line();
        trust::command(&client.protocol, &line, base).map_err(|why| fail(why.to_string()))?;
        terms.launch = Some(line.launch(base).map_err(fail)?);
    }
    terms.start = client.start_s.map_or(terms.start, Duration::from_secs);
    Ok(Arc::new(ClientBot::new(protocol, terms)))
}
