//! A league with its bots found, for commands that play its games again.

use super::bots::Folders;
use super::run::terms;
use crate::catalogue::Catalogue;
use crate::games::Facts;
use crate::gather::Cast;
use crate::league::League;
use crate::runner::Seat;
use crate::schedule::Schedule;
use crate::store::Store;
use anyhow::{Context, anyhow};
use std::path::Path;

/// The league that a store holds, as it was played; paths of bots start from the league's file.
///
/// # Errors
/// A bot is not found or does not start.
pub fn of_store(store: &Store, folders: &Folders) -> anyhow::Result<Cast> {
    let base = store.source().file.parent().unwrap_or(Path::new(""));
    of_league(store.league().clone(), base, &folders.catalogue(Some(base))?)
}

/// A league; paths of bots start from `base`.
///
/// # Errors
/// A bot is not found or does not start.
pub fn of_league(league: League, base: &Path, catalogue: &Catalogue) -> anyhow::Result<Cast> {
    let facts = Facts::find(&league.game).context("the league's game is not in this host")?;
    let mut seats = Vec::new();
    for entrant in &league.entrants {
        let problem = |message: String| anyhow!("entrant `{}`: {message}", entrant.name);
        let found = catalogue.find(facts.id, &entrant.bot, base).map_err(|error| problem(error.to_string()))?;
        let bot = found.seat_on(&terms(&league, entrant)).map_err(|misstep| problem(misstep.message))?;
        seats.push(Seat { bot, config_json: entrant.config.to_string() });
    }
    Ok(Cast { schedule: Schedule::of(&league), league, seats })
}
