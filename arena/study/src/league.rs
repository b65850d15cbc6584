//! Loads the league of a study and its bots.

use hattari_play::pack::LeagueFile;
use hattari_play::prepared::{ClientPolicy, PreparedLeague, find_bots};
use hattari_plugin::games::daihinmin::Daihinmin;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// Reads a daihinmin league and loads its bots from `folders` and the standard folders. Returns the
/// league, and the name of each entrant with the hash of its bot's file.
///
/// # Errors
/// Returns an error if the league or a bot cannot be read, or if the league has another game.
pub fn daihinmin_league(
    path: &Path,
    folders: &[PathBuf],
) -> anyhow::Result<(PreparedLeague, Vec<String>)> {
    let file = LeagueFile::open(path)?;
    let league = file.load()?;
    let name = hattari_agents::games::name_without_revision(
        <Daihinmin as hattari_plugin::games::GameTypes>::ID,
    );
    anyhow::ensure!(
        league.game == name,
        "{}: this command supports {name} only (the game of this league is {})",
        path.display(),
        league.game
    );
    let base = file.base();
    let bots = find_bots(&league, base, &file.catalogue(folders)?)?;
    let prepared = PreparedLeague::of(league, &bots, base, ClientPolicy::Welcome)?;
    prepared.game_as::<Daihinmin>()?;
    let hashes = prepared
        .league
        .entrants
        .iter()
        .zip(&bots)
        .zip(&prepared.seats)
        .map(|((entrant, bot), seat)| {
            format!("{}: {}", entrant.name, bot.content(base, &*seat.bot).hash)
        })
        .collect();
    Ok((prepared, hashes))
}

/// Returns the requested number of threads, or one per core.
pub fn threads(jobs: Option<NonZeroUsize>) -> usize {
    jobs.or_else(|| available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
}
