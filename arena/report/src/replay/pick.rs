//! Selects the games that a page shows: the games with the largest swings, with some from every
//! line-up. The swing is the largest difference between two players in a game.

use super::rerun::{Rerun, RerunError};
use super::steps::{GameRecorder, PickedGame, WantedGames};
use crate::standings::Standings;
use hattari_agents::record::{Fault, FaultKind, JobId};
use hattari_play::prepared::{PrepareError, PreparedLeague};
use hattari_play::samples::Samples;
use hattari_play::store::Store;
use std::time::{Duration, Instant};

/// Maximum number of blocks that are replayed.
const BLOCKS_MAX: usize = 24;
/// Number of games that are kept per block.
const GAMES_PER_BLOCK: usize = 3;
/// Maximum size of the games on a page, in bytes of JSON.
pub(crate) const BYTES_MAX: usize = 400_000;

/// Games for a page.
#[derive(Debug, Default)]
pub struct PickedGames {
    /// The games, ordered by decreasing swing.
    pub games: Vec<PickedGame>,
    /// Notes for the reader, for example on games that could not be replayed.
    pub notes: Vec<String>,
}

/// The reason why no game can be replayed.
#[derive(Debug, thiserror::Error)]
pub enum GameReplayError {
    /// A bot cannot be opened or run, or a fault stops the league.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The store cannot be read, or the answers of clients are missing.
    #[error(transparent)]
    Rerun(#[from] RerunError),
    /// The league has no such game, or its replay differs from the stored record.
    #[error("{0}")]
    NoGame(String),
}

/// Selects games of a store for the page of its report, and replays them for at most `time`.
///
/// # Errors
/// Returns an error if the store cannot be read, or a bot cannot be opened or run.
pub fn for_page(
    prepared: Result<PreparedLeague, PrepareError>,
    store: &Store,
    standings: &Standings,
    samples: &Samples,
    time: Duration,
) -> Result<PickedGames, GameReplayError> {
    let prepared = &prepared?;
    if time.is_zero() {
        return Ok(PickedGames::default());
    }
    let until = Instant::now() + time;
    let means = mean_payoffs(prepared, standings);
    let mut picked = replay(prepared, store, &candidates(samples), &means, until)?;
    limit_size(&mut picked);
    Ok(picked)
}

/// Returns the blocks in which the scores of the bots differ most: first one block of each line-up,
/// then other blocks.
fn candidates(samples: &Samples) -> Vec<JobId> {
    let mut jobs: Vec<(bool, f64, JobId)> = Vec::new();
    for (line_up, sample) in (0..).zip(&samples.line_ups) {
        let mut blocks: Vec<(f64, JobId)> = Vec::new();
        for (index, info) in sample.blocks.iter().enumerate() {
            let Some(block) = info.label.number() else {
                continue;
            };
            let means = || {
                sample
                    .bots
                    .iter()
                    .filter_map(|bot| bot.means.get(index).copied().flatten())
            };
            let spread = means().fold(f64::MIN, f64::max) - means().fold(f64::MAX, f64::min);
            blocks.push((spread, JobId { line_up, block }));
        }
        blocks.sort_by(|a, b| b.0.total_cmp(&a.0));
        let blocks = blocks.into_iter().take(BLOCKS_MAX).enumerate();
        jobs.extend(blocks.map(|(place, (spread, job))| (place > 0, spread, job)));
    }
    // The first block of each line-up comes before all others.
    jobs.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    jobs.truncate(BLOCKS_MAX);
    jobs.into_iter().map(|(.., job)| job).collect()
}

/// Replays blocks and selects their games. Notes say which blocks were left out.
fn replay(
    prepared: &PreparedLeague,
    store: &Store,
    jobs: &[JobId],
    means: &[f64],
    until: Instant,
) -> Result<PickedGames, GameReplayError> {
    let mut picked = PickedGames::default();
    let game = prepared.game()?;
    let mut counts = ReplayCounts::default();
    for &job in jobs {
        if until <= Instant::now() {
            counts.is_out_of_time = true;
            break;
        }
        let rerun = match Rerun::new(prepared, Some(store), job) {
            Ok(rerun) => rerun,
            Err(error @ RerunError::Store(_)) => return Err(error.into()),
            Err(RerunError::MissingAnswers(_)) => {
                counts.without_answers += 1;
                continue;
            }
        };
        let Some(stored) = rerun.stored() else {
            continue;
        };
        if !rerun.is_recorded() && stored.faults.iter().any(prevents_replay) {
            counts.disturbed += 1;
            continue;
        }
        let names = prepared.names(job);
        let own_means: Vec<f64> = prepared
            .line_up(job)
            .iter()
            .map(|&entrant| means.get(entrant).copied().unwrap_or(0.0))
            .collect();
        let (deals, is_recorded) = (stored.deals, rerun.is_recorded());
        let wanted = WantedGames::Swings {
            count: GAMES_PER_BLOCK,
            means: &own_means,
            until,
        };
        let mut recorder = GameRecorder::new(&*game, job, &names, wanted);
        let replayed = rerun.play(&mut recorder)?;
        if recorder.games == deals && replayed.is_same == Some(false) {
            counts.changed += 1;
            continue;
        }
        counts.recorded += usize::from(is_recorded);
        picked.games.append(&mut recorder.kept);
    }
    picked.notes = counts.notes();
    Ok(picked)
}

/// Returns `true` for a crash or a timeout. A replay of such a fault would take as long and might
/// end differently.
fn prevents_replay(fault: &Fault) -> bool {
    fault.kind.is_fatal() || matches!(fault.kind, FaultKind::Time | FaultKind::Clock)
}

/// Counts of blocks that were left out of a page, by reason, and of blocks that were replayed from
/// recorded answers.
#[derive(Default)]
struct ReplayCounts {
    /// Blocks that differ from the stored records.
    changed: usize,
    /// Blocks in which a bot crashed or ran out of time.
    disturbed: usize,
    /// Blocks whose answers are not in the store.
    without_answers: usize,
    /// Blocks that were replayed from the answers in the store.
    recorded: usize,
    /// `true` if the time limit was reached before all blocks were replayed.
    is_out_of_time: bool,
}

impl ReplayCounts {
    /// Returns the counts as notes for the reader.
    fn notes(&self) -> Vec<String> {
        let ReplayCounts {
            changed,
            disturbed,
            without_answers,
            recorded,
            is_out_of_time,
        } = *self;
        let notes = [
            (
                changed > 0,
                format!(
                    "Replayed blocks that differ from the stored records: {changed}. A bot has \
                     changed since, or does not play the same way every time. The games of these \
                     blocks are not shown."
                ),
            ),
            (
                recorded > 0,
                "Blocks with programs or clients as bots, or with bots that do not play the same \
                 way every time, were replayed from the answers in the store."
                    .to_owned(),
            ),
            (
                without_answers > 0,
                format!(
                    "Blocks that cannot be replayed, because the answers of programs or clients \
                     are not in the store: {without_answers}."
                ),
            ),
            (
                disturbed > 0,
                format!(
                    "Blocks that were not replayed, because a bot crashed or ran out of time: \
                     {disturbed}."
                ),
            ),
            (
                is_out_of_time,
                "The time limit for replays was reached before all line-ups were covered."
                    .to_owned(),
            ),
        ];
        notes
            .into_iter()
            .filter(|(applies, _)| *applies)
            .map(|(_, note)| note)
            .collect()
    }
}

/// Keeps as many games as fit on a page, sorted by decreasing swing. The game with the largest
/// swing of every line-up has priority.
fn limit_size(picked: &mut PickedGames) {
    let mut games = std::mem::take(&mut picked.games);
    games.sort_by(|a, b| b.swing.total_cmp(&a.swing));
    let mut seen = std::collections::BTreeSet::new();
    let (firsts, others): (Vec<_>, Vec<_>) = games
        .into_iter()
        .partition(|game| seen.insert(game.line_up));
    let mut bytes = 0;
    let mut dropped = 0_usize;
    for game in firsts.into_iter().chain(others) {
        let size = serde_json::to_string(&game).map_or(BYTES_MAX, |json| json.len());
        if bytes + size <= BYTES_MAX {
            bytes += size;
            picked.games.push(game);
        } else {
            dropped += 1;
        }
    }
    picked.games.sort_by(|a, b| b.swing.total_cmp(&a.swing));
    if dropped > 0 {
        picked.notes.push(format!(
            "Games that are left out, because the page would become too large: {dropped}."
        ));
    }
}

/// Returns the mean payoffs of the entrants, with which the payoffs of games are compared.
fn mean_payoffs(prepared: &PreparedLeague, standings: &Standings) -> Vec<f64> {
    let players = prepared.schedule.line_ups.first().map_or(0, Vec::len);
    let league = &prepared.league;
    // If rotations are scored together, means do not apply to single games.
    let is_joint = league.duplicate
        && prepared
            .game()
            .is_ok_and(|game| game.counted_rotations(players) < game.rotations(players));
    let mean = |name: &str| {
        standings
            .bots
            .iter()
            .filter(|_| !is_joint)
            .find(|bot| bot.name == name)?
            .mean
    };
    league
        .entrants
        .iter()
        .map(|entrant| mean(&entrant.name).unwrap_or(0.0))
        .collect()
}
