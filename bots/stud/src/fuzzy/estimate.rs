//! Estimates from the cards alone: the distribution of a hand's final score, and the expected
//! strength.

use crate::fuzzy::config::BetweenScores;
use crate::fuzzy::counts::{HAND_SIZE, count};
use crate::fuzzy::memory;
use crate::fuzzy::score::SCORES;
use hattari_plugin::games::poker::card::{CardSet, DECK};

/// The number of completions of a hand to seven cards, by score.
#[derive(Clone, Copy, Debug)]
pub struct Distribution {
    /// Number of completions with each score from 0 to 9.
    pub counts: [u64; SCORES],
    /// Sum of `counts`, above 0.
    pub total: u64,
}

impl Distribution {
    /// Returns the distribution of the opponent's final score from a player's perspective: the open
    /// cards `shown` are completed with cards that are neither in `own` nor in `shown`.
    ///
    /// # Panics
    /// Panics if the sets share a card, or if more than seven cards are shown.
    pub fn of_opponent(own: CardSet, shown: CardSet) -> Distribution {
        assert!(own & shown == 0, "a card is in both hands");
        let deck = DECK & !own & !shown;
        let counts = memory::get_or_insert_with(shown, deck, || {
            count(shown, deck, HAND_SIZE - shown.count_ones() as usize)
        });
        Distribution {
            counts,
            total: counts.iter().sum(),
        }
    }

    /// Returns the probability that the score is at most `score` (F in the paper).
    pub fn cdf(&self, score: usize) -> f64 {
        ratio(self.counts.iter().take(score + 1).sum(), self.total)
    }

    /// Returns the expected score. For the opponent's cards this is equation (1) of the paper, for
    /// the player's cards the potential, equation (5).
    pub(crate) fn expectation(&self) -> f64 {
        ratio(
            self.counts
                .iter()
                .zip(0..)
                .map(|(count, score)| count * score)
                .sum(),
            self.total,
        )
    }

    /// Returns the expected strength, -1 to 1, by equation (2) of the paper: the probability of a
    /// score up to `com` minus the probability of a score up to the expected score.
    pub fn exp(&self, com: usize, between: BetweenScores) -> f64 {
        let x = self.expectation();
        let score = (0..SCORES)
            .rev()
            .find(|&score| number(score) <= x)
            .unwrap_or(0);
        let low = self.cdf(score);
        let at_x = match between {
            BetweenScores::Step => low,
            BetweenScores::Lin => low + (x - number(score)) * (self.cdf(score + 1) - low),
        };
        self.cdf(com) - at_x
    }
}

/// Returns the potential, equation (5) of the paper: the expected final score of a player who shows
/// `shown`, from the perspective of an opponent who shows `opponent`. The open cards are completed
/// with cards that neither player shows, because the opponent does not know the hidden cards.
///
/// # Panics
/// Panics in the same cases as [`Distribution::of_opponent`].
pub fn potential(shown: CardSet, opponent: CardSet) -> f64 {
    Distribution::of_opponent(opponent, shown).expectation()
}

/// Converts a score to a floating-point number.
pub(crate) fn number(score: usize) -> f64 {
    score as f64
}

/// Returns the ratio of two counts, which are exact as doubles: they are at most nine times C(52,
/// 7).
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
