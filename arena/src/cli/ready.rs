//! Prepares a league for playing: reads it, finds its bots and starts each bot once.

use super::folders::Folders;
use super::hosting::IsolationSummary;
use super::output;
use anyhow::{Context, anyhow};
use hattari_agents::agent::AgentError;
use hattari_agents::agent::Isolation;
use hattari_agents::games::GameInfo;
use hattari_agents::{table, text};
use hattari_play::catalogue::{Catalogue, FoundBot, NotFoundReason};
use hattari_play::league::{
    self, Entrant, Excluded, League, LeagueError, MissingBot, OnError, Problem,
};
use hattari_play::pack::LeagueFile;
use hattari_play::prepared::{Clients, EntrantBot, PreparedLeague};
use hattari_play::schedule::Schedule;
use hattari_play::store::{LeagueIdentity, LeagueSource};
use std::path::Path;

/// Options for preparing a run.
#[derive(Clone, Copy)]
pub(super) struct PrepareOptions<'o> {
    /// Number of blocks per line-up; `None` for the number in the league.
    pub blocks: Option<u32>,
    /// Value of a rule option that replaces the value in the league.
    pub option: Option<&'o ChosenOption>,
    /// `true` if nothing will be played. The preparation then neither waits for clients nor starts
    /// programs.
    pub is_dry_run: bool,
    /// `true` to print no message while waiting for clients.
    pub quiet: bool,
}

impl PrepareOptions<'_> {
    /// Options for a league that will not be played.
    pub(super) const LOOK: Self = PrepareOptions {
        blocks: None,
        option: None,
        is_dry_run: true,
        quiet: true,
    };
}

/// The value of `--option` for one of several leagues.
pub(super) struct ChosenOption {
    /// Name of the option.
    pub name: String,
    /// Value of the option.
    pub value: serde_json::Value,
    /// Index of the league, from 0. It is added to the seed, so that the leagues have different
    /// deals.
    pub number: u64,
}

impl ChosenOption {
    /// Sets the option and the seed in a league.
    fn apply(&self, league: &mut League) -> anyhow::Result<()> {
        let known = league.options.as_object().into_iter().flatten();
        let names: Vec<String> = known.map(|(name, _)| name.clone()).collect();
        let names = || names.iter().map(String::as_str);
        anyhow::ensure!(
            names().any(|name| name == self.name),
            "--option: {} has no option `{}`; {}",
            league.game,
            self.name,
            text::suggestion(&self.name, "options", names())
        );
        league.options[&self.name] = self.value.clone();
        league.seed += self.number;
        table::game(&league.game, &league.options)
            .map_err(|why| anyhow!("--option {}={}: {why}", self.name, self.value))?;
        Ok(())
    }
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
    /// `true` if the clients of an entrant are started outside Hattari. The number of such clients
    /// is unknown.
    pub waits: bool,
}

