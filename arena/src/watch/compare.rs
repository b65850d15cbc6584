//! What has changed from one version to another.

use super::Played;
use hattari_agents::record::JobId;
use hattari_play::cast::Cast;
use hattari_report::replay::again::Again;
use hattari_report::replay::{Move, Replay, Said, replay};
use hattari_stats::{TTest, Untestable, paired_t};

/// Two versions in the same games.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The difference of scores a deal, new less old, block by block.
    pub difference: Result<TTest, Untestable>,
    /// Games that went otherwise.
    pub other_games: usize,
    /// All games.
    pub games: usize,
    /// The first of them: block, and game within it.
    pub first: Option<(u32, u32)>,
}

/// Compares two versions that played the same blocks.
#[must_use]
pub fn compare(old: &Played, new: &Played, confidence: f64) -> Compared {
    let scores =
        |played: &Played| -> Vec<f64> { played.blocks.iter().map(|block| block.score).collect() };
    let (mut other_games, mut games, mut first) = (0, 0, None);
    for (number, (old, new)) in (0..).zip(old.blocks.iter().zip(&new.blocks)) {
        let count = old.games.len().max(new.games.len());
        games += count;
        for (game, index) in (0..).zip(0..count) {
            if old.games.get(index) != new.games.get(index) {
                other_games += 1;
                first = first.or(Some((number, game)));
            }
        }
    }
    Compared {
        difference: paired_t(&scores(new), &scores(old), confidence),
        other_games,
        games,
        first,
    }
}

/// A game of two versions up to where they part.
#[derive(Clone, Debug, PartialEq)]
pub struct Fork {
    /// Who holds what before the first choice.
    pub dealt: String,
    /// Place in the line-up by player.
    pub entrants: Vec<usize>,
    /// The choices that both have in common.
    pub common: Vec<Move>,
    /// What the old version did then; `None` where the game was over.
    pub old: Option<Move>,
    /// What the new one did.
    pub new: Option<Move>,
    /// What was printed in the new version's game, the line before the choice of its number.
    pub said: Vec<Said>,
}

/// Plays a game with both versions once more, to see where they part.
///
/// # Errors
/// A bot that cannot be opened.
pub fn fork(old: &Cast, new: &Cast, block: u32, game: u32) -> anyhow::Result<Fork> {
    let of = |cast| -> anyhow::Result<Replay> {
        let again = Again::new(cast, None, JobId { line_up: 0, block })?;
        Ok(replay(again, game)?.replay)
    };
    let (old, new) = (of(old)?, of(new)?);
    let is_same = |(one, other): &(&Move, &Move)| {
        (one.seat, one.entrant, &one.choice, one.decider)
            == (other.seat, other.entrant, &other.choice, other.decider)
    };
    let common = old.moves.iter().zip(&new.moves).take_while(is_same).count();
    Ok(Fork {
        entrants: new.entrants,
        old: old.moves.get(common).cloned(),
        new: new.moves.get(common).cloned(),
        common: new.moves[..common].to_vec(),
        dealt: new.dealt,
        said: new.said,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Block;

    fn played(scores: &[f64], games: &[[u64; 2]]) -> Played {
        let block = |(&score, games): (&f64, &[u64; 2])| Block {
            score,
            games: games.to_vec(),
            ..Block::default()
        };
        Played {
            blocks: scores.iter().zip(games).map(block).collect(),
        }
    }

    #[test]
    fn versions_are_paired_block_by_block_and_part_at_the_first_other_game() {
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
