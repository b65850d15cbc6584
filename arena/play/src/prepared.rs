//! Turns the entrants of a league into seats that can open agents. Bots of all backends and clients
//! are handled alike.

mod error;
mod hybrid;

pub use error::PrepareError;

use crate::catalogue::{AgentSpec, Catalogue, FoundBot, NotFound};
use crate::league::{Client, Entrant, Excluded, League, OnError};
use crate::pack::LeagueFile;
use crate::runner::{SeatConfig, describe_fault};
use crate::schedule::Schedule;
use crate::store::{
    BotContent, LeagueIdentity, MISSING_LIMITS_SEPARATOR, Store, StoreError, StoredVersion,
};
use crate::trust;
use hattari_agents::agent::socket::{ClientBot, ClientSpec, SocketListeners};
use hattari_agents::agent::{Agent, AgentError, AgentFactory, AgentResult, ProcessReport};
use hattari_agents::games::{self, GameInfo};
use hattari_agents::record::JobId;
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{self, AnyGame, Unfinished};
use hattari_agents::text::short;
use hattari_plugin::games::Game;
use hybrid::HybridFactory;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The bot that plays for an entrant.
pub enum EntrantBot {
    /// A bot found in a bot file, or started by a command of the league.
    Bot(Box<FoundBot>),
    /// A program that connects over a socket.
    Client(Client),
    /// The two bots of a hybrid, in the order of `Hybrid::parts`.
    Hybrid(Box<[EntrantBot; 2]>),
}

/// The policy for clients that connect and for programs that a league starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClientPolicy {
    /// The host listens for clients, and starts those that have a start command.
    Welcome,
    /// The host neither listens nor starts programs. For commands that only read results or list
    /// jobs.
    Absent,
}

/// A league with a schedule and a seat for every entrant.
#[derive(Clone)]
pub struct PreparedLeague {
    /// League without its excluded entrants.
    pub league: League,
    /// The jobs of the league.
    pub schedule: Schedule,
    /// The seat of each entrant.
    pub seats: Vec<SeatConfig>,
}

impl EntrantBot {
    /// Finds the bot of an entrant. Relative paths are resolved against `base`, the league's
    /// folder.
    ///
    /// # Errors
    /// Returns an error if there is no such bot.
    pub fn find(
        game: &str,
        entrant: &Entrant,
        base: &Path,
        catalogue: &Catalogue,
    ) -> Result<EntrantBot, NotFound> {
        if let [first, second] = entrant.parts() {
            let find = |part| EntrantBot::find(game, part, base, catalogue);
            return Ok(EntrantBot::Hybrid(Box::new([find(first)?, find(second)?])));
        }
        match &entrant.client {
            Some(client) => Ok(EntrantBot::Client(client.clone())),
            None => Ok(EntrantBot::Bot(Box::new(match &entrant.command {
                Some(command) => FoundBot::from_command(game, command, base),
                None => catalogue.find(game, &entrant.bot, base)?,
            }))),
        }
    }

    /// Returns the two bots of a hybrid, or the bot itself.
    pub fn parts(&self) -> &[EntrantBot] {
        match self {
            EntrantBot::Hybrid(parts) => &**parts,
            _ => std::slice::from_ref(self),
        }
    }

    /// Returns `true` for a client that the host does not start.
    pub fn is_started_externally(&self) -> bool {
        matches!(self, EntrantBot::Client(client) if client.command.is_empty())
    }

    /// Returns `true` for clients, for bots that are started by a command, and for hybrids with one
    /// of these.
    pub fn is_program(&self) -> bool {
        match self {
            EntrantBot::Bot(found) => found.started.is_some(),
            EntrantBot::Client(_) => true,
            EntrantBot::Hybrid(parts) => parts.iter().any(EntrantBot::is_program),
        }
    }

    /// Returns `true` if the bot plays the same whenever it gets the same seed. Clients get no
    /// seeds.
    fn is_repeatable(&self) -> bool {
        match self {
            EntrantBot::Bot(found) => !found.nondeterministic,
            EntrantBot::Client(_) => false,
            EntrantBot::Hybrid(parts) => parts.iter().all(EntrantBot::is_repeatable),
        }
    }

