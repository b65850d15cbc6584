//! Prepares a league for playing: reads it, finds its bots and starts each bot once.

use super::folders::Folders;
use super::hosting::IsolationSummary;
use super::output;
use anyhow::{anyhow, ensure};
use hattari_agents::agent::AgentError;
use hattari_agents::agent::Isolation;
use hattari_agents::games::GameInfo;
use hattari_play::catalogue::{Catalogue, NotFoundReason};
use hattari_play::league::{
    self, Entrant, Excluded, League, LeagueDefinition, LeagueError, OnError, OptionSweep, Problem,
};
use hattari_play::pack::LeagueFile;
use hattari_play::prepared::{ClientPolicy, EntrantBot, PreparedLeague};
use hattari_play::runner::SeatConfig;
use hattari_play::schedule::Schedule;
use hattari_play::store::{BotContent, LeagueIdentity, LeagueSource};
use hattari_study::AtPath;
use std::path::Path;

/// Options for preparing a run.
#[derive(Clone, Copy)]
pub(super) struct PrepareOptions {
    /// Number of blocks per line-up; `None` for the number in the league.
    pub blocks: Option<u32>,
    /// `true` if nothing will be played. The preparation then neither waits for clients nor starts
    /// programs.
    pub is_dry_run: bool,
    /// `true` to print no message while waiting for clients.
    pub quiet: bool,
}

impl PrepareOptions {
    /// Options for a league that is prepared only to describe or pack it.
    pub(super) const WITHOUT_PLAY: Self = PrepareOptions {
        blocks: None,
        is_dry_run: true,
        quiet: true,
    };
}

/// A league that is ready to be played.
pub(super) struct PreparedRun {
    pub file: LeagueFile,
    pub prepared: PreparedLeague,
    /// The bots by entrant.
    pub bots: Vec<EntrantBot>,
    pub identity: LeagueIdentity,
    pub source: LeagueSource,
    pub isolated: IsolationSummary,
}

/// A league file and the bots of its entrants, before any of them is started.
pub(super) struct LoadedLeague {
    file: LeagueFile,
    /// Text of the YAML file.
    text: String,
    league: League,
    /// The option with several values; `None` for a single league.
    pub sweep: Option<OptionSweep>,
    /// The bots by entrant.
    bots: Vec<EntrantBot>,
}

impl LoadedLeague {
    /// Reads the league and finds its bots.
    pub(super) fn load(path: &Path, folders: &Folders) -> anyhow::Result<LoadedLeague> {
        let file = LeagueFile::open(path)?;
        // Report a missing league before a missing folder of bots.
        let catalogue = if file.yaml.is_file() {
            file.catalogue(&folders.folders)?
        } else {
            Catalogue::default()
        };
        file.warnings(&catalogue)
            .iter()
            .for_each(|caution| tracing::warn!("{caution}"));
        let mut bots: Vec<EntrantBot> = Vec::new();
        let mut resolve = |game: &GameInfo, entrant: &Entrant| -> Result<(), Problem> {
            let found = EntrantBot::find(game.id, entrant, file.base(), &catalogue);
            let found = found.map_err(|error| {
                let remedy = match *error.reason {
                    NotFoundReason::Broken(_) => {
                        "or add `on_error: exclude` to the league to play without such entrants"
                            .to_owned()
                    }
                    _ => format!(
                        "`hattari show bots --game {}` lists the available bots",
                        game.name()
                    ),
                };
                Problem::of_file(error.to_string(), remedy)
            });
            bots.push(found?);
            Ok(())
        };
        let definition = LeagueDefinition::load(&file.yaml, &mut resolve)?;
        Ok(LoadedLeague {
            file,
            text: definition.text,
            league: definition.league,
            sweep: definition.sweep,
            bots,
        })
    }

    /// Selects the league of a sweep for the value with this number, counted from 0.
    pub(super) fn select(self, sweep: &OptionSweep, number: usize) -> anyhow::Result<LoadedLeague> {
        let league = checked_league(sweep, &self.league, number)?;
        Ok(LoadedLeague {
            league,
            sweep: None,
            ..self
        })
    }

