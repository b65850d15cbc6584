//! Replays of single games.

use super::game::Replay;
use super::pick::GameReplayError;
use super::rerun::{Rerun, RerunResult};
use super::steps::PickedGame;
use super::steps::{GameRecorder, WantedGames};
use hattari_agents::agent::output::OutputCapture;
use hattari_agents::record::JobId;
use hattari_agents::table::{AnyGame, BlockObserver};
use hattari_play::prepared::{PrepareError, PreparedLeague};
use hattari_play::store::Store;

/// A replayed game as text and as data for a page, with the comparison to the stored record.
#[derive(Debug)]
pub struct ReplayedGame {
    /// The game as text and JSON.
    pub replay: Replay,
    /// The game for a page; `None` if the block ended before this game.
    pub page: Option<PickedGame>,
    /// `true` if recorded answers were used, without running bots.
    pub is_recorded: bool,
    /// `true` if the block equals the stored record, `false` if not; `None` if there is no record.
    pub is_same: Option<bool>,
}

/// Replays a block up to game `number`, or completely if the store has the record of the block.
///
/// # Errors
/// Returns the same errors as [`Rerun::play`].
pub fn replay(rerun: Rerun<'_>, number: u32) -> Result<ReplayedGame, PrepareError> {
    let (is_recorded, whole) = (rerun.is_recorded(), rerun.stored().is_some());
    let (mut replay, page, played) = record(rerun, number, whole)?;
    let remade = played?;
    replay.faults = remade
        .record
        .faults
        .into_iter()
        .filter(|fault| fault.deal == number)
        .collect();
    Ok(ReplayedGame {
        replay,
        page,
        is_recorded,
        is_same: remade.is_same,
    })
}

/// A replayed game, its data for the page, and the result of playing its block again.
type RecordedGame = (
    Replay,
    Option<PickedGame>,
    Result<RerunResult, PrepareError>,
);

/// Replays a block up to game `number`, or completely if `whole`.
fn record(rerun: Rerun<'_>, number: u32, whole: bool) -> Result<RecordedGame, PrepareError> {
    let (prepared, job) = (rerun.prepared, rerun.job);
    let game = prepared.game()?;
    let names = prepared.names(job);
    let _listener = OutputCapture::begin();
    let wanted = WantedGames::Game { number, whole };
    let mut recorder = GameRecorder::new(&*game, job, &names, wanted);
    let played = rerun.play(&mut recorder);
    Ok((recorder.replay, recorder.kept.pop(), played))
}

/// Calls `play` with two observers. Returns the game that each of them observed, as text and for a
/// page.
///
/// # Errors
/// Returns the error of `play`.
pub(crate) fn record_both<E>(
    game: &dyn AnyGame,
    names: &[String],
    job: JobId,
    play: impl FnOnce([&mut dyn BlockObserver; 2]) -> Result<(), E>,
) -> Result<([Replay; 2], Vec<PickedGame>), E> {
    let _listener = OutputCapture::begin();
    let recorder = || {
        let wanted = WantedGames::Game {
            number: 0,
            whole: true,
        };
        GameRecorder::new(game, job, names, wanted)
    };
    let (mut first, mut second) = (recorder(), recorder());
    play([&mut first, &mut second])?;
    let games = [first.kept, second.kept].concat();
    Ok(([first.replay, second.replay], games))
}

/// Replays one game of a league for a page.
///
/// # Errors
/// Returns an error if the game does not exist, a bot cannot be opened or run again, a fault stops
/// the league, or the replay differs from the record.
pub fn replay_for_page(
    prepared: &PreparedLeague,
    store: Option<&Store>,
    job: JobId,
    number: u32,
) -> Result<PickedGame, GameReplayError> {
    let no_game = |why: String| Err(GameReplayError::NoGame(why));
    let Some(line_up) = prepared.schedule.line_ups.get(job.line_up as usize) else {
        return no_game(format!("there is no line-up {}", job.line_up));
    };
    let rotations = if prepared.league.duplicate {
        prepared.game()?.rotations(line_up.len()) as u64
    } else {
        1
    };
    let games = u64::from(prepared.league.deals) * rotations;
    if prepared.schedule.blocks_by_line_up()[job.line_up as usize] <= job.block {
        return no_game(format!("there is no block {}", job.block));
    }
    if games <= u64::from(number) {
        return no_game(format!(
            "there is no game {number}; the games of a block are numbered 0 to {}",
            games - 1
        ));
    }
    let rerun = Rerun::new(prepared, store, job)?;
    // A block with a record is played completely, to compare it with the record.
    let (is_recorded, whole) = (rerun.is_recorded(), rerun.stored().is_some());
    let (_, page, played) = record(rerun, number, whole)?;
    let is_same = match (&page, played) {
        (Some(_), Err(_)) if !whole => None,
        (_, played) => played?.is_same,
    };
    if is_same == Some(false) || is_recorded && is_same.is_none() {
        return no_game("the replayed block differs from the stored record".to_owned());
    }
    page.map_or_else(
        || no_game(format!("the block ended before game {number}")),
        Ok,
    )
}
