//! What the cards alone say: the distribution of a hand's final score, and the strength expected
//! from it.

use crate::fuzzy::config::BetweenScores;
use crate::fuzzy::counts::{HAND_SIZE, count};
use crate::fuzzy::memory;
use crate::fuzzy::score::SCORES;
use hattari_plugin::games::poker::card::{CardSet, DECK};

/// The scores of all completions of a hand to seven cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// Completions of score 0, 1, … 9.
    pub counts: [u64; SCORES],
    /// Their sum, above 0.
    pub total: u64,
}

impl Distribution {
    /// The opponent's final score as one player sees it: `shown` completed by cards that are
    /// neither own nor shown.
    ///
    /// # Panics
    /// The sets share a card, or more than seven cards are shown.
    #[must_use]
    pub fn of_opponent(own: CardSet, shown: CardSet) -> Distribution {
        assert!(own & shown == 0, "a card is in both hands");
        Distribution::of(shown, DECK & !own & !shown)
    }

    /// One's own apparent score, as the opponent sees it: `shown` completed by cards that neither
    /// player shows. What is hidden in one's own hand the opponent cannot exclude.
    ///
    /// # Panics
    /// As [`Distribution::of_opponent`].
    #[must_use]
    pub fn as_seen(shown: CardSet, opponent: CardSet) -> Distribution {
        Distribution::of_opponent(opponent, shown)
    }

    fn of(known: CardSet, deck: CardSet) -> Distribution {
        let counts = memory::recall(known, deck, || {
            count(known, deck, HAND_SIZE - known.count_ones() as usize)
        });
        Distribution {
            counts,
            total: counts.iter().sum(),
        }
    }

    /// Probability that the score is at most `score`, F of the paper.
    #[must_use]
    pub fn cdf(&self, score: usize) -> f64 {
        ratio(self.counts.iter().take(score + 1).sum(), self.total)
    }

    /// F at a number from 0 to 9 that need not be a score.
    #[must_use]
    pub fn cdf_at(&self, x: f64, between: BetweenScores) -> f64 {
        let score = (0..SCORES)
            .rev()
            .find(|&score| number(score) <= x)
            .unwrap_or(0);
        let low = self.cdf(score);
        match between {
            BetweenScores::Step => low,
            BetweenScores::Lin => low + (x - number(score)) * (self.cdf(score + 1) - low),
        }
    }

    /// The expected score: equation (1) of the opponent's cards, equation (5), the potential, of
    /// one's own.
    #[must_use]
    pub fn expectation(&self) -> f64 {
        ratio(
            self.counts
                .iter()
                .zip(0..)
                .map(|(count, score)| count * score)
                .sum(),
            self.total,
        )
    }

    /// Equation (2): how much likelier the score is to be below `com` than below what is expected;
    /// -1 to 1.
    #[must_use]
    pub fn exp(&self, com: usize, between: BetweenScores) -> f64 {
        self.cdf(com) - self.cdf_at(self.expectation(), between)
    }
}

/// Equation (5): the mean score that `shown` seems to promise to an opponent who shows `opponent`.
///
/// # Panics
/// As [`Distribution::of_opponent`].
#[must_use]
pub fn potential(shown: CardSet, opponent: CardSet) -> f64 {
    Distribution::as_seen(shown, opponent).expectation()
}

/// A score as a number.
#[expect(clippy::cast_precision_loss, reason = "at most 9")]
pub(crate) fn number(score: usize) -> f64 {
    score as f64
}

/// Completions are at most C(52, 7), and nine times that is exact in a double.
#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
