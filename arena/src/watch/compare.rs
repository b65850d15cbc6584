//! Comparison of two versions of a bot.

use super::version::VersionBlock;
use hattari_agents::record::JobId;
use hattari_play::prepared::PreparedLeague;
use hattari_report::replay::rerun::Rerun;
use hattari_report::replay::{OutputLine, Replay, ReplayMove, replay};
use hattari_stats::{TTest, Untestable, paired_t};

/// The comparison of two versions in the same games.
pub(crate) struct VersionComparison {
    /// Mean difference of the scores per deal, new version minus old version, paired by block.
    pub difference: Result<TTest, Untestable>,
    /// Number of games in which the versions act differently.
    pub other_games: usize,
    /// Number of compared games.
    pub games: usize,
    /// Block number and game number of the first game in which the versions act differently.
    pub first: Option<(u32, u32)>,
}

/// Compares two versions that played the same blocks. `confidence` is the level of the interval.
pub(crate) fn compare(
    old: &[VersionBlock],
    new: &[VersionBlock],
    confidence: f64,
) -> VersionComparison {
    let scores =
        |played: &[VersionBlock]| -> Vec<f64> { played.iter().map(|block| block.score).collect() };
    let (mut other_games, mut games, mut first) = (0, 0, None);
    for (number, (old, new)) in (0..).zip(old.iter().zip(new)) {
        let count = old.games.len().max(new.games.len());
        games += count;
        for (game, index) in (0..).zip(0..count) {
            if old.games.get(index) != new.games.get(index) {
                other_games += 1;
                first = first.or(Some((number, game)));
            }
        }
    }
    VersionComparison {
        difference: paired_t(&scores(new), &scores(old), confidence),
        other_games,
        games,
        first,
    }
}

/// A game of two versions up to the first decision that differs.
pub(crate) struct VersionFork {
    /// Description of all hands before the first choice.
    pub dealt: String,
    /// Line-up position of each player.
    pub entrants: Vec<usize>,
    /// Choices before the first difference, which are the same in both versions.
    pub common: Vec<ReplayMove>,
    /// The next choice of the old version; `None` if its game was over.
    pub old: Option<ReplayMove>,
    /// The next choice of the new version; `None` if its game was over.
    pub new: Option<ReplayMove>,
    /// Lines that were printed in the game of the new version.
    pub printed: Vec<OutputLine>,
}

/// Replays a game with both versions and finds the first decision that differs. A program is not
/// run again: it may play differently, and its old file does not exist any more.
///
/// # Errors
/// Returns an error if a bot cannot be opened.
pub(crate) fn fork(
    old: (&PreparedLeague, &[VersionBlock]),
    new: (&PreparedLeague, &[VersionBlock]),
    block: u32,
    game: u32,
) -> anyhow::Result<VersionFork> {
    let replay_with = |(prepared, played): (_, &[VersionBlock])| -> anyhow::Result<Replay> {
        let answers = played[block as usize].answers.clone();
        let rerun = Rerun::of_answers(prepared, JobId { line_up: 0, block }, answers);
        Ok(replay(rerun, game)?.replay)
    };
    let (old, new) = (replay_with(old)?, replay_with(new)?);
    let common = old
        .moves
        .iter()
        .zip(&new.moves)
        .take_while(|(one, other)| {
            (one.seat, one.entrant, &one.choice, one.decider)
                == (other.seat, other.entrant, &other.choice, other.decider)
        })
        .count();
    Ok(VersionFork {
        entrants: new.entrants,
        old: old.moves.get(common).cloned(),
        new: new.moves.get(common).cloned(),
        common: new.moves[..common].to_vec(),
        dealt: new.dealt,
        printed: new.said,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(scores: &[f64], games: &[[u64; 2]]) -> Vec<VersionBlock> {
        scores
            .iter()
            .zip(games)
            .map(|(&score, games)| VersionBlock {
                score,
                games: games.to_vec(),
                ..VersionBlock::default()
            })
            .collect()
    }

    #[test]
    fn versions_are_compared_by_block_and_the_first_changed_game_is_found() {
        let old = played(&[1.0, 5.0, 3.0], &[[1, 2], [3, 4], [5, 6]]);
        let new = played(&[1.5, 5.0, 4.0], &[[1, 2], [3, 9], [7, 6]]);
        let compared = compare(&old, &new, 0.95);
        assert_eq!(
            (compared.other_games, compared.games, compared.first),
            (2, 6, Some((1, 1)))
        );
        let test = compared.difference.unwrap();
        assert!(
            (test.mean_difference - 0.5).abs() < 1e-12 && test.n_a == 3,
            "{test:?}"
        );
        let same = compare(&old, &old, 0.95);
        assert_eq!(
            (same.first, same.difference),
            (None, Err(Untestable::ZeroVariance))
        );
    }
}