    /// Describes the bot for the store. `factory` opens the bot in its seat. Relative paths are
    /// resolved against `base`.
    pub fn content(&self, base: &Path, factory: &dyn AgentFactory) -> BotContent {
        match self {
            EntrantBot::Bot(found) => BotContent {
                kind: describe_backend(found.kind.name(), factory.process_report().as_ref()),
                bot: found.name.clone(),
                path: short(&found.path),
                version: found.version.clone(),
                hash: found.version_id.clone(),
                file: if found.built_in.is_some() {
                    String::new()
                } else {
                    found.file_hash()
                },
            },
            EntrantBot::Client(client) => BotContent {
                kind: format!("{} client", client.protocol),
                bot: client.protocol.clone(),
                path: client.command.join(" "),
                // The host knows nothing about clients that it does not start.
                hash: format!("{:016x}", client.command_line().hash(base)),
                ..BotContent::default()
            },
            EntrantBot::Hybrid(parts) => {
                let [first, second] = parts
                    .each_ref()
                    .map(|part| part.content(base, &AbsentProgram));
                let join = |first: String, second: String| match (&*first, &*second) {
                    ("", "") => first,
                    _ => format!("{first} + {second}"),
                };
                let kind = join(first.kind, second.kind);
                BotContent {
                    kind: describe_backend(&kind, factory.process_report().as_ref()),
                    bot: join(first.bot, second.bot),
                    path: join(first.path, second.path),
                    version: join(first.version, second.version),
                    hash: join(first.hash, second.hash),
                    file: join(first.file, second.file),
                }
            }
        }
    }
}

/// Returns the backend of a bot and the restrictions of its sandbox that are missing, for
/// reports.
fn describe_backend(backend: &str, process_report: Option<&ProcessReport>) -> String {
    let Some(process_report) = process_report else {
        return backend.to_owned();
    };
    let missing = process_report.sandbox.missing();
    let missing: Vec<&str> = missing
        .map(|restriction| restriction.name.as_str())
        .collect();
    let mut text = format!("{backend}, own process");
    if !missing.is_empty() {
        text += &format!("{MISSING_LIMITS_SEPARATOR}limits of {}", missing.join(", "));
    }
    text
}

/// The agent factory of programs that are not started ([`ClientPolicy::Absent`]).
struct AbsentProgram;

impl AgentFactory for AbsentProgram {
    fn open(&self, _config_json: &str) -> AgentResult<Box<dyn Agent>> {
        Err(AgentError::start(
            "this command does not start bots that are programs, and does not wait for clients",
        ))
    }
}

impl PreparedLeague {
    /// Creates the seats of a league's entrants with the given bots. Relative paths of clients are
    /// resolved against `base`.
    ///
    /// # Errors
    /// Returns an error if a bot cannot be loaded, or if the host cannot listen at the address of a
    /// client.
    pub fn of(
        league: League,
        bots: &[EntrantBot],
        base: &Path,
        clients: ClientPolicy,
    ) -> Result<PreparedLeague, PrepareError> {
        let seats = PreparedLeague::seats(&league, bots, base, clients)
            .into_iter()
            .collect::<Result<_, _>>()?;
        Ok(PreparedLeague {
            schedule: Schedule::of(&league),
            league,
            seats,
        })
    }

    /// Returns for each entrant its seat, or the error that prevents seating it. See
    /// [`PreparedLeague::of`] for the arguments.
    pub fn seats(
        league: &League,
        bots: &[EntrantBot],
        base: &Path,
        clients: ClientPolicy,
    ) -> Vec<Result<SeatConfig, PrepareError>> {
        let mut listeners = SocketListeners::default();
        league
            .entrants
            .iter()
            .zip(bots)
            .map(|(entrant, bot)| seat_bot(league, entrant, bot, base, clients, &mut listeners))
            .collect()
    }

    /// Finds the bots of a league and seats them. Relative paths are resolved against `base`.
    ///
    /// # Errors
    /// Returns the errors of [`PreparedLeague::of`], and an error if a bot is not found.
    pub fn find(
        league: League,
        base: &Path,
        catalogue: &Catalogue,
        clients: ClientPolicy,
    ) -> Result<PreparedLeague, PrepareError> {
        let bots = find_bots(&league, base, catalogue)?;
        PreparedLeague::of(league, &bots, base, clients)
    }

    /// Finds and seats the bots like [`PreparedLeague::find`]. If the league has `on_error:
    /// exclude`, entrants whose bot is not found are excluded from the league.
    ///
    /// # Errors
    /// Returns the errors of [`PreparedLeague::find`], and an error if too few entrants are left.
    pub fn find_or_exclude(
        mut league: League,
        base: &Path,
        catalogue: &Catalogue,
        clients: ClientPolicy,
    ) -> Result<PreparedLeague, PrepareError> {
        if league.on_error == OnError::Stop {
            return PreparedLeague::find(league, base, catalogue, clients);
        }
        let facts = games::named(&league.game)?;
        let mut bots = Vec::new();
        let mut excluded = Vec::new();
        for entrant in &league.entrants {
            match EntrantBot::find(facts.id, entrant, base, catalogue) {
                Ok(bot) => bots.push(bot),
                Err(error) => excluded.push(Excluded::new(entrant, error.to_string())),
            }
        }
        league.exclude(excluded).map_err(PrepareError::Other)?;
        PreparedLeague::of(league, &bots, base, clients)
    }