    /// Checks all leagues of a sweep.
    pub(super) fn check(&self, sweep: &OptionSweep) -> anyhow::Result<()> {
        (0..sweep.count())
            .try_for_each(|number| checked_league(sweep, &self.league, number).map(drop))
    }

    /// Checks that each bot starts.
    ///
    /// # Errors
    /// Returns an error if the file describes several leagues, or if a bot does not start.
    pub(super) fn prepare(mut self, options: PrepareOptions) -> anyhow::Result<PreparedRun> {
        if let Some(sweep) = &self.sweep {
            return Err(sweep.as_error(&self.file.yaml, &self.text).into());
        }
        if let Some(blocks) = options.blocks {
            self.set_blocks(blocks)?;
        }
        self.check_isolation()?;
        let bots = std::mem::take(&mut self.bots);
        let started = self.start_all(bots, options)?;
        self.exclude(started.excluded, options)?;
        let prepared = PreparedLeague {
            schedule: Schedule::of(&self.league),
            league: self.league,
            seats: started.seats,
        };
        let identity = LeagueIdentity::new(prepared.league.clone(), started.contents);
        let named = std::path::absolute(&self.file.given).at(&self.file.given)?;
        Ok(PreparedRun {
            prepared,
            bots: started.bots,
            file: self.file,
            identity,
            source: LeagueSource {
                file: named,
                text: self.text,
            },
            isolated: started.isolated,
        })
    }

    /// Sets the number of blocks per line-up, the value of `--blocks`.
    fn set_blocks(&mut self, blocks: u32) -> anyhow::Result<()> {
        let bad = |message: &str, remedy: &str| {
            self.league_error(format!("--blocks: {message}"), remedy)
                .as_play_error()
        };
        if blocks == 0 {
            return Err(bad("0 blocks", "give 1 or more").into());
        }
        let league = League {
            blocks,
            ..self.league.clone()
        };
        league::check_settings(&league)
            .map_err(|problem| bad(&problem.message, &problem.remedy))?;
        self.league = league;
        Ok(())
    }

    /// Checks that the bots support the isolation of their entrants, and warns of bots that are not
    /// deterministic.
    fn check_isolation(&self) -> anyhow::Result<()> {
        for (entrant, bot) in self.league.entrants.iter().zip(&self.bots) {
            for (entrant, bot) in entrant.parts().iter().zip(bot.parts()) {
                let EntrantBot::Bot(bot) = bot else { continue };
                if bot.nondeterministic {
                    tracing::warn!(
                        "{}: the bot is nondeterministic, so another run with the same seed may \
                        give other results",
                        entrant.name
                    );
                }
                ensure!(
                    bot.isolation.is_some() || entrant.isolation != Some(Isolation::Process),
                    "entrant `{}`: `isolation: process` is available for compiled bots and program \
                    bots only; {} is always sandboxed within this process",
                    entrant.name,
                    bot.kind.file_term()
                );
            }
        }
        Ok(())
    }

