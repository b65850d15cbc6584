//! Replays of single games.

use super::again::{Again, Remade};
use super::game::Replay;
use super::pick::{NoGames, PickedGame, described};
use super::steps::{Recorder, Wanted};
use hattari_agents::agent::said::Listener;
use hattari_agents::record::JobId;
use hattari_agents::table::{AnyGame, Onlooker};
use hattari_play::cast::{Cast, CastError};
use hattari_play::store::Store;

/// A replayed game.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The game as text and JSON.
    pub replay: Replay,
    /// The game for pages; `None` if the block ended before it.
    pub page: Option<PickedGame>,
    /// `true` if recorded answers were used, without running bots.
    pub is_recorded: bool,
    /// `true` if the block equals the stored record; `None` if there is no record.
    pub is_same: Option<bool>,
}

/// Plays a block up to game `number`, or to its end if the store has its record.
///
/// # Errors
/// Returns the same errors as [`Again::play`].
pub fn replay(again: Again<'_>, number: u32) -> Result<Replayed, CastError> {
    let (is_recorded, whole) = (again.is_recorded(), again.stored().is_some());
    let (mut replay, page, played) = record(again, number, whole)?;
    let remade = played?;
    let faults = remade.record.faults.into_iter();
    replay.faults = faults.filter(|fault| fault.deal == number).collect();
    Ok(Replayed {
        replay,
        page,
        is_recorded,
        is_same: remade.is_same,
    })
}

/// A game, and the result of playing its block.
type Recorded = (Replay, Option<PickedGame>, Result<Remade, CastError>);

/// Plays a block up to game `number`, or to its end if `whole`, and keeps the game.
fn record(again: Again<'_>, number: u32, whole: bool) -> Result<Recorded, CastError> {
    let (cast, job) = (again.cast, again.job);
    let game = cast.game()?;
    let names = cast.names(job);
    let _listener = Listener::begin();
    let mut recorder = Recorder::new(&*game, &names, Wanted::Game { number, whole });
    let played = again.play(&mut recorder);
    let kept = recorder.kept.pop();
    let page = kept.map(|kept| described(job, &names, &[], kept, game.score_unit()));
    Ok((recorder.replay, page, played))
}

/// Keeps the games that `play` plays, one for each of its two observers.
///
/// # Errors
/// Returns the error of `play`.
pub fn watched<E>(
    game: &dyn AnyGame,
    names: &[String],
    job: JobId,
    play: impl FnOnce([&mut dyn Onlooker; 2]) -> Result<(), E>,
) -> Result<([Replay; 2], Vec<PickedGame>), E> {
    let _listener = Listener::begin();
    let recorder = || {
        let wanted = Wanted::Game {
            number: 0,
            whole: true,
        };
        Recorder::new(game, names, wanted)
    };
    let (mut first, mut second) = (recorder(), recorder());
    play([&mut first, &mut second])?;
    let page = |recorder: &mut Recorder<'_>| {
        let kept = recorder.kept.pop()?;
        Some(described(job, names, &[], kept, game.score_unit()))
    };
    let games = [page(&mut first), page(&mut second)];
    let games = games.into_iter().flatten().collect();
    Ok(([first.replay, second.replay], games))
}

/// Replays one game of a league for a page.
///
/// # Errors
/// Returns an error if the game does not exist, a bot cannot be opened or run again, a fault stops
/// the league, or the replay differs from the record.
pub fn one(
    cast: &Cast,
    store: Option<&Store>,
    job: JobId,
    number: u32,
) -> Result<PickedGame, NoGames> {
    let line_up = cast.schedule.line_ups.get(job.line_up as usize);
    let entrants = &line_up
        .ok_or_else(|| NoGames::Other(format!("there is no line-up {}", job.line_up)))?
        .entrants;
    let rotations = if cast.league.duplicate {
        cast.game()?.rotations(entrants.len()) as u64
    } else {
        1
    };
    let games = u64::from(cast.league.deals) * rotations;
    if cast.league.blocks <= job.block {
        return Err(NoGames::Other(format!("there is no block {}", job.block)));
    }
    if games <= u64::from(number) {
        return Err(NoGames::Other(format!(
            "there is no game {number}; a block has games 0 to {}",
            games - 1
        )));
    }
    let again = Again::new(cast, store, job)?;
    // Recorded answers are fast: play the whole block to compare it with the record.
    let whole = again.is_recorded();
    let (_, page, played) = record(again, number, whole)?;
    let is_same = match (&page, played) {
        (None, Err(error)) => return Err(error.into()),
        (_, played) => played.map_or(Some(true), |remade| remade.is_same),
    };
    if whole && is_same != Some(true) {
        return Err(NoGames::Other(
            "the replayed block differs from the stored record".to_owned(),
        ));
    }
    page.ok_or_else(|| NoGames::Other(format!("the block ended before game {number}")))
}