    /// Prepares the stored league as it was played, without clients. Relative paths are resolved
    /// against the folder of the league file, or of the unpacked pack; `folders` are searched for
    /// bots in addition to the usual folders.
    ///
    /// # Errors
    /// Returns the errors of [`PreparedLeague::find`], and an error if a folder does not exist or a
    /// pack cannot be opened.
    pub fn of_store(store: &Store, folders: &[PathBuf]) -> Result<PreparedLeague, PrepareError> {
        let file = LeagueFile::open(&store.source.file)?;
        let prepared = PreparedLeague::find(
            store.league().clone(),
            file.base(),
            &file.catalogue(folders)?,
            ClientPolicy::Absent,
        )?;
        Ok(prepared.as_played(store))
    }

    /// Returns a copy with the schedule of `store`. For formats that play in rounds, this schedule
    /// contains the line-ups of all stored rounds.
    pub fn as_played(&self, store: &Store) -> PreparedLeague {
        PreparedLeague {
            schedule: store.schedule.clone(),
            ..self.clone()
        }
    }

    /// Returns the game with the league's options.
    ///
    /// # Errors
    /// Returns an error if the options are not valid for the game.
    pub fn game(&self) -> Result<Box<dyn AnyGame>, PrepareError> {
        table::game(&self.league.game, &self.league.options).map_err(invalid_options)
    }

    /// Returns the game with the league's options as the concrete type `G`.
    ///
    /// # Errors
    /// Returns an error if the options are not valid for `G`.
    pub fn game_as<G: Game>(&self) -> Result<G, PrepareError> {
        serde_json::from_value(self.league.options.clone())
            .map_err(|error| error.to_string())
            .and_then(G::new)
            .map_err(invalid_options)
    }

    /// Iterates over all jobs in the order of play.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        (0..self.schedule.jobs()).map(|index| self.schedule.job(index))
    }

    /// Returns the entrants of a job, by place in its line-up.
    ///
    /// # Panics
    /// Panics if the league has no such line-up.
    pub fn line_up(&self, job: JobId) -> &[usize] {
        &self.schedule.line_ups[job.line_up as usize]
    }

    /// Returns the source of random numbers for a job's line-up.
    ///
    /// # Panics
    /// Panics if the league has no such line-up.
    pub fn chance(&self, job: JobId) -> LineUpSeeds {
        self.league.chance(self.line_up(job))
    }

    /// Returns the names of a job's entrants, by place in the line-up.
    pub fn names(&self, job: JobId) -> Vec<String> {
        self.line_up(job)
            .iter()
            .map(|&entrant| self.league.entrants[entrant].name.clone())
            .collect()
    }

    /// Opens one agent for each place of a job's line-up.
    ///
    /// # Errors
    /// Returns an error if a bot cannot be opened.
    pub fn open(&self, job: JobId) -> Result<Vec<Box<dyn Agent>>, PrepareError> {
        self.line_up(job)
            .iter()
            .map(|&entrant| self.open_one(entrant))
            .collect()
    }

    /// Opens an agent of an entrant.
    ///
    /// # Errors
    /// Returns an error if the bot cannot be opened.
    pub(crate) fn open_one(&self, entrant: usize) -> Result<Box<dyn Agent>, PrepareError> {
        self.seats[entrant]
            .open()
            .map_err(|AgentError { message, .. }| {
                let name = &self.league.entrants[entrant].name;
                PrepareError::Other(format!("entrant `{name}`: {message}"))
            })
    }

    /// Converts the fault that ended a block early to an error that names the entrant.
    pub fn explain(&self, job: JobId, unfinished: &Unfinished) -> PrepareError {
        let place = usize::from(unfinished.fault().entrant);
        self.stopped(job, self.line_up(job)[place], unfinished)
    }

    /// Returns the error for a block that a fault of `entrant` ended early.
    pub(crate) fn stopped(
        &self,
        job: JobId,
        entrant: usize,
        unfinished: &Unfinished,
    ) -> PrepareError {
        let name = &self.league.entrants[entrant].name;
        let fault = describe_fault(job, name, unfinished.fault());
        PrepareError::Other(format!("the block was not completed because of {fault}"))
    }
}

fn invalid_options(reason: String) -> PrepareError {
    PrepareError::Other(format!("options of the league: {reason}"))
}

/// A version of a bot in a store's last run that differs from the version found now.
#[derive(Clone, Debug)]
pub struct OutdatedVersion {
    /// The version that was played.
    pub played: StoredVersion,
    /// True if the bot found now is linked into this program.
    pub is_built_in: bool,
}