    /// Creates a seat for each entrant and starts each bot once.
    fn start_all(
        &self,
        bots: Vec<EntrantBot>,
        options: PrepareOptions,
    ) -> anyhow::Result<StartedBots> {
        let clients = if options.is_dry_run {
            ClientPolicy::Absent
        } else {
            ClientPolicy::Welcome
        };
        let base = self.file.base();
        let seats = PreparedLeague::seats(&self.league, &bots, base, clients);
        let mut started = StartedBots::default();
        for ((entrant, bot), seat) in self.league.entrants.iter().zip(bots).zip(seats) {
            let seat = seat.map_err(anyhow::Error::from);
            match seat.and_then(|seat| self.start(entrant, &bot, seat, options)) {
                Ok(seat) => {
                    started
                        .isolated
                        .add(&entrant.name, seat.bot.process_report().as_ref());
                    started.contents.push(bot.content(base, &*seat.bot));
                    started.seats.push(seat);
                    started.bots.push(bot);
                }
                Err(error) if self.league.on_error == OnError::Exclude => {
                    let excluded = Excluded::new(entrant, reason(entrant, &error));
                    started.excluded.push(excluded);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(started)
    }

    /// Starts a bot once, so that a broken bot is reported now and not as a fault in every block.
    /// Returns its seat. A dry run neither starts programs nor waits for clients.
    fn start(
        &self,
        entrant: &Entrant,
        bot: &EntrantBot,
        seat: SeatConfig,
        options: PrepareOptions,
    ) -> anyhow::Result<SeatConfig> {
        if bot.is_started_externally() && !options.is_dry_run && !options.quiet {
            output::tell(format_args!(
                "waiting for a client of `{}` at {}",
                entrant.name,
                listened_at(entrant)
            ));
        }
        if !(options.is_dry_run && bot.is_program()) {
            let started = seat.bot.check_start(&seat.config_json);
            started.map_err(|AgentError { message, .. }| {
                let message = format!("entrant `{}` does not start: {message}", entrant.name);
                let remedy = match bot {
                    EntrantBot::Bot(bot) => {
                        let bot = bot
                            .started
                            .as_ref()
                            .map_or(entrant.bot.clone(), |_| output::short(&bot.path));
                        format!("fix its settings or the bot; `hattari check {bot}` shows details")
                    }
                    EntrantBot::Client(_) => {
                        "make sure that the client runs and connects in time".to_owned()
                    }
                    EntrantBot::Hybrid(_) => "fix the bots of the hybrid".to_owned(),
                };
                LeagueError::of_entrant(&self.file.yaml, &self.text, entrant, message, remedy)
            })?;
        }
        Ok(seat)
    }

    /// Removes entrants whose bots do not start, and warns about all excluded entrants.
    fn exclude(&mut self, excluded: Vec<Excluded>, options: PrepareOptions) -> anyhow::Result<()> {
        if let Err(message) = self.league.exclude(excluded) {
            let error = self.league_error(message, "fix these bots, or add other entrants");
            return Err(error.into());
        }
        if !options.is_dry_run {
            for excluded in &self.league.excluded {
                tracing::warn!("excluded: {excluded}");
            }
        }
        Ok(())
    }

    /// Returns the error for a problem of the whole league.
    fn league_error(&self, message: String, remedy: &str) -> LeagueError {
        let problem = Problem::of_file(message, remedy);
        LeagueError::new(&self.file.yaml, "", vec![problem])
    }
}

/// The bots of a league that have been started, in the order of the entrants.
#[derive(Default)]
struct StartedBots {
    bots: Vec<EntrantBot>,
    seats: Vec<SeatConfig>,
    /// The descriptions of the bots for the store.
    contents: Vec<BotContent>,
    isolated: IsolationSummary,
    /// The entrants whose bots do not start.
    excluded: Vec<Excluded>,
}

/// Returns the league of a sweep for the value with this number, after checking it.
fn checked_league(sweep: &OptionSweep, base: &League, number: usize) -> anyhow::Result<League> {
    let league = sweep.league(base, number);
    league
        .and_then(|league| league::check_settings(&league).map(|()| league))
        .map_err(|problem| {
            let setting = sweep.setting(number);
            anyhow!(
                "--option {setting}: {}; {}",
                problem.message,
                problem.remedy
            )
        })
}

/// Returns the reason why an entrant is excluded, without the name of the entrant.
fn reason(entrant: &Entrant, error: &anyhow::Error) -> String {
    let text = match error
        .downcast_ref::<LeagueError>()
        .and_then(|error| error.problems.first())
    {
        Some(problem) => problem.message.clone(),
        None => error.to_string(),
    };
    text.strip_prefix(&format!("entrant `{}` ", entrant.name))
        .unwrap_or(&text)
        .to_owned()
}

/// Returns the address to which the clients of an entrant connect.
fn listened_at(entrant: &Entrant) -> String {
    let address = entrant
        .client
        .as_ref()
        .and_then(|client| client.listen_address());
    address.map_or_else(
        || "an address that the client receives".to_owned(),
        |address| address.to_string(),
    )
}