impl PreparedRun {
    /// Reads the league, finds its bots and checks that each of them starts.
    pub(super) fn prepare(
        path: &Path,
        how: PrepareOptions<'_>,
        folders: &Folders,
    ) -> anyhow::Result<PreparedRun> {
        let file = LeagueFile::open(path)?;
        let (path, base) = (file.yaml(), file.base());
        // Report a missing league before a missing folder of bots.
        let catalogue = if path.is_file() {
            file.catalogue(&folders.folders)?
        } else {
            Catalogue::default()
        };
        file.warnings(&catalogue)
            .iter()
            .for_each(|caution| tracing::warn!("{caution}"));
        let mut found: Vec<EntrantBot> = Vec::new();
        let mut resolve = |facts: &GameInfo, entrant: &Entrant| match EntrantBot::find(
            facts.id, entrant, base, &catalogue,
        ) {
            Ok(bot) => {
                found.push(bot);
                Ok(())
            }
            Err(error) => {
                let remedy = match *error.why {
                    NotFoundReason::Broken(_) => {
                        "or add `on_error: exclude` to the league to play without such entrants"
                            .to_owned()
                    }
                    _ => format!(
                        "`hattari show bots --game {}` lists the available bots",
                        facts.name()
                    ),
                };
                Err(MissingBot {
                    message: error.to_string(),
                    remedy,
                })
            }
        };
        let (mut league, text) = League::load_with(path, &mut resolve)?;
        let problem = |message: String, remedy: &str| {
            let problem = Problem::of_file(message, remedy);
            LeagueError::new(path.to_owned(), "", vec![problem])
        };
        if let Some(option) = how.option {
            option.apply(&mut league)?;
        }
        if let Some(blocks) = how.blocks {
            league.blocks = blocks;
            let bad = |message: String, remedy: &str| {
                problem(format!("--blocks: {message}"), remedy).as_play_error()
            };
            if blocks == 0 {
                return Err(bad("0 blocks".into(), "give 1 or more").into());
            }
            league::check_size(&league).map_err(|problem| bad(problem.message, &problem.remedy))?;
        }
        for (entrant, bot) in league.entrants.iter().zip(&found) {
            for (entrant, bot) in entrant.parts().iter().zip(bot.parts()) {
                if let EntrantBot::Bot(bot) = bot {
                    check_isolation_and_warn(entrant, bot)?;
                }
            }
        }
        let clients = if how.is_dry_run {
            Clients::Absent
        } else {
            Clients::Welcome
        };
        let all = PreparedLeague::seats(&league, &found, base, clients);
        let (mut bots, mut seats, mut contents, mut excluded) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut isolated = IsolationSummary::default();
        for ((entrant, bot), seat) in league.entrants.iter().zip(found).zip(all) {
            // Start each bot once here, so that a broken bot is reported now and not as a fault in
            // every block. A dry run does not wait for clients.
            let is_tried = !(how.is_dry_run && bot.is_program());
            if bot.is_started_externally() && !how.is_dry_run && !how.quiet {
                output::tell(format_args!(
                    "waiting for a client of `{}` at {}",
                    entrant.name,
                    listened_at(entrant)
                ));
            }
            let proven = seat.map_err(anyhow::Error::from).and_then(|seat| {
                if is_tried {
                    let fail = |agent_error| unstarted(path, &text, entrant, &bot, &agent_error);
                    seat.bot.check_start(&seat.config_json).map_err(fail)?;
                }
                Ok(seat)
            });
            match proven {
                Ok(seat) => {
                    isolated.add(&entrant.name, seat.bot.hosting().as_ref());
                    contents.push(bot.content(base, &*seat.bot));
                    seats.push(seat);
                    bots.push(bot);
                }
                Err(error) if league.on_error == OnError::Exclude => {
                    excluded.push(Excluded::new(entrant, reason(entrant, &error)));
                }
                Err(error) => return Err(error),
            }
        }
        let none_left = |message| problem(message, "fix these bots, or add other entrants");
        league.exclude(excluded).map_err(none_left)?;
        if !how.is_dry_run {
            league
                .excluded
                .iter()
                .for_each(|excluded| tracing::warn!("excluded: {excluded}"));
        }
        let prepared = PreparedLeague {
            schedule: Schedule::of(&league),
            league,
            seats,
        };
        let waits = bots.iter().any(EntrantBot::is_started_externally);
        let identity = LeagueIdentity::new(prepared.league.clone(), contents);
        let named = std::path::absolute(file.given_path())
            .with_context(|| file.given_path().display().to_string())?;
        Ok(PreparedRun {
            prepared,
            bots,
            file,
            identity,
            source: LeagueSource { file: named, text },
            isolated,
            waits,
        })
    }
}

/// Returns the error for a bot that does not start.
fn unstarted(
    path: &Path,
    text: &str,
    entrant: &Entrant,
    bot: &EntrantBot,
    agent_error: &AgentError,
) -> LeagueError {
    let message = format!(
        "entrant `{}` does not start: {}",
        entrant.name, agent_error.message
    );
    let remedy = match bot {
        EntrantBot::Bot(bot) => {
            let bot = bot
                .started
                .as_ref()
                .map_or(entrant.bot.clone(), |_| output::short(&bot.path));
            format!("fix its settings or the bot; `hattari check {bot}` shows details")
        }
        EntrantBot::Client(_) => "make sure that the client runs and connects in time".to_owned(),
        EntrantBot::Hybrid(_) => "fix the bots of the hybrid".to_owned(),
    };
    LeagueError::of_entrant(path.to_owned(), text, entrant, message, remedy)
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

/// Checks that the bot supports the entrant's isolation, and warns if the bot is not deterministic.
fn check_isolation_and_warn(entrant: &Entrant, bot: &FoundBot) -> anyhow::Result<()> {
    if bot.nondeterministic {
        tracing::warn!(
            "{}: the bot is nondeterministic, so another run with the same seed may give other \
            results",
            entrant.name
        );
    }
    if bot.isolation.is_none() && entrant.isolation == Some(Isolation::Process) {
        let file = bot.kind.file();
        let why = format!(
            "`isolation: process` is available for compiled bots and program bots only; {file} is \
            always sandboxed within this process"
        );
        return Err(anyhow!("entrant `{}`: {why}", entrant.name));
    }
    Ok(())
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