/// Compares the bots of `league` with the versions in the store's last run. Returns the stored
/// versions that differ from the bots found now. Bots that are not found are left out, because
/// results can be read without them.
///
/// # Errors
/// Returns an error if the store cannot be read or is damaged.
pub fn outdated(
    store: &Store,
    league: &League,
    base: &Path,
    catalogue: &Catalogue,
) -> Result<Vec<OutdatedVersion>, StoreError> {
    let LeagueIdentity {
        league: played,
        contents,
        ..
    } = &store.identity;
    let Some(facts) = GameInfo::find(&league.game) else {
        return Ok(Vec::new());
    };
    let changed = |entrant: &Entrant| {
        let content = &contents[played.entrant(&entrant.name)?];
        if content.hash.is_empty() {
            return None;
        }
        let bot = EntrantBot::find(facts.id, entrant, base, catalogue).ok()?;
        let is_built_in = matches!(&bot, EntrantBot::Bot(found) if found.built_in.is_some());
        let found = bot.content(base, &AbsentProgram);
        let is_same = found.bot == content.bot && found.hash == content.hash;
        (!is_same).then(|| (entrant.name.clone(), is_built_in))
    };
    let changed: HashMap<String, bool> = league.entrants.iter().filter_map(changed).collect();
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    Ok(store
        .versions()?
        .into_iter()
        .filter_map(|played| {
            Some(OutdatedVersion {
                is_built_in: *changed.get(&played.name).filter(|_| played.is_current)?,
                played,
            })
        })
        .collect())
}

/// Finds the bot of each entrant of a league. Relative paths are resolved against `base`.
///
/// # Errors
/// Returns an error if a bot is not found.
pub fn find_bots(
    league: &League,
    base: &Path,
    catalogue: &Catalogue,
) -> Result<Vec<EntrantBot>, PrepareError> {
    let facts = games::named(&league.game)?;
    league
        .entrants
        .iter()
        .map(|entrant| {
            EntrantBot::find(facts.id, entrant, base, catalogue).map_err(|error| {
                PrepareError::Other(format!("entrant `{}`: {error}", entrant.name))
            })
        })
        .collect()
}

/// Seats the bot of an entrant or of a part of a hybrid.
///
/// # Errors
/// Returns the errors of [`PreparedLeague::of`].
fn seat_bot(
    league: &League,
    entrant: &Entrant,
    bot: &EntrantBot,
    base: &Path,
    clients: ClientPolicy,
    listeners: &mut SocketListeners,
) -> Result<SeatConfig, PrepareError> {
    let factory: AgentResult<Arc<dyn AgentFactory>> = match bot {
        _ if clients == ClientPolicy::Absent && bot.is_program() => Ok(Arc::new(AbsentProgram)),
        EntrantBot::Bot(found) => found.agent_factory_with(&AgentSpec {
            budget: league.budget_of(entrant),
            isolation: entrant.isolation.or(league.isolation),
            threads: entrant.threads,
        }),
        EntrantBot::Client(client) => seat_client(league, entrant, client, base, listeners),
        EntrantBot::Hybrid(bots) => {
            let hybrid = (entrant.hybrid.as_ref()).expect("two bots play for a hybrid only");
            let mut seat = |index: usize| {
                let (part, bot) = (&hybrid.parts[index], &bots[index]);
                seat_bot(league, part, bot, base, clients, listeners)
            };
            let seats = [seat(0)?, seat(1)?];
            HybridFactory::new(league, hybrid, seats).map(|factory| Arc::new(factory) as _)
        }
    };
    Ok(SeatConfig {
        bot: factory.map_err(|AgentError { message, .. }| {
            PrepareError::Other(format!(
                "entrant `{}` does not start: {message}",
                entrant.name
            ))
        })?,
        config_json: entrant.config.to_string(),
        is_repeatable: bot.is_repeatable(),
        limits: entrant
            .budget
            .map(|_| league.budget_of(entrant).time_limits()),
    })
}

/// Seats a client and starts to listen at its address.
fn seat_client(
    league: &League,
    entrant: &Entrant,
    client: &Client,
    base: &Path,
    listeners: &mut SocketListeners,
) -> AgentResult<Arc<dyn AgentFactory>> {
    let protocol = client.protocol().ok_or_else(|| {
        AgentError::start(format!(
            "there are no clients of kind `{}`",
            client.protocol
        ))
    })?;
    let mut spec = ClientSpec::new(
        &protocol.handshake,
        &entrant.name,
        &league.budget_of(entrant),
    );
    spec.listener = client
        .listen_address()
        .map(|address| listeners.at(address, &protocol.handshake))
        .transpose()
        .map_err(AgentError::start)?;
    if !client.command.is_empty() {
        let line = client.command_line();
        trust::check_command(&client.protocol, &line, base)
            .map_err(|why| AgentError::start(why.to_string()))?;
        spec.launch = Some(line.launch(base).map_err(AgentError::start)?);
    }
    spec.start = client.start_s.map_or(spec.start, Duration::from_secs);
    Ok(Arc::new(ClientBot::new(protocol, spec)))
}
