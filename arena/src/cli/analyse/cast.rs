//! The league of an analysis: read, with its bots found.

use crate::catalogue::{Catalogue, Found, Terms};
use crate::cli::bots::Folders;
use crate::gather::Cast;
use crate::league::League;
use crate::runner::Seat;
use crate::schedule::Schedule;
use anyhow::anyhow;
use hattari_plugin::games::{Game, daihinmin::Daihinmin};
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::available_parallelism;

/// Reads a league of daihinmin and finds its bots. The second value stands for the bots' files: it changes with them.
pub fn cast(path: &Path, folders: &Folders) -> anyhow::Result<(Cast, Vec<String>)> {
    let league = League::load(path)?;
    let name = crate::games::bare(<Daihinmin as hattari_plugin::games::GameTypes>::ID);
    anyhow::ensure!(league.game == name, "{} is a league of {}; this takes one of {name}", path.display(), league.game);
    let base = path.parent().unwrap_or(Path::new(""));
    let catalogue: Catalogue = folders.catalogue(Some(base))?;
    let (mut seats, mut programs) = (Vec::new(), Vec::new());
    for entrant in &league.entrants {
        let problem = |message: String| anyhow!("entrant `{}`: {message}", entrant.name);
        let found: Found = catalogue
            .find(<Daihinmin as hattari_plugin::games::GameTypes>::ID, &entrant.bot, base)
            .map_err(|error| problem(error.to_string()))?;
        let bot = found.seat_on(&Terms::of(&league, entrant)).map_err(|misstep| problem(misstep.message))?;
        seats.push(Seat { bot, config_json: entrant.config.to_string() });
        programs.push(format!("{}: {:016x}", entrant.name, found.hash));
    }
    let cast = Cast { schedule: Schedule::of(&league), league, seats };
    cast.game::<Daihinmin>()?.options();
    Ok((cast, programs))
}

/// As many threads as were asked for, or one for each core.
pub fn threads(jobs: Option<NonZeroUsize>) -> usize {
    jobs.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}
